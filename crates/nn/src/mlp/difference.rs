//! The perceptron's forward difference.

use super::{Activation, Mlp};
use crate::difference::{NormAt, loss_changes, narrow, together};
use crate::linear::linear;
use crate::{Differences, ForwardDifference, UnmovedSamples};
use tensor::{Biased, CrossEntropyAt, Phi, PhiAt, PhiShift, Shifted, Sides, Window, layer_norm_shift};

/// A perceptron with its parameters.
pub(crate) struct MlpDifference<'a> {
    net: &'a Mlp,
    exact: &'a [f64],
    params: Vec<f32>,
}

/// A block at the unmoved samples.
struct BlockAt {
    norm: Option<NormAt>,
    phi: PhiAt<f32>,
}

/// All of it at the unmoved samples.
struct MlpAt<'a> {
    of: &'a MlpDifference<'a>,
    blocks: Vec<BlockAt>,
    out_norm: Option<NormAt>,
    loss: CrossEntropyAt,
}

impl<'a> MlpDifference<'a> {
    pub(crate) fn new(net: &'a Mlp, params: &'a [f64]) -> Self {
        Self { net, exact: params, params: narrow(params) }
    }
}

impl ForwardDifference for MlpDifference<'_> {
    fn around<'a>(&'a self, samples: UnmovedSamples<'_>) -> Box<dyn Differences + 'a> {
        let UnmovedSamples { h, logits, labels } = samples;
        let phi = match self.net.spec.activation {
            Activation::Gelu => Phi::Gelu,
            Activation::Blend(alpha) => Phi::Blend(alpha as f32),
        };
        let blocks = self.net.blocks.iter().zip(h).map(|(block, h)| {
            let norm = block.ln.as_ref().map(|ln| NormAt::new(h, self.exact, ln));
            let read = norm.as_ref().map_or(&h[..], |(_, out)| out);
            let mut z = vec![0.0; h.len()];
            let bias = &self.exact[block.w1.bias.clone()];
            linear(read, self.exact, &block.w1, Biased { bias, out: &mut z });
            BlockAt { phi: PhiAt::new(phi, &z), norm: norm.map(|(norm, _)| norm) }
        });
        let top = &h[self.net.spec.blocks];
        Box::new(MlpAt {
            of: self,
            blocks: blocks.collect(),
            out_norm: self.net.out_ln.as_ref().map(|ln| NormAt::new(top, self.exact, ln).0),
            loss: CrossEntropyAt::new(logits, labels),
        })
    }
}

impl Differences for MlpAt<'_> {
    fn losses(&self) -> &[f64] {
        self.loss.losses()
    }

    fn changes(&self, layer: usize, shifts: &[f32], owners: &[usize], sides: Sides, changes: &mut [f64]) {
        let MlpDifference { net, params, .. } = self.of;
        let d = net.spec.d;
        let most = together(d);
        let [mut x, mut normed, mut act] = [(); 3].map(|()| vec![0.0; most.min(owners.len()) * d]);
        let mut logits = vec![0.0; most.min(owners.len()) * net.spec.classes];
        let parts = shifts.chunks(most * d).zip(owners.chunks(most)).zip(changes.chunks_mut(most));
        for ((shifts, owners), changes) in parts {
            let n = shifts.len();
            let x = &mut x[..n];
            x.copy_from_slice(shifts);
            for (layers, at) in net.blocks.iter().zip(&self.blocks).skip(layer) {
                let read = match (&layers.ln, &at.norm) {
                    (Some(ln), Some(norm)) => {
                        let weight = &params[ln.weight.clone()];
                        layer_norm_shift(x, owners, &norm.xhat, &norm.rstd, weight, sides, &mut normed[..n]);
                        &normed[..n]
                    }
                    _ => &x[..],
                };
                let act = &mut act[..n];
                linear(read, params, &layers.w1, PhiShift { at: &at.phi, owners, sides, cols: d, out: act });
                if net.spec.skip {
                    linear(act, params, &layers.w2, Shifted { cols: d, out: x });
                } else {
                    linear(act, params, &layers.w2, Window { out: x, stride: d, scale: 1.0 });
                }
            }
            let read = match (&net.out_ln, &self.out_norm) {
                (Some(ln), Some(norm)) => {
                    let weight = &params[ln.weight.clone()];
                    layer_norm_shift(x, owners, &norm.xhat, &norm.rstd, weight, sides, &mut normed[..n]);
                    &normed[..n]
                }
                _ => &x[..],
            };
            let classes = net.spec.classes;
            let out = &mut logits[..owners.len() * classes];
            linear(read, params, &net.out_head, Window { out, stride: classes, scale: 1.0 });
            loss_changes(&self.loss, out, owners, sides, changes);
        }
    }
}
