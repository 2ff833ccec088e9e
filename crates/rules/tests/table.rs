//! Every rule on every network under every modifier that it knows of: two steps each, finite and moving, or the stated refusal.

use nn::{LqSpec, MlpSpec, Net, Network, ResnetSpec, Unit, VitSpec};
use rules::{Error, Learner, Modifiers};
use tensor::AdamW;
use tensor::random::{Purpose, Stream};

const BLOCKS: usize = 3;

/// Each network with so many blocks.
fn networks(blocks: usize) -> Vec<(&'static str, Net)> {
    let resmlp = || MlpSpec::resmlp(6, 10, blocks, 4);
    let mlp = |spec: MlpSpec| spec.build().expect("valid").into();
    let vit = VitSpec { patch: 4, d: 8, blocks, heads: 2, mlp: 12, ..VitSpec::mini(1, 8, 8, 4) };
    let resnet = ResnetSpec { channels: 1, height: 8, width: 8, d: 3, blocks, classes: 4 };
    vec![
        ("resmlp", mlp(resmlp())),
        ("resmlp without out_ln", mlp(MlpSpec { out_ln: false, ..resmlp() })),
        ("resmlp without skip", mlp(MlpSpec { skip: false, w2_std: 0.3, ..resmlp() })),
        ("student, linear", mlp(MlpSpec::student(6, 10, blocks, 4, 0.0))),
        ("student, tanh", mlp(MlpSpec::student(6, 10, blocks, 4, 1.0))),
        ("vit", vit.build().expect("valid").into()),
        ("resnet", resnet.build().expect("valid").into()),
        ("lq", LqSpec::new(6, blocks, 4).build().expect("valid").into()),
    ]
}

/// Why a rule cannot train a network with blocks; the only refusals there are.
fn refusal(rule: &str, network: &str) -> Option<&'static str> {
    match (rule, network) {
        ("state_bridge" | "credit_bridge", "resnet") => Some("states of one size"),
        ("ep", "resnet") => Some("normalised together"),
        ("drtp", "lq") => Some("labels"),
        ("sign_symmetry" | "kolen_pollack", "lq") => Some("they have none"),
        _ => None,
    }
}

/// Random targets are missing: labels are drawn where batches are filled, in `lab`, whose tests hold them to that.
fn modifiers() -> Vec<(&'static str, Modifiers)> {
    let plain = Modifiers::default();
    vec![
        ("plain", plain),
        ("penalty", Modifiers { penalty: 0.01, ..plain }),
        ("frozen", Modifiers { trainable_last: Some(0), ..plain }),
        ("last 1", Modifiers { trainable_last: Some(1), ..plain }),
        ("shallow", Modifiers { shallow: true, ..plain }),
        ("penalty and last 2", Modifiers { penalty: 0.1, trainable_last: Some(2), ..plain }),
    ]
}

fn two_steps(net: Net, rule: &str, modifiers: Modifiers) -> Result<(Learner<f32, Net>, Vec<f32>), Error> {
    let mut learner = Learner::new(net, &rule.into(), modifiers, 3)?;
    let start = learner.params.clone();
    let mut stream = Stream::new(4, Purpose::Teacher);
    let mut chunk = learner.chunk(5);
    chunk.x.fill_with(|| stream.normal() as f32);
    chunk.labels = vec![0, 3, 1, 2, 3];
    for t in 1..=2 {
        learner.rule.begin_epoch((t - 1) as f64 / 2.0);
        assert!(learner.learn(&mut chunk, 5, t).loss.is_finite());
        let optimiser = AdamW { lr: 1e-2, beta1: 0.9, beta2: 0.999, eps: 1e-8, weight_decay: 0.01 };
        learner.descend(t, optimiser, std::slice::from_ref(&chunk), 1);
    }
    Ok((learner, start))
}

#[test]
fn every_rule_network_and_modifier() {
    for rule in rules::NAMES {
        for (modifier, modifiers) in modifiers() {
            for (network, net) in networks(if modifiers.shallow { 0 } else { BLOCKS }) {
                let case = format!("{rule} on {network}, {modifier}");
                assert_eq!(modifiers.check(BLOCKS), Ok(()), "{case}");
                let stepped = two_steps(net, rule, modifiers);
                let refused = refusal(rule, network);
                let (learner, start) = match (stepped, refused) {
                    (Err(error), Some(words)) if error.to_string().contains(words) => continue,
                    (Err(error), _) => panic!("{case}: {error}"),
                    (Ok(_), Some(words)) if !modifiers.shallow => panic!("{case} is not refused ({words})"),
                    (Ok(stepped), _) => stepped,
                };
                assert!(learner.params.iter().all(|p| p.is_finite()), "{case}: finite");
                if network == "lq" {
                    assert_eq!(learner.params, start, "{case}: the system is given");
                    continue;
                }
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
                let known = layout.unit(Unit::Statistics);
                assert_eq!(moved(Unit::Statistics), !known.is_empty(), "{case}: statistics run on");
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
    let Err(error) = rules::build::<f32, nn::Mlp>(&"backprop".into(), &net, &net.initial(1), 0) else {
        panic!("no such rule")
    };
    let words = "no rule is called `backprop`: choose one of bp, fa, dfa, state_bridge, credit_bridge, ep";
    assert!(error.to_string().starts_with(words), "{error}");
}
