//! The convolutional network against central differences in f64, in training and in evaluation, on random shapes and with
//! arbitrary signals: the scalar ⟨output, signal⟩ is differentiated by hand-written code and by differences.

use nn::{Architecture, Network, Pass, Resnet, ResnetSpec, ResnetTape, Tape, Unit};
use proptest::prelude::*;
use std::ops::Range;
use tensor::GradientSink;
use tensor::random::{Purpose, Stream};

fn spec() -> impl Strategy<Value = ResnetSpec> {
    // A panel has 16 columns: the widths of the stages are on both sides of it.
    let d = prop_oneof![4 => 1usize..7, 1 => Just(8usize), 1 => 16usize..18];
    (1usize..4, 1usize..3, d, 0usize..6, 2usize..7).prop_map(|(channels, eighths, d, blocks, classes)| {
        let side = 8 * eighths;
        let blocks = if d > 8 { blocks.min(3) } else { blocks };
        ResnetSpec { channels, height: side, width: side, d, blocks, classes }
    })
}

/// Scale of the gradients; anything but 1.
const SCALE: f64 = 0.25;

struct Probe {
    net: Resnet,
    params: Vec<f64>,
    x: Vec<f64>,
    rows: usize,
    training: bool,
    stream: Stream,
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl Probe {
    fn new(spec: ResnetSpec, rows: usize, training: bool, seed: u64) -> Self {
        let net = spec.build().expect("sizes are valid");
        let mut stream = Stream::new(seed, Purpose::Feedback);
        // Nudged off the initial values, so that biases and means of 0 and weights and variances of 1 do not hide a fault.
        let mut params: Vec<f64> = net.initial(seed);
        for tensor in net.layout().tensors() {
            for p in &mut params[tensor.range.clone()] {
                let nudge = 0.3 * stream.normal();
                *p = if tensor.name.ends_with("running_var") { 0.5 + nudge.abs() } else { *p + nudge };
            }
        }
        let x = (0..rows * net.shape().inputs).map(|_| stream.normal()).collect();
        Self { net, params, x, rows, training, stream }
    }

    fn normals(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.stream.normal()).collect()
    }

    fn width(&self, l: usize) -> usize {
        self.rows * self.net.state(l).width()
    }

    fn forward(&self, params: &[f64], x: &[f64]) -> ResnetTape<f64> {
        let mut tape = Network::<f64>::tape(&self.net, self.rows);
        tape.set_training(self.training);
        self.net.forward(params, x, self.rows, &mut tape);
        // Later calls must follow the pass that was made, not the next one.
        tape.set_training(!self.training);
        tape
    }

    /// Whether a slope along `direction` in parameter space is that of differences, for any of some step sizes: a
    /// BatchNorm may bend within the larger ones, and rounding hides the smallest. If the kink of a ReLU is so close
    /// that even these reach it, it is on one side, and the one-sided difference on the other side still decides.
    fn agree(
        &self,
        slope: f64,
        size: f64,
        direction: &[f64],
        output: impl Fn(&ResnetTape<f64>) -> f64,
    ) -> Result<(), TestCaseError> {
        let at = |s: f64| {
            let moved: Vec<f64> = self.params.iter().zip(direction).map(|(p, v)| p + s * v).collect();
            output(&self.forward(&moved, &self.x))
        };
        let mut seen = Vec::new();
        let mut near = |difference: f64| {
            seen.push(difference);
            (slope - difference).abs() <= 2e-6 * (size + slope.abs())
        };
        for step in [1e-5, 1e-6, 1e-7] {
            if near((at(step) - at(-step)) / (2.0 * step)) {
                return Ok(());
            }
        }
        for step in [1e-7, -1e-7, 1e-8, -1e-8] {
            if near((4.0 * at(step) - 3.0 * at(0.0) - at(2.0 * step)) / (2.0 * step)) {
                return Ok(());
            }
        }
        Err(TestCaseError::fail(format!("slope {slope}, differences {seen:?}")))
    }

    /// Writes the gradient of a range of the parameters into the whole.
    fn keep(&self, tape: &ResnetTape<f64>, scale: f64, stretch: Range<usize>, gradient: &mut [f64]) {
        let params = &self.params[stretch.clone()];
        let into = &mut gradient[stretch.clone()];
        self.net.gradient(&[Pass { x: &self.x, tape }], scale, stretch, GradientSink::Keep { params, into });
    }

    /// A direction that moves one tensor only.
    fn direction(&mut self, range: Range<usize>) -> Vec<f64> {
        let mut direction = vec![0.0; self.params.len()];
        let values = self.normals(range.len());
        direction[range].copy_from_slice(&values);
        direction
    }

    /// Sends a signal at the logits down the whole chain and leaves it at every unit.
    fn descend(&self, tape: &mut ResnetTape<f64>, signal: &[f64]) {
        let blocks = self.net.spec().blocks;
        let mut above = vec![0.0; self.width(blocks)];
        tape.error_mut().0.copy_from_slice(signal);
        self.net.head_vjp(&self.params, tape, &mut above);
        for l in (0..blocks).rev() {
            let mut below = vec![f64::NAN; self.width(l)];
            tape.signal_mut(l + 1).0.copy_from_slice(&above);
            self.net.branch_vjp(&self.params, l, tape, Some(&mut below));
            if self.net.skip(l) {
                below.iter_mut().zip(&above).for_each(|(b, a)| *b += a);
            }
            above = below;
        }
        tape.signal_mut(0).0.copy_from_slice(&above);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Head and every tensor of it; then the whole chain, which also checks the signal below each block.
    #[test]
    fn whole_network(spec in spec(), rows in 1usize..5, training: bool, seed: u64) {
        // At least four values per channel: fewer leave a BatchNorm almost nothing but signs.
        let rows = if training { rows.max(4) } else { rows };
        let mut probe = Probe::new(spec, rows, training, seed);
        let signal = probe.normals(rows * probe.net.spec().classes);
        let mut gradient = vec![f64::NAN; probe.params.len()];
        let mut tape = probe.forward(&probe.params, &probe.x);
        probe.descend(&mut tape, &signal);
        // Range by range, as threads share them.
        for (stretch, _) in probe.net.parameter_ranges() {
            probe.keep(&tape, SCALE, stretch, &mut gradient);
        }
        let statistics = probe.net.layout().unit(Unit::Statistics);
        prop_assert!(gradient[statistics.clone()].iter().all(|g| g.is_nan()), "statistics have no gradient");
        gradient.truncate(statistics.start);
        prop_assert!(gradient.iter().all(|g| g.is_finite()), "every other parameter received one");
        let tensors = probe.net.layout().tensors().to_vec();
        for tensor in tensors.iter().filter(|tensor| tensor.unit != Unit::Statistics) {
            let direction = probe.direction(tensor.range.clone());
            let size = dot(&direction, &direction).sqrt() * (dot(&gradient, &gradient).sqrt() / SCALE + 1.0);
            probe.agree(dot(&gradient, &direction) / SCALE, size, &direction, |tape| dot(tape.logits(), &signal))?;
        }
    }

    /// One block with an arbitrary signal at its branch, as a rule other than backpropagation gives it.
    #[test]
    fn one_block_with_a_foreign_signal(spec in spec(), rows in 1usize..5, training: bool, seed: u64) {
        prop_assume!(spec.blocks > 0);
        let rows = if training { rows.max(4) } else { rows };
        let mut probe = Probe::new(spec, rows, training, seed);
        let block = (seed % probe.net.spec().blocks as u64) as usize;
        let signal = probe.normals(probe.width(block + 1));
        let mut gradient = vec![0.0; probe.params.len()];
        let mut tape = probe.forward(&probe.params, &probe.x);
        tape.signal_mut(block + 1).0.copy_from_slice(&signal);
        probe.net.branch_vjp(&probe.params, block, &mut tape, None);
        let unit = probe.net.layout().unit(Unit::Block(block));
        probe.keep(&tape, 1.0, unit.clone(), &mut gradient);
        let direction = probe.direction(unit);
        let size = dot(&direction, &direction).sqrt() * (dot(&gradient, &gradient).sqrt() + 1.0);
        probe.agree(dot(&gradient, &direction), size, &direction, |tape| dot(tape.branch(block), &signal))?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// In evaluation samples are independent: a gradient has the same bytes however they are split into passes.
    #[test]
    fn passes_leave_no_trace(spec in spec(), rows in 2usize..9, cut in 1usize..8, seed: u64) {
        let mut probe = Probe::new(spec, rows, false, seed);
        let cut = cut.min(rows - 1);
        let net = probe.net.clone();
        let classes = net.spec().classes;
        let inputs = net.shape().inputs;
        let signal = probe.normals(rows * classes);
        let all = 0..net.layout().unit(Unit::Statistics).start;
        let gradient = |parts: &[Range<usize>]| {
            let tapes: Vec<_> = parts
                .iter()
                .map(|part| {
                    let x = probe.x[part.start * inputs..part.end * inputs].to_vec();
                    let probe = Probe { net: net.clone(), params: probe.params.clone(), x, rows: part.len(), stream: probe.stream.clone(), ..probe };
                    let mut tape = probe.forward(&probe.params, &probe.x);
                    probe.descend(&mut tape, &signal[part.start * classes..part.end * classes]);
                    (probe.x, tape)
                })
                .collect();
            let passes: Vec<_> = tapes.iter().map(|(x, tape)| Pass { x, tape }).collect();
            let params = &probe.params[all.clone()];
            let mut into = vec![f64::NAN; all.len()];
            net.gradient(&passes, SCALE, all.clone(), GradientSink::Keep { params, into: &mut into });
            into
        };
        prop_assert_eq!(gradient(std::slice::from_ref(&(0..rows))), gradient(&[0..cut, cut..rows]));
    }
}

#[test]
fn impossible_sizes_are_refused_with_the_value() {
    let good = ResnetSpec { channels: 1, height: 16, width: 16, d: 4, blocks: 3, classes: 3 };
    for (spec, words) in [
        (ResnetSpec { channels: 0, ..good.clone() }, "channels is 0"),
        (ResnetSpec { d: 0, ..good.clone() }, "d is 0"),
        (ResnetSpec { classes: 1, ..good.clone() }, "classes is 1"),
        (ResnetSpec { width: 24, ..good.clone() }, "height is 16 and width 24"),
        (
            ResnetSpec { height: 20, width: 20, ..good.clone() },
            "height is 20: it must be a multiple of the stride of all stages, which is 8",
        ),
        (ResnetSpec { height: 0, width: 0, ..good.clone() }, "height is 0"),
        (ResnetSpec { d: usize::MAX, ..good.clone() }, "more than"),
        (ResnetSpec { height: 1 << 40, width: 1 << 40, ..good.clone() }, "more than"),
    ] {
        let message = spec.build().expect_err("impossible").to_string();
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn initial_values_follow_their_laws() {
    let net = ResnetSpec::default().build().expect("valid");
    let params: Vec<f64> = net.initial(42);
    let layout = net.layout();
    let of = |name: &str| &params[layout.get(name).expect(name).range.clone()];
    let std = |values: &[f64]| (dot(values, values) / values.len() as f64).sqrt();
    for (name, fan_out) in [("stem.conv", 9 * 16), ("blocks.3.conv2", 9 * 32), ("blocks.4.short", 64)] {
        let values = of(&format!("{name}.weight"));
        let ratio = std(values) / (2.0 / f64::from(fan_out)).sqrt();
        // The standard deviation of n normal numbers is uncertain by 1/√(2n).
        assert!((ratio - 1.0).abs() < 4.0 / (2.0 * values.len() as f64).sqrt(), "{name}: {ratio}");
    }
    // Only a branch with a skip connection starts small.
    for (name, value) in
        [("stem.bn", 1.0), ("blocks.0.bn2", 0.2), ("blocks.2.bn2", 1.0), ("blocks.2.bn_short", 1.0)]
    {
        assert!(of(&format!("{name}.weight")).iter().all(|&w| w == value), "{name}");
        assert!(of(&format!("{name}.bias")).iter().all(|&b| b == 0.0), "{name}");
        assert!(of(&format!("{name}.running_mean")).iter().all(|&m| m == 0.0), "{name}");
        assert!(of(&format!("{name}.running_var")).iter().all(|&v| v == 1.0), "{name}");
    }
    assert!(of("out_head.weight").iter().all(|v| v.abs() <= 0.125));
    assert!((std(of("out_head.weight")) / (0.125 / 3f64.sqrt()) - 1.0).abs() < 0.1);
}

/// Ranges are in memory order, none is in two units, and together they are all but the statistics.
#[test]
fn stretches_tile_what_gradients_reach() {
    let net = ResnetSpec::default().build().expect("valid");
    let layout = net.layout();
    let units =
        [Unit::Embed, Unit::Head].into_iter().chain((0..6).map(Unit::Block)).map(|unit| layout.unit(unit));
    let units: Vec<_> = units.collect();
    let mut end = 0;
    for (stretch, work) in net.parameter_ranges() {
        assert_eq!(stretch.start, end);
        assert!(work > 0.0 && units.iter().any(|u| u.start <= stretch.start && stretch.end <= u.end));
        end = stretch.end;
    }
    assert_eq!(end..layout.len(), layout.unit(Unit::Statistics));
}
