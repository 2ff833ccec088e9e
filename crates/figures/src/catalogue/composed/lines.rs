//! Lines: over epochs, by layer, or along the values of a key.

use super::field::number;
use super::plot::{Plot, place};
use super::spec::{Aggregate, Along, Group};
use crate::catalogue::request::CatalogueError;
use crate::catalogue::series::spaced;
use crate::catalogue::{curves, layers, plain};
use crate::plot::palette::RISING;
use crate::plot::{Band, Dash, Datum, Element, Line, Look, Marker, Spot, Spread};
use crate::reader::{EpochPoint, Trial};
use crate::scene::{Colour, Meaning, Tag};
use record::Measured;
use record::series::At;

/// Lines with more values than this carry no markers.
const MARKED: usize = 40;

pub(super) fn draw(plot: &Plot<'_>) -> Result<Vec<Element>, CatalogueError> {
    match (&plot.spec.x, &plot.spec.group) {
        (Along::Layer, _) => Ok(by_layer(plot)),
        (Along::Epoch, Group::Layer) => layer_curves(plot),
        (Along::Epoch, Group::Field(_)) => {
            let mut found = Vec::new();
            for part in plot.groups() {
                let meaning = plot.meaning(&part.cohort);
                let read = |epoch: &EpochPoint| plot.spec.y.after(epoch).first().copied().flatten();
                found.extend(curve(plot, &meaning, &part.name, &part.cohort, part.look, read)?);
            }
            Ok(found)
        }
        _ => Ok(along_a_key(plot)),
    }
}

/// One line by layer for each part.
fn by_layer(plot: &Plot<'_>) -> Vec<Element> {
    let at = plot.spec.y.at(plot.records()).unwrap_or(At::BlockInput);
    let is_of_credit = plot.spec.y.is_of_credit();
    let mut found = Vec::new();
    for part in plot.groups() {
        let data = |trial: &&Trial| {
            let values = plot.spec.y.at_end(trial);
            let has_numbers = values.iter().flatten().any(|measured| measured.value().is_some());
            let data = if is_of_credit { layers::of_credit(trial, at, values) } else { layers::data(values) };
            has_numbers.then_some((trial.seed, data))
        };
        let seeds: Vec<(Option<u64>, Vec<Datum>)> = part.cohort.iter().filter_map(data).collect();
        let meaning = plot.meaning(&part.cohort);
        match plot.spec.aggregate {
            Aggregate::Mean => {
                let spread = plot.request.spread(Spread::Seeds);
                found.extend(plain::by_layer(&part.name, &seeds, part.look, &meaning, plot.is_log(), spread));
            }
            Aggregate::Seeds => {
                for (i, (seed, data)) in seeds.into_iter().enumerate() {
                    let key = (i == 0).then(|| part.name.clone());
                    let line = Line::new(&Spot::of_seed(&part.name, seed), data, part.look);
                    let line = line.meaning(meaning.clone().with_some(Tag::Seed, seed));
                    found.push(Line { key, weight: 0.7, ..line }.into());
                }
            }
            _ => {
                let ends: Vec<Vec<Option<Measured>>> =
                    part.cohort.iter().map(|t| plot.spec.y.at_end(t)).collect();
                let here = |l: usize| -> Vec<Option<Measured>> {
                    ends.iter().map(|values| values.get(l).copied().flatten()).collect()
                };
                let data = (0..plot.layers()).map(|l| plot.datum(l as f64, &here(l))).collect();
                found.push(Line::new(&part.name, data, part.look).meaning(meaning).into());
            }
        }
    }
    found
}

/// One line over epochs for each layer, in shades from the bottom of the network to its top.
fn layer_curves(plot: &Plot<'_>) -> Result<Vec<Element>, CatalogueError> {
    let Some(at) = plot.spec.y.at(plot.records()) else { return Ok(Vec::new()) };
    let count = plot.layers();
    let listed = spaced(count);
    let mut found = Vec::new();
    for index in 0..count {
        let (name, of_layer) = place(at, index);
        let share = if count > 1 { index as f64 / (count - 1) as f64 } else { 1.0 };
        let look = Look { colour: depth(share), marker: Marker::Circle, dash: Dash::Solid, hollow: false };
        let meaning = plot.meaning(&plot.cohort).and(&of_layer);
        let read = |epoch: &EpochPoint| plot.spec.y.after(epoch).get(index).copied().flatten();
        for element in curve(plot, &meaning, &name, &plot.cohort, look, read)? {
            found.push(match element {
                // A legend of every layer would be longer than the figure.
                Element::Line(line) if !listed.contains(&index) => line.plain().unlisted().into(),
                // The shade says the layer.
                Element::Line(line) => line.plain().into(),
                other => other,
            });
        }
    }
    Ok(found)
}

/// The colour of a layer, at this share of the way up.
fn depth(share: f64) -> Colour {
    // The lightest steps are no lines on white.
    let place = 3.0 + share * (RISING.len() - 4) as f64;
    let i = (place.floor() as usize).min(RISING.len() - 2);
    RISING[i].towards(RISING[i + 1], place - i as f64)
}

/// A curve over epochs as the panel aggregates seeds.
fn curve(
    plot: &Plot<'_>,
    meaning: &Meaning,
    name: &str,
    trials: &[&Trial],
    look: Look,
    read: impl Fn(&EpochPoint) -> Option<Measured>,
) -> Result<Vec<Element>, CatalogueError> {
    match plot.spec.aggregate {
        Aggregate::Mean => curves::measured(meaning, name, trials, look, plot.is_log(), plot.spread, read),
        Aggregate::Seeds => {
            let mut found = Vec::new();
            for (i, trial) in trials.iter().enumerate() {
                let words = Spot::of_seed(name, trial.seed);
                let meaning = meaning.clone().with_some(Tag::Seed, trial.seed);
                let drawn =
                    curves::measured(&meaning, &words, &[trial], look, plot.is_log(), plot.spread, &read)?;
                for element in drawn {
                    found.push(match element {
                        Element::Line(line) => {
                            let key = (i == 0).then(|| name.to_owned());
                            Element::Line(Line { key, weight: 0.7, ..line })
                        }
                        other => other,
                    });
                }
            }
            Ok(found)
        }
        _ => {
            let values = |epoch: u64| -> Vec<Option<Measured>> {
                let of = |trial: &&Trial| trial.epoch(epoch).and_then(&read);
                trials.iter().map(of).collect()
            };
            let epochs = trials.first().map_or(&[][..], |trial| &trial.epochs);
            let data: Vec<Datum> =
                epochs.iter().map(|e| plot.datum(e.epoch as f64, &values(e.epoch))).collect();
            Ok(vec![Line::new(name, data, look).plain().meaning(meaning.clone()).into()])
        }
    }
}

/// The value at the end of training along the values of a key.
fn along_a_key(plot: &Plot<'_>) -> Vec<Element> {
    let Along::Field(field) = &plot.spec.x else { return Vec::new() };
    // On an axis of names, its places are those among all runs of the panel.
    let all = field.split(plot.request, &plot.cohort);
    let numeric = all.iter().all(|part| number(&part.value).is_some());
    let mut found = Vec::new();
    for part in plot.groups() {
        let mut line = Vec::new();
        let mut band = Vec::new();
        let meaning = plot.meaning(&part.cohort);
        for point in field.split(plot.request, &part.cohort) {
            let index = all.iter().position(|other| other.value == point.value);
            let x = if numeric { number(&point.value) } else { index.map(|i| i as f64) };
            let values: Vec<Option<Measured>> = point
                .cohort
                .iter()
                .map(|trial| plot.spec.y.at_end(trial).first().copied().flatten())
                .collect();
            let datum = plot.datum(x.unwrap_or(f64::NAN), &values);
            line.push(datum);
            if plot.spec.aggregate == Aggregate::Mean && values.len() > 1 {
                let numbers: Vec<f64> = values.iter().flatten().filter_map(Measured::value).collect();
                let interval = plot.spread.about(&numbers, plot.is_log()).and_then(|(_, interval)| interval);
                band.extend(interval.map(|ends| (datum.x, ends.low, ends.high)));
                if plot.spread == Spread::Seeds {
                    let seed = |(trial, value): (&&Trial, &Option<Measured>)| {
                        let here = plot.datum(datum.x, &[*value]);
                        plain::small(&part.name, trial.seed, here, part.look, &meaning)
                    };
                    found.extend(point.cohort.iter().zip(&values).map(seed).map(Element::Spot));
                }
            }
        }
        if band.len() > 1 {
            let (name, colour) = (part.name.clone(), part.look.colour);
            let meaning = meaning.clone();
            found.push(Band { name, key: None, data: band, spread: plot.spread, colour, meaning }.into());
        }
        let marked = line.len() <= MARKED;
        found.push(Line { marked, ..Line::new(&part.name, line, part.look).meaning(meaning) }.into());
    }
    found
}
