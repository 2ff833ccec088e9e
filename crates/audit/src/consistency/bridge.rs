//! Credit from a bridge net, which reads a hidden state, the time t = l/L and what it is told of the output: the gradient at h_l of
//! the loss of the h_L that it predicts, or of the value that it gives. Each block's follows from its own state alone.

use super::arithmetic::Arithmetic;
use super::forward::{Judged, States};
use super::layers::{layer_norm, layer_norm_below};
use super::path::Path;
use super::perceptron::{Passed, Perceptron};
use super::reader::Reader;
use super::weights::{Norm, Weights};
use rules::{Bridged, Condition};

/// Sines and cosines of 2^k·πt, k = 0…3.
const TIMES: usize = 8;

/// What the outputs of the net are.
#[derive(Clone, Copy, Debug)]
enum Gives {
    /// G/S, the prediction of h_L in units of its root mean square, S.
    State { scale: f64 },
    /// V in parts: one for all times, then one for each l = 0…L.
    Value,
}

/// The net with its place between states and credit.
#[derive(Clone, Debug)]
pub(super) struct Bridge {
    net: Perceptron,
    gives: Gives,
    condition: Condition,
    /// LayerNorm of the states, without weights.
    norm: Norm,
}

impl Bridge {
    /// Reads the bridge of a rule that has one, for states of width d, so many classes and blocks.
    pub(super) fn read(
        reader: Reader<'_>,
        path: Path,
        (d, classes, blocks): (usize, usize, usize),
    ) -> Result<Option<Self>, String> {
        let (condition, gives, outputs) = match path {
            Path::Bridge(Bridged::State, condition) => {
                (condition, Gives::State { scale: reader.values("rule.scale", &[1])?[0] }, d)
            }
            Path::Bridge(Bridged::Value, condition) => (condition, Gives::Value, blocks + 2),
            _ => return Ok(None),
        };
        let told = match condition {
            Condition::Error => classes,
            Condition::Gradient => d,
        };
        let flat = reader.vector("rule.net")?;
        let Some(net) = Perceptron::read(&flat, d + TIMES + told, outputs) else {
            let values = flat.len();
            return Err(format!("the tensor `rule.net` has {values} values, as a net of no width has"));
        };
        let norm = Norm { weight: vec![1.0; d], bias: vec![0.0; d] };
        Ok(Some(Self { net, gives, condition, norm }))
    }

    /// The bridge as products in this arithmetic see it.
    pub(super) fn seen(&self, arithmetic: &mut Arithmetic) -> Self {
        Self { net: self.net.seen(arithmetic), ..self.clone() }
    }

    /// What each sample's net is told beside state and time.
    pub(super) fn told(&self, weights: &Weights, states: &States, arithmetic: &mut Arithmetic) -> Vec<f64> {
        if self.condition == Condition::Error {
            return states.judged.e.clone();
        }
        let d = self.norm.weight.len();
        let mut p = states.judged.slope(weights, arithmetic);
        for p in p.chunks_exact_mut(d) {
            let rms = (p.iter().map(|p| p * p).sum::<f64>() / d as f64).sqrt();
            // Of a gradient that is exactly 0 nothing is told.
            let factor = if rms == 0.0 { 0.0 } else { arithmetic.store(1.0 / rms, 1) };
            p.iter_mut().for_each(|p| *p = arithmetic.store(*p * factor, 1));
        }
        p
    }

    /// The credit of each block, told this.
    pub(super) fn credit(
        &self,
        weights: &Weights,
        states: &States,
        told: &[f64],
        labels: &[u8],
        arithmetic: &mut Arithmetic,
    ) -> Vec<Vec<f64>> {
        let (d, blocks) = (self.norm.weight.len(), states.branches.len());
        let credit = |(l, h): (usize, &Vec<f64>)| {
            let (normed, x) = layer_norm(&self.norm, h, arithmetic);
            let times = times(l as f64 / blocks as f64, arithmetic);
            let samples = x.chunks_exact(d).zip(told.chunks_exact(told.len() / labels.len()));
            let rows: Vec<f64> = samples.flat_map(|(x, told)| [x, &times[..], told].concat()).collect();
            let passed = self.net.forward(&rows, arithmetic);
            let at_out = self.at_out(&passed, l, weights, labels, arithmetic);
            let at_rows = self.net.down(&passed, &at_out, arithmetic);
            let row = at_rows.len() / labels.len();
            let at_norm: Vec<f64> = at_rows.chunks_exact(row).flat_map(|row| &row[..d]).copied().collect();
            layer_norm_below(&self.norm, &normed, &at_norm, arithmetic)
        };
        states.hidden[..blocks].iter().enumerate().map(credit).collect()
    }

    /// The signal at the outputs of rows at time l: of the loss that the head gives the prediction, or of the value.
    fn at_out(
        &self,
        passed: &Passed,
        l: usize,
        weights: &Weights,
        labels: &[u8],
        arithmetic: &mut Arithmetic,
    ) -> Vec<f64> {
        let out = &passed.out;
        match self.gives {
            Gives::State { scale } => {
                let predicted: Vec<f64> = out.iter().map(|out| arithmetic.store(scale * out, 1)).collect();
                let slope = Judged::of(weights, &predicted, labels, arithmetic).slope(weights, arithmetic);
                slope.into_iter().map(|p| arithmetic.store(scale * p, 1)).collect()
            }
            Gives::Value => {
                let outputs = out.len() / labels.len();
                let part = |i: usize| if [0, 1 + l].contains(&(i % outputs)) { 1.0 } else { 0.0 };
                (0..out.len()).map(part).collect()
            }
        }
    }
}

/// Features of the time.
fn times(t: f64, arithmetic: &mut Arithmetic) -> [f64; TIMES] {
    std::array::from_fn(|i| {
        let angle = f64::from(1 << (i / 2)) * std::f64::consts::PI * t;
        arithmetic.store(if i % 2 == 0 { libm::sin(angle) } else { libm::cos(angle) }, 1)
    })
}
