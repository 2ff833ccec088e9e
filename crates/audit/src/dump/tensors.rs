//! The tensors of a file by what they are: those that the layout knows are read, the others are left aside.

use super::budget::Budget;
use super::element::Element;
use super::name::Role;
use super::shape::Shape;
use super::{Fault, Ignored, suggest};
use std::collections::BTreeMap;

/// A file that holds tensors under names.
pub(super) trait Archive {
    /// The names, as the file has them.
    fn names(&self) -> &[String];

    /// Reads a tensor by the place of its name.
    fn tensor(&mut self, index: usize, budget: &mut Budget) -> Result<Tensor, Fault>;
}

/// A tensor as the file has it, its values in row-major order.
#[derive(Clone, Debug)]
pub(super) struct Tensor {
    pub(super) name: String,
    pub(super) element: Element,
    pub(super) shape: Shape,
    pub(super) values: Vec<f64>,
}

/// All tensors that the layout knows, and the names of the others.
#[derive(Debug, Default)]
pub(super) struct Tensors {
    pub(super) known: BTreeMap<Role, Tensor>,
    pub(super) ignored: Vec<Ignored>,
}

impl Tensors {
    pub(super) fn read(archive: &mut dyn Archive, budget: &mut Budget) -> Result<Self, Fault> {
        let mut names: BTreeMap<Role, (usize, String)> = BTreeMap::new();
        let mut tensors = Self::default();
        for (index, name) in archive.names().iter().enumerate() {
            let Some(role) = Role::of(name) else {
                tensors.ignored.push(Ignored { name: name.clone(), meant: suggest::meant(name) });
                continue;
            };
            if let Some((_, other)) = names.insert(role, (index, name.clone())) {
                return Err(Fault::layout(format!("both `{other}` and `{name}` are {role}"), "save it once"));
            }
        }
        for (role, (index, _)) in names {
            tensors.known.insert(role, archive.tensor(index, budget)?);
        }
        tensors.ignored.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(tensors)
    }

    /// Takes out a tensor, if there is one.
    pub(super) fn take(&mut self, role: Role) -> Option<Tensor> {
        self.known.remove(&role)
    }

    /// Takes out a family of tensors, one a layer from 0 up. A missing layer is an error that names it.
    pub(super) fn family(&mut self, role: fn(usize) -> Role) -> Result<Vec<Tensor>, Fault> {
        let mut layers = Vec::new();
        while let Some(tensor) = self.take(role(layers.len())) {
            layers.push(tensor);
        }
        let beyond = self.known.range(role(0)..=role(usize::MAX)).next();
        match beyond {
            None => Ok(layers),
            Some((first, _)) => Err(Fault::layout(
                format!("{first} is in the dump and {} is not", role(layers.len())),
                "dump every layer; where no credit arrives, it is zeros",
            )),
        }
    }
}
