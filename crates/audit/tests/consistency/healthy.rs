//! Healthy runs of any size and in any state: never accused, and assessed wherever there is something to assess.

use crate::kinds::{RULES, SIZES, Sizes, networks};
use crate::run::{Run, each};
use nn::Tape;
use proptest::prelude::*;
use record::audit::Consistency;
use tensor::AdamW;

fn agrees(run: &Run, case: &str) {
    match run.compare(&run.healthy()) {
        Consistency::Agrees { worst } => assert!(worst < 1e-4, "{case}: {worst:e}"),
        other => panic!("{case}: {other:?}"),
    }
}

#[test]
fn every_network_rule_and_penalty_agrees() {
    each(|run, case| agrees(&run, case));
}

/// Under a last LayerNorm the gradient at ‖h‖ = 1e8 is tiny, and f32 has it right all the same.
#[test]
fn a_stream_that_grew_to_1e8_agrees() {
    for (rule, blocks) in RULES.into_iter().flat_map(|rule| (1..=4).map(move |blocks| (rule, blocks))) {
        let sizes = Sizes { d: 64, rows: 32, ..SIZES };
        let net = networks(blocks)[0].clone();
        let mut run = Run::new(net, rule, 0.0, sizes, 5);
        run.scale(&format!("{}.w2.weight", blocks - 1), 3e7);
        let top: f32 = run.tape().hidden(blocks)[..64].iter().map(|h| h * h).sum::<f32>().sqrt();
        assert!(top > 5e7 && top < 5e9, "{top:e}");
        agrees(&run, &format!("{rule}, {blocks} blocks"));
    }
}

/// Inputs as wide as those of images, where sums are longest.
#[test]
fn long_sums_agree() {
    for rule in RULES {
        let sizes = Sizes { inputs: 3072, d: 96, classes: 10, rows: 16 };
        agrees(&Run::new(networks(3)[0].clone(), rule, 0.01, sizes, 8), rule);
    }
}

/// Trains on a handful of samples until e_T is at the last digit of f32, and looks all along the way.
#[test]
fn a_task_on_its_way_to_being_solved_is_never_accused() {
    for net in [networks(2)[0].clone(), networks(2)[1].clone(), networks(2)[4].clone()] {
        for rule in RULES {
            let mut run = Run::new(net.clone(), rule, 0.0, Sizes { inputs: 10, ..SIZES }, 2);
            let rows = run.labels.len();
            let mut chunk = run.learner.chunk(rows);
            (chunk.x, chunk.labels) = (run.x.clone(), run.labels.clone());
            let optimiser = AdamW { lr: 0.03, beta1: 0.9, beta2: 0.999, eps: 1e-8, weight_decay: 0.0 };
            let mut assessed = 0;
            let mut loss = f64::INFINITY;
            for t in 1..=600 {
                run.learner.learn(&mut chunk, rows, t);
                loss = rules::Tally::of(std::slice::from_ref(&chunk)).loss;
                run.learner.descend(t, optimiser, std::slice::from_ref(&chunk), 1).expect("finite gradients");
                if t <= 20 || t % 20 == 0 {
                    match run.compare(&run.healthy()) {
                        Consistency::Agrees { .. } => assessed += 1,
                        Consistency::NotAssessed { .. } => {}
                        other => panic!("{rule} on {net:?} after {t} steps: {other:?}"),
                    }
                }
            }
            assert!(assessed > 0, "{rule} on {net:?} was never assessed, loss {loss:e}");
        }
    }
}

/// The loss is so small that softmax is one in f32; its error keeps its digits all the same, until it is nothing at all. On the way
/// there, a bridge conditioned on the gradient gets, at full length, a direction of which f32 has no digits.
#[test]
fn a_solved_task_is_still_compared() {
    for rule in RULES {
        for gain in [10.0, 30.0, 100.0, 300.0, 1e4] {
            let mut run = Run::new(networks(2)[0].clone(), rule, 0.0, SIZES, 2);
            run.label_by_logits();
            run.scale("out_head.weight", gain);
            run.scale("out_head.bias", gain);
            let outcome = run.compare(&run.healthy());
            let open = rule.ends_with("gradient") && gain > 30.0;
            let right = matches!(outcome, Consistency::Agrees { .. })
                || open && matches!(outcome, Consistency::NotAssessed { .. });
            assert!(right, "{rule} at {gain}: {outcome:?}");
        }
    }
}

fn net() -> impl Strategy<Value = audit::consistency::PlainNetwork> {
    (0usize..5, 0usize..6).prop_map(|(blocks, which)| networks(blocks)[which].clone())
}

fn sizes() -> impl Strategy<Value = Sizes> {
    let tiny = prop_oneof![Just(1usize), Just(2), 1usize..20];
    (1usize..9, tiny, 2usize..8, prop_oneof![Just(1usize), 1usize..9])
        .prop_map(|(inputs, d, classes, rows)| Sizes { inputs, d, classes, rows })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Weights from tame to absurd: streams of 1e9, logits of 1e12, tasks solved and hopeless.
    #[test]
    fn nothing_healthy_is_accused(
        net in net(),
        sizes in sizes(),
        rule in prop::sample::select(&RULES[..]),
        penalty in prop_oneof![Just(0.0), Just(0.05)],
        powers in [-3i32..10, -3i32..6, -3i32..6, -3i32..6],
        wild in any::<bool>(),
        solved in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let mut run = Run::new(net, rule, penalty, sizes, seed);
        if wild {
            for (part, power) in ["w2", "out_head", "w1", "embed"].iter().zip(powers) {
                run.scale(&format!("{part}.weight"), 10f32.powi(power));
            }
        }
        if solved {
            run.label_by_logits();
        }
        let outcome = run.compare(&run.healthy());
        prop_assert!(!matches!(outcome, Consistency::Differs { .. }), "{outcome:?}");
        if !wild && !solved && sizes.d > 4 && sizes.rows > 2 {
            prop_assert!(matches!(outcome, Consistency::Agrees { .. }), "{outcome:?}");
        }
    }
}
