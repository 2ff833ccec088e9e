//! Which of several attempts at a run goes on: the earliest that is alive. There is no lock: where two do not see one another in
//! time, the log of the run stops one of them.

use crate::attempt::Writer;
use crate::{Attempt, Ending, Error, Folder, Start};
use std::time::{Duration, Instant};

/// Whether a run may be trained.
pub(super) enum Claim {
    Ours(Writer),
    /// Another attempt is at work.
    Held(Box<Attempt>),
}

/// Announces an attempt, then looks for others. Ages are differences of times that the file system gave, so that clocks of
/// nodes do not matter.
pub(super) fn claim(folder: &Folder, run: &str, start: &Start) -> Result<Claim, Error> {
    let writer = Writer::start(folder, run, start)?;
    let Some(own) = writer.read_back() else { return Ok(Claim::Ours(writer)) };
    let mut others = Attempt::all(folder, run).into_iter();
    match others.find(|other| other.name != own.name && other.is_alive(own.started) && other.precedes(&own)) {
        None => Ok(Claim::Ours(writer)),
        Some(other) => {
            writer.end(Ending::Yielded { to: other.name.clone() })?;
            Ok(Claim::Held(Box::new(other)))
        }
    }
}

/// What became of an attempt that holds a run.
pub(super) enum Holder {
    /// It ended, or gave no sign of life for too long.
    Gone,
    /// It gave a sign of life.
    Alive,
}

/// Watches an attempt until it is clear what became of it; none if `stop` says so before.
pub(super) fn watch(folder: &Folder, run: &str, held: &Attempt, stop: impl Fn() -> bool) -> Option<Holder> {
    let begun = Instant::now();
    let pause = Duration::from_secs_f64((held.start.heartbeat / 5.0).clamp(0.05, 5.0));
    while !stop() {
        let now = Attempt::all(folder, run).into_iter().find(|attempt| attempt.name == held.name);
        // It was alive by the file system's clock when it was found, so its patience counts from then at the latest.
        let lasted = begun.elapsed() > held.patience();
        match now {
            Some(now) if now.end.is_some() => return Some(Holder::Gone),
            Some(now) if now.seen > held.seen => return Some(Holder::Alive),
            _ if lasted => return Some(Holder::Gone),
            _ => std::thread::sleep(pause),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Beat;

    fn start(heartbeat: f64) -> Start {
        let node = "n1".to_owned();
        let shard = "1-0".to_owned();
        Start { time: String::new(), node, shard, job: None, restarts: 0, memory_asked: None, heartbeat }
    }

    fn ours(claim: Claim) -> Writer {
        match claim {
            Claim::Ours(writer) => writer,
            Claim::Held(other) => panic!("held by {}", other.name),
        }
    }

    fn held(claim: Claim) -> Box<Attempt> {
        match claim {
            Claim::Ours(_) => panic!("nobody holds it"),
            Claim::Held(other) => other,
        }
    }

    #[test]
    fn the_second_yields_to_the_living_and_takes_over_from_the_dead() {
        let temporary = tempfile::tempdir().expect("a folder");
        let folder = Folder::at(temporary.path()).expect("a path");
        let first = ours(claim(&folder, "bp-s1", &start(600.0)).expect("claimed"));
        let holder = held(claim(&folder, "bp-s1", &start(600.0)).expect("claimed"));
        ours(claim(&folder, "bp-s2", &start(600.0)).expect("another run is free"));
        assert!(watch(&folder, "bp-s1", &holder, || true).is_none(), "asked to stop");
        std::thread::sleep(Duration::from_millis(20));
        first.beat(&Beat { epoch: 1, memory: None }).expect("written");
        assert!(matches!(watch(&folder, "bp-s1", &holder, || false), Some(Holder::Alive)));
        first.end(Ending::Interrupted).expect("written");
        assert!(matches!(watch(&folder, "bp-s1", &holder, || false), Some(Holder::Gone)));
        ours(claim(&folder, "bp-s1", &start(600.0)).expect("claimed"));

        // One that is silent for three of its heartbeats is gone.
        ours(claim(&folder, "fa-s1", &start(0.2)).expect("claimed"));
        let holder = held(claim(&folder, "fa-s1", &start(0.2)).expect("claimed"));
        assert!(matches!(watch(&folder, "fa-s1", &holder, || false), Some(Holder::Gone)));
        ours(claim(&folder, "fa-s1", &start(0.2)).expect("claimed"));
    }
}
