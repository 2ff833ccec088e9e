//! Which parameters train: frozen blocks keep their bytes, and everything else moves.

use crate::made::{ADAMW, UNDECAYED, learner, train, undecayed};
use nn::{Architecture, MlpSpec, Unit};
use rules::{Modifiers, RuleSpec};

/// With decay, which must not change frozen blocks; and without it, so that only credit moves parameters: every trained
/// tensor, not just some.
#[test]
fn modifiers_that_change_nothing_change_no_byte_and_frozen_blocks_keep_theirs() {
    let cases = rules::NAMES
        .into_iter()
        .flat_map(|name| [("decay", RuleSpec::from(name), ADAMW), ("no decay", undecayed(name), UNDECAYED)]);
    for (decay, rule, optimiser) in cases {
        let case = format!("{}, {decay}", rule.name);
        let fresh = |modifiers| learner(MlpSpec::resmlp(5, 8, 3, 4), rule.clone(), modifiers);
        let trained = |modifiers| {
            let mut learner = fresh(modifiers);
            train(&mut learner, optimiser, 4, 2);
            learner.params
        };
        let plain = trained(Modifiers::default());
        assert_eq!(plain, trained(Modifiers { trainable_last: Some(3), ..Modifiers::default() }), "{case}");
        let start = fresh(Modifiers::default());
        for k in 0..=3 {
            let params = trained(Modifiers { trainable_last: Some(k), ..Modifiers::default() });
            for tensor in start.net.layout().tensors() {
                let range = tensor.range.clone();
                let moved = params[range.clone()] != start.params[range];
                let trains = match tensor.unit {
                    Unit::Block(l) => l + k >= 3,
                    _ => true,
                };
                assert_eq!(moved, trains, "{case}, last {k} trained, {}", tensor.name);
            }
        }
    }
}

#[test]
fn a_network_without_blocks_trains_under_every_rule() {
    for rule in rules::NAMES {
        let mut shallow = learner(MlpSpec::resmlp(5, 8, 0, 4), undecayed(rule), Modifiers::default());
        let before = shallow.params.clone();
        train(&mut shallow, UNDECAYED, 3, 1);
        let moved = shallow.params.iter().zip(&before).all(|(a, b)| a.is_finite() && a != b);
        assert!(moved, "{rule}");
    }
}
