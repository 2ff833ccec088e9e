//! Remarks and the caption of `verdicts`.

use crate::drawn::{draw, panel, remarks, verdicts, written};
use crate::made::{Made, bad, good};
use figures::catalogue::Drawing;
use figures::plot::Element;
use figures::reader::{EpochPoint, Layers, Norms, Trial};
use protocol::baseline::{TrainingKeys, as_written};
use record::Status;
use record::audit::Outcome;

#[test]
fn verdicts_say_by_how_much_and_since_when() {
    let drawing = draw("verdicts", &good(), &bad());
    let row = |name: &str, words: &str| (name.to_owned(), words.to_owned());
    // 50/10, 2000/50; 1e-4/1e-7, 1e-7/2e-9; .1 − .02, .02 − (−.1).
    assert_eq!(
        remarks(&drawing, "D1"),
        [row("Alpha", "margin ×5.0"), row("Beta", "fires by ×40, from epoch 3")]
    );
    assert_eq!(
        remarks(&drawing, "D2"),
        [row("Alpha", "margin ×1,000"), row("Beta", "fires by ×50, from epoch 3")]
    );
    assert_eq!(
        remarks(&drawing, "D3"),
        [row("Alpha", "margin 8.0 points"), row("Beta", "fires by 12.0 points")]
    );
    assert_eq!(remarks(&drawing, "verdict"), [row("Alpha", "PASS"), row("Beta", "FAIL(D1+D2+D3)")]);
    assert!(panel(&drawing, "D1").x.label.as_ref().unwrap().ends_with("fires above 50"));
    // Beside the markers the axis says the unit, and the other columns which checks failed.
    assert_eq!(written(&drawing, "D3"), [row("Alpha", "8.0"), row("Beta", "12.0")]);
    assert_eq!(written(&drawing, "verdict"), [row("Alpha", "PASS"), row("Beta", "FAIL")]);
}

#[test]
fn verdicts_follow_the_records() {
    let one = draw("verdicts", &good(), &bad());
    let other = draw("verdicts", &bad(), &good());
    for check in ["D1", "D2", "D3"] {
        let [first, second] = &remarks(&one, check)[..] else { panic!() };
        let row = |name: &str, remark: &str| (name.to_owned(), remark.to_owned());
        assert_eq!(remarks(&other, check), [row("Alpha", &second.1), row("Beta", &first.1)]);
    }
    let words: Vec<String> = remarks(&other, "verdict").into_iter().map(|(_, words)| words).collect();
    assert_eq!(words, ["FAIL(D1+D2+D3)", "PASS"]);
}

#[test]
fn a_threshold_moves_the_remark_the_line_and_the_verdict() {
    let with = |limits| draw("verdicts", &Made { limits, ..good() }, &Made { limits, ..bad() });
    let strict = with((5.0, 0.15));
    let remark = |drawing: &Drawing, check: &str| remarks(drawing, check)[0].1.clone();
    // 10/5 above the one, .15 − .1 below the other.
    assert_eq!(remark(&strict, "D1"), "fires by ×2.0");
    assert_eq!(remark(&strict, "D3"), "fires by 5.0 points");
    assert_eq!(remark(&strict, "verdict"), "FAIL(D1+D3)");
    let line = |drawing: &Drawing, check: &str| {
        let elements = &panel(drawing, check).elements;
        let threshold = |e: &Element| if let Element::Guide(g) = e { g.listed.then_some(g.at) } else { None };
        elements.iter().find_map(threshold).unwrap()
    };
    assert_eq!((line(&strict, "D1"), line(&strict, "D3")), (5.0, 15.0));
    let lenient = with((4000.0, 0.02));
    assert_eq!(remarks(&lenient, "D1")[1].1, "margin ×2.0");
    assert_eq!(line(&lenient, "D1"), 4000.0);
}

#[test]
fn what_is_not_assessed_says_why() {
    let mut trial = good().trial("fa");
    let audit = trial.audit.as_mut().unwrap();
    audit.checks[2].outcome = Outcome::NotAssessed { why: "no frozen baseline".to_owned() };
    (audit.checks[2].statistic, audit.checks[2].margin) = (None, None);
    audit.checks.remove(1);
    let drawing = verdicts(vec![trial]);
    assert_eq!(remarks(&drawing, "D3")[0].1, "not assessed: no frozen baseline");
    assert_eq!(remarks(&drawing, "D2")[0].1, "not in the audit");
    let is_spot = |e: &Element| matches!(e, Element::Spot(_));
    assert!(!panel(&drawing, "D3").elements.iter().any(is_spot), "nothing was measured, so nothing is drawn");
    assert_eq!(written(&drawing, "D3")[0].1, "not assessed");
    assert_eq!(remarks(&drawing, "verdict")[0].1, "PASS (D3 not assessed)");
    assert_eq!(written(&drawing, "verdict")[0].1, "PASS (D3 not assessed)");
}

#[test]
fn a_seed_that_was_not_assessed_did_not_pass() {
    let open = |made: &Made, seed: u64| {
        let mut trial = Trial { seed: Some(seed), ..made.trial("fa") };
        let check = &mut trial.audit.as_mut().unwrap().checks[2];
        check.outcome = Outcome::NotAssessed { why: "no frozen baseline".to_owned() };
        (check.statistic, check.margin) = (None, None);
        trial
    };
    let first = |made: &Made| Trial { seed: Some(1), ..made.trial("fa") };
    let remark = |trials: Vec<Trial>| remarks(&verdicts(trials), "D3")[0].1.clone();
    assert_eq!(remark(vec![first(&bad()), open(&bad(), 2)]), "fires by 12.0 points (1 of 2 assessed)");
    assert_eq!(remark(vec![first(&good()), open(&good(), 2)]), "margin 8.0 points (1 of 2 assessed)");
}

#[test]
fn seeds_that_disagree_are_counted() {
    let seed = |made: &Made, seed: u64| Trial { seed: Some(seed), ..made.trial("fa") };
    let broken = Made { growth: f64::INFINITY, ..bad() };
    let remark = |trials: Vec<Trial>| {
        let drawing = verdicts(trials);
        (remarks(&drawing, "D1")[0].1.clone(), remarks(&drawing, "verdict")[0].1.clone())
    };
    let (mixed, verdict) = remark(vec![seed(&good(), 1), seed(&bad(), 2)]);
    assert_eq!(mixed, "1 of 2 fire, from epoch 3");
    assert_eq!(verdict, "PASS in 1 of 2 seeds, FAIL(D1+D2+D3) in 1 of 2 seeds");
    // 50/10 and 50/25: the seed nearest to firing counts.
    let near = Made { growth: 25.0, ..good() };
    assert_eq!(remark(vec![seed(&good(), 1), seed(&near, 2)]).0, "margin ≥ ×2.0");
    let later = Made { growth: 500.0, first: Some(8), ..bad() };
    assert_eq!(remark(vec![seed(&bad(), 1), seed(&later, 2)]).0, "fires by ×10–40, from epoch 3–8");
    assert_eq!(remark(vec![seed(&broken, 1)]).0, "fires: not finite, from epoch 3");
}

#[test]
fn without_an_audit_the_log_is_checked_and_a_note_says_so() {
    let epoch = |epoch: u64, growth: f64, gradient: f64| EpochPoint {
        epoch,
        test_accuracy: Some(0.3),
        error: Some(0.9),
        growth: Some(growth),
        layers: Layers { gradient: Norms::all([Some(1.0), Some(128.0 * gradient)]), ..Layers::default() },
        ..EpochPoint::default()
    };
    let epochs = vec![epoch(0, 1.0, 1e-3), epoch(1, 60.0, 1e-6), epoch(2, 100.0, 5e-8)];
    let log = |frozen: bool, accuracy: f64| {
        let recipe = format!("seed = 42\nrule.name = 'fa'\nrule.frozen = {frozen}").parse().unwrap();
        let keys = Some(TrainingKeys::of(&record::flatten(recipe), &as_written));
        let status = Some(Status::Finished);
        let mut trial =
            Trial { epochs: epochs.clone(), audit: None, frozen, keys, status, ..good().trial("fa") };
        trial.origin.data_hash = Some("data".to_owned());
        trial.epochs[2].test_accuracy = Some(accuracy);
        trial
    };
    let drawing = verdicts(vec![log(false, 0.3), log(true, 0.35)]);
    let remark = |check: &str| remarks(&drawing, check)[0].1.clone();
    assert_eq!(remark("D1"), "fires by ×2.0, from epoch 1");
    assert_eq!(remark("D2"), "fires by ×2.0, from epoch 2");
    assert_eq!(remark("D3"), "fires by 7.0 points");
    assert_eq!(drawing.notes, ["fa: no audit of its end, so its log is checked"]);
    // One note covers several runs.
    let both = verdicts(vec![
        log(false, 0.3),
        Trial { name: "fa-again".to_owned(), seed: Some(7), ..log(false, 0.3) },
    ]);
    let note = "2 runs: no audit of their end, so their logs are checked (fa-again, fa)";
    assert_eq!(both.notes.iter().filter(|said| said.contains("log")).collect::<Vec<_>>(), [note]);
    // The advisory check is not in a log, so it has no column; the last is the verdict.
    assert_eq!(drawing.figure.panels.len(), 4);
    assert_eq!(remarks(&verdicts(vec![log(false, 0.3)]), "D3")[0].1, "not assessed: no frozen baseline");
}

/// A pass does not hide units that get no help.
#[test]
fn a_pass_says_how_many_units_are_at_chance() {
    let weak = Made { cosine: [Some(0.5), Some(0.01), Some(0.02)], ..good() };
    let verdict = |made: &Made| {
        let drawing = verdicts(vec![made.trial("fa")]);
        (remarks(&drawing, "verdict")[0].1.clone(), written(&drawing, "verdict")[0].1.clone())
    };
    let both = |words: &str| (words.to_owned(), words.to_owned());
    assert_eq!(verdict(&weak), both("PASS, 2/3 at chance"));
    assert_eq!(verdict(&good()), both("PASS"));
    let failed = Made { growth: 2000.0, ..weak };
    assert_eq!(verdict(&failed), ("FAIL(D1)".to_owned(), "FAIL".to_owned()));
}
