//! Picks one run for each key of each file where several qualify.

use super::contribution::Contribution;
use super::facts::Shape;
use super::needs::needed;
use super::slot::Slot;
use record::{Run, Status};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// A run that qualifies for a slot, with what it would contribute.
#[derive(Clone, Debug)]
pub(super) struct Candidate<'a> {
    pub(super) run: &'a Run,
    /// The name of the run in the report.
    pub(super) label: &'a str,
    pub(super) shape: Shape,
    pub(super) slot: Slot,
    pub(super) contribution: Contribution,
}

/// The candidates to write, at most one per slot, and those left out, with the reason.
///
/// Within a contest, the network size wins whose finished runs fill most slots that a script requires; ties go to the
/// paper's size, then to the largest. Within a slot: finished runs first, then more epochs, then the name.
pub(super) fn choose(candidates: Vec<Candidate<'_>>) -> (Vec<Candidate<'_>>, Vec<(String, String)>) {
    let mut left_out = Vec::new();
    let mut winners: BTreeMap<String, Shape> = BTreeMap::new();
    for Candidate { shape, slot, .. } in &candidates {
        let best = winners.entry(slot.contest.clone()).or_insert(*shape);
        let rank = |shape: &Shape| {
            (filled(&candidates, &slot.contest, shape), shape.likeness(&slot.preferred), shape.rank())
        };
        if rank(shape) > rank(best) {
            *best = *shape;
        }
    }
    let mut rivals: BTreeMap<(String, String), Vec<Candidate<'_>>> = BTreeMap::new();
    for candidate in candidates {
        let shape = candidate.shape;
        let slot = &candidate.slot;
        let winner = winners[&slot.contest];
        if shape == winner {
            rivals.entry((slot.file.clone(), slot.key.clone())).or_default().push(candidate);
        } else {
            let why = format!(
                "not in {}: it has {shape}, and {winner} is written; export it alone to write it there",
                slot.file
            );
            left_out.push((candidate.label.to_owned(), why));
        }
    }
    let mut chosen = Vec::new();
    for mut group in rivals.into_values() {
        group.sort_by_key(|c| {
            let finished = c.run.record.status == Status::Finished;
            (Reverse(finished), Reverse(c.run.last().map(|e| e.epoch)), c.label)
        });
        let mut group = group.into_iter();
        let first = group.next().expect("a group is made with its first candidate");
        for other in group {
            let why = format!(
                "not in {}: `{}` is written there{}",
                first.slot.file,
                first.label,
                differences(first.run, other.run)
            );
            left_out.push((other.label.to_owned(), why));
        }
        chosen.push(first);
    }
    (chosen, left_out)
}

/// How many slots of a contest that some script requires have a finished run of this size.
fn filled(candidates: &[Candidate<'_>], contest: &str, shape: &Shape) -> usize {
    let own = candidates.iter().filter(|c| c.slot.contest == contest && c.shape == *shape);
    let finished = own.filter(|c| c.run.record.status == Status::Finished);
    let slots: BTreeSet<_> = finished.map(|c| (&c.slot.file, &c.slot.key)).collect();
    slots.into_iter().filter(|(file, key)| needed(file, key)).count()
}

/// The recipe keys in which two runs for the same slot differ.
fn differences(written: &Run, other: &Run) -> String {
    let mut keys: Vec<&str> = written.recipe.keys().chain(other.recipe.keys()).map(String::as_str).collect();
    keys.sort_unstable();
    keys.dedup();
    keys.retain(|key| written.key(key) != other.key(key));
    match keys.as_slice() {
        [] => ", a run of the same recipe that got further or is first by name".to_owned(),
        keys => format!("; they differ in {}", keys.join(", ")),
    }
}
