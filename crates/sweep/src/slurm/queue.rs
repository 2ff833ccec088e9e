//! Who is still at work, as the queue tells it. What the queue does not list is unknown, not failed, until the controller says
//! of that job that it is over (`settle.rs`).

use super::Slurm;
use super::command::unknown_job;
use super::settle::is_over;
use crate::Error;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

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
    /// Jobs that were asked for and not listed, and of which the controller did not say that they are over either.
    pub unsettled: BTreeSet<u64>,
}

/// How long after an empty answer about a name the queue is asked again. A name has no number to ask the controller for.
const SECOND_LOOK: Duration = Duration::from_secs(2);

/// Job, index, state, node, reason. The reason is last: it may be any text.
const FORMAT: &str = "%F|%K|%T|%N|%r";

impl Slurm {
    /// Asks for all jobs at once.
    pub fn queue(&self, jobs: &[u64]) -> Result<Queue, Error> {
        if jobs.is_empty() {
            return Ok(Queue::default());
        }
        let list = jobs.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
        let mut queue = match self.ask("squeue", &["-h", "-r", "-j", &list, "-o", FORMAT]) {
            Ok(text) => Queue::parse(&text),
            Err(Error::Refused { message, .. }) if unknown_job(&message) => Queue::default(),
            Err(error) => return Err(error),
        };
        for &job in jobs {
            if !queue.lists(job) && !self.settles(job)? {
                queue.unsettled.insert(job);
            }
        }
        Ok(queue)
    }

    /// The jobs of these names.
    pub fn named<'a>(&self, names: &[&'a str]) -> Result<BTreeMap<&'a str, u64>, Error> {
        if names.is_empty() {
            return Ok(BTreeMap::new());
        }
        let mut found = self.look_for(names)?;
        let rest: Vec<&str> = names.iter().filter(|name| !found.contains_key(*name)).copied().collect();
        if !rest.is_empty() {
            std::thread::sleep(SECOND_LOOK);
            found.extend(self.look_for(&rest)?);
        }
        Ok(found)
    }

    fn look_for<'a>(&self, names: &[&'a str]) -> Result<BTreeMap<&'a str, u64>, Error> {
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
                over if is_over(over) => return None,
                // RUNNING, COMPLETING, SUSPENDED, …: what is not over is at work.
                _ => QueueState::Works { node },
            };
            Some(((job, index), state))
        };
        Self { elements: text.lines().filter_map(element).collect(), unsettled: BTreeSet::new() }
    }

    fn lists(&self, job: u64) -> bool {
        self.elements.range((job, 0)..=(job, usize::MAX)).next().is_some()
    }

    /// The jobs that have an element, or may have one.
    pub fn jobs(&self) -> Vec<u64> {
        let listed = self.elements.keys().map(|(job, _)| *job);
        listed.chain(self.unsettled.iter().copied()).collect::<BTreeSet<u64>>().into_iter().collect()
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
