//! What a page must say beside its numbers.

use super::sample::{alone, sample, set};
use super::{View, csv, text, viewed};
use record::audit::{Audit, Estimate, Modifiers, Standing, Subject, Verdict};
use record::{Measured, Why};

fn of(group: &str) -> Vec<Audit> {
    sample().audits.into_iter().filter(|audit| audit.subject.group() == group).collect()
}

/// `PASS` of a seed that differs from its group says no more than that of a group.
#[test]
fn a_seed_that_passes_alone_says_how_many_units_get_no_help() {
    let mut audits = of("dfa");
    let seed = &mut audits[2];
    seed.verdict = Verdict::Pass { open: vec![] };
    seed.units[3].standing = Standing::Chance;
    seed.units[4].standing = Standing::Misleading;
    let text = text(&set(audits));
    assert!(text.contains("✓ dfa-s456: PASS (2/5 at chance or misled)\n"), "{text}");
}

fn trained(group: &str, normalise: &str, clip: f64) -> Vec<Audit> {
    let mut audits = of(group);
    for audit in &mut audits {
        let Subject::Run { modifiers, .. } = &mut audit.subject else { panic!("a run") };
        *modifiers = Some(Modifiers { normalise: normalise.to_owned(), clip, ..Modifiers::default() });
    }
    audits
}

/// By what credit was divided decides how far the states grow, so the page says it.
#[test]
fn how_credit_was_used_in_training_is_said_where_it_is_known() {
    let training = |audits: Vec<Audit>| {
        let text = text(&set(audits));
        text.split_once("\ntraining").map(|(_, rest)| rest.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    assert_eq!(training(of("dfa")), None);
    let alike = training(trained("dfa", "sample", 0.0)).expect("a line");
    assert!(alike.starts_with("credit / RMS per sample ") && !alike.contains("clipped"), "{alike}");
    let both = [trained("bp", "none", 1.0), trained("dfa", "sample", 1.0)].concat();
    let both = training(both).expect("a line");
    let words = "bp raw credit; dfa credit / RMS per sample; block gradients clipped to norm 1 ";
    assert!(both.starts_with(words), "{both}");
    let mixed = [trained("bp", "none", 0.0), trained("dfa", "none", 1.0)].concat();
    let mixed = training(mixed).expect("a line");
    assert!(mixed.starts_with("raw credit ") && !mixed.contains("clipped"), "{mixed}");
}

/// Never a bare number: the interval stands beside it, and the legend says from how many directions it comes.
#[test]
fn a_cosine_that_is_estimated_is_printed_as_an_estimate() {
    let mut set = alone();
    assert!(!text(&set).contains('≈') && !csv::text(&[("", &set)]).contains("cosine_low"));
    let unit = &mut set.audits[0].units[1];
    for evidence in [unit.here.as_mut(), unit.at_input.as_mut()].into_iter().flatten() {
        evidence.cosine = Measured::Unreliable { value: 0.31, why: Why::ReferenceEstimated };
        evidence.estimate = Some(Estimate { low: 0.28, high: 0.34, directions: 32 });
        evidence.spread = None;
    }
    let page = viewed(&set, &View { layers: true, ..View::default() });
    assert_eq!(page.matches("≈ .310 (.280 to .340)").count(), 2, "where it acts and at the input: {page}");
    assert!(page.contains("estimated from 32 random directions of each sample"), "{page}");
    let table = csv::text(&[("", &set)]);
    for row in [
        "here,cosine,0.31,unreliable,",
        "here,cosine_low,0.28,",
        "here,cosine_high,0.34,",
        "here,cosine_directions,32,",
    ] {
        assert!(table.contains(row), "{row}");
    }
}
