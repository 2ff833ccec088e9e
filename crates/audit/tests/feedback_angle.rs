//! The angle between feedback and forward weights, of rules whose feedback is put where the angle is known.

use audit::measurements::feedback_angles;
use nn::{Architecture, Mlp, MlpSpec};
use record::{Measured, Why};
use rules::{AfterStep, Credit, Learner, Modifiers, Normalise, Rule, RuleSpec};
use tensor::AdamW;
use tensor::random::{Purpose, Stream};

const BLOCKS: usize = 3;
const NOWHERE: Measured = Measured::Undefined { why: Why::NoCounterpart };

fn learner(rule: &str) -> Learner<f32, Mlp> {
    let net = MlpSpec { w2_std: 0.3, ..MlpSpec::resmlp(6, 16, BLOCKS, 5) }.build().expect("valid");
    Learner::new(net, &rule.into(), Modifiers::default(), 5).expect("known")
}

fn angles(rule: &str, learner: &Learner<f32, Mlp>) -> Option<Vec<Measured>> {
    feedback_angles(RuleSpec::from(rule).formula(), learner)
}

/// Credit through weights that a test chooses.
struct Through(Vec<f32>);

impl Rule<f32, Mlp> for Through {
    fn credit(&self) -> Credit<'_, f32, Mlp> {
        Credit::Through(&self.0)
    }

    fn after_step(&mut self, _step: &mut AfterStep<'_, f32, Mlp>) {}
}

#[test]
fn weights_that_credit_goes_through_are_held_against_the_matrices_of_their_block() {
    let plain = learner("bp");
    let layout = plain.net.layout();
    let mut weights = plain.params.clone();
    // Everything that is no matrix of a block is of no account.
    for tensor in layout.tensors().iter().filter(|tensor| !tensor.name.contains(".w")) {
        weights[tensor.range.clone()].fill(7.0);
    }
    // Block 0: as they are. Block 1: turned about. Block 2: as long as W, and at a right angle to it.
    for tensor in layout.tensors().iter().filter(|tensor| tensor.is_matrix()) {
        let values = &mut weights[tensor.range.clone()];
        if tensor.name.starts_with("blocks.1.") {
            values.iter_mut().for_each(|w| *w = -*w);
        } else if tensor.name.starts_with("blocks.2.") {
            values.chunks_exact_mut(2).for_each(|pair| (pair[0], pair[1]) = (-pair[1], pair[0]));
        }
    }
    let modifiers = Modifiers::default();
    let Learner { net, params, .. } = plain;
    let through = Learner::with(net, params, Box::new(Through(weights)), Normalise::Sample, modifiers);
    let angles = feedback_angles(None, &through).expect("credit goes through other weights");
    assert_eq!(angles[0], NOWHERE, "no matrix carries the embedding's credit on");
    let degrees: Vec<f64> = angles[1..].iter().map(|angle| angle.defined().expect("a block")).collect();
    assert_eq!((degrees[0], degrees[1]), (0.0, 180.0));
    assert!((degrees[2] - 90.0).abs() < 1e-9, "{degrees:?}");
}

#[test]
fn direct_feedback_is_held_against_the_head_at_the_last_block() {
    for rule in ["dfa", "dkp"] {
        let mut learner = learner(rule);
        let found = angles(rule, &learner).expect("direct feedback");
        assert_eq!(found[..BLOCKS], [NOWHERE; BLOCKS]);
        let drawn = found[BLOCKS].defined().expect("the last block");
        assert!((drawn - 90.0).abs() < 30.0, "drawn apart from each other: {drawn}");
        // PyTorch's weight is (classes, features), feedback (features, classes).
        let head = learner.net.layout().get("out_head.weight").expect("a head").to_torch(&learner.params);
        for (sign, wanted) in [(1.0, 0.0), (-1.0, 180.0)] {
            let name = format!("feedback.{}", BLOCKS - 1);
            let last =
                learner.rule.saved_mut().iter_mut().find(|saved| saved.name == name).expect("feedback");
            for (i, b) in last.values.iter_mut().enumerate() {
                *b = sign * 3.0 * head[(i % 5) * 16 + i / 5];
            }
            let found = angles(rule, &learner).expect("direct feedback")[BLOCKS];
            assert!((found.defined().expect("a number") - wanted).abs() < 1e-4, "{rule}: {found:?}");
        }
    }
}

#[test]
fn rules_without_such_a_pair_have_no_angle_at_all() {
    for rule in ["bp", "fa", "drtp", "ep", "state_bridge", "credit_bridge"] {
        assert_eq!(angles(rule, &learner(rule)), None, "{rule}");
    }
}

#[test]
fn the_angle_of_kolen_pollack_falls_and_that_of_signs_is_their_own() {
    let optimiser = AdamW { lr: 1e-2, beta1: 0.9, beta2: 0.999, eps: 1e-8, weight_decay: 0.01 };
    let mut learner = learner("kolen_pollack");
    let mut chunk = learner.chunk(32);
    let mut stream = Stream::new(9, Purpose::Teacher);
    chunk.x.iter_mut().for_each(|x| *x = stream.normal() as f32);
    chunk.labels = (0..32).map(|_| stream.below(5) as u8).collect();
    let mut course = vec![angles("kolen_pollack", &learner).expect("a pair")];
    for t in 1..=2000 {
        learner.learn(&mut chunk, 32, t);
        learner.descend(t, optimiser, std::slice::from_ref(&chunk), 1).expect("finite gradients");
        if t % 500 == 0 {
            course.push(angles("kolen_pollack", &learner).expect("a pair"));
        }
    }
    for unit in 1..=BLOCKS {
        let degrees: Vec<f64> = course.iter().map(|at| at[unit].defined().expect("a block")).collect();
        assert!((degrees[0] - 90.0).abs() < 15.0, "{degrees:?}");
        assert!(degrees.windows(2).all(|pair| pair[1] < pair[0]), "{degrees:?}");
    }
    // Signs of uniform values: cos = mean|w|/RMS(w) = √3/2, 30 degrees, and of normal ones √(2/π), 37 degrees.
    let signs = self::learner("sign_symmetry");
    let found = angles("sign_symmetry", &signs).expect("a pair");
    assert!(found[1..].iter().all(|angle| (20.0..50.0).contains(&angle.defined().expect("a block"))));
}
