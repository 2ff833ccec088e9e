//! Audits of trained transformers and convolutional networks, from their directories. Backpropagation is the oracle: its
//! credit is the gradient, so what is measured of it is known beforehand.

mod common;

use common::{SMALL, train};
use lab::{AuditOptions, audit_runs};
use record::Measured;
use record::audit::{Audit, Evidence, NullKind, Quantity};

/// The network's blocks.
const BLOCKS: usize = 3;

/// Trains a network by each rule and audits it.
fn audits(net: &str) -> [Audit; 2] {
    let out = tempfile::tempdir().expect("a temporary folder");
    let recipe = format!("{SMALL}{net}\nrule.name = ['bp', 'dfa']");
    let runs = train(&recipe, out.path());
    let options = AuditOptions {
        samples: 64,
        directions: 8,
        draws: 4,
        ..AuditOptions::new(data::Folder::at("/nonexistent"))
    };
    let mut audited = audit_runs(&runs, &options, &|_| {}).expect("nothing is refused");
    audited.sweeps.remove(0).set.audits.try_into().expect("two audits")
}

/// The evidence of each unit where its credit acts, by name.
fn evidence(audit: &Audit) -> Vec<(String, &Evidence)> {
    let case = |unit: &str| format!("{}, {unit}", audit.subject.id());
    let units: Vec<_> = audit
        .units
        .iter()
        .map(|unit| (case(&unit.unit.to_string()), unit.here.as_ref().expect("measured where it acts")))
        .collect();
    assert_eq!(units.len(), BLOCKS + 1, "the embedding and every block");
    units
}

/// A value that nothing speaks against.
fn defined(measured: Measured, case: &str) -> f64 {
    match measured {
        Measured::Defined { value } => value,
        other => panic!("{case}: {other:?}"),
    }
}

fn of_backpropagation(audit: &Audit) {
    for (case, found) in evidence(audit) {
        let cosine = defined(found.cosine, &case);
        assert!((cosine - 1.0).abs() < 1e-6, "{case}: cosine {cosine}");
        let rho = found.rho.expect("measured");
        let (value, best) = (defined(rho.value, &case), defined(rho.gradient, &case));
        assert!(value > 0.99 && (value - best).abs() < 1e-6, "{case}: rho {value}, of the gradient {best}");
        assert_eq!(found.nudges.len(), 3, "{case}");
        for nudge in &found.nudges {
            let (change, best) = (defined(nudge.change, &case), defined(nudge.gradient, &case));
            assert!(change < 0.0, "{case}: nudged by {}, the loss changes by {change}", nudge.eta);
            assert!((change / best - 1.0).abs() < 1e-4, "{case}: {change}, by the gradient {best}");
        }
        let fresh = found.nulls.iter().any(|null| null.kind == NullKind::FreshFeedback);
        assert!(!fresh, "{case}: it has no feedback to draw");
    }
}

fn of_direct_feedback(audit: &Audit) {
    for (case, found) in evidence(audit) {
        let cosine = defined(found.cosine, &case);
        assert!(cosine.abs() < 0.99, "{case}: cosine {cosine}");
        let rho = found.rho.expect("measured");
        let (value, best) = (defined(rho.value, &case), defined(rho.gradient, &case));
        assert!(value.abs() < 0.99 && best > 0.99, "{case}: rho {value}, of the gradient {best}");
        assert!(found.nudges.iter().all(|nudge| defined(nudge.gradient, &case) < 0.0), "{case}");
        for kind in [NullKind::FreshFeedback, NullKind::PermutedLabels] {
            for of in [Quantity::Cosine, Quantity::Rho, Quantity::Nudge] {
                let null = found.nulls.iter().find(|null| (null.kind, null.of) == (kind, of));
                let null = null.unwrap_or_else(|| panic!("{case}: no null {kind:?} of {of:?}"));
                assert_eq!(null.draws, 4, "{case}");
                assert!(null.low < null.high, "{case}: {kind:?} of {of:?} is {}…{}", null.low, null.high);
            }
        }
    }
}

#[test]
fn a_transformer() {
    let [bp, dfa] = audits("net.name = 'vit'\nnet.heads = 2\nnet.mlp = 24");
    of_backpropagation(&bp);
    of_direct_feedback(&dfa);
}

#[test]
fn a_convolutional_network() {
    let [bp, dfa] = audits("net.name = 'resnet'");
    of_backpropagation(&bp);
    of_direct_feedback(&dfa);
}
