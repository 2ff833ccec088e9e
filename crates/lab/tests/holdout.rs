//! `data.train_samples`: what is held out is scored and not trained on.

mod common;

use common::{SMALL, options, runs, train};
use lab::{Error, Event, Interrupt, Listener, Options, RunSpec, run_all};
use nn::Net;
use record::{Epoch, Run, Status};
use rules::Learner;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const TRAINED: usize = 700;

fn recipe() -> String {
    format!("{SMALL}data.train_samples = {TRAINED}\nrule.name = 'fa'\n")
}

fn timeless(run: &Run) -> Vec<Epoch> {
    run.epochs.iter().map(Epoch::timeless).collect()
}

/// Loss and accuracy by a plain loop, one sample at a time, with the weights of the checkpoint.
#[test]
fn the_validation_score_is_that_of_the_samples_which_the_seed_holds_out() {
    let out = tempfile::tempdir().expect("a temporary folder");
    let run = train(&recipe(), out.path()).remove(0);
    let spec = runs(&recipe()).remove(0);
    let data = data::load(&spec.source, &data::Folder::at("/nonexistent")).expect("built in");
    let held_out = data::Holdout::new(spec.seed, data.train.len(), TRAINED).validation;
    assert_eq!(held_out.len() + TRAINED, data.train.len());
    let mut learner =
        Learner::<f32, Net>::new(spec.net.clone(), &spec.rule, spec.modifiers, spec.seed).expect("known");
    lab::Checkpoint::read(&run.path, &run.record.provenance, &mut learner).expect("whole").expect("there");
    let mut chunk = learner.chunk(1);
    let (mut loss, mut correct) = (0.0, 0);
    for &sample in &held_out {
        let sample = sample as usize;
        data.train.write(sample, data::View::Plain, &mut chunk.x);
        chunk.labels.clear();
        chunk.labels.push(data.train.label(sample));
        let tally = learner.forward(&mut chunk);
        loss += tally.loss;
        correct += tally.correct;
    }
    let n = held_out.len() as f64;
    let last = run.last().expect("an epoch");
    let score = last.validation.expect("a validation score");
    assert_eq!(score.accuracy, correct as f64 / n);
    assert!((score.loss - loss / n).abs() < 1e-6 * loss / n, "{} {}", score.loss, loss / n);
    assert!(run.epochs.iter().all(|epoch| epoch.validation.is_some()));
    let all = train(&format!("{SMALL}rule.name = 'bp'\n"), out.path()).remove(0);
    assert!(all.epochs.iter().all(|epoch| epoch.validation.is_none()));
}

/// Counts the steps of a run, and ends it after some.
struct Steps {
    seen: Arc<AtomicU64>,
    last: u64,
    interrupt: Arc<Interrupt>,
}

impl Listener for Steps {
    fn on(&mut self, _spec: &RunSpec, event: &Event<'_>) -> Result<(), Error> {
        if let Event::Stepped(_) = event
            && self.seen.fetch_add(1, Ordering::Relaxed) + 1 == self.last
        {
            self.interrupt.request();
        }
        Ok(())
    }
}

#[test]
fn an_epoch_has_the_steps_of_what_is_trained_on_and_an_interruption_leaves_no_trace() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let whole = train(&recipe(), &folder.path().join("whole")).remove(0);
    let specs = runs(&recipe());
    let seen = Arc::new(AtomicU64::new(0));
    let sitting = |options: &Options, last: u64| {
        let interrupt = Arc::new(Interrupt::new());
        let listener = |_: &RunSpec| {
            let steps = Steps { seen: seen.clone(), last, interrupt: interrupt.clone() };
            vec![Box::new(steps) as Box<dyn Listener>]
        };
        run_all(&specs, options, &listener, &interrupt)
            .expect("nothing is refused")
            .remove(0)
            .expect("no trouble")
    };
    let out = options(&folder.path().join("broken"));
    assert_eq!(sitting(&out, 8), Some(Status::Interrupted));
    let resuming = Options { resume: true, threads: Some(2), ..out };
    assert_eq!(sitting(&resuming, u64::MAX), Some(Status::Finished));
    let steps = 3 * TRAINED.div_ceil(128) as u64;
    assert_eq!(seen.load(Ordering::Relaxed), steps);
    let broken = Run::read(&folder.path().join("broken").join(&specs[0].id)).expect("a run");
    assert_eq!(timeless(&broken), timeless(&whole));
}
