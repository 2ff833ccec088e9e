//! Every rule on every network under every modifier that it knows of: two steps each, finite and moving, or the stated refusal.

use nn::{Architecture, LqSpec, MlpSpec, Net, Network, ResnetSpec, Unit, VitSpec};
use rules::{Error, Learner, Modifiers, RuleSpec, Saved, Tally, Value};
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
        ("ep", "resnet") => Some("normalises over the batch"),
        ("node_perturbation", "resnet") => Some("BatchNorm"),
        ("drtp" | "node_perturbation", "lq") => Some("labels"),
        ("sign_symmetry" | "kolen_pollack", "lq") => Some("these blocks have none"),
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

/// A learner after two steps, and what it was before.
struct Stepped {
    learner: Learner<f32, Net>,
    start: Vec<f32>,
    own: Vec<Saved<f32>>,
}

/// Decay is that of the optimiser and of rules that have their own. At 0 nothing but a gradient moves a parameter.
fn two_steps(net: Net, rule: &str, modifiers: Modifiers, decay: f64, case: &str) -> Result<Stepped, Error> {
    let own = RuleSpec::from(rule).keys().iter().any(|key| key.name == "rule.decay");
    let settings = own.then_some(("rule.decay", Value::Real(decay)));
    let spec = RuleSpec::with(rule, settings.as_slice()).expect("its keys");
    let mut learner = Learner::new(net, &spec, modifiers, 3)?;
    let (start, own) = (learner.params.clone(), learner.rule.saved().to_vec());
    let mut stream = Stream::new(4, Purpose::Teacher);
    let mut chunk = learner.chunk(5);
    chunk.x.fill_with(|| stream.normal() as f32);
    chunk.labels = vec![0, 3, 1, 2, 3];
    for t in 1..=2 {
        learner.rule.begin_epoch((t - 1) as f64 / 2.0);
        chunk.used = Some(Vec::new());
        learner.learn(&mut chunk, 5, t);
        assert!(Tally::of(std::slice::from_ref(&chunk)).loss.is_finite(), "{case}: loss");
        every_unit_has_credit(&learner.net, chunk.used.as_deref().unwrap_or_default(), case);
        let optimiser = AdamW { lr: 1e-2, beta1: 0.9, beta2: 0.999, eps: 1e-8, weight_decay: decay };
        learner.descend(t, optimiser, std::slice::from_ref(&chunk), 1).expect("finite gradients");
    }
    Ok(Stepped { learner, start, own })
}

/// A penalty moves a block that no credit reaches, so credit is looked at itself: of each unit, in each sample.
fn every_unit_has_credit(net: &Net, used: &[Vec<f32>], case: &str) {
    assert_eq!(used.len(), net.shape().blocks + 1, "{case}: a credit for each unit");
    for (l, credit) in used.iter().enumerate() {
        let rows = credit.chunks_exact(net.state(l).width());
        assert_eq!(rows.len(), 5, "{case}: credit at h_{l}");
        for row in rows {
            assert!(row.iter().all(|a| a.is_finite()), "{case}: credit at h_{l} is finite");
            assert!(row.iter().any(|&a| a != 0.0), "{case}: credit at h_{l}");
        }
    }
}

fn same_bytes(a: &[f32], b: &[f32]) -> bool {
    a.iter().map(|x| x.to_bits()).eq(b.iter().map(|x| x.to_bits()))
}

/// What the rule keeps for itself: feedback stays, or learns whatever is trained, and a bridge's net learns wherever there is something
/// to bridge.
fn own_tensors(Stepped { learner, own, .. }: &Stepped, rule: &str, case: &str) {
    let blocks = learner.net.shape().blocks;
    let bridge = ["state_bridge", "credit_bridge"].contains(&rule);
    assert!(!bridge || own.iter().any(|saved| saved.name == "rule.net"), "{case}: it saves its net");
    for (before, after) in own.iter().zip(learner.rule.saved()) {
        let name = &after.name;
        assert!(after.values.iter().all(|x| x.is_finite()), "{case}: {name} is finite");
        let same = same_bytes(&before.values, &after.values);
        if after.fixed {
            assert!(same, "{case}: {name} is fixed");
        } else if name.starts_with("feedback.") || name == "rule.net" && blocks > 0 {
            assert!(!same, "{case}: {name} learns");
        }
    }
}

/// Every tensor of a unit that trains moves, and no byte of one that does not.
fn parameters(Stepped { learner, start, .. }: &Stepped, unreached: &[&str], case: &str) {
    let blocks = learner.net.shape().blocks;
    assert!(learner.params.iter().all(|p| p.is_finite()), "{case}: finite");
    let tensors = learner.net.layout().tensors();
    for unit in [Unit::Embed, Unit::Head].into_iter().chain((0..blocks).map(Unit::Block)) {
        assert!(tensors.iter().any(|tensor| tensor.unit == unit), "{case}: {unit:?} has parameters");
    }
    for tensor in tensors {
        let trains = match tensor.unit {
            Unit::Block(l) => learner.modifiers.trains(l, blocks),
            // Running means and variances move whatever is trained.
            Unit::Embed | Unit::Head | Unit::Statistics | Unit::Given => {
                !unreached.contains(&tensor.name.as_str())
            }
        };
        let range = tensor.range.clone();
        let moved = !same_bytes(&learner.params[range.clone()], &start[range]);
        assert_eq!(moved, trains, "{case}: {}", tensor.name);
    }
}

/// Tensors that no gradient reaches. The head reads the class token alone, which no patch comes to where no block mixes them;
/// rules whose credit is its own at each position know that.
fn unreached(rule: &str, network: &str, modifiers: Modifiers) -> &'static [&'static str] {
    match rule {
        "bp" | "ep" | "sign_symmetry" | "kolen_pollack" if network == "vit" && modifiers.shallow => {
            &["embed.weight", "embed.bias"]
        }
        _ => &[],
    }
}

/// Without decay, so that only a gradient can move what trains; and with it, which has to leave alone what does not.
#[test]
fn every_rule_network_and_modifier() {
    for (rule, decay) in rules::NAMES.into_iter().flat_map(|rule| [(rule, 0.0), (rule, 0.01)]) {
        for (modifier, modifiers) in modifiers() {
            for (network, net) in networks(if modifiers.shallow { 0 } else { BLOCKS }) {
                let case = format!("{rule} on {network}, {modifier}, decay {decay}");
                assert_eq!(modifiers.check(BLOCKS), Ok(()), "{case}");
                let stepped = two_steps(net, rule, modifiers, decay, &case);
                let refused = refusal(rule, network);
                let stepped = match (stepped, refused) {
                    (Err(error), Some(words)) if error.to_string().contains(words) => continue,
                    (Err(error), _) => panic!("{case}: {error}"),
                    (Ok(_), Some(words)) if !modifiers.shallow => panic!("{case} is not refused ({words})"),
                    (Ok(stepped), _) => stepped,
                };
                own_tensors(&stepped, rule, &case);
                if network == "lq" {
                    assert!(
                        same_bytes(&stepped.learner.params, &stepped.start),
                        "{case}: the system is given"
                    );
                } else {
                    let unreached = if decay == 0.0 { unreached(rule, network, modifiers) } else { &[] };
                    parameters(&stepped, unreached, &case);
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
    let Err(error) = rules::build::<f32, nn::Mlp>(&"backprop".into(), &net, &net.initial(1), 0) else {
        panic!("no such rule")
    };
    let words = "no rule is called `backprop`: choose one of bp, fa, dfa, ep, state_bridge, credit_bridge";
    assert!(error.to_string().starts_with(words), "{error}");
}
