//! Curves over epochs, one per rule: the value of a single seed, or mean and spread of several.

use super::meaning;
use super::plain::of_seed;
use super::request::CatalogueError;
use crate::plot::{Band, Datum, Element, Line, Look, Spread};
use crate::reader::{EpochPoint, Origin, OriginKind, Trial};
use crate::scene::Meaning;
use record::Measured;
use std::collections::BTreeMap;

/// A curve of a number; see [`measured`].
pub fn curve(
    quantity: &Meaning,
    name: &str,
    trials: &[&Trial],
    look: Look,
    log: bool,
    spread: Spread,
    read: impl Fn(&EpochPoint) -> Option<f64>,
) -> Result<Vec<Element>, CatalogueError> {
    measured(quantity, name, trials, look, log, spread, |epoch| read(epoch).map(Measured::from))
}

/// A curve of a quantity over the trials of one variant: with several seeds their mean, on a logarithmic axis the geometric
/// mean, on a band or on a thin line for each. Only epochs that every seed has are averaged. The mean is unreliable where
/// it is so for any seed, and broken where one has no number.
pub(super) fn measured(
    quantity: &Meaning,
    name: &str,
    trials: &[&Trial],
    look: Look,
    log: bool,
    spread: Spread,
    read: impl Fn(&EpochPoint) -> Option<Measured>,
) -> Result<Vec<Element>, CatalogueError> {
    equal_lengths(trials)?;
    let meaning = meaning::trials(trials).and(quantity);
    let of = |trial: &&Trial| {
        let values: BTreeMap<u64, Datum> =
            trial.epochs.iter().filter_map(|e| Some((e.epoch, datum(e.epoch, read(e)?)))).collect();
        (trial.seed, values)
    };
    let series: Vec<(Option<u64>, BTreeMap<u64, Datum>)> =
        trials.iter().map(of).filter(|(_, values)| !values.is_empty()).collect();
    let data = |values: &BTreeMap<u64, Datum>| values.values().copied().collect::<Vec<_>>();
    let Some((_, first)) = series.first() else { return Ok(Vec::new()) };
    if series.len() == 1 {
        return Ok(vec![Line::new(name, data(first), look).sparse().meaning(meaning).into()]);
    }
    let mut line: Vec<Datum> = Vec::new();
    let mut band = Vec::new();
    for epoch in first.keys() {
        let found: Vec<&Datum> = series.iter().filter_map(|(_, s)| s.get(epoch)).collect();
        if found.len() < series.len() {
            continue;
        }
        let values: Vec<f64> = found.iter().map(|d| d.y).collect();
        let (mean, interval) = spread.about(&values, log).unwrap_or((f64::NAN, None));
        let firm = found.iter().all(|d| d.firm);
        line.push(Datum { firm, ..Datum::new(*epoch as f64, mean) });
        band.push(interval.map(|ends| (*epoch as f64, ends.low, ends.high)).filter(|_| !mean.is_nan()));
    }
    let mut found: Vec<Element> = Vec::new();
    if spread == Spread::Seeds {
        let thin = |(seed, values): &(Option<u64>, BTreeMap<u64, Datum>)| {
            of_seed(name, *seed, data(values), look, &meaning).into()
        };
        found.extend(series.iter().map(thin));
    } else {
        let part = |data: Vec<(f64, f64, f64)>| {
            let (name, colour, meaning) = (name.to_owned(), look.colour, meaning.clone());
            Band { name, key: None, data, spread, colour, meaning }.into()
        };
        let parts =
            band.split(Option::is_none).map(|part| part.iter().flatten().copied().collect::<Vec<_>>());
        found.extend(parts.filter(|data| !data.is_empty()).map(part));
    }
    found.push(Line::new(name, line, look).sparse().meaning(meaning).into());
    Ok(found)
}

fn datum(epoch: u64, measured: Measured) -> Datum {
    let y = measured.value().unwrap_or(f64::NAN);
    Datum { firm: measured.defined().is_some(), ..Datum::new(epoch as f64, y) }
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
