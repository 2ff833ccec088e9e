//! Curves over epochs, one per rule: the value of a single seed, or the mean and spread of several.

use super::meaning;
use super::request::CatalogueError;
use crate::plot::{Band, Datum, Element, Line, Look};
use crate::reader::{EpochPoint, Origin, OriginKind, Trial, geometric_mean, statistics};
use crate::scene::Meaning;
use record::Measured;
use std::collections::{BTreeMap, BTreeSet};

/// A curve of a quantity over the trials of one variant.
///
/// With several seeds it is their mean with a band of one standard deviation (n−1); on a logarithmic axis, where that band
/// could reach below zero, the geometric mean with a band from smallest to largest. Only epochs that every seed has are
/// averaged.
pub fn curve(
    quantity: &Meaning,
    name: &str,
    trials: &[&Trial],
    look: Look,
    log: bool,
    read: impl Fn(&EpochPoint) -> Option<f64>,
) -> Result<Vec<Element>, CatalogueError> {
    equal_lengths(trials)?;
    let meaning = meaning::trials(trials).and(quantity);
    let series: Vec<BTreeMap<u64, f64>> = trials
        .iter()
        .map(|trial| trial.epochs.iter().filter_map(|e| Some((e.epoch, read(e)?))).collect())
        .filter(|values: &BTreeMap<u64, f64>| !values.is_empty())
        .collect();
    let Some(first) = series.first() else { return Ok(Vec::new()) };
    if series.len() == 1 {
        let data = first.iter().map(|(epoch, v)| Datum::new(*epoch as f64, *v)).collect();
        return Ok(vec![Line::new(name, data, look).plain().meaning(meaning).into()]);
    }
    let mut line = Vec::new();
    let mut band = Vec::new();
    for epoch in first.keys() {
        let values: Vec<f64> = series.iter().filter_map(|s| s.get(epoch).copied()).collect();
        if values.len() < series.len() {
            continue;
        }
        let x = *epoch as f64;
        if log {
            let mean = geometric_mean(&values).unwrap_or(f64::NAN);
            let (low, high) = values.iter().fold((f64::INFINITY, 0.0f64), |(l, h), v| (l.min(*v), h.max(*v)));
            line.push(Datum::new(x, mean));
            band.push((x, low, high));
        } else if let Some(s) = statistics(values) {
            line.push(Datum::new(x, s.mean));
            let sd = s.sd.unwrap_or(0.0);
            band.push((x, s.mean - sd, s.mean + sd));
        }
    }
    let colour = look.colour;
    let spread = if log { "range" } else { "sd" };
    let band =
        Band { name: name.to_owned(), key: None, data: band, spread, colour, meaning: meaning.clone() };
    Ok(vec![band.into(), Line::new(name, line, look).plain().meaning(meaning).into()])
}

/// The curve of a measured value: unreliable where it is so for any seed, broken where it is undefined for any.
pub(super) fn measured(
    quantity: &Meaning,
    name: &str,
    trials: &[&Trial],
    look: Look,
    log: bool,
    read: impl Fn(&EpochPoint) -> Option<Measured>,
) -> Result<Vec<Element>, CatalogueError> {
    let of_all = |is: &dyn Fn(Measured) -> bool| -> BTreeSet<u64> {
        let all = trials.iter().flat_map(|trial| &trial.epochs);
        all.filter(|epoch| read(epoch).is_some_and(is)).map(|epoch| epoch.epoch).collect()
    };
    let gaps = of_all(&|value| value.value().is_none_or(f64::is_nan));
    let doubtful = of_all(&|value| value.defined().is_none());
    let number = |epoch: &EpochPoint| Some(read(epoch)?.value().unwrap_or(f64::NAN));
    let mut found = Vec::new();
    for element in curve(quantity, name, trials, look, log, number)? {
        match element {
            Element::Line(mut line) => {
                line.data.iter_mut().for_each(|d| d.firm = !doubtful.contains(&(d.x as u64)));
                found.push(line.into());
            }
            Element::Band(band) => {
                let parts = band.data.split(|d| gaps.contains(&(d.0 as u64)));
                found.extend(parts.map(|part| Band { data: part.to_vec(), ..band.clone() }.into()));
            }
            other => found.push(other),
        }
    }
    Ok(found)
}

/// Foreign files hold whole curves, whose lengths must agree; a run of ours may not have finished.
fn equal_lengths(trials: &[&Trial]) -> Result<(), CatalogueError> {
    let whole: Vec<&&Trial> = trials
        .iter()
        .filter(|t| matches!(t.origin.kind, OriginKind::File(_)) && !t.epochs.is_empty())
        .collect();
    for pair in whole.windows(2) {
        if pair[0].epochs.len() != pair[1].epochs.len() {
            let words = |origin: &Origin| {
                let key = origin.key.as_ref().map_or_else(String::new, |key| format!(", `{key}`"));
                format!("{}{key}", origin.path.display())
            };
            return Err(CatalogueError::Lengths {
                first: words(&pair[0].origin),
                have: pair[0].epochs.len(),
                second: words(&pair[1].origin),
                other: pair[1].epochs.len(),
            });
        }
    }
    Ok(())
}
