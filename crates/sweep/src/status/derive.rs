//! The state of a run that is not over, from its attempts and from what the queue says of its shards.

use super::{State, Wait};
use crate::{Attempt, Ending, QueueState};
use std::time::SystemTime;

/// What is known of a run that is not over.
pub(super) struct Known<'a> {
    /// By the clock of whoever asks, which may differ a little from that of the file system.
    pub(super) now: SystemTime,
    /// The earliest first.
    pub(super) attempts: &'a [Attempt],
    /// The elements of arrays that hold its shards, those that the queue knows.
    pub(super) elements: &'a [&'a QueueState],
    /// Whether it was handed out to Slurm.
    pub(super) submitted: bool,
    /// Whether the queue answered, and its answer settles who is at work.
    pub(super) answered: bool,
    /// Epochs in its log.
    pub(super) logged: Option<u64>,
}

/// The rules, in order.
pub(super) fn derive(known: &Known<'_>) -> State {
    let silence = |attempt: &Attempt| known.now.duration_since(attempt.seen).unwrap_or_default();
    let epoch = |attempt: &Attempt| attempt.beat.map(|beat| beat.epoch).max(known.logged);
    let running = |attempt: &Attempt, silent| State::Running {
        node: attempt.start.node.clone(),
        epoch: epoch(attempt),
        seen: silence(attempt),
        silent,
    };
    // Whatever the queue says: a payload may outlive its job.
    if let Some(alive) = known.attempts.iter().rev().find(|attempt| attempt.is_alive(known.now)) {
        return running(alive, false);
    }
    let waits = known.elements.iter().find_map(|element| match element {
        QueueState::Waits { reason } => Some(reason),
        QueueState::Works { .. } => None,
    });
    if let Some(reason) = waits {
        return State::Queued { why: Wait::Job(reason.clone()) };
    }
    // Attempts that left the run to another say nothing about it.
    let counts = |attempt: &&Attempt| {
        !matches!(
            attempt.end.as_ref().map(|end| &end.ending),
            Some(Ending::Yielded { .. } | Ending::Superseded)
        )
    };
    let last = known.attempts.iter().rev().find(counts);
    let ending = last.and_then(|attempt| attempt.end.as_ref()).map(|end| &end.ending);
    if let (Some(attempt), Some(Ending::Failed { error })) = (last, ending) {
        return State::Failed { error: error.clone(), node: attempt.start.node.clone() };
    }
    if let Some(QueueState::Works { node }) = known.elements.first() {
        return match last {
            Some(attempt) if ending.is_none() && attempt.start.node == *node => running(attempt, true),
            _ => State::Queued { why: Wait::Turn(node.clone()) },
        };
    }
    if known.submitted && !known.answered {
        return State::Unknown;
    }
    match (last, ending) {
        (Some(attempt), None) => State::Killed {
            node: attempt.start.node.clone(),
            epoch: epoch(attempt),
            memory_asked: attempt.start.memory_asked,
            memory_used: attempt.beat.and_then(|beat| beat.memory),
        },
        (Some(_), Some(Ending::Interrupted)) => State::Interrupted { epoch: known.logged },
        // An attempt that says the run is over, of a run that is not: its directory was removed.
        _ if known.submitted => State::Lost,
        _ => State::NotSubmitted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Beat, End, Start};
    use std::time::{Duration, UNIX_EPOCH};

    fn at(seconds: u64) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(1_000_000 + seconds)
    }

    fn attempt(started: u64, seen: u64, ending: Option<Ending>) -> Attempt {
        let start = Start {
            time: String::new(),
            node: "n1".to_owned(),
            shard: "1-0".to_owned(),
            job: None,
            restarts: 0,
            memory_asked: Some(100),
            heartbeat: 10.0,
        };
        let beat = Some(Beat { epoch: 3, memory: Some(7) });
        let end = ending.map(|ending| End { time: String::new(), ending, memory: None });
        Attempt { name: format!("h.{started}"), start, started: at(started), beat, seen: at(seen), end }
    }

    fn state(attempts: &[Attempt], elements: &[&QueueState], submitted: bool, answered: bool) -> State {
        derive(&Known { now: at(100), attempts, elements, submitted, answered, logged: Some(2) })
    }

    fn failed() -> Ending {
        Ending::Failed { error: "no disk".to_owned() }
    }

    /// Attempts, what the queue says, whether the run was submitted and whether the queue answered, and the state that follows.
    type Case<'a> = (&'a [Attempt], &'a [&'a QueueState], bool, bool, &'a str);

    #[test]
    fn the_word_of_each_state() {
        let waits = QueueState::Waits { reason: "Priority".to_owned() };
        let works = QueueState::Works { node: "n1".to_owned() };
        let elsewhere = QueueState::Works { node: "n2".to_owned() };
        let silent = attempt(0, 60, None);
        let alive = attempt(0, 90, None);
        let yielded = attempt(50, 50, Some(Ending::Yielded { to: "x".to_owned() }));
        let cases: [Case<'_>; 17] = [
            (&[], &[], false, true, "not submitted"),
            (&[], &[], true, true, "lost"),
            (&[], &[], true, false, "unknown"),
            (&[], &[&waits], true, true, "queued"),
            (&[], &[&works], true, true, "queued"),
            (std::slice::from_ref(&alive), &[&works], true, true, "running"),
            // A payload that outlived its job; and one beside its requeued twin.
            (std::slice::from_ref(&alive), &[], true, true, "running"),
            (std::slice::from_ref(&alive), &[&waits], true, true, "running"),
            (&[alive.clone(), yielded.clone()], &[], true, false, "running"),
            (std::slice::from_ref(&silent), &[&works], true, true, "running"),
            (std::slice::from_ref(&silent), &[&elsewhere], true, true, "queued"),
            (std::slice::from_ref(&silent), &[&waits], true, true, "queued"),
            (std::slice::from_ref(&silent), &[], true, true, "killed"),
            // A silent queue makes nothing failed or killed.
            (std::slice::from_ref(&silent), &[], true, false, "unknown"),
            (&[silent.clone(), yielded], &[], true, true, "killed"),
            (&[silent.clone(), attempt(40, 45, Some(failed()))], &[&works], true, true, "failed"),
            (&[silent.clone(), attempt(40, 45, Some(Ending::Interrupted))], &[], true, true, "interrupted"),
        ];
        for (i, (attempts, elements, submitted, answered, word)) in cases.into_iter().enumerate() {
            assert_eq!(state(attempts, elements, submitted, answered).word(), word, "case {i}");
        }
    }

    #[test]
    fn details_come_from_the_attempt() {
        let silent = [attempt(0, 60, None)];
        assert_eq!(
            state(&silent, &[], true, true),
            State::Killed {
                node: "n1".to_owned(),
                epoch: Some(3),
                memory_asked: Some(100),
                memory_used: Some(7)
            }
        );
        let works = QueueState::Works { node: "n1".to_owned() };
        let seen = Duration::from_secs(40);
        let expected = State::Running { node: "n1".to_owned(), epoch: Some(3), seen, silent: true };
        assert_eq!(state(&silent, &[&works], true, true), expected);
        // A failed run of a requeued shard will be tried again.
        let waits = QueueState::Waits { reason: "BeginTime".to_owned() };
        let why = Wait::Job("BeginTime".to_owned());
        assert_eq!(state(&[attempt(0, 5, Some(failed()))], &[&waits], true, true), State::Queued { why });
    }
}
