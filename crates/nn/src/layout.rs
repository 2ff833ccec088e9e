//! Where each named tensor lies in the one flat parameter vector.

use std::ops::Range;

/// A part of the network that a learning rule trains with one signal, or the head, which always gets its exact
/// gradient.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unit {
    /// The embedding, whose output is h_0.
    Embed,
    /// Block l, whose output is h_{l+1}.
    Block(usize),
    /// The last LayerNorm and the classifier.
    Head,
}

/// A named tensor, under PyTorch's name and shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor {
    /// Name in PyTorch's `state_dict`, such as `blocks.0.w1.weight`.
    pub name: String,
    /// Shape in PyTorch's order: a linear layer's weight is (outputs, inputs).
    pub shape: Vec<usize>,
    /// Place in the flat vector.
    pub range: Range<usize>,
    /// The unit it belongs to.
    pub unit: Unit,
}

/// The tensors of a network, in the order in which they lie in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    tensors: Vec<Tensor>,
}

impl Layout {
    /// Appends a tensor and returns its place.
    pub(crate) fn push(&mut self, unit: Unit, name: String, shape: &[usize]) -> Range<usize> {
        let start = self.len();
        let range = start..start + shape.iter().product::<usize>();
        self.tensors.push(Tensor { name, shape: shape.to_vec(), range: range.clone(), unit });
        range
    }

    /// Number of parameters.
    pub fn len(&self) -> usize {
        self.tensors.last().map_or(0, |t| t.range.end)
    }

    /// Whether there are no parameters at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All tensors, in memory order.
    pub fn tensors(&self) -> &[Tensor] {
        &self.tensors
    }

    /// The tensor of that name.
    pub fn get(&self, name: &str) -> Option<&Tensor> {
        self.tensors.iter().find(|t| t.name == name)
    }

    /// The stretch of memory that holds a unit's parameters; empty where the network has no such unit.
    pub fn unit(&self, unit: Unit) -> Range<usize> {
        let mut of_unit = self.tensors.iter().filter(|t| t.unit == unit);
        let Some(first) = of_unit.next() else { return 0..0 };
        first.range.start..of_unit.next_back().unwrap_or(first).range.end
    }
}
