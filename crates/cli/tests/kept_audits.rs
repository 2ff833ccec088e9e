//! An `audit.json` outlives the weights that it was made from: it is used, renewed beside a new baseline, and never mistaken.

mod common;

use common::{creditscope, program, recipe, text};
use record::Run;
use record::audit::{Audit, AuditSet, CheckId, Consistency, Outcome, Subject, Warning};
use std::path::{Path, PathBuf};

const RECIPE: &str = "
data.name = 'digits'
net.d = 16
net.blocks = 2
rule.name = ['dfa', 'fa']
rule.frozen = [false, true]
train.epochs = 2
train.batch = 64
eval.samples = 100
seed = 1
";

const FEW: [&str; 6] = ["--samples", "100", "--directions", "4", "--draws", "6"];

fn trained(recipe_text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let recipe = recipe(folder.path(), recipe_text);
    let out = folder.path().join("runs").display().to_string();
    let output = creditscope(&["run", &recipe.display().to_string(), "--out", &out]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    folder
}

fn audit(path: &Path) -> (AuditSet, String) {
    let output = program().arg("audit").arg(path).args(FEW).arg("--json").output().expect("it starts");
    let said = text(&output.stderr);
    (serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {said}")), said)
}

fn one(path: &Path) -> Audit {
    let (mut set, _) = audit(path);
    assert_eq!(set.audits.len(), 1);
    set.audits.remove(0)
}

fn remove(path: PathBuf) {
    std::fs::remove_file(path).expect("it was there");
}

fn d3(audit: &Audit) -> &Outcome {
    &audit.checks.iter().find(|check| check.check == CheckId::D3).expect("D3 is listed").outcome
}

#[test]
fn what_was_measured_is_shown_after_the_weights_are_gone() {
    let folder = trained(RECIPE);
    let run = folder.path().join("runs/dfa-s1");
    let measured = one(&run);
    remove(run.join("checkpoint.safetensors"));
    assert_eq!(one(&run), measured, "without the weights");
    assert!(matches!(measured.consistency, Consistency::Agrees { .. }));
    // Asked to measure anew, it has the log alone, says so, and leaves the better file.
    let output =
        program().arg("audit").arg(&run).args(FEW).args(["--json", "--again"]).output().expect("starts");
    let again: AuditSet = serde_json::from_slice(&output.stdout).expect("a set");
    assert!(again.audits[0].warnings.iter().any(|w| matches!(w, Warning::LogOnly { .. })));
    assert_eq!(Audit::read(&run).expect("readable"), Some(measured));
}

#[test]
fn a_baseline_that_comes_later_is_taken_without_measuring_again() {
    let folder = trained(RECIPE);
    let (run, beside) = (folder.path().join("runs/dfa-s1"), folder.path().join("runs/dfa-frozen-s1"));
    let away = folder.path().join("away");
    std::fs::rename(&beside, &away).expect("moved");
    let before = one(&run);
    assert!(matches!(d3(&before), Outcome::NotAssessed { .. }), "{:?}", d3(&before));
    remove(run.join("checkpoint.safetensors"));
    std::fs::rename(&away, &beside).expect("moved back");
    let after = one(&run);
    let frozen = Run::read(&beside).expect("a run").last().map(|epoch| epoch.test.accuracy);
    assert_eq!(after.frozen, frozen);
    assert!(!matches!(d3(&after), Outcome::NotAssessed { .. }), "{:?}", d3(&after));
    assert_eq!((&after.units, &after.states, after.seconds), (&before.units, &before.states, before.seconds));
    assert_eq!(Audit::read(&run).expect("readable"), Some(after), "and is kept");
}

#[test]
fn an_audit_that_says_the_same_is_not_written_again() {
    let folder = trained(RECIPE);
    let runs = folder.path().join("runs");
    audit(&runs);
    let files = || -> Vec<Vec<u8>> {
        let names = ["dfa-s1", "dfa-frozen-s1", "fa-s1", "fa-frozen-s1"];
        names.map(|name| std::fs::read(runs.join(name).join(Run::AUDIT)).expect("a file")).to_vec()
    };
    let before = files();
    audit(&runs);
    assert_eq!(files(), before, "to the last digit of its seconds");
}

#[test]
fn the_audit_of_another_run_is_refused_and_what_cannot_be_read_is_not_replaced_by_less() {
    let folder = trained(RECIPE);
    let runs = folder.path().join("runs");
    audit(&runs);
    let (dfa, fa) = (runs.join("dfa-s1"), runs.join("fa-s1"));
    let own = std::fs::read(dfa.join(Run::AUDIT)).expect("a file");
    std::fs::copy(fa.join(Run::AUDIT), dfa.join(Run::AUDIT)).expect("a copy");
    let told = Run::read(&dfa).expect("a run").audit().expect_err("not its own").to_string();
    assert!(told.contains("another run, `fa-s1`"), "{told}");
    let figures = folder.path().join("figures").display().to_string();
    let output =
        creditscope(&["figure", "verdicts", "--from", &runs.display().to_string(), "--out", &figures]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("another run"), "{}", text(&output.stderr));

    remove(dfa.join("checkpoint.safetensors"));
    std::fs::write(dfa.join(Run::AUDIT), &own[..own.len() / 2]).expect("written");
    let (set, said) = audit(&dfa);
    assert!(matches!(set.audits[0].subject, Subject::Run { checkpoint: None, .. }));
    assert!(said.contains(Run::AUDIT), "{said}");
    assert_eq!(std::fs::read(dfa.join(Run::AUDIT)).expect("a file").len(), own.len() / 2);
}

/// Under any rule but bp a penalty does nothing to frozen blocks, so one baseline serves all strengths; and to train the last 0 blocks
/// is to freeze them.
#[test]
fn a_penalised_run_has_the_baseline_without_a_penalty() {
    let penalised = |rule: &str, freezing: &str| {
        let groups = format!(
            "[[runs]]\nrule.name = '{rule}'\nrule.penalty = 0.01\n[[runs]]\nrule.name = '{rule}'\n{freezing}\n"
        );
        RECIPE.replace("rule.name = ['dfa', 'fa']\nrule.frozen = [false, true]\n", "") + &groups
    };
    let cases = [
        ("dfa", "rule.frozen = true", true),
        ("dfa", "rule.trainable_last = 0", true),
        ("bp", "rule.frozen = true", false),
    ];
    for (rule, freezing, has_one) in cases {
        let folder = trained(&penalised(rule, freezing));
        let (set, _) = audit(&folder.path().join("runs"));
        let audit = set.audits.iter().find(|audit| !audit.subject.is_frozen()).expect("one that trains");
        assert_eq!(
            !matches!(d3(audit), Outcome::NotAssessed { .. }),
            has_one,
            "{rule}, {freezing}: {:?}",
            d3(audit)
        );
    }
}
