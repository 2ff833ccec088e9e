//! Logs that are cut short, removed, replaced or written by another process.

use super::{folder, refusal, resuming, unfinish};
use crate::common::{SMALL, go, options, runs, train};
use lab::Error;
use record::Status;

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
    let endings = lab::run_all(&runs(SMALL), &options(out.path()), &make, &lab::Interrupt::new());
    let error = endings.expect("nothing is refused").remove(0).expect_err("noticed");
    assert!(matches!(error, Error::OtherWriter { .. }), "{error}");
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
        let endings = lab::run_all(&runs(SMALL), &options(out.path()), &make, &lab::Interrupt::new());
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
    let spec = runs(SMALL).remove(0);
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
