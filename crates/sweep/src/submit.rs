//! Hands runs out: packs them, freezes the shards and submits them.

use crate::slurm::{Script, check_options, cores, memory, quoted, script};
use crate::submission::write_shards;
use crate::{Error, Folder, Kind, Manifest, Packing, Planned, Report, Slurm, State, Submission, pack};
use std::path::Path;
use std::time::Duration;

/// Which runs of a sweep to hand out. Runs that are over, at work or in the queue never are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Those that nobody was asked for, or whose job is lost.
    New,
    /// All that are missing, also those that failed, were killed or interrupted.
    Missing,
}

/// The runs to hand out.
pub fn to_hand_out<'a>(manifest: &'a Manifest, report: &Report, wanted: Wanted) -> Vec<&'a Planned> {
    let is_wanted = |state: &State| match wanted {
        Wanted::New => matches!(state, State::Lost | State::NotSubmitted),
        Wanted::Missing => state.is_mendable(),
    };
    manifest
        .runs
        .iter()
        .zip(&report.runs)
        .filter(|(_, run)| is_wanted(&run.state))
        .map(|(run, _)| run)
        .collect()
}

/// Who gets the shards.
#[derive(Clone, Copy, Debug)]
pub enum Scheduler {
    /// Slurm.
    Slurm(Slurm),
    /// This process.
    Local,
    /// Whoever executes the printed commands.
    Commands,
}

/// How shards are made and trained.
#[derive(Clone, Debug)]
pub struct HandOut<'a> {
    /// Who gets them.
    pub scheduler: Scheduler,
    /// Number of shards, if it is fixed.
    pub shards: Option<usize>,
    /// Work per shard, if it is fixed.
    pub per_shard: Option<Duration>,
    /// Most elements of an array at work at a time.
    pub throttle: Option<usize>,
    /// Options that are passed on to sbatch.
    pub options: &'a [String],
    /// Folder of the data sets.
    pub data: &'a Path,
    /// Further options of the worker, as words of the shell.
    pub worker: String,
    /// Only make the text; write and submit nothing.
    pub dry_run: bool,
}

/// Shards that were handed out together.
#[derive(Clone, Debug)]
pub struct Handed {
    /// What was handed out.
    pub submission: Submission,
    /// Its runs.
    pub runs: usize,
    /// The batch script.
    pub script: String,
    /// The command of each shard.
    pub commands: Vec<String>,
    /// Estimated time of the longest shard.
    pub longest: Duration,
    /// Estimated bytes of memory of a shard.
    pub memory: u64,
    /// Memory that the options ask for, as they say it.
    pub memory_asked: Option<String>,
}

/// Packs runs and hands them out. `handed` receives each array as soon as it is accepted, so that a later refusal loses none.
pub fn hand_out(
    folder: &Folder,
    manifest: &Manifest,
    runs: &[&Planned],
    how: &HandOut<'_>,
    speed: lab::Speed,
    handed: &mut Vec<Handed>,
) -> Result<(), Error> {
    check_options(how.options)?;
    let cores = match how.scheduler {
        Scheduler::Slurm(_) => cores(how.options),
        Scheduler::Local | Scheduler::Commands => 1,
    };
    let times: Vec<Duration> = runs.iter().map(|run| run.time(speed)).collect();
    let shards = match how.scheduler {
        Scheduler::Local => Some(1),
        _ => how.shards,
    };
    let packed = pack(&times, &Packing { shards, per_shard: how.per_shard, cores });
    let most = match how.scheduler {
        Scheduler::Slurm(_) if how.dry_run => {
            // The text of a script can be had anywhere.
            Slurm { patience: Duration::ZERO }.max_array().unwrap_or(usize::MAX)
        }
        Scheduler::Slurm(slurm) => slurm.max_array()?,
        _ => usize::MAX,
    };
    let mut number = Submission::all(folder)?.last().map_or(0, |last| last.number);
    for part in packed.chunks(most) {
        number += 1;
        let ids: Vec<Vec<&str>> =
            part.iter().map(|shard| shard.iter().map(|&run| runs[run].id.as_str()).collect()).collect();
        let load = |shard: &Vec<usize>| shard.iter().map(|&run| times[run]).sum::<Duration>() / cores as u32;
        let need = |shard: &Vec<usize>| {
            let mut needs: Vec<u64> = shard.iter().map(|&run| runs[run].memory).collect();
            needs.sort_unstable();
            needs.iter().rev().take(cores).sum::<u64>()
        };
        let worker = format!(" --data {}{}", quoted(how.data), how.worker);
        let submission = Submission {
            schema: Submission::SCHEMA.to_owned(),
            number,
            kind: match how.scheduler {
                Scheduler::Slurm(_) => Kind::Slurm,
                Scheduler::Local => Kind::Local,
                Scheduler::Commands => Kind::Commands,
            },
            time: lab::now(),
            name: manifest.job_name(number),
            job: None,
            shards: part.len(),
            options: how.options.to_vec(),
        };
        let text = script(&Script {
            manifest,
            folder,
            number,
            shards: part.len(),
            runs: ids.iter().map(Vec::len).sum(),
            throttle: how.throttle,
            options: how.options,
            worker: &worker,
        });
        let command = |index: usize| {
            let (program, root) = (quoted(&folder.program()), quoted(folder.root()));
            format!("{program} sweep work {root} --shard {}{worker}", submission.shard(index))
        };
        let mut one = Handed {
            runs: ids.iter().map(Vec::len).sum(),
            commands: (0..part.len()).map(command).collect(),
            longest: part.iter().map(load).max().unwrap_or_default(),
            memory: part.iter().map(need).max().unwrap_or_default(),
            memory_asked: memory(how.options),
            script: text,
            submission,
        };
        if !how.dry_run {
            freeze(folder, &one, &ids)?;
            if let Scheduler::Slurm(slurm) = how.scheduler {
                one.submission.job = Some(accept(folder, &one, slurm, how.options)?);
                one.submission.write(folder)?;
            }
        }
        handed.push(one);
    }
    Ok(())
}

/// Writes everything that a worker or a later look needs, before anybody is asked to work.
fn freeze(folder: &Folder, handed: &Handed, ids: &[Vec<&str>]) -> Result<(), Error> {
    write_shards(folder, handed.submission.number, ids)?;
    if handed.submission.kind == Kind::Slurm {
        Folder::make(&folder.logs())?;
        record::durable::write(&folder.script(handed.submission.number), handed.script.as_bytes())?;
    }
    handed.submission.write(folder)
}

/// Submits the script. Refused, nothing of it stays; without an answer, the submission stays without a job's number, since the
/// job may be there.
fn accept(folder: &Folder, handed: &Handed, slurm: Slurm, options: &[String]) -> Result<u64, Error> {
    let Submission { number, name, .. } = &handed.submission;
    let accepted = slurm.submit(&folder.script(*number), name, options);
    if let Err(Error::Refused { .. } | Error::NoSlurm { .. }) = &accepted {
        let submission = folder.submissions().join(format!("{number}.json"));
        for path in [submission, folder.script(*number), folder.shards(*number)] {
            let _ = std::fs::remove_file(path);
        }
    }
    accepted
}

/// Cancels what is left of a sweep in the queue and returns the jobs.
pub fn cancel(report: &Report, slurm: &Slurm) -> Result<Vec<u64>, Error> {
    let Some(queue) = &report.queue else {
        let message = report.trouble.clone().unwrap_or_default();
        return Err(Error::Silent { message });
    };
    let jobs = queue.jobs();
    if !jobs.is_empty() {
        slurm.cancel(&jobs)?;
    }
    Ok(jobs)
}
