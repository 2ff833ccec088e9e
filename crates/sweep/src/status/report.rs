//! Looks at every run of a sweep.

use super::derive::{Known, derive};
use super::{RunState, State};
use crate::submission::read_shards;
use crate::{Attempt, Element, Error, Folder, Kind, Manifest, Planned, Queue, Slurm, Submission};
use record::Status;
use std::collections::BTreeMap;
use std::time::SystemTime;

/// The state of a sweep.
#[derive(Clone, Debug)]
pub struct Report {
    /// Every run, in the order of the manifest.
    pub runs: Vec<RunState>,
    /// What was handed out, with the numbers of jobs as far as they could be found.
    pub submissions: Vec<Submission>,
    /// What the queue says of jobs that hold runs which are not over; none if it was asked and did not answer.
    pub queue: Option<Queue>,
    /// Why the queue did not answer, or what its answer leaves open.
    pub trouble: Option<String>,
}

impl Report {
    /// How many runs have each state, in the order of [`State::WORDS`].
    pub fn counts(&self) -> [usize; State::WORDS.len()] {
        State::WORDS.map(|word| self.runs.iter().filter(|run| run.state.word() == word).count())
    }

    /// Whether every run is over.
    pub fn all_done(&self) -> bool {
        self.runs.iter().all(|run| matches!(run.state, State::Done { .. }))
    }
}

/// Runs that one thread looks at before it takes more. Directories on a network file system answer slowly but together.
const AT_ONCE: usize = 128;
const THREADS: usize = 8;

/// Looks at all runs of a sweep. Reads files only, and asks Slurm once where a run that is not over was submitted.
pub fn survey(folder: &Folder, manifest: &Manifest, slurm: &Slurm) -> Result<Report, Error> {
    let outcomes = each(&manifest.runs, |run| lab::outcome(&folder.run(&run.id), &manifest.asked(run)));
    let mut submissions = Submission::all(folder)?;
    let open: BTreeMap<&str, &Planned> = manifest
        .runs
        .iter()
        .zip(&outcomes)
        .filter(|(_, outcome)| outcome.is_none())
        .map(|(run, _)| (run.id.as_str(), run))
        .collect();
    let shards = if open.is_empty() { BTreeMap::new() } else { shards(folder, &submissions, &open)? };
    let (queue, trouble) = match ask(slurm, &mut submissions, &shards) {
        Ok(queue) => {
            let trouble = unsettled(&queue);
            (Some(queue), trouble)
        }
        Err(error @ (Error::Silent { .. } | Error::NoSlurm { .. } | Error::Refused { .. })) => {
            (None, Some(error.to_string()))
        }
        Err(error) => return Err(error),
    };
    // Asked again after the queue: a run that ended meanwhile is not lost.
    let again = |run: &Planned| lab::outcome(&folder.run(&run.id), &manifest.asked(run));
    let state = |(run, outcome): (&Planned, &Option<Status>)| match outcome.clone().or_else(|| again(run)) {
        Some(Status::Stopped { reason, .. }) => State::Done { stopped: Some(reason) },
        Some(_) => State::Done { stopped: None },
        None => {
            let handed: &[(usize, usize)] = shards.get(run.id.as_str()).map_or(&[], Vec::as_slice);
            let of_slurm = |(submission, _): &&(usize, usize)| submissions[*submission].kind == Kind::Slurm;
            let element = |(submission, shard): &(usize, usize)| -> Option<Element> {
                Some((submissions[*submission].job?, *shard))
            };
            let in_queue = |element: Element| queue.as_ref()?.elements.get(&element);
            let settled = |queue: &Queue| {
                let mut jobs = handed.iter().filter_map(|(submission, _)| submissions[*submission].job);
                !jobs.any(|job| queue.unsettled.contains(&job))
            };
            let elements: Vec<_> = handed.iter().rev().filter_map(element).filter_map(in_queue).collect();
            derive(&Known {
                now: SystemTime::now(),
                attempts: &Attempt::all(folder, &run.id),
                elements: &elements,
                submitted: handed.iter().any(|handed| of_slurm(&handed)),
                answered: queue.as_ref().is_some_and(settled),
                logged: record::last_epoch(&folder.run(&run.id)),
            })
        }
    };
    let pairs: Vec<(&Planned, &Option<Status>)> = manifest.runs.iter().zip(&outcomes).collect();
    let states = each(&pairs, |pair| state(*pair));
    let run = |(run, state): (&Planned, State)| RunState {
        id: run.id.clone(),
        rule: run.rule.clone(),
        seed: run.seed,
        epochs: run.epochs,
        state,
    };
    let runs = manifest.runs.iter().zip(states).map(run).collect();
    Ok(Report { runs, submissions, queue, trouble })
}

/// Shards by run: submission and index, the earliest first.
type Shards<'a> = BTreeMap<&'a str, Vec<(usize, usize)>>;

fn shards<'a>(
    folder: &Folder,
    submissions: &[Submission],
    open: &BTreeMap<&'a str, &Planned>,
) -> Result<Shards<'a>, Error> {
    let mut shards = Shards::new();
    for (place, submission) in submissions.iter().enumerate() {
        for (index, runs) in read_shards(folder, submission.number)?.into_iter().enumerate() {
            for run in runs {
                if let Some((id, _)) = open.get_key_value(run.as_str()) {
                    shards.entry(id).or_default().push((place, index));
                }
            }
        }
    }
    Ok(shards)
}

/// Asks the queue for all jobs that hold an open run. A job whose number was lost is looked for by its name first.
fn ask(slurm: &Slurm, submissions: &mut [Submission], shards: &Shards<'_>) -> Result<Queue, Error> {
    let mut holding: Vec<usize> = shards.values().flatten().map(|(submission, _)| *submission).collect();
    holding.sort_unstable();
    holding.dedup();
    holding.retain(|&place| submissions[place].kind == Kind::Slurm);
    let nameless = |place: &&usize| submissions[**place].job.is_none();
    let names: Vec<&str> = holding.iter().filter(nameless).map(|&i| submissions[i].name.as_str()).collect();
    let found: BTreeMap<String, u64> =
        slurm.named(&names)?.into_iter().map(|(name, job)| (name.to_owned(), job)).collect();
    for submission in submissions.iter_mut() {
        submission.job = submission.job.or_else(|| found.get(&submission.name).copied());
    }
    let jobs: Vec<u64> = holding.iter().filter_map(|&place| submissions[place].job).collect();
    slurm.queue(&jobs)
}

/// What the queue's answer leaves open, if it does.
fn unsettled(queue: &Queue) -> Option<String> {
    let jobs: Vec<String> = queue.unsettled.iter().map(u64::to_string).collect();
    let of = if jobs.len() == 1 { "job" } else { "jobs" };
    (!jobs.is_empty()).then(|| {
        format!(
            "the queue lists nothing of {of} {}, and the controller does not say that nobody is at work on it",
            jobs.join(", ")
        )
    })
}

/// Looks at every item, some at a time.
fn each<T: Sync, R: Send>(items: &[T], look: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let parts: Vec<&[T]> = items.chunks(AT_ONCE).collect();
    let results = lab::side_by_side(&parts, THREADS, |_, part| part.iter().map(&look).collect::<Vec<R>>());
    results.into_iter().flat_map(|part| part.expect("looking at files does not panic")).collect()
}
