//! Every rule on every network under every modifier: two steps each, finite and moving, or the stated refusal.

use nn::{Mlp, MlpSpec, Network, Unit};
use rules::{Learner, Modifiers};
use tensor::AdamW;
use tensor::random::{Purpose, Stream};

const BLOCKS: usize = 3;

fn networks() -> Vec<(&'static str, MlpSpec)> {
    let resmlp = || MlpSpec::resmlp(6, 10, BLOCKS, 4);
    vec![
        ("resmlp", resmlp()),
        ("resmlp without out_ln", MlpSpec { out_ln: false, ..resmlp() }),
        ("resmlp without skip", MlpSpec { skip: false, w2_std: 0.3, ..resmlp() }),
        ("student, linear", MlpSpec::student(6, 10, BLOCKS, 4, 0.0)),
        ("student, tanh", MlpSpec::student(6, 10, BLOCKS, 4, 1.0)),
    ]
}

fn modifiers() -> Vec<(&'static str, Modifiers)> {
    let plain = Modifiers::default();
    vec![
        ("plain", plain),
        ("penalty", Modifiers { penalty: 0.01, ..plain }),
        ("frozen", Modifiers { trainable_last: Some(0), ..plain }),
        ("last 1", Modifiers { trainable_last: Some(1), ..plain }),
        ("shallow", Modifiers { shallow: true, ..plain }),
        ("random targets", Modifiers { random_targets: true, ..plain }),
        ("penalty and last 2", Modifiers { penalty: 0.1, trainable_last: Some(2), ..plain }),
    ]
}

fn two_steps(spec: MlpSpec, rule: &str, modifiers: Modifiers) -> (Learner<f32, Mlp>, Vec<f32>) {
    let blocks = if modifiers.shallow { 0 } else { spec.blocks };
    let net = MlpSpec { blocks, ..spec }.build().expect("valid sizes");
    let mut learner = Learner::new(net, &rule.into(), modifiers, 3).expect("a known rule");
    let start = learner.params.clone();
    let mut stream = Stream::new(4, Purpose::Teacher);
    let mut chunk = learner.chunk(5);
    chunk.x.fill_with(|| stream.normal() as f32);
    chunk.labels = vec![0, 3, 1, 2, 3];
    for t in 1..=2 {
        assert!(learner.learn(&mut chunk, 5, t).loss.is_finite());
        let optimiser = AdamW { lr: 1e-2, beta1: 0.9, beta2: 0.999, eps: 1e-8, weight_decay: 0.01 };
        learner.descend(t, optimiser, std::slice::from_ref(&chunk), 1);
    }
    (learner, start)
}

#[test]
fn every_rule_network_and_modifier() {
    for rule in rules::NAMES {
        for (network, spec) in networks() {
            for (modifier, modifiers) in modifiers() {
                let case = format!("{rule} on {network}, {modifier}");
                assert_eq!(modifiers.check(spec.blocks), Ok(()), "{case}");
                let (learner, start) = two_steps(spec.clone(), rule, modifiers);
                assert!(learner.params.iter().all(|p| p.is_finite()), "{case}: finite");
                let layout = Network::<f32>::layout(&learner.net);
                let blocks = Network::<f32>::shape(&learner.net).blocks;
                let moved = |unit| {
                    let range = layout.unit(unit);
                    learner.params[range.clone()] != start[range]
                };
                assert!(moved(Unit::Embed) && moved(Unit::Head), "{case}: embedding and head move");
                for l in 0..blocks {
                    assert_eq!(moved(Unit::Block(l)), modifiers.trains(l, blocks), "{case}: block {l}");
                }
            }
        }
    }
}

#[test]
fn contradictions_are_refused_with_the_reason() {
    for (modifiers, words) in [
        (Modifiers { trainable_last: Some(BLOCKS + 1), ..Modifiers::default() }, "the network has 3 blocks"),
        (Modifiers { trainable_last: Some(0), shallow: true, ..Modifiers::default() }, "no blocks"),
        (Modifiers { penalty: -1.0, ..Modifiers::default() }, "the penalty is -1"),
        (Modifiers { penalty: f64::NAN, ..Modifiers::default() }, "the penalty is NaN"),
    ] {
        let message = modifiers.check(BLOCKS).expect_err("a contradiction").to_string();
        assert!(message.contains(words), "{message}");
    }
    let net = MlpSpec::resmlp(1, 1, 1, 2).build().expect("valid");
    let Err(error) = rules::build::<f32, Mlp>(&"backprop".into(), &net, &net.initial(1), 0) else {
        panic!("no such rule")
    };
    let words = "no rule is called `backprop`: choose one of bp, fa, dfa, state_bridge, credit_bridge, ep";
    assert!(error.to_string().starts_with(words), "{error}");
}
