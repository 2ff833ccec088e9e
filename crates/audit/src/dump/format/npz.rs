//! An `.npz` file: a zip of arrays in NumPy's format.

use super::archive::{Archive, Bytes, DumpTensor};
use super::budget::Budget;
use super::magic;
use super::npy;
use super::zip::Zip;
use crate::dump::DumpFault;

/// An open `.npz` file.
pub(super) struct Npz {
    zip: Zip,
    names: Vec<String>,
}

impl Npz {
    pub(super) fn open(file: Box<dyn Bytes>) -> Result<Self, DumpFault> {
        let zip = Zip::open(file)?;
        // torch.save writes a zip too, with a pickle that describes the rest.
        if zip.names().any(|name| name.ends_with("/data.pkl")) {
            return Err(magic::pickle("a PyTorch file"));
        }
        let names = zip.names().map(|name| name.strip_suffix(".npy").unwrap_or(name).to_owned()).collect();
        Ok(Self { zip, names })
    }
}

impl Archive for Npz {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn tensor(&mut self, index: usize, budget: &mut Budget) -> Result<DumpTensor, DumpFault> {
        let mut stream = self.zip.stream(index)?;
        let length = stream.length();
        let tensor = npy::read(&mut stream, &self.names[index], length, budget)?;
        stream.finish()?;
        Ok(tensor)
    }
}
