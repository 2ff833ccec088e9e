//! `checkpoint.safetensors`: everything that a run needs to continue as if it had never stopped.
//!
//! Weights have PyTorch's names and shapes, so that `load_state_dict(strict=True)` accepts them. The optimiser's moments are
//! under `optim.`, the rule's tensors under `feedback.` or `rule.`, and the credit on the first test samples under `credit.`.
//! The position is JSON in the file's metadata, together with a digest of everything, since the format itself does not detect a
//! flipped bit.

use crate::recipe::hex;
use crate::{Error, NUMERICS, Position};
use nn::{Architecture, Net};
use record::{Provenance, Run, bounded};
use rules::{Learner, Tally};
use safetensors::{Dtype, SafeTensors};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::path::Path;

/// Position of a run when it was saved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    schema: String,
    /// Hash of its recipe.
    pub recipe_hash: String,
    /// Identity of the run; absent in older files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<String>,
    /// Version of the arithmetic that computed it; absent in older files, which have the first version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    numerics: Option<u32>,
    /// Length of `metrics.jsonl` when the run was saved, for readers; a resumed run goes by lines.
    pub metrics_bytes: u64,
    epoch: u64,
    step: u64,
    t: u64,
    loss: f64,
    correct: u64,
    samples: u64,
    seconds: f64,
    /// SHA-256 of everything in the file.
    pub digest: String,
}

/// A checkpoint read from disk.
#[derive(Clone, Debug)]
pub struct Restored {
    /// Position of the run.
    pub checkpoint: Checkpoint,
    /// The recorded credit of the embedding, block 0 and so on.
    pub credit: Vec<Vec<f32>>,
}

/// What is wrong with a file that was changed.
const DAMAGED: &str = "is damaged (its content does not have the digest it states)";

/// Key of the position in the file's metadata.
const KEY: &str = "creditscope";

impl Checkpoint {
    const SCHEMA: &str = "creditscope.checkpoint/2";

    /// The position to continue from.
    pub fn position(&self) -> Position {
        let tally = Tally { loss: self.loss, correct: self.correct, samples: self.samples };
        Position { epoch: self.epoch, step: self.step, t: self.t, tally, seconds: self.seconds }
    }

    /// Starts the digest with the whole head except the digest itself.
    fn begin_digest(&self) -> Sha256 {
        let bare = Self { digest: String::new(), ..self.clone() };
        Sha256::new_with_prefix(serde_json::to_vec(&bare).expect("a head is plain data"))
    }

    /// The head of a checkpoint of this run, written here with a log of this many bytes.
    pub(crate) fn new(of: &Provenance, position: &Position, metrics_bytes: u64) -> Self {
        Self {
            schema: Self::SCHEMA.to_owned(),
            recipe_hash: of.recipe_hash.clone(),
            identity: of.identity.clone(),
            numerics: Some(NUMERICS),
            metrics_bytes,
            epoch: position.epoch,
            step: position.step,
            t: position.t,
            loss: position.tally.loss,
            correct: position.tally.correct,
            samples: position.tally.samples,
            seconds: position.seconds,
            digest: String::new(),
        }
    }

    /// Whether the tensors of the file, in its order, have the digest that it states.
    fn agrees_with(&self, tensors: &SafeTensors<'_>) -> bool {
        let mut tensors = tensors.tensors();
        tensors.sort_by_key(|(_, view)| view.data().as_ptr());
        let mut digest = self.begin_digest();
        for (name, view) in &tensors {
            digest.update(name.as_bytes());
            digest.update(view.data());
        }
        hex(&digest.finalize()) == self.digest
    }

    /// Whether it belongs to the run of this record.
    fn is_of(&self, run: &Provenance) -> bool {
        match (&self.identity, &run.identity) {
            (Some(own), Some(of_run)) => own == of_run,
            _ => self.recipe_hash == run.recipe_hash,
        }
    }

    /// The same for a run with an identity.
    pub(crate) fn identified(self, identity: &str) -> Self {
        Self { identity: Some(identity.to_owned()), ..self }
    }

    /// Writes the file atomically, with the learner's tensors and the recorded credit.
    pub(crate) fn write(
        mut self,
        directory: &Path,
        learner: &Learner<f32, Net>,
        credit: &[Vec<f32>],
    ) -> Result<(), Error> {
        // One tensor at a time: a copy of all would double the memory of a run.
        let mut digest = self.begin_digest();
        for (name, tensor) in named(learner, credit) {
            digest.update(name.as_bytes());
            digest.update(tensor.bytes());
        }
        self.digest = hex(&digest.finalize());
        let head = serde_json::to_string(&self).expect("a head is plain data");
        let path = directory.join(Run::CHECKPOINT);
        Ok(record::durable::write_with(&path, |file| {
            file.write_all(&header(learner, credit, head))?;
            named(learner, credit).try_for_each(|(_, tensor)| file.write_all(&tensor.bytes()))
        })?)
    }

    /// Reads the checkpoint of a run into its learner; `None` if there is none yet.
    pub fn read(
        directory: &Path,
        of: &Provenance,
        learner: &mut Learner<f32, Net>,
    ) -> Result<Option<Restored>, Error> {
        let path = directory.join(Run::CHECKPOINT);
        let Some(bytes) = bounded::read_if_there(&path, most_bytes(learner))? else { return Ok(None) };
        Self::decode(&bytes, of, learner).map(Some).map_err(|problem| Error::Checkpoint { path, problem })
    }

    fn decode(bytes: &[u8], of: &Provenance, learner: &mut Learner<f32, Net>) -> Result<Restored, String> {
        let damaged = |e: &dyn std::fmt::Display| format!("it is damaged ({e})");
        let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|e| damaged(&e))?;
        let tensors = SafeTensors::deserialize(bytes).map_err(|e| damaged(&e))?;
        let head = metadata.metadata().as_ref().and_then(|m| m.get(KEY));
        let head = head.ok_or("it was not written by creditscope")?;
        let head: Self = serde_json::from_str(head).map_err(|e| damaged(&e))?;
        if head.schema != Self::SCHEMA {
            return Err(format!("it has schema `{}`, this program reads `{}`", head.schema, Self::SCHEMA));
        }
        if !head.is_of(of) {
            let problem =
                if head.agrees_with(&tensors) { "is the checkpoint of another run" } else { DAMAGED };
            return Err(format!("it {problem}"));
        }
        let mut digest = head.begin_digest();
        let credit = recorded(learner, &tensors)?;
        for (name, Stored { shape, recorded, .. }) in &named(learner, &credit).collect::<Vec<_>>() {
            let view = tensors.tensor(name).map_err(|_| format!("it lacks the tensor {name}"))?;
            if (view.shape() != shape && !recorded) || view.dtype() != Dtype::F32 {
                return Err(format!("{name} has shape {:?}, expected {shape:?}", view.shape()));
            }
            digest.update(name.as_bytes());
            digest.update(view.data());
        }
        if hex(&digest.finalize()) != head.digest {
            return Err(format!("it {DAMAGED}"));
        }
        let values =
            |name: &str| tensors.tensor(name).map(|view| from_bytes(view.data())).expect("checked above");
        for tensor in learner.net.layout().tensors() {
            let name = &tensor.name;
            tensor.from_torch(&values(name), &mut learner.params);
            tensor.from_torch(&values(&format!("optim.first.{name}")), &mut learner.first);
            tensor.from_torch(&values(&format!("optim.second.{name}")), &mut learner.second);
        }
        for saved in learner.rule.saved_mut() {
            saved.values = values(&saved.name);
        }
        learner.rule.refresh(&learner.net, &learner.params);
        Ok(Restored { checkpoint: head, credit })
    }
}

/// Most bytes of a checkpoint: weights and moments, the rule's own tensors, and a GiB for the credit and the head.
fn most_bytes(learner: &Learner<f32, Net>) -> u64 {
    let own: usize = learner.rule.saved().iter().map(|saved| saved.values.len()).sum();
    (1 << 30) + 4 * (3 * learner.params.len() + own) as u64
}

/// Name of the recorded credit of the unit that acts at h_index.
fn credit_name(index: usize) -> String {
    index.checked_sub(1).map_or_else(|| "credit.embed".to_owned(), |block| format!("credit.{block}"))
}

/// The recorded credit of every unit.
fn recorded(learner: &Learner<f32, Net>, tensors: &SafeTensors<'_>) -> Result<Vec<Vec<f32>>, String> {
    let of = |index: usize| {
        let name = credit_name(index);
        let view = tensors.tensor(&name).map_err(|_| format!("it lacks the tensor {name}"))?;
        let values = from_bytes(view.data());
        let width = learner.net.state(index).width();
        if !values.len().is_multiple_of(width) {
            return Err(format!("{name} has {} values, not a multiple of {width}", values.len()));
        }
        Ok(values)
    };
    (0..=learner.net.shape().blocks).map(of).collect()
}

/// A tensor in memory order, converted to PyTorch's order when it is written.
struct Stored<'a> {
    shape: Vec<usize>,
    values: &'a [f32],
    network: Option<&'a nn::Tensor>,
    /// Credit, checked by its number of values: earlier versions used rows of another width.
    recorded: bool,
}

impl Stored<'_> {
    /// Values in PyTorch's order.
    fn bytes(&self) -> Vec<u8> {
        let bytes = |values: &[f32]| values.iter().flat_map(|x| x.to_le_bytes()).collect();
        self.network.map_or_else(|| bytes(self.values), |tensor| bytes(&tensor.to_torch(self.values)))
    }
}

/// Every tensor of a checkpoint by name, in the order of the file.
fn named<'a>(
    learner: &'a Learner<f32, Net>,
    credit: &'a [Vec<f32>],
) -> impl Iterator<Item = (String, Stored<'a>)> {
    let tensors = learner.net.layout().tensors();
    let groups =
        [("", &learner.params), ("optim.first.", &learner.first), ("optim.second.", &learner.second)];
    let network = groups.into_iter().flat_map(move |(prefix, flat)| {
        tensors.iter().map(move |t| {
            let stored = Stored { shape: t.shape.clone(), values: flat, network: Some(t), recorded: false };
            (format!("{prefix}{}", t.name), stored)
        })
    });
    let own = learner.rule.saved().iter().map(|saved| {
        let stored =
            Stored { shape: saved.shape.clone(), values: &saved.values, network: None, recorded: false };
        (saved.name.clone(), stored)
    });
    let credit = credit.iter().enumerate().map(move |(index, values)| {
        let width = learner.net.state(index).width();
        let shape = vec![values.len() / width, width];
        (credit_name(index), Stored { shape, values, network: None, recorded: true })
    });
    network.chain(own).chain(credit)
}

/// The head of a safetensors file: its length, then JSON with the metadata and each tensor's offsets, padded so that the
/// numbers after it are aligned.
fn header(learner: &Learner<f32, Net>, credit: &[Vec<f32>], head: String) -> Vec<u8> {
    let mut entries = serde_json::Map::new();
    entries.insert("__metadata__".to_owned(), serde_json::json!({ KEY: head }));
    let mut end = 0;
    for (name, Stored { shape, .. }) in named(learner, credit) {
        let start = end;
        end += 4 * shape.iter().product::<usize>();
        let entry = serde_json::json!({ "dtype": "F32", "shape": shape, "data_offsets": [start, end] });
        entries.insert(name, entry);
    }
    let mut json = serde_json::to_vec(&entries).expect("plain data");
    json.resize(json.len().next_multiple_of(8), b' ');
    let mut bytes = (json.len() as u64).to_le_bytes().to_vec();
    bytes.extend(json);
    bytes
}

fn from_bytes(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}
