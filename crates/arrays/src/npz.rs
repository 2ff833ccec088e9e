//! An `.npz` file: a zip of arrays in NumPy's format.

use crate::Fault;
use crate::archive::{Archive, Bytes, Tensor};
use crate::budget::Budget;
use crate::element::{Element, Number};
use crate::magic;
use crate::npy;
use crate::shape::TensorShape;
use crate::zip::Zip;

/// An open `.npz` file.
pub struct Npz {
    zip: Zip,
    names: Vec<String>,
}

impl Npz {
    /// Reads the table of contents; `how_to_save` says in messages how to write such a file.
    pub fn open(file: Box<dyn Bytes>, how_to_save: &str) -> Result<Self, Fault> {
        let zip = Zip::open(file)?;
        // torch.save writes a zip too, with a pickle that describes the rest.
        if zip.names().any(|name| name.ends_with("/data.pkl")) {
            return Err(magic::pickle("a PyTorch file", how_to_save));
        }
        let names = zip.names().map(|name| name.strip_suffix(".npy").unwrap_or(name).to_owned()).collect();
        Ok(Self { zip, names })
    }

    /// How the numbers of an array are stored, and its shape, without reading its values.
    pub fn about(&mut self, index: usize) -> Result<(Element, TensorShape), Fault> {
        let mut stream = self.zip.stream(index)?;
        let length = stream.length();
        let opened = npy::open(&mut stream, &self.names[index], length)?;
        Ok((opened.element, opened.shape))
    }

    /// Reads an array by the index of its name.
    pub fn read<N: Number>(&mut self, index: usize, budget: &mut Budget) -> Result<Tensor<N>, Fault> {
        let mut stream = self.zip.stream(index)?;
        let length = stream.length();
        let tensor = npy::read(&mut stream, &self.names[index], length, budget)?;
        stream.finish()?;
        Ok(tensor)
    }
}

impl Archive for Npz {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn tensor(&mut self, index: usize, budget: &mut Budget) -> Result<Tensor, Fault> {
        self.read(index, budget)
    }
}
