//! Every fault at every unit, once where it ran down the chain and once where it touched that unit alone: named
//! right, and at no other unit.

use crate::kinds::{DIRECT, RULES, SIZES, Sizes, networks};
use crate::run::Run;
use proptest::prelude::*;
use record::Unit;
use record::audit::{Consistency, Fault};

/// Exactly one finding: this fault at this unit.
pub(crate) fn named(outcome: Consistency, unit: usize, fault: &Fault, case: &str) {
    let Consistency::Differs { findings } = outcome else { panic!("{case}: {outcome:?}") };
    let found: Vec<_> = findings.iter().map(|f| (f.unit, &f.fault)).collect();
    assert_eq!(found, [(Unit::at(unit).into(), fault)], "{case}");
    assert!(findings[0].difference.is_some_and(|d| d > 1e-4), "{case}");
}

/// Every rule on every network with blocks, a penalty included.
fn each(mut of: impl FnMut(Run, String)) {
    for blocks in 1..=4 {
        for net in networks(blocks) {
            for (rule, penalty) in RULES.map(|rule| (rule, 0.0)).into_iter().chain([("bp", 0.05)]) {
                let case = format!("{rule}, penalty {penalty}, {net:?}");
                of(Run::new(net.clone(), rule, penalty, SIZES, 21), case);
            }
        }
    }
}

type Plant = fn(&mut Vec<f32>);

/// The credit with a fault at one unit: in the chain, so that lower units inherit it, and beside it.
fn both_ways(run: &Run, at: usize, mut fault: impl FnMut(&mut Vec<f32>)) -> [Vec<Vec<f32>>; 2] {
    let chain = run.credit(|unit, credit| {
        if unit == at {
            fault(credit)
        }
    });
    let mut beside = run.healthy();
    fault(&mut beside[at]);
    [chain, beside]
}

#[test]
fn zeroed_flipped_and_shuffled_credit() {
    each(|run, case| {
        let faults: [(Fault, Plant); 3] = [
            (Fault::Zeroed, |credit| credit.fill(0.0)),
            (Fault::SignFlipped, |credit| credit.iter_mut().for_each(|x| *x = -*x)),
            (Fault::SamplesShuffled, |credit| credit.rotate_left(2 * SIZES.d)),
        ];
        for unit in 0..=run.blocks() {
            for (fault, plant) in &faults {
                for (way, credit) in ["chain", "beside"].iter().zip(both_ways(&run, unit, plant)) {
                    let case = format!("{case}: {fault:?} at {unit}, {way}");
                    named(run.compare(&credit), unit, fault, &case);
                }
            }
        }
    });
}

#[test]
fn the_credit_of_another_unit() {
    each(|run, case| {
        let healthy = run.healthy();
        for unit in 0..=run.blocks() {
            for other in (0..=run.blocks()).filter(|&other| healthy[other] != healthy[unit]) {
                // What block 0 is given may also be the embedding's.
                let whose = if healthy[0] == healthy[1] { other.max(1) } else { other };
                // With direct feedback, another block's credit is another block's matrix.
                let fault = if unit > 0 && DIRECT.contains(&run.rule) {
                    Fault::OtherFeedback { matrix: whose - 1 }
                } else {
                    Fault::OtherUnitsCredit { unit: Unit::at(whose) }
                };
                for credit in both_ways(&run, unit, |credit| credit.clone_from(&healthy[other])) {
                    named(run.compare(&credit), unit, &fault, &format!("{case}: {other} at {unit}"));
                }
            }
        }
    });
}

/// Where the stream has grown to 1e8 the gradient is tiny, and a fault in it a fault.
#[test]
fn faults_at_a_stream_of_1e8_are_named() {
    for rule in RULES {
        let mut run = Run::new(networks(3)[0].clone(), rule, 0.0, SIZES, 43);
        run.scale("w2.weight", 3e7);
        for unit in 0..=3 {
            for credit in both_ways(&run, unit, |credit| credit.iter_mut().for_each(|x| *x = -*x)) {
                named(run.compare(&credit), unit, &Fault::SignFlipped, rule);
            }
        }
    }
}

/// The small e_T of a nearly solved task still reveals a fault. A bridge conditioned on the gradient gets, at full
/// length, a direction of which f32 has no digits.
#[test]
fn faults_in_a_task_that_is_nearly_solved_are_named() {
    for rule in RULES {
        for scale in
            [10.0, 30.0, 60.0].into_iter().filter(|&scale| scale < 60.0 || !rule.ends_with("gradient"))
        {
            let mut run = Run::new(networks(2)[1].clone(), rule, 0.0, SIZES, 47);
            run.label_by_logits();
            run.scale("out_head.weight", scale);
            run.scale("out_head.bias", scale);
            for unit in 0..=2 {
                for credit in both_ways(&run, unit, |credit| credit.fill(0.0)) {
                    named(run.compare(&credit), unit, &Fault::Zeroed, &format!("{rule} at {scale}"));
                }
            }
        }
    }
}

#[test]
fn two_faults_are_two_findings() {
    for rule in RULES {
        let run = Run::new(networks(4)[0].clone(), rule, 0.0, SIZES, 29);
        let credit = run.credit(|unit, credit| match unit {
            4 => credit.iter_mut().for_each(|x| *x = -*x),
            2 => credit.rotate_left(SIZES.d),
            _ => {}
        });
        let Consistency::Differs { findings } = run.compare(&credit) else { panic!("{rule}") };
        let found: Vec<_> = findings.iter().map(|f| (f.unit, &f.fault)).collect();
        let expected = [(Unit::Block(3), &Fault::SignFlipped), (Unit::Block(1), &Fault::SamplesShuffled)];
        assert_eq!(found, expected.map(|(unit, fault)| (unit.into(), fault)), "{rule}");
    }
}

/// With a single feature or sample faults coincide or are none. Whatever is said, nothing breaks.
#[test]
fn the_smallest_networks_take_any_fault() {
    for (d, rows) in [(1, 1), (1, 3), (2, 1), (3, 2)] {
        for net in (0..=2).flat_map(networks) {
            for rule in RULES {
                let sizes = Sizes { inputs: 1, d, classes: 2, rows };
                let run = Run::new(net.clone(), rule, 0.0, sizes, 31);
                for unit in 0..=run.blocks() {
                    for value in [0.0, 1.0, -1e30, f32::NAN, f32::INFINITY] {
                        both_ways(&run, unit, |c| c.fill(value)).iter().for_each(|c| drop(run.compare(c)));
                    }
                    for credit in both_ways(&run, unit, |c| c.rotate_left(d)) {
                        let outcome = run.compare(&credit);
                        assert!(rows > 1 || !matches!(outcome, Consistency::Differs { .. }), "{outcome:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn credit_that_is_not_finite_is_named_where_it_begins() {
    for rule in RULES {
        let run = Run::new(networks(3)[0].clone(), rule, 0.0, SIZES, 37);
        for bad in [f32::NAN, f32::INFINITY] {
            let credit = run.credit(|unit, credit| {
                if unit == 2 {
                    credit[0] = bad;
                }
            });
            named(run.compare(&credit), 2, &Fault::Unexplained, rule);
        }
    }
}

/// Where credit comes down, the lower of two such units only passes on what it was given; where each has its own, both are at fault.
#[test]
fn two_units_that_are_not_finite_are_one_fault_only_where_credit_comes_down() {
    for rule in RULES {
        let run = Run::new(networks(3)[0].clone(), rule, 0.0, SIZES, 37);
        let credit = run.credit(|unit, credit| {
            if unit == 2 || unit == 3 {
                credit[0] = f32::NAN;
            }
        });
        let Consistency::Differs { findings } = run.compare(&credit) else { panic!("{rule}: not found") };
        let own = DIRECT.contains(&rule) || rule.contains("bridge");
        let expected: &[&str] = if own { &["block 1", "block 2"] } else { &["block 2"] };
        let mut units: Vec<String> = findings.iter().map(|finding| finding.unit.to_string()).collect();
        units.sort_unstable();
        assert_eq!(units, expected, "{rule}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn faults_in_networks_of_any_size_are_named(
        (blocks, which, at) in (0usize..5, 0usize..6, any::<prop::sample::Index>()),
        (inputs, d, classes, rows) in (1usize..9, 4usize..20, 2usize..8, 3usize..9),
        rule in prop::sample::select(&RULES[..]),
        fault in prop::sample::select(vec![Fault::Zeroed, Fault::SignFlipped, Fault::SamplesShuffled]),
        seed in any::<u64>(),
    ) {
        let run = Run::new(networks(blocks)[which].clone(), rule, 0.0, Sizes { inputs, d, classes, rows }, seed);
        let unit = at.index(blocks + 1);
        let plant = |credit: &mut Vec<f32>| match fault {
            Fault::Zeroed => credit.fill(0.0),
            Fault::SignFlipped => credit.iter_mut().for_each(|x| *x = -*x),
            _ => credit.rotate_right(d),
        };
        let healthy = run.healthy();
        for credit in both_ways(&run, unit, plant) {
            // With targets alone for a signal, samples of one class have one credit, and their order is none.
            if credit == healthy {
                continue;
            }
            named(run.compare(&credit), unit, &fault, rule);
        }
    }
}
