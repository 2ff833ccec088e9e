//! The records in `docs/results`: each belongs to a study with its current recipe, and they show what the rules are known for.

use lab::{DataSets, Shelf};
use paper::study::{STUDIES, Study};
use record::Run;
use record::audit::Audit;
use std::path::PathBuf;

fn results() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results"))
}

/// The kept run of a study whose recipe passes, with its audit.
fn kept(study: &str, wanted: impl Fn(&lab::RunSpec) -> bool) -> (Run, Option<Audit>) {
    let shelf = Shelf::look(&[results()]).expect("records can be read");
    let specs = Study::named(study).expect("known").recipe(false).and_then(|r| r.runs()).expect("valid");
    let spec = specs.iter().find(|spec| wanted(spec)).expect("the study asks for it");
    let hash = DataSets::new(data::Folder::at("nowhere")).hash(&spec.source).expect("needs no download");
    let found = shelf.find(spec, &hash).expect("records can be read");
    let path = found.unwrap_or_else(|| panic!("{} of {study} is not kept", spec.id));
    (Run::read(path).expect("a record"), Audit::read(path).expect("an audit"))
}

fn mean(values: Vec<f64>) -> f64 {
    assert!(!values.is_empty());
    values.iter().sum::<f64>() / values.len() as f64
}

/// Γ as published: the mean over the layers of the cosine of a_l with p_l.
fn gamma(run: &Run) -> f64 {
    let last = run.last().expect("an epoch");
    mean(last.evaluation.cosine_at_input().iter().map(|c| c.value().expect("defined")).collect())
}

/// Each record is in the folder of a study and is found by that study's current recipe. Studies may share a run.
#[test]
fn every_record_is_found_by_its_study() {
    let shelf = Shelf::look(&[results()]).expect("records can be read");
    let mut data_sets = DataSets::new(data::Folder::at("nowhere"));
    let mut found = Vec::new();
    for study in &STUDIES {
        for spec in study.recipe(false).and_then(|recipe| recipe.runs()).expect("valid") {
            let hash = data_sets.hash(&spec.source).expect("needs no download");
            let Some(path) = shelf.find(&spec, &hash).expect("records can be read") else { continue };
            if path.starts_with(results().join(study.name)) {
                found.push(path.to_owned());
            }
        }
    }
    found.sort();
    assert!(!found.is_empty());
    assert_eq!(found, record::find_runs(&results()).expect("records"));
}

/// What the README says about the normalisation of credit is the title of the figure, drawn from the records.
#[test]
fn the_readme_answers_by_the_records() {
    let records =
        paper::records(&[results().join("normalisation"), results().join("penalty")]).expect("records");
    let request = figures::Request { records, ..figures::Request::default() };
    let entry = figures::catalogue::find("normalisation").expect("a figure");
    let title = (entry.draw)(&request).expect("it can be drawn").figure.title.expect("a title");
    // From label source to plain text: formulas lose their markup.
    let markup = [("\\times10^{", "e"), ("\\|", "‖"), ("$", ""), ("}", "")];
    let plain = markup.iter().fold(title, |text, (from, to)| text.replace(from, to));
    let readme = include_str!("../../../README.md").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(readme.contains(&plain), "the README does not say: {plain}");
}

#[test]
fn bridges_find_the_exact_costate_and_direct_feedback_does_not() {
    let of = |rule: &str| gamma(&kept("toy-lq", |spec| spec.rule.name == rule).0);
    assert!(of("dfa").abs() <= 0.05, "{}", of("dfa"));
    assert!(of("state_bridge") >= 0.9, "{}", of("state_bridge"));
    assert!(of("credit_bridge") >= 0.9, "{}", of("credit_bridge"));
}

/// The ladder's rung of record: α = 1, L = 4.
fn rung(rule: &str) -> (Run, f64, f64) {
    let alpha = |spec: &lab::RunSpec| spec.id.contains("alpha1.0") && spec.id.contains("blocks4");
    let (run, audit) = kept("ladder", |spec| spec.rule.name == rule && alpha(spec));
    let units = audit.expect("it was audited").units;
    let rho = units.iter().filter_map(|unit| unit.at_input.as_ref()?.rho?.value.value()).collect();
    let gamma = gamma(&run);
    (run, gamma, mean(rho))
}

#[test]
fn on_the_nonlinear_ladder_credit_bridge_is_above_state_bridge_above_direct_feedback() {
    let [dfa, state, credit] = ["dfa", "state_bridge", "credit_bridge"].map(rung);
    assert!(credit.1 > state.1 && state.1 > dfa.1, "Γ {} {} {}", credit.1, state.1, dfa.1);
    assert!(credit.2 > state.2 && state.2 > dfa.2, "ρ {} {} {}", credit.2, state.2, dfa.2);
}

#[test]
fn the_state_bridge_predicts_ever_better_and_its_credit_stays_poor() {
    let (run, gamma, rho) = rung("state_bridge");
    let error = |epoch: &record::Epoch| epoch.evaluation.notes["state_pred_error"];
    let first = run.epochs.first().map(error).expect("an epoch");
    let last = run.epochs.last().map(error).expect("an epoch");
    let fell = first / last;
    assert!(fell > 100.0, "{fell}");
    assert!(gamma < 0.3 && rho < 0.3, "Γ {gamma}, ρ {rho}");
}
