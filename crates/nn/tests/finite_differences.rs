//! Every part of both networks against central differences in f64, on random shapes from 1 upwards and with
//! arbitrary signals: the scalar ⟨output, signal⟩ is differentiated by hand-written code and by differences.

use nn::{Activation, Mlp, MlpSpec, MlpTape, Network, Pass, Tape, Unit};
use proptest::prelude::*;
use std::ops::Range;
use tensor::Fate;
use tensor::random::{Purpose, Stream};

fn spec() -> impl Strategy<Value = MlpSpec> {
    let sizes = (1usize..20, 1usize..21, 0usize..4, 2usize..12);
    let activation = prop_oneof![Just(Activation::Gelu), (0.0..=1.0f64).prop_map(Activation::Blend)];
    (sizes, activation, any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
        |((inputs, d, blocks, classes), activation, block_ln, out_ln, skip)| MlpSpec {
            inputs,
            d,
            blocks,
            classes,
            activation,
            block_ln,
            out_ln,
            skip,
            w2_std: 0.4,
        },
    )
}

/// Factor that the gradients are asked for with; anything but 1.
const SCALE: f64 = 0.25;

struct Probe {
    net: Mlp,
    params: Vec<f64>,
    x: Vec<f64>,
    rows: usize,
    stream: Stream,
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl Probe {
    fn new(spec: MlpSpec, rows: usize, seed: u64) -> Self {
        let net = spec.build().expect("sizes are valid");
        let mut stream = Stream::new(seed, Purpose::Feedback);
        // Nudged off the initial values, so that biases of 0 and LayerNorm weights of 1 do not hide a fault.
        let mut params: Vec<f64> = net.initial(seed);
        params.iter_mut().for_each(|p| *p += 0.3 * stream.normal());
        let x = (0..rows * net.spec().inputs).map(|_| stream.normal()).collect();
        Self { net, params, x, rows, stream }
    }

    fn normals(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.stream.normal()).collect()
    }

    fn scalar(&self, params: &[f64], x: &[f64], output: impl Fn(&<Mlp as Network<f64>>::Tape) -> f64) -> f64 {
        let mut tape = Network::<f64>::tape(&self.net, self.rows);
        self.net.forward(params, x, self.rows, &mut tape);
        output(&tape)
    }

    /// Derivative along `direction` in parameter space, by central differences of three step sizes. Where a LayerNorm
    /// sees almost no variance the slope changes within the larger ones, elsewhere the smallest drowns in rounding.
    fn slopes(&self, direction: &[f64], output: impl Fn(&<Mlp as Network<f64>>::Tape) -> f64) -> [f64; 3] {
        [1e-4, 1e-5, 1e-6].map(|step| {
            let moved =
                |s: f64| self.params.iter().zip(direction).map(|(p, v)| p + s * v).collect::<Vec<f64>>();
            let at = |s: f64| self.scalar(&moved(s), &self.x, &output);
            (at(step) - at(-step)) / (2.0 * step)
        })
    }

    /// Writes the gradient of a stretch of the parameters into the whole.
    fn keep(&self, tape: &MlpTape<f64>, scale: f64, stretch: Range<usize>, gradient: &mut [f64]) {
        let (params, into) = (&self.params[stretch.clone()], &mut gradient[stretch.clone()]);
        self.net.gradient(&[Pass { x: &self.x, tape }], scale, stretch, Fate::Keep { params, into });
    }

    /// A direction that moves one tensor only.
    fn direction(&mut self, range: Range<usize>) -> Vec<f64> {
        let mut direction = vec![0.0; self.params.len()];
        let values = self.normals(range.len());
        direction[range].copy_from_slice(&values);
        direction
    }
}

/// A LayerNorm over two features is a steep step: its slope changes within any finite step of a difference, which
/// then says nothing. Over one feature it is a constant, and the slope has to come out as 0.
fn smooth(spec: &MlpSpec) -> bool {
    spec.d != 2 || !(spec.block_ln || spec.out_ln)
}

fn close(analytic: f64, differences: [f64; 3], scale: f64) -> Result<(), TestCaseError> {
    let near = |difference: f64| (analytic - difference).abs() <= 2e-6 * (scale + analytic.abs());
    prop_assert!(differences.into_iter().any(near), "analytic {analytic}, differences {differences:?}");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Head and every tensor of it; then the whole chain, which checks the signal below each block as well.
    #[test]
    fn whole_network(spec in spec(), rows in 1usize..6, seed: u64) {
        prop_assume!(smooth(&spec));
        let mut probe = Probe::new(spec, rows, seed);
        let (d, blocks, classes) = (probe.net.spec().d, probe.net.spec().blocks, probe.net.spec().classes);
        let signal = probe.normals(rows * classes);
        let mut gradient = vec![f64::NAN; probe.params.len()];
        let mut tape = Network::<f64>::tape(&probe.net, rows);
        probe.net.forward(&probe.params, &probe.x, rows, &mut tape);
        let mut above = vec![0.0; rows * d];
        tape.error_mut().0.copy_from_slice(&signal);
        probe.net.head_vjp(&probe.params, &mut tape, &mut above);
        for l in (0..blocks).rev() {
            let mut below = vec![0.0; rows * d];
            tape.signal_mut(l + 1).0.copy_from_slice(&above);
            probe.net.branch_vjp(&probe.params, l, &mut tape, Some(&mut below));
            if probe.net.spec().skip {
                below.iter_mut().zip(&above).for_each(|(b, a)| *b += a);
            }
            above = below;
        }
        tape.signal_mut(0).0.copy_from_slice(&above);
        // Stretch by stretch, as threads would share them.
        for (stretch, _) in Network::<f64>::stretches(&probe.net) {
            probe.keep(&tape, SCALE, stretch, &mut gradient);
        }
        prop_assert!(gradient.iter().all(|g| g.is_finite()), "every parameter received a gradient");
        let tensors = Network::<f64>::layout(&probe.net).tensors().to_vec();
        for tensor in tensors {
            let direction = probe.direction(tensor.range.clone());
            let differences = probe.slopes(&direction, |tape| dot(tape.logits(), &signal));
            let size = dot(&direction, &direction).sqrt() * (dot(&gradient, &gradient).sqrt() / SCALE + 1.0);
            close(dot(&gradient, &direction) / SCALE, differences, size)?;
        }
    }

    /// One block with an arbitrary signal at its branch, as a rule other than backpropagation hands it.
    #[test]
    fn one_block_with_a_foreign_signal(spec in spec(), rows in 1usize..6, seed: u64) {
        prop_assume!(smooth(&spec) && spec.blocks > 0);
        let mut probe = Probe::new(spec, rows, seed);
        let block = (seed % probe.net.spec().blocks as u64) as usize;
        let signal = probe.normals(rows * probe.net.spec().d);
        let mut gradient = vec![0.0; probe.params.len()];
        let mut tape = Network::<f64>::tape(&probe.net, rows);
        probe.net.forward(&probe.params, &probe.x, rows, &mut tape);
        tape.signal_mut(block + 1).0.copy_from_slice(&signal);
        probe.net.branch_vjp(&probe.params, block, &mut tape, None);
        let unit = Network::<f64>::layout(&probe.net).unit(Unit::Block(block));
        probe.keep(&tape, 1.0, unit.clone(), &mut gradient);
        let direction = probe.direction(unit);
        let differences = probe.slopes(&direction, |tape| dot(tape.branch(block), &signal));
        let size = dot(&direction, &direction).sqrt() * (dot(&gradient, &gradient).sqrt() + 1.0);
        close(dot(&gradient, &direction), differences, size)?;
    }
}

#[test]
fn impossible_sizes_are_refused_with_the_value() {
    for (spec, words) in [
        (MlpSpec::resmlp(0, 8, 1, 3), "inputs is 0"),
        (MlpSpec::resmlp(4, 0, 1, 3), "d is 0"),
        (MlpSpec::resmlp(4, 8, 1, 1), "classes is 1"),
        (MlpSpec::student(4, 8, 1, 3, 1.5), "alpha is 1.5"),
        (MlpSpec::resmlp(4, usize::MAX, 1, 3), "more than"),
    ] {
        let message = spec.build().expect_err("impossible").to_string();
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn initial_values_follow_their_laws() {
    let net = MlpSpec::resmlp(300, 200, 2, 10).build().expect("valid");
    let params: Vec<f64> = net.initial(42);
    let layout = Network::<f64>::layout(&net);
    let of = |name: &str| &params[layout.get(name).expect(name).range.clone()];
    let std = |values: &[f64]| (dot(values, values) / values.len() as f64).sqrt();
    assert!((std(of("blocks.1.w2.weight")) / 0.01 - 1.0).abs() < 0.02);
    assert!(of("blocks.0.w2.bias").iter().all(|&b| b == 0.0));
    assert!(of("out_ln.weight").iter().all(|&w| w == 1.0));
    for (name, fan_in) in [("embed.weight", 300.0), ("embed.bias", 300.0), ("blocks.0.w1.weight", 200.0)] {
        let bound = 1.0 / f64::sqrt(fan_in);
        assert!(of(name).iter().all(|v| v.abs() <= bound), "{name}");
        // A uniform law on ±b has standard deviation b/√3.
        let expected = bound / 3f64.sqrt();
        assert!((std(of(name)) / expected - 1.0).abs() < 5.0 / (of(name).len() as f64).sqrt(), "{name}");
    }
}
