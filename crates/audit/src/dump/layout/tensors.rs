//! The tensors of a file by what they are: those that the layout knows are read, the others are left aside.

use super::name::Role;
use super::{Ignored, suggest};
use crate::dump::Fault;
use crate::dump::format::{Archive, Budget, Tensor};
use std::collections::BTreeMap;

/// All tensors that the layout knows, and the names of the others.
#[derive(Debug, Default)]
pub(crate) struct Tensors {
    pub(super) known: BTreeMap<Role, Tensor>,
    pub(super) ignored: Vec<Ignored>,
}

impl Tensors {
    pub(crate) fn read(archive: &mut dyn Archive, budget: &mut Budget) -> Result<Self, Fault> {
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

    /// Takes out a family of tensors, one per layer from 0 up. A missing layer is an error that names it.
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
