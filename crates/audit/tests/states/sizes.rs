//! States that differ in size from stage to stage.

use crate::tower::{Tower, audit, learner};
use nn::State;
use record::audit::Standing;

/// Two stages of two states each, a square of four positions and then a single one, and a last one of another size.
fn tower() -> Tower {
    let wide = State { positions: 4, features: 3, reached: 4 };
    Tower::new(&[wide, wide, State::flat(6), State::flat(6), State::flat(5)])
}

#[test]
fn backpropagation_is_useful_at_every_size() {
    let trained = learner(tower(), "bp");
    let found = audit(&trained, 1);
    for unit in &found.units {
        let here = unit.here.as_ref().expect("measured");
        assert_eq!(unit.standing, Standing::Useful, "{unit:?}");
        assert!(here.cosine.defined().expect("defined") > 1.0 - 1e-6, "{here:?}");
        assert!(here.rho.expect("asked for").value.defined().expect("defined") > 0.99, "{here:?}");
    }
    for threads in [2, 3, 9] {
        let again = audit(&trained, threads);
        assert_eq!(format!("{again:?}"), format!("{found:?}"), "{threads} threads leave no trace");
    }
}

/// A credit of one size cannot be compared with a gradient of another.
#[test]
fn where_sizes_differ_the_paper_compares_nothing() {
    for rule in ["bp", "fa", "dfa", "drtp", "ep"] {
        let found = audit(&learner(tower(), rule), 2);
        let papers: Vec<bool> = found.units.iter().map(|unit| unit.at_input.is_some()).collect();
        assert_eq!(papers, [false, true, false, true, false], "{rule}");
        for unit in &found.units {
            let here = unit.here.as_ref().expect("measured");
            assert!(here.cosine.value().is_some(), "{rule}, {}: {here:?}", unit.unit);
            assert!(here.rho.expect("asked for").value.value().is_some(), "{rule}, {}: {here:?}", unit.unit);
        }
    }
}
