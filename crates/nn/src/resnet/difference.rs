//! The convolutional network's forward difference. With running statistics a BatchNorm is linear, and of a difference it
//! leaves the factor alone.

use super::Resnet;
use super::batch_norm::EPS;
use super::conv::Conv;
use super::source::Source;
use crate::difference::{loss_changes, narrow, together};
use crate::linear::linear;
use crate::{Architecture, Differences, ForwardDifference, UnmovedSamples};
use tensor::{CrossEntropyAt, Float, Mat, Right, Sides, Window, add_scaled, col_sums, matmul, relu_shift};

/// A convolutional network with its parameters.
pub(crate) struct ResnetDifference<'a> {
    net: &'a Resnet,
    exact: &'a [f64],
    params: Vec<f32>,
    /// By block.
    factors: Vec<Factors>,
}

/// γ/σ of a block's norms.
struct Factors {
    first: Vec<f32>,
    second: Vec<f32>,
    short: Option<Vec<f32>>,
}

/// The network at the unmoved samples.
struct ResnetAt<'a> {
    of: &'a ResnetDifference<'a>,
    /// Inputs of the ReLU of each block.
    relu: Vec<Vec<f32>>,
    loss: CrossEntropyAt,
}

/// γ/σ of a convolution's norm.
fn factor(conv: &Conv, params: &[f64]) -> Vec<f64> {
    let [gain, variance] = [&conv.norm.weight, &conv.variance].map(|range| &params[range.clone()]);
    gain.iter().zip(variance).map(|(gain, variance)| gain / (variance + EPS).sqrt()).collect()
}

/// The convolution of some samples, times a factor per channel.
fn convolved<T: Float>(conv: &Conv, params: &[T], x: &[T], factor: &[T]) -> Vec<T> {
    let rows = x.len() / conv.window.width();
    let inputs = conv.window.inputs();
    let mut out = vec![T::ZERO; rows * conv.out_width()];
    let [mut bordered, mut patches] = [Vec::new(), Vec::new()];
    for samples in conv.groups(rows) {
        let count = samples.len() * conv.window.positions();
        patches.resize(count * inputs, T::ZERO);
        conv.window.gather(&Source::State(x), samples.clone(), &mut bordered, &mut patches);
        let z = &mut out[samples.start * conv.out_width()..samples.end * conv.out_width()];
        matmul(z, T::ONE, Mat::new(&patches, count, inputs), Right::Panels(conv.panels(params)));
    }
    for position in out.chunks_exact_mut(factor.len()) {
        position.iter_mut().zip(factor).for_each(|(z, &by)| *z *= by);
    }
    out
}

impl<'a> ResnetDifference<'a> {
    pub(crate) fn new(net: &'a Resnet, params: &'a [f64]) -> Self {
        let of = |conv: &Conv| narrow(&factor(conv, params));
        let factors = net.blocks.iter().map(|block| Factors {
            first: of(&block.first),
            second: of(&block.second),
            short: block.short.as_ref().map(of),
        });
        Self { net, exact: params, params: narrow(params), factors: factors.collect() }
    }
}

impl ForwardDifference for ResnetDifference<'_> {
    fn around<'a>(&'a self, samples: UnmovedSamples<'_>) -> Box<dyn Differences + 'a> {
        let relu = self.net.blocks.iter().zip(samples.h).map(|(block, h)| {
            let conv = &block.first;
            let factor = factor(conv, self.exact);
            let mut y = convolved(conv, self.exact, h, &factor);
            let [mean, bias] = [&conv.mean, &conv.norm.bias].map(|range| &self.exact[range.clone()]);
            for position in y.chunks_exact_mut(factor.len()) {
                for (i, y) in position.iter_mut().enumerate() {
                    *y += bias[i] - mean[i] * factor[i];
                }
            }
            narrow(&y)
        });
        let relu = relu.collect();
        Box::new(ResnetAt { of: self, relu, loss: CrossEntropyAt::new(samples.logits, samples.labels) })
    }
}

impl ResnetAt<'_> {
    /// The shifts of h_{l+1} from those of h_l.
    fn block(&self, l: usize, x: &[f32], owners: &[usize], sides: Sides) -> Vec<f32> {
        let ResnetDifference { net, params, factors, .. } = self.of;
        let (block, factors) = (&net.blocks[l], &factors[l]);
        let mut inner = convolved(&block.first, params, x, &factors.first);
        relu_shift(&self.relu[l], owners, sides, &mut inner);
        let mut out = convolved(&block.second, params, &inner, &factors.second);
        match (&block.short, &factors.short) {
            (Some(short), Some(factor)) => {
                add_scaled(&mut out, 1.0, &convolved(short, params, x, factor));
            }
            _ => add_scaled(&mut out, 1.0, x),
        }
        out
    }
}

impl Differences for ResnetAt<'_> {
    fn losses(&self) -> &[f64] {
        self.loss.losses()
    }

    fn changes(&self, layer: usize, shifts: &[f32], owners: &[usize], sides: Sides, changes: &mut [f64]) {
        let ResnetDifference { net, params, .. } = self.of;
        let blocks = net.spec.blocks;
        let classes = net.spec.classes;
        let width = net.state(layer).width();
        let top = net.state(blocks);
        let most = together(width);
        let parts = shifts.chunks(most * width).zip(owners.chunks(most)).zip(changes.chunks_mut(most));
        for ((shifts, owners), changes) in parts {
            let mut x = shifts.to_vec();
            for l in layer..blocks {
                x = self.block(l, &x, owners, sides);
            }
            let mut pooled = vec![0.0; owners.len() * top.features];
            for (h, mean) in x.chunks_exact(top.width()).zip(pooled.chunks_exact_mut(top.features)) {
                col_sums(&[h], (top.positions as f32).recip(), mean);
            }
            let mut logits = vec![0.0; owners.len() * classes];
            let out = &mut logits[..];
            linear(&pooled, params, &net.out_head, Window { out, stride: classes, scale: 1.0 });
            loss_changes(&self.loss, &logits, owners, sides, changes);
        }
    }
}
