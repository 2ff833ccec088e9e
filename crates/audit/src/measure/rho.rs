//! ρ, the perturbation correlation: does credit predict what the loss does?
//!
//! Each sample's state is moved by ±ε along random unit directions v. ρ is Pearson's r between what the credit predicts,
//! ⟨a, εv⟩, and what the loss does, over all samples and directions. As ε → 0 and with many directions it tends to
//! Σ⟨a, p⟩ / √(Σ‖a‖² Σ‖p‖²): a cosine that was found without any backward code.

use super::{Downstream, median, norms};
use record::audit::Rho;
use record::{Measured, Why};
use tensor::random::Stream;
use tensor::{Mat, matmul};

/// Error of the loss changes, as a share of them, that is not worth a longer step.
const FINE: f64 = 1e-3;
/// Error from which on there is no ρ.
const TOO_MUCH: f64 = 1e-2;
/// The longest step, as a share of the typical norm of the state.
const REACH: f64 = 1e-2;

/// Pearson's correlation, added up value by value.
///
/// ```
/// let mut r = audit::Correlation::default();
/// [(1.0, 2.0), (2.0, 4.0), (3.0, 6.0)].iter().for_each(|&(x, y)| r.add(x, y));
/// assert!((r.value().unwrap() - 1.0).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Correlation {
    n: f64,
    x: f64,
    y: f64,
    xx: f64,
    yy: f64,
    xy: f64,
}

impl Correlation {
    /// Adds a pair.
    pub fn add(&mut self, x: f64, y: f64) {
        self.n += 1.0;
        self.x += x;
        self.y += y;
        self.xx += x * x;
        self.yy += y * y;
        self.xy += x * y;
    }

    /// The correlation; none where one side does not vary or is not finite.
    pub fn value(&self) -> Option<f64> {
        let covariance = self.xy - self.x * self.y / self.n;
        let (vx, vy) = (self.xx - self.x * self.x / self.n, self.yy - self.y * self.y / self.n);
        let r = covariance / vx.sqrt() / vy.sqrt();
        (vx > 0.0 && vy > 0.0 && r.is_finite()).then(|| r.clamp(-1.0, 1.0))
    }
}

/// `count` random unit vectors of `width`, row by row.
pub fn unit_directions(stream: &mut Stream, count: usize, width: usize) -> Vec<f64> {
    let mut directions: Vec<f64> = (0..count * width).map(|_| stream.normal()).collect();
    for row in directions.chunks_exact_mut(width) {
        let norm = row.iter().map(|x| x * x).sum::<f64>().sqrt();
        row.iter_mut().for_each(|x| *x /= norm);
    }
    directions
}

/// (L(h + εv) − L(h − εv)) / 2 for every sample and direction, sample by sample. `directions` holds as many unit vectors for
/// each sample.
pub fn loss_changes<Label: Copy>(
    rest: &mut dyn Downstream<Label>,
    layer: usize,
    h: &[f64],
    labels: &[Label],
    directions: &[f64],
    step: f64,
) -> Vec<f64> {
    let width = h.len() / labels.len();
    let each = directions.len() / h.len();
    let rows: Vec<Label> = labels.iter().flat_map(|&label| std::iter::repeat_n(label, each)).collect();
    let mut side = |step: f64| {
        let mut moved = directions.to_vec();
        for (moved, h) in moved.chunks_exact_mut(each * width).zip(h.chunks_exact(width)) {
            for row in moved.chunks_exact_mut(width) {
                row.iter_mut().zip(h).for_each(|(v, h)| *v = *v * step + *h);
            }
        }
        let mut losses = vec![0.0; rows.len()];
        rest.losses(layer, &moved, &rows, &mut losses);
        losses
    };
    let (up, down) = (side(step), side(-step));
    up.iter().zip(&down).map(|(up, down)| 0.5 * (up - down)).collect()
}

/// The length of the steps, and what rounding leaves of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// ε.
    pub length: f64,
    /// Whether it is more than was asked for.
    pub enlarged: bool,
    /// Estimated error of the loss changes, as a share of them; NaN where the loss does not change, infinite where it is not
    /// finite.
    pub rounding: f64,
}

impl Step {
    /// Why no ρ can be had with it, if none can.
    pub fn trouble(&self) -> Option<Why> {
        if self.rounding.is_nan() {
            Some(Why::LossUnmoved)
        } else if self.rounding.is_infinite() {
            Some(Why::NotFinite)
        } else {
            (self.rounding > TOO_MUCH).then_some(Why::Rounding)
        }
    }
}

/// The shortest step, from the one asked for upwards in factors of 10, at which rounding does not matter.
///
/// The error is measured, not guessed: changes of the loss are odd in the step, so those of a step longer by an eighth are
/// larger by an eighth. What is left over is rounding, and at long steps curvature.
pub fn choose_step<Label: Copy>(
    rest: &mut dyn Downstream<Label>,
    layer: usize,
    h: &[f64],
    labels: &[Label],
    directions: &[f64],
    asked: f64,
) -> Step {
    const LONGER: f64 = 1.125;
    let width = h.len() / labels.len();
    let reach = REACH * median(norms(h, width).collect());
    let rms = |values: &[f64]| (values.iter().map(|x| x * x).sum::<f64>() / values.len() as f64).sqrt();
    let mut error = |length: f64| {
        let near = loss_changes(rest, layer, h, labels, directions, length);
        let far = loss_changes(rest, layer, h, labels, directions, LONGER * length);
        if near.iter().chain(&far).any(|change| !change.is_finite()) {
            return f64::INFINITY;
        }
        let left: Vec<f64> = near.iter().zip(&far).map(|(near, far)| far - LONGER * near).collect();
        // The remainder holds the errors of both, of which one counts.
        let size = rms(&near);
        if size > 0.0 { rms(&left) / (1.0 + LONGER * LONGER).sqrt() / size } else { f64::NAN }
    };
    let mut best = Step { length: asked, enlarged: false, rounding: error(asked) };
    let mut length = 10.0 * asked;
    // NaN, where a short step does not move the loss at all, is the worst of all errors.
    while (best.rounding > FINE || best.rounding.is_nan()) && length <= reach && reach.is_finite() {
        let rounding = error(length);
        if rounding < best.rounding || best.rounding.is_nan() {
            best = Step { length, enlarged: true, rounding };
        }
        length *= 10.0;
    }
    best
}

/// ρ of a credit at one layer, with that of the true gradient beside it.
///
/// ```
/// use audit::{NetworkDownstream, rho, unit_directions};
/// use nn::{Network, Tape};
/// use rules::{Learner, Modifiers, signals};
/// use tensor::random::{Purpose, Stream};
/// let net = nn::MlpSpec::resmlp(3, 8, 2, 4).build()?;
/// let rule = rules::build("bp", Network::<f64>::shape(&net), 1)?;
/// let learner = Learner::<f64, _>::new(net.clone(), rule, Modifiers::default(), 1);
/// let mut chunk = learner.chunk(2);
/// chunk.x.copy_from_slice(&[0.1, 0.2, 0.3, -0.3, 0.5, 0.0]);
/// chunk.labels = vec![0, 3];
/// let p = signals(&learner, &mut chunk, 2).p;
/// let directions = unit_directions(&mut Stream::new(1, Purpose::Audit), 2 * 32, 8);
/// let mut rest = NetworkDownstream::new(&net, &learner.params);
/// let found = rho(&mut rest, 1, chunk.tape().hidden(1), &[0, 3], &p[1], &p[1], &directions, 1e-3);
/// assert!(found.value.value().unwrap() > 0.999, "the true gradient predicts the loss");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[expect(clippy::too_many_arguments, reason = "a measurement has as many inputs as its definition")]
pub fn rho<Label: Copy>(
    rest: &mut dyn Downstream<Label>,
    layer: usize,
    h: &[f64],
    labels: &[Label],
    credit: &[f64],
    gradient: &[f64],
    directions: &[f64],
    asked: f64,
) -> Rho {
    let step = choose_step(rest, layer, h, labels, directions, asked);
    let changes = loss_changes(rest, layer, h, labels, directions, step.length);
    let width = h.len() / labels.len();
    let each = directions.len() / h.len();
    let correlate = |signal: &[f64]| {
        let mut correlation = Correlation::default();
        let per_sample = signal.chunks_exact(width).zip(directions.chunks_exact(each * width));
        for ((a, v), changes) in per_sample.zip(changes.chunks_exact(each)) {
            let mut predicted = vec![0.0; each];
            matmul(&mut predicted, step.length, Mat::new(v, each, width), Mat::new(a, width, 1));
            predicted.iter().zip(changes).for_each(|(&x, &y)| correlation.add(x, y));
        }
        correlation
    };
    Rho {
        value: finish_rho(&correlate(credit), &step, Why::CreditVanished),
        gradient: finish_rho(&correlate(gradient), &step, Why::ReferenceVanished),
        step: step.length,
        enlarged: step.enlarged,
        rounding: step.rounding,
    }
}

/// A correlation with its standing; `still` says why a signal that predicts nothing has none.
pub(crate) fn finish_rho(correlation: &Correlation, step: &Step, still: Why) -> Measured {
    if let Some(why) = step.trouble() {
        return Measured::Undefined { why };
    }
    match correlation.value() {
        Some(value) => Measured::Defined { value },
        None if correlation.xx.is_finite() && correlation.yy.is_finite() => {
            Measured::Undefined { why: still }
        }
        None => Measured::Undefined { why: Why::NotFinite },
    }
}
