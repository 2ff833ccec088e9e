//! One run for each key of each file, where several could stand there.

use super::facts::Shape;
use super::needs::needed;
use super::piece::Piece;
use super::place::Place;
use record::{Run, Status};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// A run that could stand in a place, with what it would contribute.
#[derive(Clone, Debug)]
pub(super) struct Candidate<'a> {
    pub(super) run: &'a Run,
    /// The name of the run in the report.
    pub(super) label: &'a str,
    pub(super) shape: Shape,
    pub(super) place: Place,
    pub(super) piece: Piece,
}

/// Those that are written, at most one per place, and those that are not, with the reason.
///
/// Within a contest the size wins whose finished runs are in most places that a script cannot do without; of equals the
/// paper's size, else the largest. Within a place a finished run goes first, then the one with more epochs, then the first
/// by name.
pub(super) fn choose(candidates: Vec<Candidate<'_>>) -> (Vec<Candidate<'_>>, Vec<(String, String)>) {
    let mut left_out = Vec::new();
    let mut winners: BTreeMap<String, Shape> = BTreeMap::new();
    for Candidate { shape, place, .. } in &candidates {
        let best = winners.entry(place.contest.clone()).or_insert(*shape);
        let rank = |shape: &Shape| {
            (filled(&candidates, &place.contest, shape), shape.likeness(&place.preferred), shape.rank())
        };
        if rank(shape) > rank(best) {
            *best = *shape;
        }
    }
    let mut rivals: BTreeMap<(String, String), Vec<Candidate<'_>>> = BTreeMap::new();
    for candidate in candidates {
        let shape = candidate.shape;
        let place = &candidate.place;
        let winner = winners[&place.contest];
        if shape == winner {
            rivals.entry((place.file.clone(), place.key.clone())).or_default().push(candidate);
        } else {
            let why = format!(
                "not in {}: it has {shape}, and {winner} is written; export it alone to have it there",
                place.file
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
                "not in {}: `{}` stands there{}",
                first.place.file,
                first.label,
                differences(first.run, other.run)
            );
            left_out.push((other.label.to_owned(), why));
        }
        chosen.push(first);
    }
    (chosen, left_out)
}

/// How many places of a contest that a script needs have a finished run of one size.
fn filled(candidates: &[Candidate<'_>], contest: &str, shape: &Shape) -> usize {
    let own = candidates.iter().filter(|c| c.place.contest == contest && c.shape == *shape);
    let finished = own.filter(|c| c.run.record.status == Status::Finished);
    let places: BTreeSet<_> = finished.map(|c| (&c.place.file, &c.place.key)).collect();
    places.into_iter().filter(|(file, key)| needed(file, key)).count()
}

/// The recipe keys in which two runs for one place differ, in words.
fn differences(written: &Run, other: &Run) -> String {
    let mut keys: Vec<&str> = written.recipe.keys().chain(other.recipe.keys()).map(String::as_str).collect();
    keys.sort_unstable();
    keys.dedup();
    keys.retain(|key| written.key(key) != other.key(key));
    match keys.as_slice() {
        [] => ", a run of the same recipe that came further or is first by name".to_owned(),
        keys => format!("; they differ in {}", keys.join(", ")),
    }
}
