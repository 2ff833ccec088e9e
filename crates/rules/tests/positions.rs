//! Credits and gradients on networks whose states have positions, the tokens of `vit` and the pixels of `resnet`, against
//! PyTorch, tensor by tensor in f64.
//!
//! The fixtures come from `oracles/make_positions_fixtures.py`, which states in plain autograd which positions credit
//! reaches, over which features it is normalised and how it gets from one stage to the next. Shapes of feedback are compared
//! too: they are part of the definition.

mod fixture;

use fixture::Fixture;
use nn::{Architecture, Net, ResnetSpec, Tape, Unit, VitSpec};
use rules::{BatchView, Chunk, Credit, Given, Learner, Modifiers, signals};
use safetensors::SafeTensors;
use std::collections::BTreeMap;

const BATCH: usize = 4;
const RULES: [&str; 3] = ["fa", "dfa", "sign_symmetry"];
const TOLERANCE: f64 = 1e-9;

fn vit() -> Net {
    let spec = VitSpec {
        channels: 2,
        height: 6,
        width: 9,
        patch: 3,
        d: 6,
        blocks: 3,
        heads: 2,
        mlp: 10,
        classes: 5,
    };
    spec.build().expect("valid").into()
}

/// Stages of two, two and one block.
fn resnet() -> Net {
    let spec = ResnetSpec { channels: 1, height: 16, width: 16, d: 2, blocks: 5, classes: 5 };
    spec.build().expect("valid").into()
}

/// Shapes of the tensors whose keys begin so.
fn shapes(name: &str, prefix: &str) -> BTreeMap<String, Vec<usize>> {
    let path = format!("{}/tests/fixtures/{name}.safetensors", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).expect("the fixture is committed");
    let all = SafeTensors::deserialize(&bytes).expect("a safetensors file").tensors();
    let wanted = all.into_iter().filter(|(key, _)| key.starts_with(prefix));
    wanted.map(|(key, view)| (key, view.shape().to_vec())).collect()
}

/// A learner whose parameters and feedback are PyTorch's.
fn learner(name: &str, net: &Net, rule: &str) -> Learner<f64, Net> {
    let fixture = Fixture::open(name);
    let mut learner =
        Learner::new(net.clone(), &rule.into(), Modifiers::default(), 0).expect("the rule fits");
    let feedback = shapes(name, &format!("feedback/{rule}."));
    assert_eq!(learner.rule.saved().len(), feedback.len(), "{name} {rule}: matrices");
    for (l, saved) in learner.rule.saved_mut().iter_mut().enumerate() {
        let key = format!("feedback/{rule}.{l}");
        assert_eq!(saved.shape, feedback[&key], "{name} {key}");
        saved.values = fixture.get(&key);
    }
    let (tensors, params) = (net.layout().tensors(), shapes(name, "param/"));
    assert_eq!(tensors.len(), params.len(), "{name}: PyTorch has no other parameters");
    for tensor in tensors {
        let key = format!("param/{}", tensor.name);
        assert_eq!(tensor.shape, params[&key], "{name} {key}");
        tensor.from_torch(&fixture.get(&key), &mut learner.params);
    }
    learner.rule.refresh(net, &learner.params);
    learner
}

/// The batch, cut into chunks of so many samples.
fn batch(fixture: &Fixture, learner: &Learner<f64, Net>, rows: usize) -> Vec<Chunk<f64, Net>> {
    let (x, labels) = (fixture.get("x"), fixture.labels());
    assert_eq!(labels.len(), BATCH);
    let each = x.len() / BATCH * rows;
    let parts = x.chunks_exact(each).zip(labels.chunks_exact(rows));
    let chunk = |(x, labels): (&[f64], &[u8])| {
        let mut chunk = learner.chunk(rows);
        chunk.x.copy_from_slice(x);
        chunk.labels = labels.to_vec();
        chunk.used = Some(Vec::new());
        chunk
    };
    parts.map(chunk).collect()
}

fn check_credit(name: &str, case: &str, credit: &[Vec<f64>]) {
    let fixture = Fixture::open(name);
    assert_eq!(credit.len(), shapes(name, &format!("{case}/credit/")).len(), "{name} {case}: units");
    for (l, credit) in credit.iter().enumerate() {
        let unit = if l == 0 { "embed".to_owned() } else { (l - 1).to_string() };
        let key = format!("{case}/credit/{unit}");
        let error = fixture.distance(&key, credit);
        assert!(error <= TOLERANCE, "{name} {key}: {error:e}");
    }
}

/// What a training step uses on the batch in chunks of `rows`: raw credit, and the gradient of every parameter.
fn compare(name: &str, net: &Net, rule: &str, rows: usize) {
    let fixture = Fixture::open(name);
    let learner = learner(name, net, rule);
    let mut chunks = batch(&fixture, &learner, rows);
    let units = net.shape().blocks + 1;
    let mut credit = vec![Vec::new(); units];
    for chunk in &mut chunks {
        learner.learn(chunk, BATCH, 1);
        let used = chunk.used.as_ref().expect("asked for");
        credit.iter_mut().zip(used).for_each(|(all, some)| all.extend_from_slice(some));
    }
    check_credit(name, rule, &credit);

    let gradient = learner.gradient(&chunks);
    let tensors = net.layout().tensors().iter();
    for tensor in tensors.filter(|tensor| tensor.unit != Unit::Statistics) {
        let key = format!("{rule}/grad/{}", tensor.name);
        let error = fixture.distance(&key, &tensor.to_torch(&gradient));
        assert!(error <= TOLERANCE, "{name} {key}, chunks of {rows}: {error:e}");
    }
}

#[test]
fn tokens_agree_with_pytorch() {
    for rule in RULES {
        for rows in [BATCH, 2, 1] {
            compare("vit", &vit(), rule, rows);
        }
    }
}

/// A batch that is normalised together is one chunk.
#[test]
fn pixels_agree_with_pytorch() {
    for rule in RULES {
        compare("resnet", &resnet(), rule, BATCH);
    }
}

/// What an audit reads: the same credit on `vit`, and that of evaluation where training normalises over the batch.
#[test]
fn measured_credit_agrees_with_pytorch() {
    for (name, net, rule, case) in [
        ("vit", vit(), "fa", "fa"),
        ("vit", vit(), "dfa", "dfa"),
        ("vit", vit(), "sign_symmetry", "sign_symmetry"),
        ("resnet", resnet(), "sign_symmetry", "sign_symmetry/eval"),
    ] {
        let learner = learner(name, &net, rule);
        let mut chunk = batch(&Fixture::open(name), &learner, BATCH).remove(0);
        check_credit(name, case, &signals(&learner, &mut chunk, BATCH).credit);
    }
}

/// The head of `resnet` takes the mean over positions, so its gradient is the same at all of them, and any way from one
/// stage to the next would do. A gradient that differs from position to position tells them apart.
#[test]
fn feedback_alignment_finds_the_positions_that_another_covers() {
    let (fixture, net) = (Fixture::open("resnet"), resnet());
    let learner = learner("resnet", &net, "fa");
    let mut chunk = batch(&fixture, &learner, BATCH).remove(0);
    learner.forward(&mut chunk);
    let p_last = &fixture.get("fa/planted/p_last")[..];
    let (x, labels, tape, params) = (&chunk.x[..], &chunk.labels[..], chunk.tape(), &learner.params[..]);
    let (net, losses, e, samples) = (&net, &[0.0; BATCH][..], chunk.error(), BATCH);
    let batch = BatchView { net, params, x, tape, labels, losses, e, p_last, samples };
    let units = 0..=net.shape().blocks;
    let mut credit: Vec<Vec<f64>> = units.map(|l| vec![0.0; tape.hidden(l).len()]).collect();
    let Credit::Given(rule) = learner.rule.credit() else { panic!("it gives credit") };
    rule.give(&batch, Given { credit: &mut credit, gradient: None, report: None });
    check_credit("resnet", "fa/planted", &credit);
}
