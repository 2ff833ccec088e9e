//! Title and captions of `normalisation`.

use crate::drawn::captions;
use crate::made::good;
use figures::catalogue::{Drawing, Request, find};
use figures::reader::{EpochPoint, Layers, Norms, Records, Trial};
use protocol::baseline::{TrainingKeys, as_written};

/// ‖h_L‖ before training.
const START: f64 = 10.0;

/// A run that ends with this ‖h_L‖.
fn run(rule: &str, normalise: &str, clip: f64, seed: u64, norm: f64) -> Trial {
    let recipe = format!("rule.normalise = '{normalise}'\noptim.clip = {clip:?}\nseed = {seed}\n");
    let recipe = record::flatten(recipe.parse().expect("TOML"));
    let epoch = |epoch: u64, norm: f64| EpochPoint {
        epoch,
        growth: Some(norm / START),
        test_accuracy: Some(0.3),
        layers: Layers { hidden: Norms::all([Some(START), Some(norm)]), ..Layers::default() },
        ..EpochPoint::default()
    };
    Trial {
        seed: Some(seed),
        keys: Some(TrainingKeys::of(&recipe, &as_written)),
        epochs: vec![epoch(0, START), epoch(30, norm)],
        audit: None,
        ..good().trial(rule)
    }
}

fn draw(trials: Vec<Trial>) -> Drawing {
    let names = [("fa", "Alpha"), ("dfa", "Beta")].map(|(rule, name)| (rule.to_owned(), name.to_owned()));
    let records = Records { trials, ..Records::default() };
    let request = Request { records, names: names.into(), ..Request::default() };
    (find("normalisation").unwrap().draw)(&request).unwrap()
}

/// Two seeds on both sides of each norm, which is their geometric mean.
fn rule(rule: &str, norms: [f64; 3]) -> Vec<Trial> {
    let seeds = |(name, norm): (&'static str, f64)| {
        [run(rule, name, 0.0, 1, norm / 2.0), run(rule, name, 0.0, 2, norm * 2.0)]
    };
    ["sample", "batch", "none"].into_iter().zip(norms).flat_map(seeds).collect()
}

#[test]
fn the_title_has_the_factors_of_each_rule() {
    let few = [6e3, 3e3, 2e3];
    let many = [5e6, 1e5, 2.5e4];
    let title = |alpha: [f64; 3], beta: [f64; 3]| {
        draw([rule("fa", alpha), rule("dfa", beta)].concat()).figure.title.unwrap()
    };
    assert_eq!(
        title(few, many),
        "No clipping: with raw credit, training multiplies $\\|h_L\\|$ by 200 (Alpha) and 2,500 (Beta); with credit divided \
         by its RMS per sample, by a further 3.0 (Alpha) and 200 (Beta)"
    );
    let swapped = title(many, few);
    assert!(swapped.contains("by 2,500 (Alpha) and 200 (Beta)"), "{swapped}");
    assert!(swapped.contains("by a further 200 (Alpha) and 3.0 (Beta)"), "{swapped}");
}

#[test]
fn what_is_missing_is_said() {
    let mut trials = rule("fa", [6e3, 3e3, 2e3]);
    trials.extend(rule("dfa", [6e3, 3e3, 2e3]));
    // Of Alpha one seed with raw credit is missing, of Beta both; Beta was clipped once.
    let is = |trial: &Trial, rule: &str| trial.rule == rule && trial.normalise() == Some("none");
    trials.retain(|trial| !(is(trial, "dfa") || is(trial, "fa") && trial.seed == Some(2)));
    trials.push(run("dfa", "none", 1.0, 1, 300.0));
    let drawing = draw(trials);
    let title = drawing.figure.title.clone().unwrap();
    // Seed 1 alone: 100 times, then 3 times as far.
    assert!(title.contains("by 100 (Alpha, 1 of 2 seeds); "), "{title}");
    assert!(title.ends_with("by a further 3.0 (Alpha, 1 of 2 seeds); Beta not complete"), "{title}");
    let captions = captions(&drawing);
    assert!(captions[1].starts_with("No clipping: raw credit not run"), "{captions:?}");
    assert!(captions[1].contains("Clipped to norm 1: raw credit ×30 (1 of 2 seeds), per batch not run"));
    assert!(drawing.notes.iter().any(|note| note == "dfa, normalise = none, no clipping: no run"));
}

#[test]
fn runs_of_other_settings_are_not_mixed_in() {
    let mut trials = rule("fa", [6e3, 3e3, 2e3]);
    // A penalty, and a rule that is never normalised.
    for seed in [1, 2] {
        let mut penalised = run("fa", "none", 0.0, seed, 1e9);
        let recipe = "rule.normalise = 'none'\nrule.penalty = 0.01\noptim.clip = 0.0\n";
        let recipe = record::flatten(recipe.parse().expect("TOML"));
        penalised.keys = Some(TrainingKeys::of(&recipe, &as_written));
        trials.extend([penalised, run("bp", "none", 0.0, seed, 1e9)]);
    }
    let title = draw(trials).figure.title.unwrap();
    assert!(title.contains("by 200 (Alpha); ") && !title.contains("BP"), "{title}");
}
