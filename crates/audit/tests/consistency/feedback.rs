//! Feedback that acted otherwise than it was saved, and findings that come from outside the credit.

use crate::kinds::{DIRECT, SIZES, networks};
use crate::planted::named;
use crate::run::Run;
use audit::consistency::{UnitSteps, feedback_finding, never_stepped, together};
use record::Unit;
use record::audit::{Consistency, Fault, Finding};
use rules::Saved;

/// The unit that the feedback matrix of that index serves.
fn served(rule: &str, matrix: usize) -> usize {
    if DIRECT.contains(&rule) { matrix + 1 } else { matrix }
}

/// Training used a matrix that the checkpoint does not have.
fn with_feedback(rule: &'static str, mut plant: impl FnMut(&mut [Saved<f32>], usize) -> Option<Fault>) {
    for blocks in 1..=4 {
        for net in networks(blocks) {
            for matrix in 0..blocks {
                let mut run = Run::new(net.clone(), rule, 0.0, SIZES, 23);
                let tensors = run.tensors();
                let saved = run.learner.rule.saved_mut();
                let first = saved.iter().position(|saved| saved.name == "feedback.0").expect("feedback");
                let Some(fault) = plant(&mut saved[first..], matrix) else { continue };
                let outcome = run.compare_with(&tensors, &run.healthy());
                named(outcome, served(rule, matrix), &fault, &format!("{rule}, {net:?}, matrix {matrix}"));
            }
        }
    }
}

#[test]
fn feedback_transposed_negated_exchanged_and_redrawn() {
    let d = SIZES.d;
    with_feedback("fa", |saved, matrix| {
        let values = saved[matrix].values.clone();
        saved[matrix].values = (0..d * d).map(|i| values[(i % d) * d + i / d]).collect();
        Some(Fault::FeedbackTransposed)
    });
    for rule in ["fa"].into_iter().chain(DIRECT) {
        with_feedback(rule, |saved, matrix| {
            saved[matrix].values.iter_mut().for_each(|b| *b = -*b);
            Some(Fault::SignFlipped)
        });
        for other in 0..4 {
            with_feedback(rule, |saved, matrix| {
                if other == matrix {
                    return None;
                }
                saved[matrix].values = saved.get(other)?.values.clone();
                Some(Fault::OtherFeedback { matrix: other })
            });
        }
        // Whatever a fresh matrix gives, nothing saved explains it; the hashes name the cause.
        with_feedback(rule, |saved, matrix| {
            let mut stream = tensor::random::Stream::new(99, tensor::random::Purpose::Feedback);
            saved[matrix].values.fill_with(|| stream.normal() as f32);
            Some(Fault::Unexplained)
        });
    }
}

#[test]
fn a_unit_that_never_stepped_is_named_and_a_frozen_one_is_not() {
    let unit = |unit: Unit, trained, stepped, unchanged| UnitSteps { unit, trained, stepped, unchanged };
    let units = [
        unit(Unit::Embed, true, true, false),
        unit(Unit::Block(0), false, true, true),
        unit(Unit::Block(1), true, true, true),
        unit(Unit::Block(2), true, false, true),
    ];
    let found = never_stepped(&units);
    assert_eq!(
        found,
        [Finding { unit: Unit::Block(1).into(), fault: Fault::NeverStepped, difference: None }]
    );
}

#[test]
fn all_findings_together_gravest_first() {
    let agrees = || Consistency::Agrees { worst: 1e-6 };
    assert_eq!(together(agrees(), vec![]), agrees());
    let finding = |unit: Unit, fault| Finding { unit: unit.into(), fault, difference: None };
    let changed = || {
        let log = [(2, "b".to_owned()), (0, "a".to_owned()), (1, "a".to_owned())];
        feedback_finding(&log, "b", "a").expect("it changed")
    };
    assert_eq!(changed().fault, Fault::FeedbackChanged { from: 1, to: 2 }, "whatever order the log has");
    let unclear = || Consistency::NotAssessed { why: "no plain path".into() };
    for compare in [agrees(), unclear()] {
        assert_eq!(together(compare, vec![changed()]), Consistency::Differs { findings: vec![changed()] });
    }
    assert_eq!(together(unclear(), vec![]), unclear());
    let wrong = Consistency::Differs { findings: vec![finding(Unit::Block(0), Fault::Unexplained)] };
    let all = together(wrong, vec![finding(Unit::Block(1), Fault::NeverStepped), changed()]);
    let Consistency::Differs { findings } = all else { panic!("they differ") };
    let units: Vec<_> = findings.iter().map(|f| f.unit.to_string()).collect();
    assert_eq!(units, ["feedback", "block 1", "block 0"]);
}
