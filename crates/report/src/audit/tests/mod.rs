//! The text and the files of a set of audits made by hand. Expectations come from what the set says, not from what is
//! printed; the snapshots are there for eyes.

mod files;
mod said;
mod sample;

use super::{Answer, FailOn, View, answers, csv, junit, page};
use crate::show::{Colour, WIDTH};
use record::audit::{Audit, AuditSet, MeanCredit, Subject};
use sample::{alone, sample, set};

fn text(set: &AuditSet) -> String {
    viewed(set, &View::default())
}

fn viewed(set: &AuditSet, view: &View) -> String {
    page(set, view).text(Colour::Off)
}

#[test]
fn the_text_of_a_set_of_one_run_and_of_all_detail() {
    insta::assert_snapshot!("whole_set", text(&sample()));
    insta::assert_snapshot!("one_run", text(&alone()));
    let all = View { layers: true, include_unreliable: true, ..View::default() };
    insta::assert_snapshot!("all_detail", viewed(&alone(), &all));
    let clamped = viewed(&alone(), &View { torch: true, ..View::default() });
    assert!(clamped.contains("torch cosine") && clamped.contains("norms below 1e-8"), "{clamped}");
    assert!(clamped.contains("(.001)") && clamped.contains("; Γ is"), "{clamped}");
    let mut log = alone();
    for here in log.audits[0].units.iter_mut().filter_map(|unit| unit.here.as_mut()) {
        here.torch = None;
    }
    let exact = viewed(&log, &View { torch: true, ..View::default() });
    assert!(exact.contains("unit              cosine  ") && exact.contains("named cosine is"), "{exact}");
}

#[test]
fn every_line_fits_the_usual_terminal() {
    for set in [sample(), alone()] {
        for (layers, torch) in [(false, false), (true, false), (false, true), (true, true)] {
            let text = viewed(&set, &View { layers, torch, include_unreliable: true });
            assert_eq!(text.lines().find(|line| line.chars().count() > WIDTH), None, "{text}");
        }
    }
}

/// A reader sees whether the mean over draws keeps up with unbiased noise or falls behind it.
#[test]
fn mean_credit_is_shown_beside_what_unbiased_noise_gives() {
    let mut set = alone();
    assert!(!viewed(&set, &View { layers: true, ..View::default() }).contains("mean credit"));
    let point = |draws, cosine: f64, expected| MeanCredit {
        draws,
        samples: 256,
        cosine,
        low: cosine - 0.01,
        high: cosine + 0.01,
        expected,
    };
    set.audits[0].units[1].mean_credit = vec![point(1, 0.115, 0.1), point(64, 0.5, 0.706)];
    set.audits[0].units[2].mean_credit = vec![point(64, 0.75, 0.706)];
    assert!(!text(&set).contains("mean credit"), "in the detail alone");
    let text = viewed(&set, &View { layers: true, ..View::default() });
    let rows: Vec<String> = text
        .lines()
        .skip_while(|line| !line.starts_with("mean credit"))
        .filter(|line| !line.starts_with('─'))
        .take(4)
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(
        rows,
        [
            "mean credit draws samples cosine 95 % expected place",
            "block 0 1 256 .115 .105 to .125 .100 as expected",
            "64 256 .500 .490 to .510 .706 below",
            "block 1 64 256 .750 .740 to .760 .706 above",
        ],
        "{text}"
    );
    assert!(text.contains("less means bias"), "{text}");
    assert_eq!(text.lines().find(|line| line.chars().count() > WIDTH), None, "{text}");
    let csv = csv::text(&[("", &set)]);
    assert!(csv.contains(",block 0,here,mean_credit_expected@64,0.706,defined,,256,"), "{csv}");
}

#[test]
fn three_rules_of_three_seeds_fit_one_screen() {
    let three: Vec<Audit> = sample().audits.into_iter().filter(|a| a.subject.seed().is_some()).collect();
    let lines = text(&set(three)).lines().count();
    assert!(lines <= 45, "{lines} lines");
}

#[test]
fn what_several_units_and_seeds_have_in_common_is_said_once() {
    let dfa: Vec<Audit> = sample().audits.into_iter().filter(|a| a.subject.group() == "dfa").collect();
    let text = text(&set(dfa));
    let notes: Vec<&str> = text.lines().filter(|line| line.starts_with("? ")).collect();
    let units: Vec<&str> = notes.iter().map(|note| note.split(": ").next().unwrap_or("")).collect();
    let mut once = units.clone();
    once.dedup();
    assert!(!notes.is_empty() && notes.len() <= 4 && once == units, "{text}");
}

#[test]
fn colour_adds_nothing_but_colour() {
    let page = page(&sample(), &View { layers: true, ..View::default() });
    let painted = page.text(Colour::On);
    let plain = ["31", "32", "33", "1", "2", "0"]
        .iter()
        .fold(painted.clone(), |text, code| text.replace(&format!("\x1b[{code}m"), ""));
    assert_eq!(plain, page.text(Colour::Off));
    assert!(painted.contains("\x1b[31mFAIL(D1+D2+D3)\x1b[0m") && painted.contains("\x1b[32mPASS\x1b[0m"));
}

/// Exchanges the names of two groups and leaves every value where it is.
fn swapped(mut set: AuditSet, a: &str, b: &str) -> AuditSet {
    let other = |name: &str| name.replace(a, "\0").replace(b, a).replace('\0', b);
    for audit in &mut set.audits {
        if let Subject::Run { id, group, rule, .. } = &mut audit.subject {
            (*id, *group, *rule) = (other(id), other(group), other(rule));
        }
    }
    set.groups.iter_mut().for_each(|group| group.name = other(&group.name));
    set
}

#[test]
fn words_follow_the_values_and_not_the_names() {
    let audits: Vec<Audit> = sample().audits.into_iter().filter(|a| a.subject.seed().is_some()).collect();
    let line = |text: &str, name: &str| -> Vec<String> {
        let about = |line: &&str| line.split_whitespace().nth(1) == Some(name);
        let lines = text.lines().filter(about).flat_map(str::split_whitespace);
        lines.filter(|&word| word != name).map(str::to_owned).collect()
    };
    let before = text(&set(audits.clone()));
    let after = text(&swapped(set(audits), "bp", "dfa"));
    assert_eq!(line(&before, "bp"), line(&after, "dfa"));
    assert_eq!(line(&before, "dfa"), line(&after, "bp"));
    assert_ne!(line(&before, "bp"), line(&after, "bp"));
    assert!(after.contains("· the reference gradient is unreliable: bp at 3 of 5"), "{after}");
    assert!(after.contains("✗ bp fails D1, D2 and D3: ") && after.contains("✓ dfa passes: "), "{after}");
}

#[test]
fn a_single_run_has_no_seeds_and_a_healthy_one_no_marks_of_trouble() {
    let one = text(&alone());
    assert!(!one.contains("over seeds") && !one.contains("2/3"), "{one}");
    let bp = sample().audits.into_iter().next().expect("bp");
    let healthy = text(&set(vec![bp]));
    let row: Vec<&str> = healthy.lines().nth(2).expect("a row").split_whitespace().collect();
    assert_eq!(row[..5], ["✓", "bp-s42", "PASS", ".751", ".631"], "{healthy}");
    for mark in ["✗", "?", "( )", "beside a number"] {
        assert!(!healthy.contains(mark), "{mark} in\n{healthy}");
    }
}

#[test]
fn an_empty_set_and_an_audit_of_nothing_break_no_table() {
    assert_eq!(text(&set(vec![])), "");
    let mut bare = sample().audits.into_iter().next().expect("bp");
    (bare.states, bare.units, bare.checks) = (vec![], vec![], vec![]);
    bare.gamma = record::audit::Gamma::default();
    let bare = set(vec![bare]);
    assert!(text(&bare).contains("✓ bp-s42"));
    assert_eq!(csv::text(&[("", &bare)]).lines().count(), 5);
    assert!(junit::text(&[("", &bare)]).contains("tests=\"0\""));
}

#[test]
fn each_word_of_fail_on_finds_what_it_is_for_and_nothing_in_baselines() {
    let set = sample();
    let runs = |on: FailOn| -> Vec<String> {
        let mut runs: Vec<String> = answers(&set, on)
            .into_iter()
            .filter_map(|answer| match answer {
                Answer::Found(words) => words.split(": ").next().map(str::to_owned),
                Answer::Open(_) => None,
            })
            .collect();
        runs.dedup();
        runs
    };
    let dfa = ["dfa-s42", "dfa-s123", "dfa-s456"];
    for on in [FailOn::D1, FailOn::D2, FailOn::D3, FailOn::Direction, FailOn::Unreliable] {
        assert_eq!(runs(on), dfa, "{on:?}");
    }
    assert_eq!(runs(FailOn::Consistency), ["fa-s456"]);
    let fa = ["fa-s42", "fa-s123", "fa-s456"];
    let dump = "epoch9, \"b\" <1>.npz";
    assert_eq!(runs(FailOn::Undefined), [&fa[..], &[dump]].concat());
    // One deep cosine of dfa-s456 is below the band of permuted labels; all of fa's block 1 do.
    assert_eq!(runs(FailOn::BelowNull), [&["dfa-s456"], &fa[..]].concat());
    assert_eq!(runs(FailOn::WithinNull), [&dfa[..], &fa[..]].concat());
    assert_eq!(runs(FailOn::Dead), fa);
    assert_eq!(runs(FailOn::Broken), [dump]);
    assert_eq!(runs(FailOn::Misleading), fa[..2]);
    assert_eq!(runs(FailOn::NotAssessed), [&fa[..], &[dump]].concat());
}

#[test]
fn a_reason_names_run_check_unit_and_number_and_what_is_open_is_said() {
    let found = |on| answers(&sample(), on);
    let first = |on| found(on).into_iter().find(|answer| matches!(answer, Answer::Found(_))).expect("found");
    let words = |text: &str| Answer::Found(text.to_owned());
    assert_eq!(first(FailOn::D1), words("dfa-s42: D1 fires: growth 6.5e4, limit ≤ 50, first at epoch 3"));
    assert_eq!(first(FailOn::D3), words("dfa-s42: D3 fires: gain -7.1 pt, limit ≥ +2.0 pt"));
    assert_eq!(
        first(FailOn::BelowNull),
        words("dfa-s456: block 2: cosine -.019 is below chance, -.015 to .021 (permuted labels)")
    );
    let Answer::Found(sign) = first(FailOn::Consistency) else { unreachable!("it was found") };
    assert!(sign.starts_with("fa-s456: consistency: block 2: its credit has the wrong sign"), "{sign}");
    // A check that could not be made is not a pass.
    let open = Answer::Open("fa-s42: D3 not assessed: no frozen baseline".to_owned());
    assert!(found(FailOn::D3).contains(&open));
    let bp = found(FailOn::BelowNull).into_iter().filter(|answer| matches!(answer, Answer::Open(_))).count();
    assert_eq!(bp, 3, "bp has no null to compare with");
}

#[test]
fn a_nudge_that_raises_the_loss_is_never_marked_as_good() {
    use protocol::{Chance, against_chance};
    use record::audit::{Place, Quantity};
    let mut evidence = sample().audits[3].units[0].here.clone().expect("evidence");
    assert_eq!(against_chance(&evidence, Quantity::Nudge), Some(Chance::Beats));
    for null in evidence.nulls.iter_mut().filter(|null| null.of == Quantity::Nudge) {
        (null.value, null.low, null.high, null.place) = (0.001, 0.002, 0.003, Place::Below);
    }
    assert_eq!(against_chance(&evidence, Quantity::Nudge), Some(Chance::Within));
}

#[test]
fn runs_that_have_not_ended_are_named_and_baselines_alone_are_shown() {
    let mut audits = sample().audits;
    let unfinished = record::audit::Warning::Unfinished { epoch: 22, of: 40 };
    let bp = audits[0].clone();
    let mut frozen = audits.remove(10);
    assert!(frozen.subject.is_frozen());
    frozen.warnings.push(unfinished);
    let both = text(&set(vec![bp, frozen.clone()]));
    assert!(
        both.contains("· bp-frozen-s42: ") && !both.lines().any(|line| line.contains("bp-frozen-s42  ")),
        "{both}"
    );
    let alone = text(&set(vec![frozen]));
    assert!(alone.lines().nth(2).is_some_and(|row| row.contains("bp-frozen-s42")), "{alone}");
}
