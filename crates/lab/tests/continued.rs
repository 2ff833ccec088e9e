//! `--resume` with another recipe: what steers training must be the same, the rest may have changed, and a run that is shorter
//! than what is asked for now goes on to the bytes of one that was never short.

mod common;
mod resumed;
mod saved;

use common::{SMALL, go, options, runs, train};
use lab::{Options, Shelf, is_trained};
use record::{Run, RunRecord, Status};
use resumed::{assert_same, begin, resume};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn recipe(rule: &str) -> String {
    let width = if rule.ends_with("bridge") { "rule.bridge_width = 24" } else { "" };
    format!("{SMALL}rule.name = '{rule}'\n{width}\n")
}

#[test]
fn a_shorter_run_goes_on_to_the_same_bytes() {
    for rule in rules::NAMES {
        let folder = folder();
        let whole = train(&recipe(rule), &folder.path().join("whole")).remove(0);
        let out = folder.path().join("short");
        let short = begin(&format!("{}train.stop_after = 1\n", recipe(rule)), &out);
        assert_eq!((&short.record.status, short.epochs.len()), (&Status::Finished, 2), "{rule}");
        let further = format!("{}train.stop_after = 2\n", recipe(rule));
        assert_eq!(resume(&further, &out), Status::Finished);
        assert_eq!(Run::read(&short.path).expect("a run").epochs.len(), 3, "{rule}");
        assert_eq!(resume(&recipe(rule), &out), Status::Finished);
        assert_same(&whole.path, &short.path, rule);
        assert_eq!(Run::read(&short.path).expect("a run").record.provenance.resumed, 2);
    }
}

/// Growth is far above so small a limit, so that the check fires after the first epoch.
const HALTING: &str = "audit.stop_on = ['D1']\nprotocol.growth = 1e-9\n";

fn without(recipe: &str, key: &str) -> String {
    recipe.lines().filter(|line| !line.starts_with(key)).fold(String::new(), |all, line| all + line + "\n")
}

#[test]
fn a_halted_run_goes_on_once_nothing_halts_it() {
    for (what, asked) in [
        ("no check ends a run", String::new()),
        ("a check of another limit", "audit.stop_on = ['D1']\nprotocol.growth = 1e9\n".to_owned()),
        ("another check", "audit.stop_on = ['D2']\nprotocol.growth = 1e-9\n".to_owned()),
    ] {
        let folder = folder();
        let asked = format!("{SMALL}{asked}");
        let whole = train(&asked, &folder.path().join("whole")).remove(0);
        let out = folder.path().join("halted");
        let halted = begin(&format!("{SMALL}{HALTING}"), &out);
        let Status::Halted { epoch: 1, .. } = halted.record.status else {
            panic!("{:?}", halted.record.status)
        };
        // What halted it would do so again.
        assert_eq!(resume(&format!("{SMALL}{HALTING}"), &out), halted.record.status);
        assert!(is_trained(&halted.path, &runs(&format!("{SMALL}{HALTING}"))[0]));
        assert_eq!(Run::read(&halted.path).expect("a run").record, halted.record, "left as it is");
        assert!(!is_trained(&halted.path, &runs(&asked)[0]), "{what}");
        assert_eq!(resume(&asked, &out), Status::Finished, "{what}");
        assert_same(&whole.path, &halted.path, what);
    }
}

#[test]
fn a_run_that_has_more_than_is_asked_for_is_left_as_it_is() {
    let folder = folder();
    let run = train(SMALL, folder.path()).remove(0);
    let before = saved::tensors(&run.path);
    assert_eq!(resume(&format!("{SMALL}train.stop_after = 2"), folder.path()), Status::Finished);
    assert_eq!(Run::read(&run.path).expect("a run").record, run.record);
    // Also one that was to go further, and was killed after the epochs asked for.
    let record = RunRecord { status: Status::Running, ..run.record.clone() };
    record.write(&run.path).expect("written");
    assert_eq!(resume(&format!("{SMALL}train.stop_after = 2"), folder.path()), Status::Finished);
    assert_eq!(Run::read(&run.path).expect("a run").record, record);
    assert_eq!(saved::tensors(&run.path), before);
}

/// Records are kept without their weights: such a run cannot go on, and what it logged is not given up for a new start.
#[test]
fn a_shorter_run_without_a_checkpoint_is_not_begun_anew() {
    let folder = folder();
    let run = begin(&format!("{SMALL}train.stop_after = 1"), folder.path());
    std::fs::remove_file(run.path.join(Run::CHECKPOINT)).expect("removed");
    let options = Options { resume: true, ..options(folder.path()) };
    let message = go(SMALL, &options).expect_err("refused").to_string();
    assert!(message.contains("contains metrics.jsonl but no checkpoint.safetensors"), "{message}");
    assert_eq!(Run::read(&run.path).expect("a run").epochs, run.epochs);
}

/// What is measured may change on the way; the directory's recipe is then the one asked for last.
#[test]
fn keys_that_do_not_steer_training_may_change() {
    let folder = folder();
    let whole = train(SMALL, &folder.path().join("whole")).remove(0);
    let out = folder.path().join("changed");
    let short = begin(&format!("{SMALL}train.stop_after = 1"), &out);
    let changed = without(&without(SMALL, "eval.samples"), "audit.every");
    let changed = format!(
        "name = 'other'\n{changed}eval.samples = 50\naudit.every = 1\naudit.samples = 20\naudit.draws = 2\nprotocol.growth = 7.0\n"
    );
    assert_eq!(resume(&changed, &out), Status::Finished);
    let run = Run::read(&short.path).expect("a run");
    assert_eq!(saved::differing(&whole.path, &run.path), ["credit.0"; 0]);
    assert_eq!(run.record.drift, whole.record.drift);
    let spec = &runs(&changed)[0];
    assert_eq!(std::fs::read_to_string(run.path.join("recipe.toml")).expect("a recipe"), spec.recipe);
    assert_eq!(run.record.provenance.recipe_hash, spec.recipe_hash);
    assert_eq!(run.record.provenance.identity.as_deref(), Some(spec.identity.hash()));
    assert_eq!(run.record.provenance.identity, short.record.provenance.identity);
    let samples: Vec<u64> = run.epochs.iter().map(|epoch| epoch.evaluation.samples).collect();
    assert_eq!(samples, [100, 100, 50, 50], "measured as asked at the time");
    assert_eq!(run.epochs.iter().filter(|epoch| epoch.audit.is_some()).count(), 2);
}

/// An audit of the run as it was is not one of the run as it is, nor that of somebody else.
#[test]
fn an_audit_from_before_a_changed_recipe_makes_way_for_a_new_one() {
    let folder = folder();
    let run = begin(&format!("{SMALL}train.stop_after = 1"), folder.path());
    let options = lab::AuditOptions {
        samples: 32,
        directions: 2,
        draws: 1,
        ..lab::AuditOptions::new(data::Folder::at("/nonexistent"))
    };
    let audit = |run: &Run| {
        lab::audit_runs(std::slice::from_ref(run), &options, &|_| {})
            .expect("an audit")
            .sweeps
            .remove(0)
            .set
            .audits
            .remove(0)
    };
    assert_eq!(audit(&run).epoch, Some(1));
    assert_eq!(run.audit().expect("its own").and_then(|audit| audit.epoch), Some(1));
    assert_eq!(resume(&format!("{SMALL}protocol.gain = 0.5"), folder.path()), Status::Finished);
    let run = Run::read(&run.path).expect("a run");
    assert!(run.audit().expect("nobody else's").is_none());
    assert_eq!(audit(&run).epoch, Some(3));
    assert_eq!(run.audit().expect("its own").and_then(|audit| audit.epoch), Some(3));
}

#[test]
fn what_steers_training_may_not_change_and_is_named() {
    let folder = folder();
    let run = begin(&format!("{SMALL}train.stop_after = 1"), folder.path());
    let refused = |recipe: &str| {
        let options = Options { resume: true, ..options(folder.path()) };
        go(recipe, &options).expect_err("refused").to_string()
    };
    let message =
        refused(&format!("{SMALL}optim.lr = 0.01\naudit.every = 2").replace("audit.every = 0\n", ""));
    assert!(message.contains("(optim.lr is 0.001 there, 0.01 here)"), "{message}");
    // A key of a later program says something that nobody here understands.
    let path = run.path.join("recipe.toml");
    let text = std::fs::read_to_string(&path).expect("a recipe");
    std::fs::write(&path, text.replace("[rule]\n", "[rule]\nfuture = 1\n")).expect("written");
    let message = refused(SMALL);
    assert!(message.contains("rule.future is a key that this program does not know"), "{message}");
    // One that only measures is passed over.
    std::fs::write(&path, text.replace("[audit]\n", "[audit]\nfuture = 1\n")).expect("written");
    assert_eq!(resume(SMALL, folder.path()), Status::Finished);
    // A changed file does not make a run of something else, even if just that is asked for.
    let other = SMALL.replace("d = 20", "d = 21");
    std::fs::write(&path, &runs(&other)[0].recipe).expect("written");
    let message = refused(&other);
    assert!(message.contains("recipe.toml was changed after it was trained"), "{message}");
}

#[test]
fn a_record_counts_by_its_epochs_and_not_by_what_it_measured() {
    let folder = folder();
    let found = |recipe: &str| {
        let shelf = Shelf::look(&[folder.path().to_owned()]).expect("records can be read");
        let data = data::load(&runs(recipe)[0].source, &data::Folder::at("/nonexistent")).expect("built in");
        shelf.find(&runs(recipe)[0], &data.hash).expect("records can be read").is_some()
    };
    begin(&format!("name = 'mine'\n{SMALL}train.stop_after = 2"), folder.path());
    let one = format!("{SMALL}train.stop_after = 1\nprotocol.gain = 0.5");
    let [two, three] = [format!("{SMALL}train.stop_after = 2"), SMALL.to_owned()];
    assert_eq!([&one, &two, &three].map(|recipe| found(recipe)), [true, true, false]);
    std::fs::remove_dir_all(folder.path().join("bp-s42")).expect("removed");
    begin(&format!("{SMALL}{HALTING}"), folder.path());
    assert!(found(&format!("{SMALL}{HALTING}")) && found(&one) && !found(SMALL));
}
