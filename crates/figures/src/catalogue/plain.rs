//! What figures of plain rules share: the choice of trials, title and foot, and how several seeds become lines and bars.

use super::choose::{Chosen, choose_with};
use super::request::{self, Request};
use crate::plot::{Axis, Band, Bar, Datum, Element, Line, Look, Spot, Spread};
use crate::reader::Trial;
use crate::scene::{Meaning, Tag};
use crate::text::escape;

/// Trials of plain rules with training curves, or known only from an audit.
///
/// Logs of norms are left out: the paper has them of other networks, and not every file says which.
pub(super) fn chosen<'a>(request: &'a Request, has: impl Fn(&Trial) -> bool) -> Option<Chosen<'a>> {
    chosen_with(request, has, |_| true)
}

/// The same of a setting that has a trial which `needed` accepts.
pub(super) fn chosen_with<'a>(
    request: &'a Request,
    has: impl Fn(&Trial) -> bool,
    needed: impl Fn(&Trial) -> bool,
) -> Option<Chosen<'a>> {
    let wanted = |trial: &Trial| trial.variant().is_plain() && is_curve(trial) && has(trial);
    choose_with(&request.records, wanted, needed)
}

/// The title of a figure: data and network.
pub(super) fn title(chosen: &Chosen<'_>) -> String {
    request::setting(&chosen.setting)
}

/// The foot of a figure: the seeds, and how several of them are drawn.
pub(super) fn foot(
    request: &Request,
    chosen: &Chosen<'_>,
    several: String,
    more: Option<String>,
) -> Option<String> {
    let mut parts: Vec<String> = vec![chosen.seeds(request)];
    if chosen.has_several() {
        parts.push(several);
    }
    parts.extend(more);
    parts.retain(|part| !part.is_empty());
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// Whether a trial has training curves, or none at all, as one known only from an audit.
pub(super) fn is_curve(trial: &Trial) -> bool {
    trial.epochs.is_empty() || trial.epochs.iter().any(|epoch| epoch.train_accuracy.is_some())
}

/// The thin line of one seed, beside the mean of several.
pub(super) fn of_seed(
    name: &str,
    seed: Option<u64>,
    data: Vec<Datum>,
    look: Look,
    meaning: &Meaning,
) -> Line {
    let words = seed.map_or_else(|| "unknown seed".to_owned(), |seed| format!("seed {seed}"));
    let faint = Look { colour: look.colour.tinted(0.45), ..look };
    let line = Line::new(&format!("{name}, {words}"), data, faint).plain().unlisted();
    Line { weight: 0.5, meaning: meaning.clone().with_some(Tag::Seed, seed), ..line }
}

/// The small marker of one seed, beside the mean of several.
pub(super) fn small(name: &str, seed: Option<u64>, at: Datum, look: Look, meaning: &Meaning) -> Spot {
    let faint = Look { colour: look.colour.tinted(0.45), ..look };
    let meaning = meaning.clone().with_some(Tag::Seed, seed);
    Spot { size: 0.5, ..Spot::new(Spot::of_seed(name, seed), at, faint, meaning) }
}

/// The mean of seeds at each layer. It exists where every seed has a value, and is reliable where all of these are; it is
/// the geometric mean if `log`.
pub(super) fn mean_by_layer(seeds: &[(Option<u64>, Vec<Datum>)], log: bool) -> Vec<Datum> {
    let layers = seeds.iter().map(|(_, data)| data.len()).max().unwrap_or(0);
    let mean = |l: usize| {
        let found: Vec<&Datum> = seeds.iter().filter_map(|(_, data)| data.get(l)).collect();
        let values: Vec<f64> = found.iter().map(|d| d.y).collect();
        let whole = found.len() == seeds.len();
        let mean = Spread::Seeds.about(&values, log).filter(|_| whole);
        Datum {
            firm: found.iter().all(|d| d.firm),
            inert: found.iter().all(|d| d.inert),
            ..Datum::new(l as f64, mean.map_or(f64::NAN, |(mean, _)| mean))
        }
    };
    (0..layers).map(mean).collect()
}

/// A rule's values by layer: one line for one seed; for several their mean, on a band or on a thin line for each.
pub(super) fn by_layer(
    name: &str,
    seeds: &[(Option<u64>, Vec<Datum>)],
    look: Look,
    meaning: &Meaning,
    log: bool,
    spread: Spread,
) -> Vec<Element> {
    match seeds {
        [] => return Vec::new(),
        [(seed, data)] => {
            let meaning = meaning.clone().with_some(Tag::Seed, *seed);
            return vec![Line::new(name, data.clone(), look).meaning(meaning).into()];
        }
        _ => {}
    }
    let mean = Line::new(name, mean_by_layer(seeds, log), look).meaning(meaning.clone());
    let mut found: Vec<Element> = if spread == Spread::Seeds {
        let thin =
            |(seed, data): &(Option<u64>, Vec<Datum>)| of_seed(name, *seed, data.clone(), look, meaning);
        seeds.iter().map(|seed| thin(seed).into()).collect()
    } else {
        let ends = |datum: &Datum| {
            let values: Vec<f64> =
                seeds.iter().filter_map(|(_, data)| Some(data.get(datum.x as usize)?.y)).collect();
            let interval = spread.about(&values, log)?.1.filter(|_| !datum.y.is_nan())?;
            Some((datum.x, interval.low, interval.high))
        };
        // A band is broken where there is no mean.
        let parts = mean.data.split(|datum| datum.y.is_nan());
        let band = |part: &[Datum]| Band {
            name: name.to_owned(),
            key: None,
            data: part.iter().filter_map(ends).collect(),
            spread,
            colour: look.colour,
            meaning: meaning.clone(),
        };
        parts.filter(|part| part.len() > 1).map(|part| band(part).into()).collect()
    };
    found.push(mean.into());
    found
}

/// The axis of accuracies on the test set, in percent as everywhere.
pub fn accuracies_axis() -> Axis {
    Axis::linear("Test accuracy").in_percent()
}

/// Final test accuracy by seed.
pub fn accuracies(trials: &[&Trial]) -> Vec<(Option<u64>, f64)> {
    trials.iter().filter_map(|trial| Some((trial.seed, trial.accuracy()?))).collect()
}

/// The mean over seeds as a bar at x = 0, with spread and points if there are several; `print` formats the mean.
pub fn mean(values: Vec<(Option<u64>, f64)>, spread: Spread, print: impl Fn(f64) -> String) -> Bar {
    let all: Vec<f64> = values.iter().map(|(_, value)| *value).collect();
    let about = spread.about(&all, false);
    let only = if let [(seed, _)] = values[..] { seed } else { None };
    Bar {
        y: about.map_or(f64::NAN, |(mean, _)| mean),
        error: about.and_then(|(_, interval)| interval),
        value: Some(about.map_or_else(|| "no run".to_owned(), |(mean, _)| print(mean))),
        points: if values.len() > 1 { values } else { Vec::new() },
        meaning: Meaning::default().with_some(Tag::Seed, only),
        ..Bar::default()
    }
}

/// A fraction in percent, such as `58.2%`.
pub fn percent(share: f64) -> String {
    escape(&format!("{:.1}%", 100.0 * share))
}
