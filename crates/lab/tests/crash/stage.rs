//! Runs of the real program code in a folder: from nothing, or from what a crash left.

use crate::common::{options, runs};
use crate::power::history::{self, Planted, Recorder, record};
use crate::power::scratch::tree;
use lab::{Error, Event, Interrupt, Listener, Options, RunSpec, run_all};
use record::{Epoch, NetworkFacts, Run, RunRecord, Status};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Where runs are written, below the root of the disk: neither folder is there at first.
const OUT: &str = "runs/small";

/// What the program says, and a crash afterwards must not make untrue.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Promise {
    /// A checkpoint after so many steps.
    Saved(u64),
    /// The run is over: its record says so, or the program returned.
    Over,
}

pub(crate) type History = history::History<Promise>;

/// What a run is to do.
#[derive(Clone, Copy)]
pub(crate) struct Task {
    pub(crate) recipe: &'static str,
    /// Asked to stop after so many steps.
    pub(crate) stop_at: Option<u64>,
}

/// How it went.
pub(crate) struct Sitting {
    pub(crate) history: History,
    pub(crate) ending: Result<Option<Status>, Error>,
    /// The step that it began with; none where there was nothing to do.
    pub(crate) started: Option<u64>,
}

struct Herald {
    recorder: Arc<Recorder<Promise>>,
    interrupt: Interrupt,
    stop_at: Option<u64>,
    started: Arc<Mutex<Option<u64>>>,
}

impl Listener for Herald {
    fn on(&mut self, _spec: &RunSpec, event: &Event<'_>) -> Result<(), Error> {
        match event {
            Event::Started(position) => *self.started.lock().expect("unbroken") = Some(position.t),
            Event::Stepped(position) if Some(position.t) == self.stop_at => {
                self.interrupt.request();
            }
            // The run's directory heard it first, and saves every time here.
            Event::AtRest { position, .. } => self.recorder.promise(Promise::Saved(position.t)),
            Event::Ended { status: Status::Finished | Status::Stopped { .. }, .. } => {
                self.recorder.promise(Promise::Over);
            }
            _ => {}
        }
        Ok(())
    }
}

/// Carries out a task below a folder, continuing what is there.
pub(crate) fn sit(root: &Path, task: Task, fault: Option<Planted>) -> Sitting {
    let options = Options { resume: true, jobs: Some(1), threads: Some(1), ..options(&root.join(OUT)) };
    let started = Arc::new(Mutex::new(None));
    let (mut history, ending) = record(root, fault, |recorder| {
        let interrupt = Interrupt::new();
        let guard = interrupt.on_request(|| {});
        let herald = |_: &RunSpec| {
            let (recorder, interrupt, started) = (recorder.clone(), interrupt.clone(), started.clone());
            vec![Box::new(Herald { recorder, interrupt, stop_at: task.stop_at, started }) as Box<dyn Listener>]
        };
        let ending = run_all(&runs(task.recipe), &options, &herald, &interrupt);
        drop(guard);
        ending.and_then(|mut endings| endings.remove(0))
    });
    if matches!(ending, Ok(Some(Status::Finished | Status::Stopped { .. }))) {
        history.promises.push((history.ops.len(), Promise::Over));
    }
    let started = *started.lock().expect("unbroken");
    Sitting { history, ending, started }
}

/// Everything of a result that does not depend on when and how often somebody worked on it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outcome {
    files: Vec<PathBuf>,
    status: Status,
    network: NetworkFacts,
    hashes: [Option<String>; 3],
    /// As text, in which a value that is not a number equals itself.
    drift: String,
    epochs: String,
    tensors: BTreeMap<String, Vec<u8>>,
}

impl Outcome {
    pub(crate) fn read(root: &Path, task: Task) -> Result<Self, String> {
        let path = root.join(OUT).join(&runs(task.recipe)[0].id);
        let run = Run::read(&path).map_err(|e| e.to_string())?;
        let RunRecord { status, network, provenance, drift, .. } = run.record;
        let files = tree(root).into_keys().collect();
        let saved = path.join(Run::CHECKPOINT).exists();
        let tensors = if saved { crate::saved::tensors(&path) } else { BTreeMap::new() };
        let epochs: Vec<Epoch> = run.epochs.iter().map(Epoch::timeless).collect();
        let (epochs, drift) = (format!("{epochs:?}"), format!("{drift:?}"));
        let hashes = [Some(provenance.recipe_hash), provenance.identity, Some(provenance.data_hash)];
        Ok(Self { files, status, network, hashes, drift, epochs, tensors })
    }
}
