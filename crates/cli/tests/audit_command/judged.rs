//! What an audit finds in runs: baselines, logs, changed feedback, runs that ended early.

use crate::common::{creditscope, recipe, text};
use crate::made::{RECIPE, audit, copy, set, train, trained};
use record::audit::{Audit, Consistency, Outcome, Standing, Subject, Warning};
use std::path::PathBuf;

#[test]
fn an_audit_judges_every_run_against_its_own_baseline() {
    let found = set(&audit(&[&trained().join("runs")], &["--json"]));
    assert_eq!(found.audits.len(), 12);
    let groups: Vec<&str> = found.groups.iter().map(|group| group.name.as_str()).collect();
    assert_eq!(groups, ["bp", "bp-frozen", "fa", "fa-frozen", "dfa", "dfa-frozen"], "as rules are listed");
    for audit in found.audits.iter().filter(|audit| !audit.subject.is_frozen()) {
        let Subject::Run { id, seed, checkpoint, .. } = &audit.subject else { panic!("a run") };
        assert!(checkpoint.is_some(), "{id} was measured");
        let baseline = id.replace(&format!("-s{seed}"), &format!("-frozen-s{seed}"));
        let baseline =
            found.audits.iter().find(|other| other.subject.id() == baseline).expect("its baseline");
        assert_eq!(audit.frozen, baseline.accuracy, "{id}");
        assert!(matches!(audit.consistency, Consistency::Agrees { worst } if worst < 1e-4), "{id}");
        assert_eq!((audit.units.len(), audit.states.len(), audit.samples), (3, 3, 150));
        // What the run itself measured after its last epoch is there to compare with.
        let on_disk = Audit::read(&trained().join("runs").join(id)).expect("readable").expect("written");
        assert_eq!(&on_disk, audit);
    }
    let bp: Vec<&Audit> = found.audits.iter().filter(|audit| audit.subject.group() == "bp").collect();
    for audit in &bp {
        assert!(audit.units.iter().all(|unit| unit.standing == Standing::Useful), "{:?}", audit.units);
        assert_eq!(audit.verdict, protocol::verdict(&audit.checks));
    }
    let pair = found.pairs.iter().find(|pair| pair.a == "bp" && pair.b == "dfa" && pair.of == "accuracy");
    let pair = pair.expect("rules are compared");
    assert_eq!(pair.seeds, [1, 2]);
    let accuracy = |id: &str| found.audits.iter().find(|a| a.subject.id() == id).and_then(|a| a.accuracy);
    let expected =
        [1, 2].map(|s| accuracy(&format!("bp-s{s}")).unwrap() - accuracy(&format!("dfa-s{s}")).unwrap());
    assert_eq!(pair.differences, expected);
}

#[test]
fn one_run_finds_its_baseline_in_its_folder_and_a_second_audit_repeats_the_first() {
    let runs = copy(&["dfa-s1", "dfa-frozen-s1"]);
    let run = runs.path().join("dfa-s1");
    let first = set(&audit(&[&run], &["--json"]));
    assert_eq!(first.audits.len(), 1);
    assert!(first.audits[0].frozen.is_some(), "the baseline is in the same folder");
    assert!(first.warnings.iter().any(|warning| matches!(warning, Warning::OneSeed { .. })));
    assert_eq!(set(&audit(&[&run], &["--json"])), first, "the very same, times included");
    // Other settings, a lost baseline and --again measure again.
    let again = set(&audit(&[&run], &["--json", "--again"]));
    assert_eq!(again.audits[0].units, first.audits[0].units);
    std::fs::rename(runs.path().join("dfa-frozen-s1"), runs.path().join("elsewhere-s1")).expect("a rename");
    std::fs::remove_file(runs.path().join("elsewhere-s1/run.json")).expect("removed");
    let alone = set(&audit(&[&run], &["--json"]));
    let d3 = &alone.audits[0].checks[3];
    assert_eq!(d3.outcome, Outcome::NotAssessed { why: "no frozen baseline".to_owned() });
}

#[test]
fn a_log_alone_is_judged_as_far_as_it_goes() {
    let runs = copy(&["dfa-s1"]);
    let run = runs.path().join("dfa-s1");
    let asked = set(&audit(&[&run], &["--json", "--log"]));
    assert!(!asked.audits[0].warnings.iter().any(|warning| matches!(warning, Warning::LogOnly { .. })));
    let Consistency::NotAssessed { why } = &asked.audits[0].consistency else {
        panic!("nothing was measured")
    };
    assert!(why.contains("as asked"), "{why}");
    // The last epoch was audited in training, so its log holds rho and nulls.
    assert!(asked.audits[0].units[1].here.as_ref().expect("logged").rho.is_some());
    assert_eq!(asked.audits[0].checks[0].outcome, Outcome::Passes);
    // The same where the checkpoint is gone or damaged: said, not hidden.
    let checkpoint = run.join("checkpoint.safetensors");
    let mut bytes = std::fs::read(&checkpoint).expect("a checkpoint");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&checkpoint, bytes).expect("written");
    for words in ["damaged", "no checkpoint"] {
        let found = set(&audit(&[&run], &["--json"]));
        let said = found.audits[0].warnings.iter().map(report::audit::message).collect::<Vec<_>>().join("; ");
        assert!(said.contains(words), "{said}");
        let _ = std::fs::remove_file(&checkpoint);
    }
}

#[test]
fn changed_feedback_is_found_although_the_file_is_sound() {
    // The log of another seed with this checkpoint: the feedback of its epochs is not that of the checkpoint.
    let runs = copy(&["dfa-s1", "dfa-s2"]);
    let metrics = |run: &str| runs.path().join(run).join("metrics.jsonl");
    std::fs::copy(metrics("dfa-s2"), metrics("dfa-s1")).expect("a copy");
    let found = set(&audit(&[&runs.path().join("dfa-s1")], &["--json"]));
    let audit = &found.audits[0];
    let Consistency::Differs { findings } = &audit.consistency else { panic!("{:?}", audit.consistency) };
    assert_eq!(findings[0].unit, record::audit::Site::Feedback);
    assert!(audit.verdict.words().contains("consistency"), "{}", audit.verdict.words());
}

#[test]
fn a_run_that_broke_off_never_passes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let wild = "data.name = 'digits'\nnet.name = 'student'\nnet.alpha = 0.0\nnet.d = 16\nnet.blocks = 2\n\
                optim.lr = 300.0\ntrain.epochs = 30\naudit.every = 0\nseed = 42\n";
    let recipe = recipe(folder.path(), wild);
    let out = folder.path().join("runs");
    let recipe = recipe.display().to_string();
    let out_name = out.display().to_string();
    let trained = creditscope(&["run", &recipe, "--out", &out_name]);
    assert_eq!(trained.status.code(), Some(1), "it is stopped: {}", text(&trained.stderr));
    assert!(!text(&trained.stdout).contains("00000000000"), "{}", text(&trained.stdout));
    let judged = audit(&[&out], &["--fail-on", "D1"]);
    assert_eq!(judged.status.code(), Some(1), "{}", text(&judged.stdout));
    let shown = text(&judged.stdout);
    assert!(
        shown.contains("FAIL(D1") && shown.contains("the run broke off") && !shown.contains("PASS"),
        "{shown}"
    );
}

#[test]
fn an_audit_is_of_one_epoch_though_the_log_went_on() {
    // The log of four epochs with the checkpoint of two, as a kill leaves them.
    let folder = tempfile::tempdir().expect("a temporary folder");
    let one = RECIPE
        .replace("['bp', 'fa', 'dfa']", "'bp'")
        .replace("[1, 2]", "1")
        .replace("[false, true]", "false");
    let long = folder.path().join("long");
    let short = folder.path().join("short");
    train(&one, &long);
    train(&format!("{one}train.stop_after = 2\n"), &short);
    let run = record::Run::read(&long.join("bp-s1")).expect("a run");
    let text_of = |path: PathBuf| std::fs::read_to_string(path).expect("a file");
    let log = text_of(long.join("bp-s1/metrics.jsonl"));
    let behind = short.join("bp-s1");
    std::fs::write(behind.join("metrics.jsonl"), log).expect("written");
    let found = set(&audit(&[&behind], &["--json"]));
    assert_eq!(found.audits[0].epoch, Some(2));
    assert_eq!(found.audits[0].accuracy, Some(run.epochs[2].test.accuracy));
}

#[test]
fn a_doomed_run_ends_itself_and_says_why() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // No stream keeps its scale to a thousandth, so the first epoch is the last.
    let doomed = RECIPE
        .replace("['bp', 'fa', 'dfa']", "'dfa'")
        .replace("[false, true]", "false")
        .replace("[1, 2]", "1");
    let doomed = format!("{doomed}protocol.growth = 0.001\naudit.stop_on = ['D2', 'D1']\n");
    let out = folder.path().join("runs");
    let output = train(&doomed, &out);
    assert!(text(&output.stderr).contains("dfa-s1: ended itself when D1 fired"), "{}", text(&output.stderr));
    let run = record::Run::read(&out.join("dfa-s1")).expect("a run");
    assert_eq!(run.record.status, record::Status::Halted { check: "D1".to_owned(), epoch: 1 });
    assert_eq!(run.epochs.len(), 2);
    assert!(run.record.drift.is_some());
    // It is judged like any other, and there is nothing to resume.
    let found = set(&audit(&[&out], &["--json"]));
    assert_eq!(found.audits[0].checks[0].first_fired, Some(0));
    assert!(matches!(found.audits[0].consistency, Consistency::Agrees { .. }));
    let recipe = recipe(folder.path(), &doomed);
    let recipe = recipe.display().to_string();
    let out = out.display().to_string();
    assert!(creditscope(&["run", &recipe, "--out", &out, "--resume"]).status.success());
    let shown = text(&creditscope(&["runs", "show", &format!("{out}/dfa-s1")]).stdout);
    assert!(shown.contains("halted after 1 of 4 epochs: D1 fired"), "{shown}");
}
