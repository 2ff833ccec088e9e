//! Mean and standard deviation over the seeds of a group, as a run of its own: the mean under the tag of each seed's value, so
//! that one chart shows them all, and the ends of the band beside.

use super::layout::{self, Band};
use crate::Named;
use crate::clock::Clock;
use crate::event::{Events, Target, Value};
use crate::point::{Point, believable, points};
use protocol::{Statistics, statistics};
use std::collections::BTreeSet;

/// The mean over these seeds; none of fewer than two, nor of the same seed twice.
pub(super) fn events(target: &Target, seeds: &[&Named<'_>]) -> Option<Events> {
    let distinct: BTreeSet<u64> = seeds.iter().map(|seed| seed.run.record.provenance.seed).collect();
    let [first, others @ ..] = seeds else { return None };
    if distinct.len() < 2 || distinct.len() < seeds.len() {
        return None;
    }
    let mut clock = Clock::of(&first.run.record);
    let mut events = target.events(clock.now());
    let mut bands: Vec<Band> = Vec::new();
    let mut steps = Vec::new();
    for epoch in &first.run.epochs {
        let wall = clock.advance(epoch);
        let same = |seed: &&Named<'_>| seed.run.epochs.iter().position(|other| other.epoch == epoch.epoch);
        let places: Option<Vec<usize>> = others.iter().map(same).collect();
        let Some(places) = places else { continue };
        let there = others.iter().zip(places).map(|(seed, place)| points(&seed.run.epochs[place]));
        let others: Vec<Vec<Point<'_>>> = there.collect();
        let mut values = Vec::new();
        for point in points(epoch) {
            let seeds: Option<Vec<&Point<'_>>> = std::iter::once(Some(&point))
                .chain(others.iter().map(|seed| seed.iter().find(|other| is_same(other, &point))))
                .collect();
            let band = seeds.and_then(|seeds| add(&mut values, &seeds));
            if let Some(band) = band
                && !bands.contains(&band)
            {
                bands.push(band);
            }
        }
        steps.push((wall, epoch.epoch, values));
    }
    if let Some((wall, ..)) = steps.first() {
        events.add(*wall, 0, [layout::value(&bands)]);
    }
    for (wall, step, values) in steps {
        events.add(wall, step, values);
    }
    Some(events)
}

fn is_same(a: &Point<'_>, b: &Point<'_>) -> bool {
    a.of == b.of && a.quantity == b.quantity
}

/// Adds mean and band of a point where every seed has a number: a mean over some is not comparable with one over others.
fn add(values: &mut Vec<Value>, seeds: &[&Point<'_>]) -> Option<Band> {
    let band = Band::of(seeds[0]);
    if let Some(believed) = seeds.iter().map(|seed| seed.believed()).collect::<Option<Vec<bool>>>() {
        let (tag, value) = believable(&band.mean, believed.iter().all(|believed| *believed));
        values.push(Value::scalar(&tag, value));
    }
    let numbers: Option<Vec<f64>> = seeds.iter().map(|seed| seed.charted()).collect();
    let Statistics { mean, sd, .. } = statistics(numbers?)?;
    let sd = sd?;
    for (tag, value) in [(&band.mean, mean), (&band.lower, mean - sd), (&band.upper, mean + sd)] {
        values.push(Value::scalar(tag, value));
    }
    Some(band)
}
