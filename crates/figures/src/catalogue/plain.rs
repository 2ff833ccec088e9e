//! What figures of plain rules share: the choice of trials, title and foot, and how several seeds become lines and bars.

use super::choose::{Chosen, choose_with};
use super::request::{self, Request};
use crate::plot::{Bar, Bars, Datum, Line, Look};
use crate::reader::{Trial, geometric_mean, statistics};
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
pub(super) fn foot(chosen: &Chosen<'_>, several: &str, more: Option<String>) -> Option<String> {
    let mut parts: Vec<String> = vec![chosen.seeds()];
    if chosen.groups.values().any(|trials| trials.len() > 1) {
        parts.push(several.to_owned());
    }
    parts.extend(more);
    parts.retain(|part| !part.is_empty());
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// Whether a trial has training curves, or none at all, as one known only from an audit.
pub(super) fn is_curve(trial: &Trial) -> bool {
    trial.epochs.is_empty() || trial.epochs.iter().any(|epoch| epoch.train_accuracy.is_some())
}

/// What a foot says of lines by layer.
pub(super) const MEAN_AND_SEEDS: &str = "thin: each seed; thick: their mean";

/// What a foot says of bars.
pub(super) const BARS: &str = "bars: mean over seeds, whiskers: one standard deviation, dots: each seed";

/// A rule's values by layer: one line for one seed; for several, a thin line each and their mean on top. The mean exists
/// where every seed has a value, and is reliable where all of these are; it is the geometric mean if `geometric`.
pub(super) fn by_layer(
    name: &str,
    seeds: &[(Option<u64>, Vec<Datum>)],
    look: Look,
    meaning: &Meaning,
    geometric: bool,
) -> Vec<Line> {
    let of_seed = |seed: &Option<u64>| meaning.clone().with_some(Tag::Seed, *seed);
    match seeds {
        [] => return Vec::new(),
        [(seed, data)] => return vec![Line::new(name, data.clone(), look).meaning(of_seed(seed))],
        _ => {}
    }
    let faint = Look { colour: look.colour.tinted(0.45), ..look };
    let mut lines: Vec<Line> = seeds
        .iter()
        .map(|(seed, data)| {
            let words = seed.map_or_else(|| "unknown seed".to_owned(), |seed| format!("seed {seed}"));
            let line = Line::new(&format!("{name}, {words}"), data.clone(), faint).plain().unlisted();
            Line { weight: 0.5, meaning: of_seed(seed), ..line }
        })
        .collect();
    let layers = seeds.iter().map(|(_, data)| data.len()).max().unwrap_or(0);
    let mean = |l: usize| {
        let found: Vec<&Datum> = seeds.iter().filter_map(|(_, data)| data.get(l)).collect();
        let values: Vec<f64> = found.iter().map(|d| d.y).collect();
        let mean = if geometric { geometric_mean(&values) } else { statistics(values).map(|s| s.mean) };
        let y = mean.unwrap_or(f64::NAN);
        let whole = found.len() == seeds.len();
        Datum {
            firm: found.iter().all(|d| d.firm),
            inert: found.iter().all(|d| d.inert),
            ..Datum::new(l as f64, if whole { y } else { f64::NAN })
        }
    };
    lines.push(Line::new(name, (0..layers).map(mean).collect(), look).meaning(meaning.clone()));
    lines
}

/// Final test accuracy by seed.
pub fn accuracies(trials: &[&Trial]) -> Vec<(Option<u64>, f64)> {
    trials.iter().filter_map(|trial| Some((trial.seed, trial.accuracy()?))).collect()
}

/// The bar of a rule at `x`; see [`mean`].
pub(super) fn bar(
    name: &str,
    look: Look,
    x: f64,
    width: f64,
    values: Vec<(Option<u64>, f64)>,
    meaning: Meaning,
) -> Bars {
    let bar = Bar { x, ..mean(values, percent) };
    let colour = look.colour;
    Bars { name: name.to_owned(), key: None, bars: vec![bar], width, colour, hollow: false, meaning }
}

/// The mean over seeds as a bar at x = 0, with spread and points if there are several; `print` formats the mean.
pub fn mean(values: Vec<(Option<u64>, f64)>, print: impl Fn(f64) -> String) -> Bar {
    let s = statistics(values.iter().map(|(_, value)| *value));
    let only = if let [(seed, _)] = values[..] { seed } else { None };
    Bar {
        y: s.map_or(f64::NAN, |s| s.mean),
        error: s.and_then(|s| s.sd),
        value: Some(s.map_or_else(|| "no run".to_owned(), |s| print(s.mean))),
        points: if values.len() > 1 { values } else { Vec::new() },
        meaning: Meaning::default().with_some(Tag::Seed, only),
        ..Bar::default()
    }
}

/// A fraction in percent, such as `58.2%`.
pub(super) fn percent(share: f64) -> String {
    escape(&format!("{:.1}%", 100.0 * share))
}
