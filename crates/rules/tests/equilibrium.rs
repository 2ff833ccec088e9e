//! Equilibrium propagation against the gradient that it tends to.

use nn::{Architecture, LqSpec, Mlp, MlpSpec, Network, Tape, Unit, VitSpec};
use rules::{Learner, Modifiers, RuleSpec, Value, signals};
use tensor::Float;
use tensor::random::{Purpose, Stream};

const ROWS: usize = 8;
const BLOCKS: usize = 4;

/// Choices of the nudge; the defaults are the rule's own.
#[derive(Clone, Copy, Default)]
struct Nudge {
    beta: Option<f64>,
    relative: Option<bool>,
    steps: Option<i64>,
    tolerance: Option<f64>,
}

impl Nudge {
    fn spec(self) -> RuleSpec {
        let settings = [
            self.beta.map(|beta| ("rule.beta", Value::Real(beta))),
            self.relative.map(|relative| ("rule.relative_nudge", Value::Flag(relative))),
            self.steps.map(|steps| ("rule.relax_steps", Value::Whole(steps))),
            self.tolerance.map(|tolerance| ("rule.relax_tolerance", Value::Real(tolerance))),
        ];
        RuleSpec::with("ep", &settings.into_iter().flatten().collect::<Vec<_>>()).expect("its keys")
    }
}

struct Found {
    /// Worst over units: 1 − mean cosine, and |‖a‖/‖p‖ − 1|.
    off: f64,
    size: f64,
    /// ‖a − p‖/‖p‖ over all units.
    error: f64,
    /// The same of the displacement at h_l against p_l.
    displaced: (f64, f64),
}

fn cosine(a: &[f64], b: &[f64], width: usize) -> f64 {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let of = |(a, b): (&[f64], &[f64])| dot(a, b) / (dot(a, a) * dot(b, b)).sqrt();
    a.chunks_exact(width).zip(b.chunks_exact(width)).map(of).sum::<f64>() * width as f64 / a.len() as f64
}

fn norm(a: &[f64]) -> f64 {
    a.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn measure(spec: MlpSpec, ep: Nudge) -> Found {
    measure_at(1.0, spec, ep)
}

/// Of the network whose states are `scale` times as large, its logits as they were, and its gradients that much smaller.
fn measure_at(scale: f64, spec: MlpSpec, ep: Nudge) -> Found {
    let net = spec.build().expect("valid");
    let d = net.spec().d;
    let rule = ep.spec();
    let mut learner = Learner::<f64, Mlp>::new(net, &rule, Modifiers::default(), 5).expect("known");
    rescale(&mut learner, scale);
    let mut stream = Stream::new(9, Purpose::Teacher);
    let mut chunk = learner.chunk(ROWS);
    chunk.x.fill_with(|| stream.normal());
    chunk.labels = (0..ROWS).map(|_| stream.below(3) as u8).collect();
    let seen = signals(&learner, &mut chunk, ROWS);
    for l in 0..BLOCKS {
        let share = norm(chunk.tape().branch(l)) / norm(chunk.tape().hidden(l));
        assert!(share >= 0.3, "the blocks do something: {share}");
    }
    let said = &seen.report.notes;
    assert_eq!(said[1], ("relaxed_share", 1.0), "{said:?}");
    let at_input = seen.report.at_input.as_ref().expect("it has one");
    let worst = |of: &dyn Fn(usize) -> f64| (0..=BLOCKS).map(of).fold(0.0, f64::max);
    let size = |a: &[Vec<f64>], l: usize| (norm(&a[l]) / norm(&seen.p[l]) - 1.0).abs();
    let off = |a: &[Vec<f64>], l: usize| 1.0 - cosine(&a[l], &seen.p[l], d);
    let all: Vec<f64> = seen.p.concat();
    let difference: Vec<f64> = seen.credit.concat().iter().zip(&all).map(|(a, p)| a - p).collect();
    Found {
        off: worst(&|l| off(&seen.credit, l)),
        size: worst(&|l| size(&seen.credit, l)),
        error: norm(&difference) / norm(&all),
        displaced: (worst(&|l| off(at_input, l)), worst(&|l| size(at_input, l))),
    }
}

/// What writes to the states by `scale`, what reads them by 1/`scale`, unless a LayerNorm stands before it.
fn rescale(learner: &mut Learner<f64, Mlp>, scale: f64) {
    let (inside, end) = (learner.net.spec().block_ln, learner.net.spec().out_ln);
    for tensor in learner.net.layout().tensors() {
        let is = |part: &str| tensor.name.ends_with(part);
        let writes = tensor.unit == Unit::Embed || is("w2.weight") || is("w2.bias");
        let reads = (is("w1.weight") && !inside) || (is("out_head.weight") && !end);
        let factor = match (writes, reads) {
            (true, _) => scale,
            (_, true) => 1.0 / scale,
            _ => 1.0,
        };
        learner.params[tensor.range.clone()].iter_mut().for_each(|w| *w *= factor);
    }
}

fn networks() -> [MlpSpec; 2] {
    [
        MlpSpec { w2_std: 0.4, ..MlpSpec::resmlp(6, 12, BLOCKS, 3) },
        MlpSpec { w2_std: 0.5, ..MlpSpec::student(6, 12, BLOCKS, 3, 1.0) },
    ]
}

fn strict(beta: f64) -> Nudge {
    Nudge { beta: Some(beta), relative: Some(false), steps: Some(100_000), tolerance: Some(1e-8) }
}

#[test]
fn a_weak_nudge_gives_the_gradient() {
    for spec in networks() {
        let found = measure(spec, Nudge { tolerance: Some(1e-3), ..strict(1e-3) });
        assert!(found.off <= 0.01 && found.size <= 0.01, "{} {}", found.off, found.size);
    }
}

#[test]
fn the_error_is_linear_in_the_nudge() {
    for spec in networks() {
        let errors = [1e-2, 1e-3, 1e-4].map(|beta| measure(spec.clone(), strict(beta)).error);
        for pair in errors.windows(2) {
            let ratio = pair[0] / pair[1];
            assert!((8.0..12.5).contains(&ratio), "{errors:?}");
        }
    }
}

/// What the states have moved by is not the gradient, however weak the nudge: it adds up over depth.
#[test]
fn the_displacement_is_not_the_gradient() {
    for spec in networks() {
        let (off, size) = measure(spec, strict(1e-4)).displaced;
        assert!(off > 0.01 && size > 0.5, "{off} {size}");
    }
}

/// With states c times as large, E and c²β times the loss have the same minimum but for c: a nudge in units of ‖h_L‖/‖p_L‖ does
/// the same at any scale. One of fixed strength is c² times weaker, and so is its error. (Scales are large, for the ε of a LayerNorm
/// has none.)
#[test]
fn a_relative_nudge_does_not_depend_on_scale() {
    for spec in networks() {
        let error = |scale: f64, relative: bool| {
            let found = measure_at(scale, spec.clone(), Nudge { relative: Some(relative), ..strict(1e-3) });
            assert!(found.off < 0.01, "{}", found.off);
            found.error
        };
        let (near, far) = (error(1024.0, true), error(1_048_576.0, true));
        assert!(near > 1e-5 && (near / far - 1.0).abs() < 1e-5, "{near:e} {far:e}");
        let (near, far) = (error(1.0, false), error(16.0, false));
        assert!((200.0..330.0).contains(&(near / far)), "{near:e} {far:e}");
    }
}

/// A nudge by a tenth of the state is far from linear, and comes to rest as well.
#[test]
fn a_strong_nudge_comes_to_rest() {
    for spec in networks() {
        let found = measure(spec, Nudge { beta: Some(0.1), ..Nudge::default() });
        assert!(found.error > 0.1, "it does bend the gradient: {}", found.error);
    }
}

/// Samples at rest are taken off the tape while others go on; each has the credit that it has alone, also beside one that is no
/// number and never rests.
fn relaxes_by_itself<T: Float, N: Network<T> + 'static>(net: N, beta: f64, broken: bool) {
    let rule = Nudge { beta: Some(beta), ..Nudge::default() }.spec();
    let learner = Learner::<T, N>::new(net, &rule, Modifiers::default(), 5).expect("known");
    let mut stream = Stream::new(9, Purpose::Teacher);
    let mut all = learner.chunk(ROWS);
    all.x.fill_with(|| T::of(stream.normal()));
    if broken {
        all.x[0] = T::of(f64::NAN);
    }
    all.labels = (0..ROWS).map(|_| stream.below(3) as u8).collect();
    let together = signals(&learner, &mut all, ROWS);
    let (inputs, mut steps) = (all.x.len() / ROWS, Vec::new());
    for i in 0..ROWS {
        let mut one = learner.chunk(1);
        one.x.copy_from_slice(&all.x[i * inputs..][..inputs]);
        one.labels = vec![all.labels[i]];
        let alone = signals(&learner, &mut one, ROWS);
        for (together, alone) in together.credit.iter().zip(&alone.credit) {
            let mut pairs = together[i * alone.len()..].iter().zip(alone);
            assert!(pairs.all(|(a, b)| a == b || (broken && i == 0)), "sample {i}");
        }
        steps.push(alone.report.notes[0].1);
    }
    let said = &together.report.notes;
    assert_eq!(said[0], ("relaxation_steps", steps.iter().sum::<f64>() / ROWS as f64));
    steps.sort_by(f64::total_cmp);
    assert!(steps[ROWS / 2 - 1] < steps[ROWS - 1], "half of them rest before the last: {steps:?}");
}

#[test]
fn a_sample_relaxes_by_itself() {
    for spec in networks() {
        for broken in [false, true] {
            relaxes_by_itself::<f64, _>(spec.clone().build().expect("valid"), 0.1, broken);
            relaxes_by_itself::<f32, _>(spec.clone().build().expect("valid"), 0.1, broken);
        }
    }
    let vit = VitSpec { d: 8, blocks: BLOCKS, heads: 2, mlp: 12, ..VitSpec::mini(1, 8, 8, 3) };
    relaxes_by_itself::<f32, _>(vit.build().expect("valid"), 0.01, false);
    relaxes_by_itself::<f32, _>(LqSpec::new(6, BLOCKS, 4).build().expect("valid"), 0.1, true);
}

/// To first order in the nudge the imbalance of each unit is −β·p, and displacements add up along the forward pass:
/// D_0 = p_0, D_{l+1} = J_l D_l + p_{l+1}, with the Jacobian of h_l ↦ h_{l+1} taken here by central differences.
#[test]
fn the_displacement_adds_up_along_the_forward_pass() {
    for spec in networks() {
        let net = spec.build().expect("valid");
        let mut rule = strict(1e-5).spec();
        rule.set("rule.credit", Value::Word("displacement")).expect("a key of ep");
        let learner = Learner::<f64, Mlp>::new(net, &rule, Modifiers::default(), 5).expect("known");
        let mut stream = Stream::new(9, Purpose::Teacher);
        let mut chunk = learner.chunk(ROWS);
        chunk.x.fill_with(|| stream.normal());
        chunk.labels = (0..ROWS).map(|_| stream.below(3) as u8).collect();
        let seen = signals(&learner, &mut chunk, ROWS);
        let states: Vec<Vec<f64>> = (0..=BLOCKS).map(|l| chunk.tape().hidden(l).to_vec()).collect();
        let mut tape = learner.net.tape(ROWS);
        learner.net.forward(&learner.params, &chunk.x, ROWS, &mut tape);
        let mut expected = seen.p[0].clone();
        for (l, state) in states.iter().enumerate() {
            let apart: Vec<f64> = seen.credit[l].iter().zip(&expected).map(|(a, b)| a - b).collect();
            assert!(norm(&apart) <= 1e-3 * norm(&expected), "h_{l}: {}", norm(&apart) / norm(&expected));
            if l < BLOCKS {
                let mut shifted = |step: f64| {
                    let h: Vec<f64> = state.iter().zip(&expected).map(|(h, d)| h + step * d).collect();
                    learner.net.forward_from(&learner.params, l, &h, &mut tape);
                    tape.hidden(l + 1).to_vec()
                };
                let up = shifted(1e-5);
                let down = shifted(-1e-5);
                let carried = up.iter().zip(down).map(|(up, down)| (up - down) / 2e-5);
                expected = carried.zip(&seen.p[l + 1]).map(|(carried, p)| carried + p).collect();
            }
        }
    }
}
