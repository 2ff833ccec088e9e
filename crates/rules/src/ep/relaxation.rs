//! The nudged phase: minimises E + β·loss, sample by sample.
//!
//! E = ½‖h_0 − embed(x)‖² + ½Σ‖h_{l+1} − h_l − f_l(h_l)‖² has its minimum, 0, at the forward pass. Let r_l be the excess of h_l
//! over the output of its own block. The gradient of E at h_l is r_l − (the block's transposed Jacobian) r_{l+1}; at h_L the
//! nudge β·p_L is added. So at equilibrium the excess is −β times the gradient of the loss *at the nudged states*. States and
//! excess are therefore computed in alternation: down through the blocks for the excess, up for the states. For E that is a
//! Gauss–Newton step: a few are enough, where gradient descent takes hundreds. Each sample's step length comes from its last
//! two steps (Barzilai and Borwein, 1988).

use super::moved::Moved;
use super::nudged::Ep;
use crate::BatchView;
use nn::{Network, Tape};
use tensor::{Float, add_scaled};

/// States at equilibrium.
pub(super) struct Relaxed<T> {
    /// h_0 … h_L.
    pub(super) h: Vec<Vec<T>>,
    /// Excess of each state over the output of its own block.
    pub(super) excess: Vec<Vec<T>>,
    /// β of each sample.
    pub(super) beta: Vec<T>,
    /// Number of passes of each sample.
    pub(super) steps: Vec<usize>,
    /// Whether the sample converged before the maximum number of passes.
    pub(super) at_rest: Vec<bool>,
}

/// The sum of a[i]·b[i] over all layers, for each sample.
fn dots<T: Float>(a: &[Vec<T>], b: &[Vec<T>], rows: usize) -> Vec<f64> {
    let mut sums = vec![0.0; rows];
    for (a, b) in a.iter().zip(b) {
        let width = a.len() / rows;
        for ((a, b), sum) in a.chunks_exact(width).zip(b.chunks_exact(width)).zip(&mut sums) {
            *sum += a.iter().zip(b).map(|(a, b)| a.to_f64() * b.to_f64()).sum::<f64>();
        }
    }
    sums
}

/// β of each sample, and the squared gradient norm at which the sample counts as converged.
fn strengths<T: Float, N: Network<T>>(batch: &BatchView<'_, T, N>, spec: &Ep) -> (Vec<T>, Vec<f64>) {
    let rows = batch.labels.len();
    let top = batch.tape.hidden(batch.net.shape().blocks).to_vec();
    let p = [batch.p_last.to_vec()];
    let top = [top];
    let p = dots(&p, &p, rows);
    let top = dots(&top, &top, rows);
    let strength = |(&p, h): (&f64, f64)| {
        let beta = match spec.relative {
            true if p > 0.0 => spec.beta * (h / p).sqrt(),
            true => 0.0,
            false => spec.beta,
        };
        // A sample is not nudged if its β is too large for the number type.
        if T::of(beta).to_f64().is_finite() { T::of(beta) } else { T::ZERO }
    };
    let beta: Vec<T> = p.iter().zip(top).map(strength).collect();
    let enough = |(p, beta): (&f64, &T)| p * (beta.to_f64() * spec.tolerance).powi(2);
    let enough = p.iter().zip(&beta).map(enough).collect();
    (beta, enough)
}

/// The rows at these indices.
fn pick<T: Copy>(values: &[T], places: &[usize], width: usize) -> Vec<T> {
    places.iter().flat_map(|place| &values[place * width..][..width]).copied().collect()
}

/// Samples in progress. Converged samples stay in the group, unchanged, until they are half of it. Every sample on the tape
/// costs time at each pass, so without this a chunk would be as slow as its slowest sample.
struct Group<T> {
    samples: Vec<usize>,
    beta: Vec<T>,
    excess: Vec<Vec<T>>,
    /// The missing excess at the previous pass.
    short: Option<Vec<Vec<T>>>,
    /// Step length of each sample, as a multiple of its missing excess.
    lengths: Vec<f64>,
}

impl<T: Float> Group<T> {
    /// Moves the excess of every sample that has not converged.
    fn step(&mut self, short: Vec<Vec<T>>, at_rest: &[bool]) {
        let rows = self.samples.len();
        if let Some(before) = &self.short {
            let old = dots(before, before, rows);
            let new = dots(before, &short, rows);
            for i in 0..rows {
                // If a step increased the distance, the length stays. If two steps are nearly equal, they say little about the
                // length, so its growth is limited.
                if old[i] > new[i] {
                    self.lengths[i] *= (old[i] / (old[i] - new[i])).min(10.0);
                }
            }
        }
        for (excess, short) in self.excess.iter_mut().zip(&short) {
            let width = excess.len() / rows;
            let going = self.samples.iter().map(|&sample| !at_rest[sample]);
            for (i, _) in going.enumerate().filter(|(_, going)| *going) {
                let own = i * width..(i + 1) * width;
                add_scaled(&mut excess[own.clone()], T::of(self.lengths[i]), &short[own]);
            }
        }
        self.short = Some(short);
    }

    /// Keeps only the samples at these indices.
    fn keep(&mut self, places: &[usize]) {
        let rows = self.samples.len();
        for layer in self.excess.iter_mut().chain(self.short.iter_mut().flatten()) {
            *layer = pick(layer, places, layer.len() / rows);
        }
        self.samples = pick(&self.samples, places, 1);
        self.beta = pick(&self.beta, places, 1);
        self.lengths = pick(&self.lengths, places, 1);
    }
}

impl<T: Float> Relaxed<T> {
    /// Copies the states and the excess of a group.
    fn put(&mut self, group: &Group<T>, h: &[Vec<T>]) {
        let rows = self.beta.len();
        for (to, from) in self.h.iter_mut().zip(h).chain(self.excess.iter_mut().zip(&group.excess)) {
            let width = to.len() / rows;
            for (&sample, row) in group.samples.iter().zip(from.chunks_exact(width)) {
                to[sample * width..][..width].copy_from_slice(row);
            }
        }
    }
}

/// Relaxes from the forward pass until the gradient is below `tolerance` of the nudge, or the maximum number of passes is
/// reached.
pub(super) fn relax<T: Float, N: Network<T>>(batch: &BatchView<'_, T, N>, spec: &Ep) -> Relaxed<T> {
    let rows = batch.labels.len();
    let (beta, enough) = strengths(batch, spec);
    let zeros: Vec<Vec<T>> =
        (0..=batch.net.shape().blocks).map(|l| vec![T::ZERO; batch.tape.hidden(l).len()]).collect();
    let mut group = Group {
        samples: (0..rows).collect(),
        beta: beta.clone(),
        excess: zeros.clone(),
        short: None,
        lengths: vec![1.0; rows],
    };
    let mut relaxed =
        Relaxed { h: zeros.clone(), excess: zeros, beta, steps: vec![0; rows], at_rest: vec![false; rows] };
    let mut net = Moved::new(batch, &group.samples);
    for passes in 0.. {
        let h = net.up(&group.excess);
        let nudge = net.nudge(&group.beta);
        let slope = net.slope(&group.excess, &nudge);
        for (size, &sample) in dots(&slope, &slope, group.samples.len()).iter().zip(&group.samples) {
            relaxed.at_rest[sample] |= *size <= enough[sample];
        }
        let going: Vec<usize> =
            (0..group.samples.len()).filter(|&i| !relaxed.at_rest[group.samples[i]]).collect();
        if going.is_empty() || passes == spec.steps {
            relaxed.put(&group, &h);
            break;
        }
        let mut short = net.down(&nudge);
        short.iter_mut().zip(&group.excess).for_each(|(short, has)| add_scaled(short, T::of(-1.0), has));
        let halved = 2 * going.len() <= group.samples.len();
        if halved {
            relaxed.put(&group, &h);
        }
        group.step(short, &relaxed.at_rest);
        going.iter().for_each(|&i| relaxed.steps[group.samples[i]] += 1);
        if halved {
            group.keep(&going);
            net = Moved::new(batch, &group.samples);
        }
    }
    relaxed
}
