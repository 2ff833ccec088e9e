//! Trouble on the way: each case a clear message, nothing lost, and the other runs unharmed.

mod common;

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
fn a_damaged_checkpoint_is_noticed_wherever_the_damage_is() {
    let out = folder();
    train(SMALL, out.path());
    let run = out.path().join("bp-s42");
    let path = run.join("checkpoint.safetensors");
    let good = std::fs::read(&path).expect("a checkpoint");
    // The position is text in the head: a damaged digit there would send the run elsewhere.
    let place = good.windows(9).position(|w| w == b"\\\"epoch\\\"").expect("the epoch in the head") + 10;
    assert_eq!(good[place], b'3');
    let damage: [(&str, Vec<u8>); 6] = [
        (
            "a changed digit in the head",
            good.iter().enumerate().map(|(i, &b)| if i == place { b'2' } else { b }).collect(),
        ),
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
    let tensors = |bytes: &[u8]| bytes[bytes.len() - 4 * 1000..].to_vec();
    assert_eq!(tensors(&std::fs::read(&path).expect("a checkpoint")), tensors(&good));
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
    assert!(message.contains("CIFAR-10 is not in"), "{message}");
    assert!(!out.path().join("runs").exists());
}

/// Which rule can train which network is known in advance, so that no other run starts either.
#[test]
fn a_rule_that_cannot_train_the_network_is_refused_before_anything_is_created() {
    let resnet = "data.name = 'digits'\nnet.name = 'resnet'\nnet.d = 4\nnet.blocks = 3\n";
    let lq = "data.name = 'lq'\nlq.train = 256\nlq.test = 64\nnet.name = 'lq'\nnet.d = 6\nnet.blocks = 2\n";
    for (network, rule, why) in [
        (resnet, "ep", "normalises over the batch"),
        (resnet, "state_bridge", "states of one size"),
        (resnet, "credit_bridge", "states of one size"),
        (lq, "drtp", "it projects labels, but this task has none"),
        (lq, "sign_symmetry", "these blocks have none"),
        (lq, "kolen_pollack", "these blocks have none"),
    ] {
        let out = folder();
        let rest = "train.epochs = 1\neval.samples = 20\naudit.every = 0";
        let options = options(&out.path().join("runs"));
        let recipe = format!("rule.name = ['bp', '{rule}']\n{network}{rest}");
        let message = refusal(&recipe, &options);
        assert!(message.starts_with("test.toml:1: ") && message.contains(rule), "{message}");
        assert!(message.contains(why), "{message}");
        assert!(!options.out.exists(), "{rule}");
        // The other run could have started.
        go(&recipe.replace(&format!(", '{rule}'"), ""), &options).expect("nothing is refused");
        assert!(options.out.join("bp-s42").exists(), "{rule}");
    }
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

/// A listener that appends to the log behind the run's back, as a second process would.
struct Intruder(std::path::PathBuf);

impl lab::Listener for Intruder {
    fn on(&mut self, _spec: &lab::RunSpec, event: &lab::Event<'_>) -> Result<(), Error> {
        if let lab::Event::Measured(_) = event {
            let mut file = std::fs::OpenOptions::new().append(true).open(&self.0).expect("the log");
            std::io::Write::write_all(&mut file, b"{}\n").expect("write");
        }
        Ok(())
    }
}

#[test]
fn a_second_writer_is_noticed() {
    let out = folder();
    let log = out.path().join("bp-s42/metrics.jsonl");
    let make = |_: &lab::RunSpec| vec![Box::new(Intruder(log.clone())) as Box<dyn lab::Listener>];
    let endings = lab::run_all(&common::runs(SMALL), &options(out.path()), &make, &lab::Interrupt::new());
    let error = endings.expect("nothing is refused").remove(0).expect_err("noticed");
    assert!(matches!(error, Error::OtherWriter { .. }), "{error}");
}

#[test]
fn sizes_beyond_the_machine_are_refused_by_name() {
    let out = folder();
    // Each of these networks passes its own check; five hundred at a time would need some 20 TB.
    let seeds: Vec<String> = (0..500).map(|seed| seed.to_string()).collect();
    let recipe = format!("{}seed = [{}]", SMALL.replace("d = 20", "d = 20000"), seeds.join(", "));
    let message = refusal(&recipe, &Options { jobs: Some(500), ..options(out.path()) });
    assert!(message.contains("of memory") && message.contains("net.d"), "{message}");
    assert!(!out.path().join("bp-s0").exists());
}

/// A listener that removes or replaces the log behind the run's back, after so many epochs.
struct Thief {
    log: std::path::PathBuf,
    replace: bool,
    after: u64,
}

impl lab::Listener for Thief {
    fn on(&mut self, _spec: &lab::RunSpec, event: &lab::Event<'_>) -> Result<(), Error> {
        if let lab::Event::Measured(epoch) = event
            && epoch.epoch == self.after
        {
            let content = std::fs::read(&self.log).expect("the log");
            std::fs::remove_file(&self.log).expect("removed");
            if self.replace {
                std::fs::write(&self.log, content).expect("a copy");
            }
        }
        Ok(())
    }
}

#[test]
fn a_log_that_is_removed_or_replaced_is_noticed() {
    for (replace, after) in [(false, 1), (false, 3), (true, 1), (true, 3)] {
        let out = folder();
        let log = out.path().join("bp-s42/metrics.jsonl");
        let make = |_: &lab::RunSpec| {
            vec![Box::new(Thief { log: log.clone(), replace, after }) as Box<dyn lab::Listener>]
        };
        let endings = lab::run_all(&common::runs(SMALL), &options(out.path()), &make, &lab::Interrupt::new());
        let error = endings.expect("nothing is refused").remove(0).expect_err("noticed");
        if replace {
            assert!(matches!(error, Error::OtherWriter { .. }), "{error}");
        } else {
            assert!(matches!(error, Error::LogGone { .. }), "{error}");
            assert!(error.to_string().contains("metrics.jsonl was removed"), "{error}");
        }
        let status = record::RunRecord::read(&out.path().join("bp-s42")).expect("a record").status;
        assert_eq!(status, Status::Running, "it does not say that it finished");
    }
}

#[test]
fn a_finished_run_without_its_log_is_not_called_finished() {
    let out = folder();
    train(SMALL, out.path());
    let run = out.path().join("bp-s42");
    let log = run.join("metrics.jsonl");
    let whole = std::fs::read_to_string(&log).expect("a log");
    let spec = common::runs(SMALL).remove(0);
    assert!(lab::is_trained(&run, &spec));
    for (content, words) in [
        (None, "is missing"),
        (Some(""), "is shorter than the checkpoint says"),
        (whole.get(..whole.len() - 9), "is shorter than the checkpoint says"),
    ] {
        let _ = std::fs::remove_file(&log);
        content.into_iter().for_each(|content| std::fs::write(&log, content).expect("written"));
        let message = refusal(SMALL, &resuming(out.path()));
        assert!(message.contains("metrics.jsonl") && message.contains(words), "{message}");
        assert!(message.contains("restore it"), "{message}");
        assert!(!lab::is_trained(&run, &spec), "{words}");
    }
    std::fs::write(&log, whole).expect("written");
    go(SMALL, &resuming(out.path())).expect("nothing is refused");
}

/// Another run's file is not damaged, whatever its network and rule; one that is both is.
#[test]
fn a_checkpoint_of_another_run_is_called_that() {
    let out = folder();
    train(SMALL, out.path());
    let run = out.path().join("bp-s42");
    unfinish(&run);
    let path = run.join("checkpoint.safetensors");
    for other in [
        SMALL.replace("d = 20", "d = 24"),
        SMALL.replace("blocks = 3", "blocks = 2"),
        format!("{SMALL}rule.name = 'dfa'"),
        format!("{SMALL}seed = 7"),
    ] {
        let elsewhere = folder();
        let theirs = train(&other, elsewhere.path()).remove(0).path.join("checkpoint.safetensors");
        let mut bytes = std::fs::read(theirs).expect("a checkpoint");
        std::fs::write(&path, &bytes).expect("written");
        let message = refusal(SMALL, &resuming(out.path()));
        assert!(message.contains("it is the checkpoint of another run"), "{other}: {message}");
        let end = bytes.len() - 1;
        bytes[end] ^= 1;
        std::fs::write(&path, &bytes).expect("written");
        let message = refusal(SMALL, &resuming(out.path()));
        assert!(message.contains("it is damaged"), "{other}: {message}");
    }
}
