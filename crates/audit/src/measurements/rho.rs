//! ρ, the perturbation correlation: does credit predict what the loss does?
//!
//! Each sample's state is moved by ±ε along random unit directions v. ρ is Pearson's r between the change that the credit
//! predicts, ⟨a, εv⟩, and the change of the loss, over all samples and directions. As ε → 0 and with many directions it
//! tends to Σ⟨a, p⟩ / √(Σ‖a‖² Σ‖p‖²): a cosine found without any backward code.

use super::{Directions, Downstream, Step, Unmoved, choose_step, loss_changes, predictions};
use record::audit::Rho;
use record::{Measured, Why};

/// Pearson's correlation, summed pair by pair.
///
/// ```
/// let mut r = audit::measurements::Correlation::default();
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

    /// The sums of both.
    #[must_use]
    pub fn and(self, other: &Self) -> Self {
        Self {
            n: self.n + other.n,
            x: self.x + other.x,
            y: self.y + other.y,
            xx: self.xx + other.xx,
            yy: self.yy + other.yy,
            xy: self.xy + other.xy,
        }
    }

    /// The correlation; none if one side does not vary or is not finite.
    pub fn value(&self) -> Option<f64> {
        let covariance = self.xy - self.x * self.y / self.n;
        let vx = self.xx - self.x * self.x / self.n;
        let vy = self.yy - self.y * self.y / self.n;
        let r = covariance / vx.sqrt() / vy.sqrt();
        (vx > 0.0 && vy > 0.0 && r.is_finite()).then(|| r.clamp(-1.0, 1.0))
    }
}

/// ρ of a credit at one layer, and that of the true gradient. Both have as many values per sample as the directions; states
/// are whole.
///
/// ```
/// use audit::measurements::{Directions, NetworkDownstream, rho, unit_directions};
/// use nn::Tape;
/// use rules::{Learner, Modifiers, signals};
/// use tensor::random::{Purpose, Stream};
/// let net = nn::MlpSpec::resmlp(3, 8, 2, 4).build()?;
/// let learner = Learner::<f64, _>::new(net.clone(), &"bp".into(), Modifiers::default(), 1)?;
/// let mut chunk = learner.chunk(2);
/// chunk.x.copy_from_slice(&[0.1, 0.2, 0.3, -0.3, 0.5, 0.0]);
/// chunk.labels = vec![0, 3];
/// let p = signals(&learner, &mut chunk, 2).p;
/// let vectors = unit_directions(&mut Stream::new(1, Purpose::Audit), 2 * 32, 8);
/// let directions = Directions { vectors: &vectors, reach: 8 };
/// let mut rest = NetworkDownstream::new(&net, &learner.params);
/// let found = rho(&mut rest, 1, chunk.tape().hidden(1), &[0, 3], &p[1], &p[1], directions, 1e-3);
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
    directions: Directions<'_>,
    asked: f64,
) -> Rho {
    let losses = rest.unmoved(layer, h, labels);
    let unmoved = Unmoved { layer, h, labels, losses: &losses };
    let step = choose_step(rest, &unmoved, directions, asked);
    let changes = loss_changes(rest, &unmoved, directions, step.length);
    let correlate = |signal: &[f64]| {
        let mut correlation = Correlation::default();
        let predicted = predictions(&[signal], directions, labels.len());
        predicted.iter().zip(&changes).for_each(|(x, &change)| correlation.add(step.length * x, change));
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

/// A correlation with its reliability; `still` is the reason if the signal does not vary.
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
