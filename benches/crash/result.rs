//! What a finished run left, and whether another left the same.

use record::{Epoch, Run, Status};
use std::path::Path;

/// Version, machine and day, as the record of a run has them.
pub(crate) fn origin(path: &Path) -> Result<String, Box<dyn std::error::Error>> {
    let from = Run::read(path)?.record.provenance;
    let machine = &from.machine;
    let day = from.started.split('T').next().unwrap_or_default();
    Ok(format!(
        "creditscope {}; {}, {} cores, {}; {day}.",
        from.version, machine.cpu, machine.cores, machine.system
    ))
}

/// Everything of a run that does not tell the time.
pub(crate) struct Finished {
    files: Vec<String>,
    result: String,
    epochs: String,
    /// The tensors: what follows the head of the checkpoint, which says how long training took.
    tensors: Vec<u8>,
}

impl Finished {
    pub(crate) fn read(path: &Path) -> Result<Self, Box<dyn std::error::Error>> {
        let run = Run::read(path)?;
        let record = &run.record;
        if record.status != Status::Finished {
            return Err(format!("{} says {:?}", path.display(), record.status).into());
        }
        let entries = std::fs::read_dir(path)?.collect::<Result<Vec<_>, _>>()?;
        let mut files: Vec<String> =
            entries.iter().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        files.sort();
        let from = &record.provenance;
        let result = format!(
            "{:?} {:?} {:?} {:?} {:?}",
            record.network, record.drift, from.recipe_hash, from.identity, from.data_hash
        );
        let epochs = format!("{:?}", run.epochs.iter().map(Epoch::timeless).collect::<Vec<_>>());
        let checkpoint = std::fs::read(path.join(Run::CHECKPOINT))?;
        let (length, rest) =
            checkpoint.split_first_chunk::<8>().ok_or("a checkpoint of less than eight bytes")?;
        let head = usize::try_from(u64::from_le_bytes(*length))?;
        let tensors = rest.get(head..).ok_or("a checkpoint shorter than its head")?.to_vec();
        Ok(Self { files, result, epochs, tensors })
    }

    /// The first difference, in words.
    pub(crate) fn same(&self, other: &Self) -> Result<(), String> {
        for (what, same) in [
            ("files", self.files == other.files),
            ("result", self.result == other.result),
            ("epochs", self.epochs == other.epochs),
            ("tensors", self.tensors == other.tensors),
        ] {
            if !same {
                return Err(format!("its {what} differ: {:?} and {:?}", self.files, other.files));
            }
        }
        Ok(())
    }
}
