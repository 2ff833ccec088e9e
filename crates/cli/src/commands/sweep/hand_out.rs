//! `creditscope sweep submit` and `resume`.

use super::place::{Place, slurm};
use super::status::next;
use super::work;
use crate::args::{Handing, Place as Where, Verbosity};
use crate::call::Call;
use crate::commands::run::{folder, plural};
use crate::failure::Failure;
use crate::show;
use lab::Speed;
use std::time::Duration;
use sweep::{HandOut, Handed, Report, Scheduler, State, Wanted, survey, to_hand_out};

/// What there is to train, and the next step.
pub(super) fn planned(place: &Place) -> String {
    let speed = Speed::measure();
    let manifest = &place.manifest;
    let work: Duration = manifest.runs.iter().map(|run| run.time(speed)).sum();
    let sentence = format!(
        "Planned {} in {}, sweep {}: about {} on one core of this machine. The program is kept in {}.",
        plural(manifest.runs.len()),
        place.given(),
        manifest.sweep,
        show::duration(work),
        place.folder.program().display(),
    );
    format!("{}\nSubmit them:  creditscope sweep submit {}\n", show::wrap(&sentence, 0), place.given())
}

pub(super) fn run(place: &Place, handing: &Handing, wanted: Wanted, call: Call<'_>) -> Result<(), Failure> {
    let sent = hand_out(place, handing, wanted, &|_| true)?;
    if handing.dry_run {
        let scripts: Vec<&str> = sent.handed.iter().map(|handed| handed.script.as_str()).collect();
        show::print(&scripts.join("\n"));
        return sent.refused();
    }
    if handing.commands {
        let commands = sent.handed.iter().flat_map(|handed| &handed.commands);
        show::print(&commands.map(|line| format!("{line}\n")).collect::<String>());
        return sent.refused();
    }
    if handing.on == Where::Local {
        let Some(handed) = sent.handed.first() else {
            show::print(&sent.words(place, wanted));
            return sent.refused();
        };
        return work::here(place, handed.submission.number, handing, call);
    }
    if call.verbosity > Verbosity::Quiet {
        show::print(&sent.words(place, wanted));
    }
    sent.refused()
}

/// What was handed out, and what could not be.
pub(crate) struct Sent {
    before: Report,
    pub(crate) handed: Vec<Handed>,
    refusal: Option<sweep::Error>,
    left: usize,
}

/// Hands out the runs that nobody is at work on, of those that `chosen` takes.
pub(crate) fn hand_out(
    place: &Place,
    handing: &Handing,
    wanted: Wanted,
    chosen: &dyn Fn(&str) -> bool,
) -> Result<Sent, Failure> {
    let slurm = slurm(handing.asking);
    let before = survey(&place.folder, &place.manifest, &slurm)?;
    if before.runs.iter().any(|run| run.state == State::Unknown) {
        let why = before.trouble.unwrap_or_default();
        return Err(Failure::Input(format!(
            "whether earlier jobs of this sweep are still at work is unknown, so nothing is submitted: {why}"
        )));
    }
    let mut runs = to_hand_out(&place.manifest, &before, wanted);
    runs.retain(|run| chosen(&run.id));
    let mut handed = Vec::new();
    let mut refusal = None;
    if !runs.is_empty() {
        let data = folder(handing.data.as_deref())?;
        let data = std::path::absolute(data.path())
            .map_err(|e| Failure::Input(format!("cannot find {}: {e}", data.path().display())))?;
        let how = HandOut {
            scheduler: match (handing.commands, handing.on) {
                (true, _) => Scheduler::Commands,
                (_, Where::Slurm) => Scheduler::Slurm(slurm),
                (_, Where::Local) => Scheduler::Local,
            },
            shards: handing.shards.map(|n| n as usize),
            per_shard: handing.per_shard,
            throttle: handing.throttle.map(|k| k as usize),
            options: &handing.sbatch,
            data: &data,
            worker: handing.care.words(),
            dry_run: handing.dry_run,
        };
        refusal =
            sweep::hand_out(&place.folder, &place.manifest, &runs, &how, Speed::measure(), &mut handed).err();
    }
    let left = runs.len() - handed.iter().map(|handed| handed.runs).sum::<usize>();
    Ok(Sent { before, handed, refusal, left })
}

impl Sent {
    /// An error for what could not be handed out. What was accepted before it stays.
    pub(crate) fn refused(self) -> Result<(), Failure> {
        match self.refusal {
            None => Ok(()),
            Some(error) if self.handed.is_empty() => Err(error.into()),
            Some(error) => {
                let failure = Failure::from(error);
                Err(Failure::Input(format!(
                    "{failure}. {} were not submitted; the rest was",
                    plural(self.left)
                )))
            }
        }
    }

    /// What was submitted and what to do next.
    pub(crate) fn words(&self, place: &Place, wanted: Wanted) -> String {
        if self.handed.is_empty() && self.refusal.is_some() {
            return String::new();
        }
        let mut text = String::new();
        for handed in &self.handed {
            text.push_str(&(show::wrap(&accepted(handed), 0) + "\n"));
        }
        let counts = self.before.counts();
        let there: Vec<String> = State::WORDS
            .iter()
            .zip(counts)
            .filter(|(word, n)| *n > 0 && matches!(**word, "done" | "running" | "queued"))
            .map(|(word, n)| format!("{n} {word}"))
            .collect();
        if self.handed.is_empty() {
            let there = if there.is_empty() { "no run is free".to_owned() } else { there.join(", ") };
            let (words, command) = next(place, &self.before);
            return format!("Nothing to submit: {there}.\n{words}:  {command}\n");
        }
        if !there.is_empty() {
            text.push_str(&format!("Left alone: {}.\n", there.join(", ")));
        }
        let broken = self.before.runs.iter().filter(|run| run.state.is_mendable()).count();
        let given = place.given();
        if wanted == Wanted::New && self.left == 0 && broken > self.handed.iter().map(|h| h.runs).sum() {
            text.push_str(&format!("Some runs failed or were stopped:  creditscope sweep resume {given}\n"));
        }
        text + &format!(
            "How far it is:  creditscope sweep status {given}\nStop it:        creditscope sweep cancel {given}\n"
        )
    }
}

fn accepted(handed: &Handed) -> String {
    let shards = handed.submission.shards;
    let job = handed.submission.job.map_or_else(|| "no number".to_owned(), |job| job.to_string());
    let asked = match &handed.memory_asked {
        Some(asked) => format!(" ({asked} asked for)"),
        None => String::new(),
    };
    format!(
        "Submitted job {job}: {} in {shards} {}. The longest shard takes about {} on a node as fast as this machine, and {} of \
         memory beside the data{asked}.",
        plural(handed.runs),
        if shards == 1 { "shard" } else { "shards" },
        show::duration(handed.longest),
        show::bytes(handed.memory),
    )
}
