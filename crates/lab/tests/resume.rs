//! A run that was interrupted in the middle of an epoch ends as one that was not, under every rule.
//!
//! What a rule needs to go on has to be in the checkpoint, and what it derives from that to be made again.

mod common;
mod saved;

use common::{SMALL, options, runs, train};
use lab::{Checkpoint, Error, Event, Interrupt, Listener, Options, RunSpec, run_all};
use nn::Net;
use record::{Epoch, Run, Status};
use rules::{Learner, signals};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The step, counted over all epochs of 12, after which a run is interrupted: the fifth of the second epoch. By then the credit
/// bridge's warm-up, a fifth of three epochs, is over.
const STOP: u64 = 17;

/// Asks for an end after a step.
struct Stop(Arc<Interrupt>);

impl Listener for Stop {
    fn on(&mut self, _spec: &RunSpec, event: &Event<'_>) -> Result<(), Error> {
        if let Event::Stepped(position) = event
            && position.t == STOP
        {
            assert_eq!((position.epoch, position.step), (1, 5));
            self.0.request();
        }
        Ok(())
    }
}

fn recipe(rule: &str) -> String {
    let width = if rule.ends_with("bridge") { "rule.bridge_width = 24" } else { "" };
    format!("{SMALL}rule.name = '{rule}'\n{width}\n")
}

/// Trains until the interruption, and gives the run's directory.
fn interrupted(rule: &str, out: &Path) -> PathBuf {
    let (specs, interrupt) = (runs(&recipe(rule)), Arc::new(Interrupt::new()));
    let listener = |_: &RunSpec| vec![Box::new(Stop(interrupt.clone())) as Box<dyn Listener>];
    let endings = run_all(&specs, &options(out), &listener, &interrupt).expect("nothing is refused");
    assert!(matches!(&endings[..], [Ok(Some(Status::Interrupted))]), "{rule}: {endings:?}");
    out.join(&specs[0].id)
}

/// Where the run stands, as its checkpoint has it: all but the digest, and the length of a log that holds times.
fn position(run: &Path) -> serde_json::Value {
    let bytes = std::fs::read(run.join(Run::CHECKPOINT)).expect("a checkpoint");
    let (_, head) = safetensors::SafeTensors::read_metadata(&bytes).expect("a safetensors file");
    let text = &head.metadata().as_ref().expect("metadata")["creditscope"];
    let mut head: serde_json::Value = serde_json::from_str(text).expect("JSON");
    let fields = head.as_object_mut().expect("an object");
    assert!(["digest", "metrics_bytes"].iter().all(|field| fields.remove(*field).is_some()));
    head
}

fn timeless(run: &Run) -> Vec<Epoch> {
    run.epochs.iter().map(Epoch::timeless).collect()
}

#[test]
fn an_interruption_in_mid_epoch_leaves_no_trace() {
    for rule in rules::NAMES {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let whole = train(&recipe(rule), &folder.path().join("whole")).remove(0);
        let out = folder.path().join("broken");
        let path = interrupted(rule, &out);
        assert_eq!((position(&path)["t"].as_u64(), position(&path)["step"].as_u64()), (Some(STOP), Some(5)));
        assert!(!saved::differing(&whole.path, &path).is_empty(), "{rule}: there is something left to train");
        let resuming = Options { resume: true, ..options(&out) };
        let endings = common::go(&recipe(rule), &resuming).expect("nothing is refused");
        assert!(matches!(&endings[..], [Ok(Some(Status::Finished))]), "{rule}: {endings:?}");
        let broken = Run::read(&path).expect("a run");
        assert_eq!(broken.record.provenance.resumed, 1, "{rule}");
        assert_eq!(timeless(&broken), timeless(&whole), "{rule}");
        assert_eq!(broken.record.drift, whole.record.drift, "{rule}");
        assert_eq!(saved::differing(&whole.path, &path), Vec::<String>::new(), "{rule}");
        assert_eq!(position(&path), position(&whole.path), "{rule}");
    }
}

/// What a seed would draw again the run above cannot miss; here the checkpoint is read into a learner of another seed.
#[test]
fn all_that_gives_credit_comes_from_the_checkpoint() {
    for rule in rules::NAMES {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = interrupted(rule, folder.path());
        let spec = runs(&recipe(rule)).remove(0);
        // Noise that is drawn anew in every step is placed by the seed, as the order of samples is.
        if spec.learner().expect("known").rule.fresh_draw(0).is_some() {
            continue;
        }
        let data = data::load(&spec.source, &data::Folder::at("/nonexistent")).expect("built in");
        let credit = |seed: u64, restored: bool| {
            let mut learner =
                Learner::<f32, Net>::new(spec.net.clone(), &spec.rule, spec.modifiers, seed).expect("known");
            if restored {
                let of = record::RunRecord::read(&path).expect("a record").provenance;
                Checkpoint::read(&path, &of, &mut learner).expect("whole").expect("there");
            }
            let mut chunk = learner.chunk(32);
            chunk.labels.resize(32, 0);
            data.test.fill(0, &mut chunk.x, &mut chunk.labels);
            signals(&learner, &mut chunk, 32).credit
        };
        assert_ne!(credit(spec.seed, false), credit(spec.seed + 1, false), "{rule}");
        assert_eq!(credit(spec.seed, true), credit(spec.seed + 1, true), "{rule}");
    }
}
