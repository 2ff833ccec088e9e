//! The range of each named tensor in the flat parameter vector.

use crate::linear::Affine;
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
    /// Running means and variances, which have no gradient.
    Statistics,
    /// What the problem fixes: the dynamics and cost of a linear-quadratic system.
    Given,
}

/// What a tensor is in its layer, which determines its initial values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Role {
    /// Weight of a linear layer.
    Weight,
    /// Its bias.
    Bias,
    /// Weight of a linear layer that ends a branch and starts small, so that the stream starts near the identity.
    LastWeight {
        /// Standard deviation of the initial values.
        std: f64,
    },
    /// Its bias.
    LastBias,
    /// Weight of a convolution.
    Kernel,
    /// Scale of a LayerNorm or BatchNorm.
    Scale,
    /// Scale of the norm that ends a branch with a skip connection.
    LastScale,
    /// Shift of a LayerNorm or BatchNorm.
    Shift,
    /// Class token or position embedding.
    Token,
    /// Running mean of a BatchNorm.
    RunningMean,
    /// Running variance of a BatchNorm.
    RunningVariance,
    /// Fixed by the problem, which draws it itself.
    Given,
}

/// A named tensor, under PyTorch's name and shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// Name in PyTorch's `state_dict`, such as `blocks.0.w1.weight`.
    pub name: String,
    /// Shape in PyTorch's order: a linear layer's weight is (outputs, inputs), a convolution's (outputs, channels, rows,
    /// columns).
    pub shape: Vec<usize>,
    /// Range in the flat vector. A weight is stored as (inputs, outputs) in panels ([`tensor::Panels`]), so that forward
    /// products need no copy; [`Tensor::to_torch`] and [`Tensor::from_torch`] convert.
    pub range: Range<usize>,
    /// The unit it belongs to.
    pub unit: Unit,
    /// What it is in its layer.
    pub role: Role,
}

impl Tensor {
    /// The tensor's values in PyTorch's order.
    pub fn to_torch<T: Copy>(&self, flat: &[T]) -> Vec<T> {
        let values = &flat[self.range.clone()];
        self.indices().map(|index| values[index]).collect()
    }

    /// Whether it is the weight of a linear layer or a convolution.
    pub fn is_matrix(&self) -> bool {
        matches!(self.shape.len(), 2 | 4)
    }

    /// Indices into the tensor's range, in PyTorch's order.
    fn indices(&self) -> Box<dyn Iterator<Item = usize>> {
        match self.shape[..] {
            [outputs, inputs] => Box::new((0..outputs).flat_map(move |output| {
                (0..inputs).map(move |input| tensor::in_panels(inputs, outputs, input, output))
            })),
            // A patch is stored pixel by pixel, channels innermost.
            [outputs, channels, rows, cols] => Box::new((0..outputs).flat_map(move |output| {
                let inputs = channels * rows * cols;
                (0..inputs).map(move |i| {
                    let input = i % (rows * cols) * channels + i / (rows * cols);
                    tensor::in_panels(inputs, outputs, input, output)
                })
            })),
            _ => Box::new(0..self.range.len()),
        }
    }

    /// Writes values in PyTorch's order into the flat vector.
    ///
    /// ```
    /// use nn::{Architecture, Network};
    /// let net = nn::MlpSpec::resmlp(3, 2, 1, 2).build()?;
    /// let mut flat: Vec<f32> = net.initial(1);
    /// let weight = net.layout().get("embed.weight").unwrap();
    /// let torch = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]; // two outputs, three inputs
    /// weight.from_torch(&torch, &mut flat);
    /// assert_eq!(weight.to_torch(&flat), torch);
    /// # Ok::<(), nn::Error>(())
    /// ```
    ///
    /// # Panics
    /// When their number is not that of the shape.
    pub fn from_torch<T: Copy>(&self, values: &[T], flat: &mut [T]) {
        assert_eq!(values.len(), self.range.len(), "values of {}", self.name);
        let own = &mut flat[self.range.clone()];
        self.indices().zip(values).for_each(|(index, &value)| own[index] = value);
    }
}

/// The tensors of a network, in memory order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    tensors: Vec<Tensor>,
}

impl Layout {
    /// Appends a tensor and returns its range.
    pub(crate) fn push(&mut self, unit: Unit, role: Role, name: String, shape: &[usize]) -> Range<usize> {
        let start = self.len();
        let range = start..start + shape.iter().product::<usize>();
        self.tensors.push(Tensor { name, shape: shape.to_vec(), range: range.clone(), unit, role });
        range
    }

    /// Appends weight and bias of a linear layer.
    pub(crate) fn linear(&mut self, unit: Unit, name: &str, outputs: usize, inputs: usize) -> Affine {
        self.affine(unit, name, &[outputs, inputs], [Role::Weight, Role::Bias])
    }

    /// Appends scale and shift of a norm; `scale` is its role.
    pub(crate) fn norm(&mut self, unit: Unit, name: &str, features: usize, scale: Role) -> Affine {
        self.affine(unit, name, &[features], [scale, Role::Shift])
    }

    /// Appends a weight and a bias with one value per output.
    pub(crate) fn affine(
        &mut self,
        unit: Unit,
        name: &str,
        shape: &[usize],
        [weight, bias]: [Role; 2],
    ) -> Affine {
        Affine {
            weight: self.push(unit, weight, format!("{name}.weight"), shape),
            bias: self.push(unit, bias, format!("{name}.bias"), &shape[..1]),
        }
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

    /// The range of a unit's parameters; empty if the network has no such unit.
    pub fn unit(&self, unit: Unit) -> Range<usize> {
        let mut of_unit = self.tensors.iter().filter(|t| t.unit == unit);
        let Some(first) = of_unit.next() else { return 0..0 };
        first.range.start..of_unit.next_back().unwrap_or(first).range.end
    }
}
