//! Values by layer, averaged over seeds.

use crate::plot::Datum;
use crate::reader::{Layers, Norms, Trial, geometric_mean, statistics};
use protocol::Thresholds;
use record::Measured;

/// One seed's values by layer; a hole or an undefined value is no number.
pub(super) fn data(list: impl IntoIterator<Item = Option<Measured>>) -> Vec<Datum> {
    let datum = |(l, measured): (usize, Option<Measured>)| Datum {
        x: l as f64,
        y: measured.and_then(|m| m.value()).unwrap_or(f64::NAN),
        firm: measured.is_some_and(|m| m.defined().is_some()),
    };
    list.into_iter().enumerate().map(datum).collect()
}

/// The mean over seeds at each layer. It is reliable where every seed's value is, and missing where no seed has a number.
pub(super) fn measured(trials: &[&Trial], read: fn(&Layers) -> &[Option<Measured>]) -> Vec<Datum> {
    let lists: Vec<&[Option<Measured>]> = trials.iter().map(|trial| read(&trial.final_layers)).collect();
    let layers = lists.iter().map(|list| list.len()).max().unwrap_or(0);
    let datum = |l: usize| {
        let found: Vec<&Measured> = lists.iter().filter_map(|list| list.get(l)?.as_ref()).collect();
        let mean = statistics(found.iter().filter_map(|m| m.value()));
        Datum {
            x: l as f64,
            y: mean.map_or(f64::NAN, |s| s.mean),
            firm: found.iter().all(|m| m.defined().is_some()),
        }
    };
    (0..layers).map(datum).collect()
}

/// The geometric mean over seeds of ‖g_l‖ for the mean over `n` samples, at each layer.
pub(super) fn gradients(trials: &[&Trial], n: u64) -> Vec<Datum> {
    let lists: Vec<&Norms> = trials.iter().map(|trial| &trial.final_layers.gradient).collect();
    let layers = lists.iter().map(|norms| norms.by_layer().len()).max().unwrap_or(0);
    let datum = |l: usize| {
        let found: Vec<f64> = lists.iter().filter_map(|norms| norms.at(l)).collect();
        let mean = geometric_mean(&found).unwrap_or(f64::NAN);
        Datum::new(l as f64, protocol::of_mean(mean, n))
    };
    (0..layers).map(datum).collect()
}

/// Samples N that gradient norms of a figure are stated for: those of the files where all agree, else the protocol's.
pub fn samples<'a>(trials: impl IntoIterator<Item = &'a Trial>) -> u64 {
    let mut all = trials.into_iter().map(|trial| trial.native_samples);
    let first = all.next().flatten();
    first.filter(|n| all.all(|other| other == Some(*n))).unwrap_or(PROTOCOL_SAMPLES)
}

/// Samples N for which the floor under the gradient is stated.
pub(super) const PROTOCOL_SAMPLES: u64 = protocol::FLOOR_SAMPLES;

/// Where the checks of these trials fire: as the first of them says, and with no trial as the protocol has it.
pub fn thresholds<'a>(trials: impl IntoIterator<Item = &'a Trial>) -> Thresholds {
    trials.into_iter().next().map_or_else(Thresholds::default, |trial| trial.thresholds)
}

/// The floor under ‖g‖ for the mean over `n` samples, and what to call it.
pub fn floor<'a>(trials: impl IntoIterator<Item = &'a Trial>, n: u64) -> (f64, String) {
    let floor = thresholds(trials).floor;
    let value = super::request::power(floor);
    let name = if n == PROTOCOL_SAMPLES {
        format!("D2 floor ${value}$")
    } else {
        format!("D2 floor (${value}$ at $N{{=}}{PROTOCOL_SAMPLES}$)")
    };
    (protocol::floor_at(floor, n), name)
}
