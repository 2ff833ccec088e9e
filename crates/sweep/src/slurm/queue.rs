//! Who is still at work, as the queue tells it. What the queue does not know is unknown, not failed.

use super::Slurm;
use super::command::unknown_job;
use crate::Error;
use std::collections::BTreeMap;

/// State of an element that the queue knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QueueState {
    /// It has not begun, or is to begin again; why it waits, in Slurm's word.
    Waits {
        /// The reason.
        reason: String,
    },
    /// It is at work, on this node.
    Works {
        /// The node.
        node: String,
    },
}

/// An element of an array.
pub type Element = (u64, usize);

/// The elements that the queue knows and that are not over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Queue {
    /// By job and index.
    pub elements: BTreeMap<Element, QueueState>,
}

/// Job, index, state, node, reason. The reason is last: it may be any text.
const FORMAT: &str = "%F|%K|%T|%N|%r";

impl Slurm {
    /// Asks for all jobs at once.
    pub fn queue(&self, jobs: &[u64]) -> Result<Queue, Error> {
        if jobs.is_empty() {
            return Ok(Queue::default());
        }
        let jobs = jobs.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
        match self.ask("squeue", &["-h", "-r", "-j", &jobs, "-o", FORMAT]) {
            Ok(text) => Ok(Queue::parse(&text)),
            // It knows none of them: they are over for a while, or it forgot them.
            Err(Error::Refused { message, .. }) if unknown_job(&message) => Ok(Queue::default()),
            Err(error) => Err(error),
        }
    }

    /// The jobs of these names.
    pub fn named<'a>(&self, names: &[&'a str]) -> Result<BTreeMap<&'a str, u64>, Error> {
        if names.is_empty() {
            return Ok(BTreeMap::new());
        }
        let text = self.ask("squeue", &["-h", "-n", &names.join(","), "-o", "%F|%j"])?;
        let line = |line: &str| {
            let (job, name) = line.trim().split_once('|')?;
            Some((*names.iter().find(|known| **known == name)?, job.parse().ok()?))
        };
        Ok(text.lines().filter_map(line).collect())
    }
}

impl Queue {
    fn parse(text: &str) -> Self {
        let element = |line: &str| {
            let mut parts = line.trim().splitn(5, '|');
            let job = parts.next()?.parse().ok()?;
            let index = parts.next()?.parse().ok()?;
            let state = parts.next()?;
            let node = parts.next()?.to_owned();
            let reason = parts.next()?.to_owned();
            let state = match state {
                "PENDING" | "REQUEUED" | "REQUEUE_FED" | "REQUEUE_HOLD" | "SPECIAL_EXIT"
                | "RESV_DEL_HOLD" => QueueState::Waits { reason },
                "RUNNING" | "COMPLETING" | "CONFIGURING" | "SUSPENDED" | "STOPPED" | "SIGNALING"
                | "STAGE_OUT" | "RESIZING" => QueueState::Works { node },
                // Over: COMPLETED, CANCELLED, FAILED, TIMEOUT, …
                _ => return None,
            };
            Some(((job, index), state))
        };
        Self { elements: text.lines().filter_map(element).collect() }
    }

    /// The jobs that have an element.
    pub fn jobs(&self) -> Vec<u64> {
        let mut jobs: Vec<u64> = self.elements.keys().map(|(job, _)| *job).collect();
        jobs.dedup();
        jobs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_any_kind_are_understood_or_passed_over() {
        let text = "7|0|RUNNING|n1|None\n7|1|PENDING||Resources\n7|2|PENDING||Nodes required for job are DOWN|odd\n\
                    7|3|COMPLETED|n2|None\n8|N/A|RUNNING|n1|None\nslurm_load_jobs error\n\n7|x|RUNNING|n1|None\n\
                    9|0|COMPLETING|n3|None\n";
        let waits = |reason: &str| QueueState::Waits { reason: reason.to_owned() };
        let works = |node: &str| QueueState::Works { node: node.to_owned() };
        let queue = Queue::parse(text);
        assert_eq!(
            queue.elements.into_iter().collect::<Vec<_>>(),
            [
                ((7, 0), works("n1")),
                ((7, 1), waits("Resources")),
                ((7, 2), waits("Nodes required for job are DOWN|odd")),
                ((9, 0), works("n3"))
            ]
        );
        assert!(Queue::parse("").elements.is_empty());
    }
}
