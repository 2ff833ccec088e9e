//! Credit from a bridge net, whose inputs are a hidden state, the time t = l/L and a condition from the output: the
//! gradient at h_l of the loss of the h_L that it predicts, or of the value that it outputs. Each block's credit depends
//! on its own state only.

use super::arithmetic::Arithmetic;
use super::forward::{ForwardPass, HeadPass};
use super::layers::{layer_norm, layer_norm_below};
use super::path::PlainPath;
use super::perceptron::{Passed, Perceptron};
use super::reader::TensorReader;
use super::weights::{Norm, Weights};
use rules::{Bridged, Condition};

/// Sines and cosines of 2^k·πt, k = 0…3.
const TIMES: usize = 8;

/// What the net outputs.
#[derive(Clone, Copy, Debug)]
enum NetOutput {
    /// G/S, the prediction of h_L in units of its root mean square, S.
    State { scale: f64 },
    /// V in parts: one for all times, then one for each l = 0…L.
    Value,
}

/// The net and how it gives credit.
#[derive(Clone, Debug)]
pub(super) struct Bridge {
    net: Perceptron,
    output: NetOutput,
    condition: Condition,
    /// LayerNorm of the states, without weights.
    norm: Norm,
}

impl Bridge {
    /// Reads the bridge of a rule that has one, for states of width d.
    pub(super) fn read(
        reader: TensorReader<'_>,
        path: PlainPath,
        d: usize,
        classes: usize,
        blocks: usize,
    ) -> Result<Option<Self>, String> {
        let (condition, output, outputs) = match path {
            PlainPath::Bridge(Bridged::State, condition) => {
                (condition, NetOutput::State { scale: reader.values("rule.scale", &[1])?[0] }, d)
            }
            PlainPath::Bridge(Bridged::Value, condition) => (condition, NetOutput::Value, blocks + 2),
            _ => return Ok(None),
        };
        let condition_width = match condition {
            Condition::Error => classes,
            Condition::Gradient => d,
        };
        let flat = reader.vector("rule.net")?;
        let Some(net) = Perceptron::read(&flat, d + TIMES + condition_width, outputs) else {
            let values = flat.len();
            return Err(format!("the tensor `rule.net` has {values} values, which fit no width of the net"));
        };
        let norm = Norm { weight: vec![1.0; d], bias: vec![0.0; d] };
        Ok(Some(Self { net, output, condition, norm }))
    }

    /// Rounds the weights of the net.
    pub(super) fn round(&mut self, arithmetic: &mut Arithmetic) {
        self.net.round(arithmetic);
    }

    /// The condition of each sample: e_T, or p_L normalised.
    pub(super) fn conditions(
        &self,
        weights: &Weights,
        states: &ForwardPass,
        arithmetic: &mut Arithmetic,
    ) -> Vec<f64> {
        if self.condition == Condition::Error {
            return states.head.e.clone();
        }
        let d = self.norm.weight.len();
        let mut p = states.head.slope(weights, arithmetic);
        for p in p.chunks_exact_mut(d) {
            let rms = (p.iter().map(|p| p * p).sum::<f64>() / d as f64).sqrt();
            // A gradient of exactly 0 stays 0.
            let factor = if rms == 0.0 { 0.0 } else { arithmetic.store(1.0 / rms, 1) };
            p.iter_mut().for_each(|p| *p = arithmetic.store(*p * factor, 1));
        }
        p
    }

    /// The credit of each block under these conditions.
    pub(super) fn credit(
        &self,
        weights: &Weights,
        states: &ForwardPass,
        conditions: &[f64],
        labels: &[u8],
        arithmetic: &mut Arithmetic,
    ) -> Vec<Vec<f64>> {
        let d = self.norm.weight.len();
        let blocks = states.branches.len();
        let credit = |(l, h): (usize, &Vec<f64>)| {
            let (normed, x) = layer_norm(&self.norm, h, arithmetic);
            let times = times(l as f64 / blocks as f64, arithmetic);
            let samples = x.chunks_exact(d).zip(conditions.chunks_exact(conditions.len() / labels.len()));
            let rows: Vec<f64> =
                samples.flat_map(|(x, condition)| [x, &times[..], condition].concat()).collect();
            let passed = self.net.forward(&rows, arithmetic);
            let at_out = self.at_out(&passed, l, weights, labels, arithmetic);
            let at_rows = self.net.down(&passed, &at_out, arithmetic);
            let row = at_rows.len() / labels.len();
            let at_norm: Vec<f64> = at_rows.chunks_exact(row).flat_map(|row| &row[..d]).copied().collect();
            layer_norm_below(&self.norm, &normed, &at_norm, arithmetic)
        };
        states.hidden[..blocks].iter().enumerate().map(credit).collect()
    }

    /// The signal at the net's outputs at time l: the gradient of the predicted state's loss, or of the value.
    fn at_out(
        &self,
        passed: &Passed,
        l: usize,
        weights: &Weights,
        labels: &[u8],
        arithmetic: &mut Arithmetic,
    ) -> Vec<f64> {
        let out = &passed.out;
        match self.output {
            NetOutput::State { scale } => {
                let predicted: Vec<f64> = out.iter().map(|out| arithmetic.store(scale * out, 1)).collect();
                let slope = HeadPass::of(weights, &predicted, labels, arithmetic).slope(weights, arithmetic);
                slope.into_iter().map(|p| arithmetic.store(scale * p, 1)).collect()
            }
            NetOutput::Value => {
                let outputs = out.len() / labels.len();
                let slope = |i: usize| if [0, 1 + l].contains(&(i % outputs)) { 1.0 } else { 0.0 };
                (0..out.len()).map(slope).collect()
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
