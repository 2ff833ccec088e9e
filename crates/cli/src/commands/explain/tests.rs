//! Every word that an audit can print has an explanation.

use super::*;
use record::Why;
use record::audit::{CheckId, Standing, Warning};
use serde_json::{Value, to_value};
use std::collections::BTreeMap;

/// The name that serde gives a variant, which is the one in `audit.json`.
fn written(json: Result<Value, serde_json::Error>) -> String {
    json.expect("plain data").as_str().expect("a word").to_owned()
}

fn is_in(part: &str, topic: &Topic) -> bool {
    let listed = |topics: &[Topic]| topics.iter().any(|other| other.name == topic.name);
    PARTS.iter().any(|(heading, topics)| *heading == part && listed(topics))
}

/// All variants; a new one does not compile until it is in its list.
macro_rules! all {
    ($name:ident: $($variant:ident),+) => {{
        let _ = |value: $name| match value { $($name::$variant => ()),+ };
        [$($name::$variant),+]
    }};
}

#[test]
fn every_check_standing_and_reason_is_explained() {
    for check in all!(CheckId: D1, D2, Direction, D3, Consistency) {
        for word in [check.name(), check.title()] {
            assert_eq!(find(word).map(|topic| topic.name), Some(check.name()), "{word}");
        }
        let topic = find(check.name()).expect("a topic");
        assert!(!topic.formula.is_empty() && !topic.why.is_empty() && !topic.action.is_empty());
    }
    for standing in all!(Standing: ReferenceNotGradient, Useful, Detectable, Mixed, Chance, Misleading, Unconfirmed,
        CannotBeJudged, Dead, Broken)
    {
        let topic = find(&written(to_value(standing))).unwrap_or_else(|| panic!("{standing:?}"));
        assert!(is_in("What the credit of a unit can be", topic), "{standing:?}");
    }
    for why in all!(Why: ReferenceBelowFloor, PrecisionsDisagree, ReferenceEstimated, SameNumbers, ReferenceDoubtful, NotTheGradient, SamplesLeftOut, Rounding, LossUnmoved,
        StateConstant, NotTrained, NoCounterpart, CreditVanished, ReferenceVanished, NotFinite)
    {
        let topic = find(&written(to_value(why))).unwrap_or_else(|| panic!("{why:?}"));
        assert!(is_in("Why a number is unreliable or undefined", topic), "{why:?}");
    }
}

#[test]
fn every_warning_is_explained() {
    let warnings = warnings::one_of_each();
    for warning in &warnings {
        // Written out, so that a new variant does not compile until it is listed above.
        match warning {
            Warning::TooFewSamples { .. } | Warning::SamplesDiffer { .. } | Warning::OneSeed { .. } => {}
            Warning::SeedsDiffer { .. } | Warning::OneUnitDominates { .. } => {}
            Warning::ReferenceUnreliable { .. } | Warning::HalfPrecision { .. } => {}
            Warning::SamplesAssumed { .. } | Warning::Missing { .. } | Warning::Ignored { .. } => {}
            Warning::NotFinite { .. } | Warning::HeadDiffers { .. } | Warning::ReductionDiffers { .. } => {}
            Warning::AccuracyOfSamples { .. } | Warning::ReferenceDiffers { .. } => {}
            Warning::ReferenceContradicted { .. } | Warning::LossDiffers { .. } => {}
            Warning::NothingCompared | Warning::LossChangesRounded { .. } => {}
            Warning::GradientJumps { .. } | Warning::DirectFeedback { .. } => {}
            Warning::LogOnly { .. } | Warning::RecipeChanged | Warning::Unfinished { .. } => {}
            Warning::StepEnlarged { .. } | Warning::EvidenceDisagrees { .. } => {}
            Warning::Elsewhere { .. } => {}
            Warning::TooFewDraws { .. } | Warning::Stopped { .. } | Warning::MidEpoch { .. } => {}
        }
        let name = warnings::name(warning);
        assert!(find(&name).is_some_and(|topic| is_in("Warnings", topic)), "{name}");
    }
    let pages = PARTS.iter().find(|(heading, _)| *heading == "Warnings").map(|(_, topics)| topics.len());
    assert_eq!(pages, Some(warnings.len()));
    // What is not finite has a topic among the reasons.
    assert!(find(&warnings::name(&Warning::NotFinite { tensors: vec![] })).is_some());
}

#[test]
fn no_word_means_two_things_and_every_text_fits() {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    for topic in topics() {
        for name in topic.names() {
            let other = seen.insert(normal(name), topic.name);
            assert!(other.is_none_or(|other| other == topic.name), "{name}: {} and {other:?}", topic.name);
        }
        let text = topic.text();
        assert!(!text.replace("_{", "_").contains('{'), "a published value has no such name: {text}");
        assert!(text.lines().all(|line| line.chars().count() <= report::show::WIDTH), "{text}");
        assert!(!topic.means.is_empty() && !topic.action.is_empty(), "{}", topic.name);
    }
    assert!(list().lines().all(|line| line.chars().count() <= report::show::WIDTH), "{}", list());
    insta::assert_snapshot!("explain_list", list());
    insta::assert_snapshot!("explain_D1", find("D1").expect("a topic").text());
}

#[test]
fn every_heading_of_the_tables_is_explained() {
    for word in [
        "growth",
        "‖g_L‖",
        "gain",
        "direction",
        "consistency",
        "limit",
        "margin",
        "worst margin",
        "from epoch",
        "cosine",
        "chance",
        "ρ",
        "nudge",
        "standing",
        "‖h‖",
        "‖g‖",
        "‖a‖",
        "drift",
        "‖p‖·‖h‖",
        "a step",
        "reach",
        "°",
        "probe",
        "ρ of g",
        "nudge of g",
        "Γ",
        "( )",
        "–",
        "paper's convention",
        "at the input",
        "null",
        "torch",
        "cannot judge",
        "‖g_L‖/‖e_T‖",
        "PASS",
        "FAIL",
        "not assessed",
        "value",
        "test",
        "epoch",
        "η",
        "e_T",
        "g",
        "h",
        "N=128",
        "paper",
        "unit",
        "embed",
        "accuracy",
        "mean ± sd",
        "mean credit",
        "draws",
        "95 %",
        "expected",
        "shuffled samples",
    ] {
        assert!(find(word).is_some(), "{word}");
    }
}

#[test]
fn every_rule_has_a_page_with_its_equation() {
    for rule in ::rules::TABLE {
        let topic = find(rule.name).unwrap_or_else(|| panic!("{}", rule.name));
        assert!(topic.formula.contains("a_"), "{}", rule.name);
        let text = topic.text();
        for key in rule.keys {
            assert!(text.contains(key.name), "{text}");
        }
        assert_eq!(find(rule.title).map(|topic| topic.name), Some(rule.name));
    }
    for word in ["credit", "a", "p", "unit", "chance", "normalise"] {
        assert!(find(word).is_some(), "{word}");
    }
}

#[test]
fn the_calibration_is_the_published_one() {
    let why = |name| &find(name).expect("a topic").why;
    for figure in ["at most 11", "up to 25", "at least 694"] {
        assert!(why("D1").contains(figure), "{figure}");
    }
    for figure in ["at least 1.0e-4", "at most 4.2e-9"] {
        assert!(why("D2").contains(figure), "{figure}");
    }
}

#[test]
fn limits_are_the_defaults_of_the_recipe() {
    for topic in topics() {
        for word in topic.key.split("; ").filter_map(|part| part.split_once(" = ")) {
            // The key of the direction check belongs to a newer recipe than some programs know.
            let Some(key) = lab::Schema::today().find(word.0) else { continue };
            let stated: f64 = word.1.split(' ').next().and_then(|x| x.parse().ok()).expect("a number");
            let lab::Preset::Always(default) = key.default else { panic!("{}", word.0) };
            assert_eq!(default.parse::<f64>().ok(), Some(stated), "{}", word.0);
        }
    }
}

#[test]
fn an_unknown_word_gets_a_suggestion() {
    assert!(unknown("consistancy").contains("did you mean `consistency`?"));
    for word in ["photosynthesis", "D9", "xyz", "loss"] {
        assert!(!unknown(word).contains("did you mean"), "{}", unknown(word));
    }
    assert_eq!(
        find("Cannot_Be_Judged").map(|topic| topic.name),
        find("cannot judge").map(|topic| topic.name)
    );
}

#[test]
fn the_page_of_a_rule_says_the_way_of_its_credit_as_figures_do() {
    for rule in record::rules::RULES {
        let topic = find(rule.name).unwrap_or_else(|| panic!("{}", rule.name));
        assert!(topic.means.starts_with(&format!("Credit comes {}.", rule.route.words())), "{}", rule.name);
    }
}
