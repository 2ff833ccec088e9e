//! Every rule there is can be audited, and has the nulls that apply to it.

use crate::tower::{CLASSES, INPUTS, audit, learner};
use nn::MlpSpec;
use record::audit::{NullKind, UnitAudit};

#[test]
fn every_rule_has_the_nulls_that_apply() {
    for rule in rules::NAMES {
        let net = MlpSpec::resmlp(INPUTS, 8, 2, CLASSES).build().expect("valid");
        let found = audit(&learner(net, rule), 2);
        let has = |unit: &UnitAudit, kind| {
            unit.here.as_ref().expect("measured").nulls.iter().any(|null| null.kind == kind)
        };
        for unit in &found.units {
            let cosine = unit.here.as_ref().expect("measured").cosine;
            assert!(cosine.value().is_some_and(f64::is_finite), "{rule}, {}: {cosine:?}", unit.unit);
            assert!(unit.credit.is_some_and(|credit| credit > 0.0), "{rule}, {}", unit.unit);
        }
        // The embedding's credit depends on all feedback that a rule draws. Noise is not feedback.
        let drawn = !["bp", "ep", "sign_symmetry", "node_perturbation"].contains(&rule);
        assert_eq!(has(&found.units[0], NullKind::FreshFeedback), drawn, "{rule}");
        assert!(has(&found.units[0], NullKind::PermutedLabels), "{rule}");
    }
}
