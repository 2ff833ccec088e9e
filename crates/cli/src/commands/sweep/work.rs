//! `creditscope sweep work`, which jobs execute, and the same on this machine.

use super::place::Place;
use crate::args::{Care, Handing, Work};
use crate::call::Call;
use crate::commands::run::{folder, plural};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::show;
use lab::{Listener, RunSpec};
use std::time::Duration;
use sweep::{Folder, Outcome, WorkOptions, Worked, array_index};

/// How long a job waits for files that were written just before it was submitted.
const PATIENCE: Duration = Duration::from_secs(90);

pub(super) fn run(args: &Work, call: Call<'_>) -> Result<(), Failure> {
    let sweep = Folder::at(&args.dir)?;
    let env = |name: &str| std::env::var(name).ok();
    let index = match args.shard.index {
        Some(index) => index,
        None => array_index(env)?.0,
    };
    let in_array = array_index(env).is_ok();
    let options = WorkOptions {
        submission: args.shard.submission,
        shard: index,
        cores: args.cores as usize,
        data: folder(args.data.as_deref())?,
        heartbeat: Duration::from_secs_f64(args.care.heartbeat),
        max_failures: args.care.max_failures as usize,
        // Only a scheduler would send the next shard.
        linger: if in_array { Duration::from_secs_f64(args.care.linger) } else { Duration::ZERO },
        checkpoint_every: Duration::from_secs_f64(args.care.checkpoint_every),
        patience: if in_array { PATIENCE } else { Duration::ZERO },
    };
    let _guard = call.interrupt.on_request(|| show::complain!("Asked to stop: saving."));
    let none = |_: &RunSpec| Vec::<Box<dyn Listener>>::new();
    let worked = sweep::work(&sweep, &options, &none, &|line| show::complain!("{line}"), call.interrupt)?;
    ended(&worked)
}

/// Trains a submission in this process.
pub(super) fn here(place: &Place, submission: u64, handing: &Handing, call: Call<'_>) -> Result<(), Failure> {
    let Care { max_failures, heartbeat, checkpoint_every, .. } = handing.care;
    let options = WorkOptions {
        submission,
        shard: 0,
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        data: folder(handing.data.as_deref())?,
        heartbeat: Duration::from_secs_f64(heartbeat),
        max_failures: max_failures as usize,
        linger: Duration::ZERO,
        checkpoint_every: Duration::from_secs_f64(checkpoint_every),
        patience: Duration::ZERO,
    };
    let progress = Progress::new(&[], call.verbosity);
    let note = progress.note();
    let _guard = call.interrupt.on_request(move || {
        note("Stopping after this step and saving; press Ctrl-C again to quit without saving.");
    });
    let listeners = |spec: &RunSpec| vec![progress.listener(spec)];
    let say = |line: &str| progress.note()(line);
    let worked = sweep::work(&place.folder, &options, &listeners, &say, call.interrupt);
    progress.clear();
    ended(&worked?)
}

/// The last line of a worker and its exit code: 0 only if every run of the shard is over.
fn ended(worked: &Worked) -> Result<(), Failure> {
    let count = |is: fn(&Outcome) -> bool| worked.outcomes.iter().filter(|(_, outcome)| is(outcome)).count();
    let over = count(|outcome| matches!(outcome, Outcome::Over(_)));
    let parts = [
        (count(|outcome| *outcome == Outcome::Interrupted), "saved or not begun"),
        (count(|outcome| matches!(outcome, Outcome::Failed(_))), "failed"),
        (count(|outcome| matches!(outcome, Outcome::LeftTo(_))), "left to another attempt"),
        (count(|outcome| *outcome == Outcome::NotTried), "not begun after the failures"),
    ];
    let rest: String =
        parts.iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!(", {n} {word}")).collect();
    show::print(&format!("{over} of {} done on {}{rest}.\n", plural(worked.outcomes.len()), worked.node));
    if worked.all_over() {
        Ok(())
    } else if worked.interrupted() {
        Err(Failure::Interrupted(String::new()))
    } else {
        Err(Failure::DidNotHold)
    }
}
