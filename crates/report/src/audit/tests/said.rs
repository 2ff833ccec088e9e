//! What a page must say beside its numbers.

use super::sample::{alone, sample, set};
use super::text;
use record::Unit;
use record::audit::{Audit, Carried, Modifiers, Standing, Subject, Verdict};

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

#[test]
fn how_loss_changes_were_found_is_said_where_they_were_carried() {
    let mut set = alone();
    let said = |set: &_| text(set).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(!said(&set).contains("loss changes"));
    let sound = Carried { compared: 2240, largest: 3e-7, replaced: Vec::new() };
    set.audits[0].carried = Some(sound.clone());
    let words = said(&set);
    assert!(words.contains("; 2,240 compared with f64 passes, at most 3e-7 apart"), "{words}");
    assert!(!words.contains("in their place"), "{words}");
    set.audits[0].carried = Some(Carried { largest: 0.2, replaced: vec![Unit::at(1)], ..sound });
    let words = said(&set);
    let place = format!("f64 passes in their place at {} of {}", Unit::at(1), set.audits[0].subject.id());
    assert!(words.contains("at most 2e-1 apart") && words.contains(&place), "{words}");
}
