//! The tensors of a file by role: those that the layout knows are read, the others are ignored.

use super::name::TensorRole;
use super::{About, Ignored, suggest};
use crate::dump::DumpFault;
use arrays::{Archive, Budget, Tensor};
use std::collections::BTreeMap;

/// All tensors that the layout knows, and the names of the others.
#[derive(Debug, Default)]
pub(crate) struct Tensors {
    pub(super) known: BTreeMap<TensorRole, Tensor>,
    pub(super) ignored: Vec<Ignored>,
}

impl Tensors {
    pub(crate) fn read(archive: &mut dyn Archive, budget: &mut Budget) -> Result<Self, DumpFault> {
        Self::some(archive, budget, |_| true)
    }

    /// Reads only what is said about the run.
    pub(crate) fn about(archive: &mut dyn Archive, budget: &mut Budget) -> Result<Self, DumpFault> {
        Self::some(archive, budget, About::holds)
    }

    fn some(
        archive: &mut dyn Archive,
        budget: &mut Budget,
        wanted: impl Fn(TensorRole) -> bool,
    ) -> Result<Self, DumpFault> {
        let mut names: BTreeMap<TensorRole, (usize, String)> = BTreeMap::new();
        let mut tensors = Self::default();
        for (index, name) in archive.names().iter().enumerate() {
            let Some(role) = TensorRole::of(name) else {
                tensors.ignored.push(Ignored { name: name.clone(), meant: suggest::meant(name) });
                continue;
            };
            if let Some((_, other)) = names.insert(role, (index, name.clone())) {
                return Err(DumpFault::layout(
                    format!("both `{other}` and `{name}` are {role}"),
                    "save it once",
                ));
            }
        }
        for (role, (index, name)) in names.into_iter().filter(|(role, _)| wanted(*role)) {
            let tensor = archive.tensor(index, budget)?;
            if tensor.element.is_text() && role != TensorRole::Rule {
                return Err(DumpFault::tensor(
                    &name,
                    "it is a text",
                    "save numbers: labels as int64, the others as float32",
                ));
            }
            tensors.known.insert(role, tensor);
        }
        tensors.ignored.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(tensors)
    }

    /// Removes and returns a tensor.
    pub(super) fn take(&mut self, role: TensorRole) -> Option<Tensor> {
        self.known.remove(&role)
    }

    /// Removes and returns a family of tensors, one per layer from 0. A missing layer is an error that names it.
    pub(super) fn family(&mut self, role: fn(usize) -> TensorRole) -> Result<Vec<Tensor>, DumpFault> {
        let mut layers = Vec::new();
        while let Some(tensor) = self.take(role(layers.len())) {
            layers.push(tensor);
        }
        let beyond = self.known.range(role(0)..=role(usize::MAX)).next();
        match beyond {
            None => Ok(layers),
            Some((first, _)) => Err(DumpFault::layout(
                format!("{first} is in the dump and {} is not", role(layers.len())),
                "dump every layer; save zeros where no credit arrives",
            )),
        }
    }
}
