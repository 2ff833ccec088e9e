//! Trouble on the way: each case a clear message, nothing lost, and the other runs unharmed.

mod common;

use common::{SMALL, go, options, train};
use lab::{Ending, Error, Options};
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
    assert_eq!(endings[0].as_ref().expect("no trouble"), &Ending::Finished);
    let Ok(Ending::Stopped(reason)) = &endings[1] else { panic!("{:?}", endings[1]) };
    assert!(reason.contains("the loss became"), "{reason}");
    let run = Run::read(&out.path().join("dfa-lr1000000.0-s42")).expect("its record is whole");
    let Status::Stopped { reason: recorded, epoch, step } = &run.record.status else { panic!("not stopped") };
    assert_eq!(recorded, reason);
    assert_eq!(*epoch, run.last().expect("an epoch").epoch);
    assert!(*step > 0);
    // Resuming leaves it as it is.
    let again = go(&recipe, &resuming(out.path())).expect("nothing is refused");
    assert_eq!(again[1].as_ref().expect("no trouble"), &Ending::Stopped(reason.clone()));
}

#[test]
fn a_directory_that_is_taken_is_not_touched() {
    let out = folder();
    train(SMALL, out.path());
    let before = std::fs::read(out.path().join("bp-s42/metrics.jsonl")).expect("metrics");
    let message = refusal(SMALL, &options(out.path()));
    assert!(message.contains("bp-s42 already holds a run") && message.contains("--resume"), "{message}");
    let other = SMALL.replace("d = 20", "d = 21");
    let message = refusal(&other, &resuming(out.path()));
    assert!(
        message.contains("another recipe (`d = 20` there, `d = 21` here)") && message.contains("--out"),
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
fn a_damaged_checkpoint_is_noticed_wherever_the_damage_is() {
    let out = folder();
    train(SMALL, out.path());
    let run = out.path().join("bp-s42");
    let path = run.join("checkpoint.safetensors");
    let good = std::fs::read(&path).expect("a checkpoint");
    let damage: [(&str, Vec<u8>); 5] = [
        ("empty", Vec::new()),
        ("cut in the header", good[..20].to_vec()),
        ("cut in the tensors", good[..good.len() - 1].to_vec()),
        (
            "a flipped bit",
            good.iter().enumerate().map(|(i, &b)| if i == good.len() - 99 { b ^ 1 } else { b }).collect(),
        ),
        ("not a checkpoint", b"hello world, this is text".to_vec()),
    ];
    for (what, bytes) in damage {
        unfinish_if_finished(&run);
        std::fs::write(&path, &bytes).expect("write");
        let message = refusal(SMALL, &resuming(out.path()));
        assert!(message.contains("checkpoint.safetensors cannot be used"), "{what}: {message}");
        assert!(message.contains("Remove the file"), "{what}: {message}");
        assert_eq!(std::fs::read(&path).expect("still there"), bytes, "{what}: left as it was");
    }
    // The remedy that the message names works: without the file, the run starts over and ends the same.
    std::fs::remove_file(&path).expect("remove");
    go(SMALL, &resuming(out.path())).expect("nothing is refused");
    assert_eq!(std::fs::read(&path).expect("a checkpoint").len(), good.len());
}

fn unfinish_if_finished(run: &Path) {
    if std::fs::read_to_string(run.join("run.json")).expect("a record").contains("\"finished\"") {
        unfinish(run);
    }
}

#[test]
fn a_log_shorter_than_its_checkpoint_is_refused() {
    let out = folder();
    train(SMALL, out.path());
    let run = out.path().join("bp-s42");
    unfinish(&run);
    std::fs::write(run.join("metrics.jsonl"), "").expect("write");
    let message = refusal(SMALL, &resuming(out.path()));
    assert!(
        message.contains("metrics.jsonl") && message.contains("shorter than the checkpoint"),
        "{message}"
    );
}

#[test]
fn missing_data_is_refused_before_anything_is_created() {
    let out = folder();
    let recipe = "data.name = 'cifar10'\ntrain.epochs = 1";
    let message = refusal(recipe, &options(&out.path().join("runs")));
    assert!(message.contains("creditscope data fetch cifar10"), "{message}");
    assert!(!out.path().join("runs").exists());
}

#[test]
fn a_place_that_cannot_be_written_is_named() {
    let out = folder();
    let file = out.path().join("file");
    std::fs::write(&file, "in the way").expect("write");
    let message = refusal(SMALL, &options(&file));
    assert!(message.contains("file/bp-s42"), "{message}");
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
