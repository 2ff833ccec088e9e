//! Training.

use crate::attend::{Stop, attended};
use crate::audit::folder;
use crate::fault::Fault;
use crate::recipe::Recipe;
use lab::{Event, Interrupt, Listener, Options, Plan, RunSpec, run_all};
use pyo3::prelude::*;
use record::Status;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How each run ended: its name, how, and the words about it.
type Ended = Vec<(String, String, Option<String>)>;

/// Trains the runs of a recipe. `tell` is called with what is new about each run: its name, steps, all steps, epoch, all
/// epochs, loss, test accuracy. Ctrl-C, or an error in `tell`, saves and comes back as the second value.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "one per keyword of `creditscope.run`")]
pub(crate) fn train(
    py: Python<'_>,
    recipe: &Recipe,
    out: PathBuf,
    only: Option<Vec<String>>,
    data: Option<PathBuf>,
    jobs: Option<usize>,
    threads: Option<usize>,
    resume: bool,
    checkpoint_every: f64,
    tell: Option<Py<PyAny>>,
) -> PyResult<(Ended, Option<PyErr>)> {
    let mut plan = Plan::new(&recipe.recipe).map_err(Fault::from)?;
    if let Some(ids) = only {
        plan = plan.only(&ids).map_err(Fault::from)?;
    }
    let checkpoint_every = Duration::try_from_secs_f64(checkpoint_every).map_err(|_| {
        Fault::new("UsageError", format!("checkpoint_every={checkpoint_every}: give seconds, 0 or more"))
    })?;
    let options = Options { out, folder: folder(data)?, jobs, threads, resume, checkpoint_every };
    let interrupt = Interrupt::new();
    let news = News::default();
    let (asked, told) = (interrupt.clone(), news.clone());
    let work = move || {
        let listeners = |_: &RunSpec| vec![Box::new(told.clone()) as Box<dyn Listener>];
        let endings = run_all(plan.runs(), &options, &listeners, &asked)?;
        Ok(plan.runs().iter().zip(endings).map(|(spec, ending)| ended(&spec.id, ending)).collect())
    };
    attended(py, Stop::Request(interrupt), work, |py| {
        let Some(tell) = &tell else { return Ok(()) };
        for (run, news) in news.take() {
            let Latest { step, steps, epoch, epochs, loss, accuracy } = news;
            tell.call1(py, (run, step, steps, epoch, epochs, loss, accuracy))?;
        }
        Ok(())
    })
}

fn ended(id: &str, ending: Result<Option<Status>, lab::Error>) -> (String, String, Option<String>) {
    let (name, words) = match ending {
        Ok(None) => ("waiting", None),
        Ok(Some(status)) => (status.name(), status.reason()),
        Err(error) => ("failed", Some(error.to_string())),
    };
    (id.to_owned(), name.to_owned(), words)
}

/// What is new about each run since it was last asked.
#[derive(Clone, Default)]
struct News(Arc<Mutex<BTreeMap<String, (Latest, bool)>>>);

/// The last that was heard of a run.
#[derive(Clone, Copy, Default)]
struct Latest {
    step: u64,
    steps: u64,
    epoch: u64,
    epochs: u64,
    loss: Option<f64>,
    accuracy: Option<f64>,
}

impl News {
    fn take(&self) -> Vec<(String, Latest)> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = all
            .iter_mut()
            .filter_map(|(run, (latest, fresh))| std::mem::take(fresh).then(|| (run.clone(), *latest)));
        fresh.collect()
    }
}

impl Listener for News {
    fn on(&mut self, spec: &RunSpec, event: &Event<'_>) -> Result<(), lab::Error> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (latest, fresh) = all.entry(spec.id.clone()).or_default();
        latest.epochs = spec.last_epoch;
        latest.steps = spec.last_epoch.saturating_mul(spec.steps() as u64);
        match event {
            Event::Started(position) => (latest.step, latest.epoch) = (position.t, position.epoch),
            Event::Stepped(position) => {
                (latest.step, latest.epoch) = (position.t, position.epoch);
                latest.loss = Some(position.tally.loss / position.tally.samples.max(1) as f64);
            }
            Event::Measured(epoch) => {
                (latest.epoch, latest.accuracy) = (epoch.epoch, Some(epoch.test.accuracy));
            }
            _ => return Ok(()),
        }
        *fresh = true;
        Ok(())
    }
}
