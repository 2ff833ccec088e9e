//! Trouble on the way: each case a clear message, nothing lost, and the other runs unharmed.

mod checkpoints;
#[path = "../common/mod.rs"]
mod common;
mod logs;
mod refused;

use common::{SMALL, go, options, train};
use lab::{Error, Options};
use record::{Run, Status};
use std::path::Path;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn refusal(recipe: &str, options: &Options) -> String {
    match go(recipe, options) {
        Err(error) => error.to_string(),
        Ok(endings) => match endings.into_iter().find_map(Result::err) {
            Some(error) => error.to_string(),
            None => panic!("nothing was refused"),
        },
    }
}

fn resuming(out: &Path) -> Options {
    Options { resume: true, ..options(out) }
}

#[test]
fn a_loss_that_is_not_finite_stops_its_run_alone() {
    let out = folder();
    let recipe = format!(
        "{SMALL}optim.lr = [1e-3, 1e6]\nnet.out_ln = false\nrule.name = 'dfa'\ntrain.schedule = 'constant'"
    )
    .replace("epochs = 3", "epochs = 40");
    let endings = go(&recipe, &options(out.path())).expect("nothing is refused");
    assert_eq!(endings[0].as_ref().expect("no trouble"), &Some(Status::Finished));
    let Ok(Some(Status::Stopped { reason, .. })) = &endings[1] else { panic!("{:?}", endings[1]) };
    assert!(reason.contains("loss became"), "{reason}");
    let run = Run::read(&out.path().join("dfa-lr1000000.0-s42")).expect("its record is whole");
    let Status::Stopped { reason: recorded, epoch, step } = &run.record.status else { panic!("not stopped") };
    assert_eq!(recorded, reason);
    assert_eq!(*epoch, run.last().expect("an epoch").epoch);
    assert!(*step > 0);
    // Resuming leaves it as it is.
    let again = go(&recipe, &resuming(out.path())).expect("nothing is refused");
    assert_eq!(again[1].as_ref().expect("no trouble"), endings[1].as_ref().expect("no trouble"));
}

#[test]
fn a_directory_that_is_taken_is_not_touched() {
    let out = folder();
    train(SMALL, out.path());
    let before = std::fs::read(out.path().join("bp-s42/metrics.jsonl")).expect("metrics");
    let message = refusal(SMALL, &options(out.path()));
    assert!(
        message.contains("bp-s42 already contains a run") && message.contains("continue it"),
        "{message}"
    );
    let other = SMALL.replace("d = 20", "d = 21");
    let message = refusal(&other, &resuming(out.path()));
    assert!(
        message.contains("another recipe (net.d is 20 there, 21 here)")
            && message.contains("choose another folder"),
        "{message}"
    );
    assert_eq!(before, std::fs::read(out.path().join("bp-s42/metrics.jsonl")).expect("metrics"));
}

/// Makes a run look as if it had been killed after its last checkpoint.
fn unfinish(run: &Path) {
    let path = run.join("run.json");
    let text = std::fs::read_to_string(&path).expect("a record");
    assert!(text.contains("\"finished\""));
    std::fs::write(&path, text.replace("\"finished\"", "\"running\"")).expect("write");
}

#[test]
fn data_that_changed_under_a_run_is_noticed() {
    let out = folder();
    train(SMALL, out.path());
    let run = out.path().join("bp-s42");
    unfinish(&run);
    let text = std::fs::read_to_string(run.join("run.json")).expect("a record");
    let hash = Run::read(&run).expect("a run").record.provenance.data_hash;
    std::fs::write(run.join("run.json"), text.replace(&hash, &"0".repeat(64))).expect("write");
    let Err(error) = go(SMALL, &resuming(out.path())) else { panic!("not noticed") };
    assert!(matches!(error, Error::OtherData { .. }), "{error}");
}

/// Diverges in the very last step of an epoch, which no training loss sees.
#[test]
fn a_run_that_breaks_in_its_last_step_is_not_finished() {
    let out = folder();
    let recipe = format!("{SMALL}optim.lr = 1e6\nnet.out_ln = false\ntrain.batch = 1000\n")
        .replace("epochs = 3", "epochs = 1");
    let endings = go(&recipe, &options(out.path())).expect("nothing is refused");
    let Ok(Some(Status::Stopped { reason, .. })) = &endings[0] else { panic!("{:?}", endings[0]) };
    assert!(reason.contains("test loss became") && reason.ends_with("after epoch 1"), "{reason}");
    let status = Run::read(&out.path().join("bp-s42")).expect("a record").record.status;
    assert_eq!(status, Status::Stopped { reason: reason.clone(), epoch: 1, step: 0 });
}

/// Weights so large that the gradient of the penalty overflows, while the last LayerNorm keeps the loss as it is.
#[test]
fn a_gradient_that_cannot_be_clipped_stops_its_run_by_name() {
    let out = folder();
    let recipe = format!(
        "{SMALL}rule.name = 'dfa'\nrule.penalty = 1e6\nnet.w2_std = 1e6\noptim.lr = 1e6\noptim.clip = [1.0, 0.0]\n"
    );
    let endings = go(&recipe, &options(out.path())).expect("nothing is refused");
    let reason = |index: usize| match &endings[index] {
        Ok(Some(Status::Stopped { reason, .. })) => reason.clone(),
        other => panic!("{other:?}"),
    };
    assert!(reason(0).contains("gradient of block 0 became"), "{}", reason(0));
    let run = Run::read(&out.path().join(&common::runs(&recipe)[0].id)).expect("its record is whole");
    assert!(matches!(&run.record.status, Status::Stopped { reason: of, .. } if *of == reason(0)));
    // Without clipping no norm is taken, and what the step broke shows in the next loss.
    assert!(reason(1).contains("training loss became"), "{}", reason(1));
}

#[test]
fn a_drift_that_is_not_finite_can_be_read_back() {
    let out = folder();
    let runs = train(SMALL, out.path());
    let mut record = runs[0].record.clone();
    let drift = std::collections::BTreeMap::from([("a".to_owned(), f64::INFINITY), ("b".to_owned(), 0.5)]);
    record.drift = Some(drift.clone());
    record.write(&runs[0].path).expect("written");
    assert_eq!(Run::read(&runs[0].path).expect("read").record.drift, Some(drift));
}

#[test]
fn what_a_run_computed_is_not_overwritten_when_a_file_of_it_is_lost() {
    for lost in ["recipe.toml", "run.json"] {
        let out = folder();
        train(SMALL, out.path());
        let run = out.path().join("bp-s42");
        let before = std::fs::read(run.join("metrics.jsonl")).expect("metrics");
        std::fs::remove_file(run.join(lost)).expect("remove");
        let message = refusal(SMALL, &resuming(out.path()));
        assert!(message.contains(&format!("no {lost}")), "{message}");
        assert_eq!(before, std::fs::read(run.join("metrics.jsonl")).expect("metrics"));
    }
}

/// Numbers and lengths in a stranger's files may be the largest that there are.
#[test]
fn extreme_files_of_a_run_are_read_or_passed_over() {
    let out = folder();
    let run = train(SMALL, out.path()).remove(0);
    let from = &run.record.provenance;
    let asked = lab::Asked {
        identity: from.identity.as_deref().expect("an identity"),
        recipe_hash: "of a request for fewer epochs",
        data_hash: &from.data_hash,
        last_epoch: 2,
    };
    assert_eq!(lab::outcome(&run.path, &asked), Some(Status::Finished));
    let recipe = std::fs::read(run.path.join(Run::RECIPE)).expect("a recipe");
    let longer = [&recipe[..], "# long\n".repeat(1 << 20).as_bytes()].concat();
    std::fs::write(run.path.join(Run::RECIPE), longer).expect("writable");
    assert_eq!(lab::outcome(&run.path, &asked), None);
    std::fs::write(run.path.join(Run::RECIPE), recipe).expect("writable");

    unfinish(&run.path);
    let mut record = record::RunRecord::read(&run.path).expect("a record");
    record.provenance.resumed = u64::MAX;
    record.write(&run.path).expect("writable");
    let endings = go(SMALL, &resuming(out.path())).expect("nothing is refused");
    assert!(matches!(&endings[..], [Ok(Some(Status::Finished))]), "{endings:?}");
}
