//! What the scale of the residual stream changes, and what it does not. Scaling the embedding and every W2 together under
//! LayerNorms leaves the function as it is, so all that describes the function must stay; a step of a fixed size on the scaled
//! weights is the smaller by that factor.

use audit::dump::{Array, Dump, DumpOptions, Values, judge};
use audit::{Measurements, Samples, Training, measure};
use nn::{Architecture, Mlp, MlpSpec, Unit};
use protocol::{THRESHOLDS, inert, settings};
use rules::{Learner, Modifiers};
use tensor::random::{Purpose, Stream};

const SCALE: f64 = 1e3;
const INPUTS: usize = 6;
const SAMPLES: usize = 96;

/// A network whose states are large already, so that the eps of a LayerNorm hides nowhere, and whose blocks do something.
fn learner() -> Learner<f32, Mlp> {
    let net = MlpSpec { w2_std: 0.4, ..MlpSpec::resmlp(INPUTS, 16, 3, 4) }.build().expect("valid");
    let mut learner = Learner::new(net, &"dfa".into(), Modifiers::default(), 3).expect("known");
    scale(&mut learner, 5.0);
    learner
}

/// Scales what writes to the states; LayerNorms read them.
fn scale(learner: &mut Learner<f32, Mlp>, by: f32) {
    for tensor in learner.net.layout().tensors() {
        if tensor.unit == Unit::Embed || tensor.name.contains("w2.") {
            learner.params[tensor.range.clone()].iter_mut().for_each(|w| *w *= by);
        }
    }
}

fn measured(learner: &Learner<f32, Mlp>) -> Measurements {
    let mut stream = Stream::new(5, Purpose::Teacher);
    let x: Vec<f32> = (0..SAMPLES * INPUTS).map(|_| stream.normal() as f32).collect();
    let labels: Vec<u8> = (0..SAMPLES).map(|_| stream.below(4) as u8).collect();
    let samples = Samples { x: &x, labels: &labels };
    measure(
        learner,
        samples,
        Training { batch: 128, lr: Some(0.02) },
        &settings(&THRESHOLDS, SAMPLES as u64),
        2,
    )
}

#[test]
fn scaling_the_stream_leaves_the_function_and_takes_the_embedding_out_of_reach() {
    let mut learner = learner();
    let before = measured(&learner);
    scale(&mut learner, SCALE as f32);
    let after = measured(&learner);
    let near = |a: f64, b: f64| (a - b).abs() <= 2e-4 * a.abs().max(1e-2);
    assert!(near(before.error, after.error), "logits stay: {} {}", before.error, after.error);
    for (l, (old, new)) in before.states.iter().zip(&after.states).enumerate() {
        let ratio = new.hidden.unwrap() / old.hidden.unwrap();
        assert!(near(ratio, SCALE), "state {l} grows: {ratio}");
        let ratio = old.gradient.unwrap() / new.gradient.unwrap();
        assert!((ratio / SCALE - 1.0).abs() < 1e-3, "the gradient shrinks: {ratio}");
        let old = old.sensitivity.unwrap();
        let new = new.sensitivity.unwrap();
        assert!((old / new - 1.0).abs() < 1e-3, "the sensitivity stays: {old} {new}");
    }
    for (old, new) in before.units.iter().zip(&after.units) {
        let cosine = |unit: &record::audit::UnitAudit| unit.here.as_ref().unwrap().cosine.defined().unwrap();
        assert!(near(cosine(old), cosine(new)), "{}: {} {}", old.unit, cosine(old), cosine(new));
        assert_eq!(old.standing, new.standing, "{}", old.unit);
    }
    // The whole of the embedding is scaled, so its step is a thousand times smaller beside it.
    let share = |found: &Measurements, unit: usize| found.units[unit].effect.unwrap().share;
    let fall = share(&before, 0) / share(&after, 0);
    assert!((0.5 * SCALE..2.0 * SCALE).contains(&fall), "{fall}");
    assert!(share(&before, 0) < 0.0, "along the true gradient the loss falls");
    assert_eq!(inert(before.units[0].effect, &THRESHOLDS), Some(false));
    assert_eq!(inert(after.units[0].effect, &THRESHOLDS), Some(true));
    // Of a block, W1 and LayerNorm are as they were, and so is what their steps do.
    for unit in 1..=3 {
        let fall = share(&before, unit) / share(&after, unit);
        assert!((1.0..0.1 * SCALE).contains(&fall), "block {}: {fall}", unit - 1);
    }
}

/// A gradient far below the floor is sound where f64 confirms it.
#[test]
fn a_small_gradient_that_f64_confirms_is_judged() {
    let mut learner = learner();
    scale(&mut learner, 1e6);
    let found = measured(&learner);
    let last = found.states.last().unwrap();
    assert!(last.gradient.unwrap() / 128.0 < THRESHOLDS.floor && last.precisions.unwrap() > 0.999);
    assert!(found.units.iter().all(|unit| unit.here.as_ref().unwrap().cosine.defined().is_some()));
}

/// In a dump, f32 alone cannot confirm a small gradient; one that was computed in f64 needs no confirmation.
#[test]
fn a_small_gradient_of_a_dump_is_sound_in_f64_alone() {
    let p = [1e-9, -2e-9, 3e-9, 0.5e-9];
    let narrow = p.map(|x| x as f32);
    let judged = |p: [Values<'_>; 2]| {
        let names = ["p.0", "p.1"];
        let gradients = names.into_iter().zip(p).map(|(name, values)| Array { name, shape: &[2, 2], values });
        let credit = Array { name: "a.0", shape: &[2, 2], values: Values::F32(&narrow) };
        let arrays: Vec<Array<'_>> = gradients.chain([credit]).collect();
        let dump = Dump::from_arrays("small", &arrays).expect("a dump");
        let audit = judge(&dump, &DumpOptions::default()).expect("judged");
        (audit.units[0].here.as_ref().expect("compared").cosine, audit.units[0].effect)
    };
    let why = record::Why::ReferenceBelowFloor;
    let (single, effect) = judged([Values::F32(&narrow), Values::F32(&narrow)]);
    assert_eq!((single.why(), effect), (Some(why), None), "nor is there a loss that a step could change");
    assert_eq!(judged([Values::F64(&p), Values::F32(&narrow)]).0.why(), Some(why));
    assert!(judged([Values::F64(&p), Values::F64(&p)]).0.defined().is_some());
}
