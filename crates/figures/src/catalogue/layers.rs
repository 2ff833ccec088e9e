//! Values by layer, averaged over seeds.

use crate::plot::{Dash, Datum, GUIDE, Guide};
use crate::reader::Trial;
use crate::scene::Meaning;
use protocol::{THRESHOLDS, Thresholds};
use record::Measured;
use record::series::At;

/// One seed's values by layer; NaN for missing and undefined ones.
pub(super) fn data(list: impl IntoIterator<Item = Option<Measured>>) -> Vec<Datum> {
    let datum = |(l, measured): (usize, Option<Measured>)| Datum {
        firm: measured.is_some_and(|m| m.defined().is_some()),
        ..Datum::new(l as f64, measured.and_then(|m| m.value()).unwrap_or(f64::NAN))
    };
    list.into_iter().enumerate().map(datum).collect()
}

/// What a foot says of hollow markers.
pub(super) const HOLLOW: &str = "hollow: unreliable";

/// What a foot says of rings.
pub(super) const RINGED: &str = "ringed: inert, a step along the gradient hardly changes the loss";

/// Whether a unit is inert for every seed for which that is known; `false` if it is known for none.
pub(super) fn inert(trials: &[&Trial], unit: usize) -> bool {
    let of = |trial: &&Trial| protocol::inert(trial.final_units().get(unit)?.effect, &trial.thresholds);
    trials.iter().filter_map(of).reduce(|a, b| a && b).unwrap_or(false)
}

/// One seed's values by layer, with what is inert.
pub(super) fn of_credit(trial: &Trial, at: At, values: Vec<Option<Measured>>) -> Vec<Datum> {
    let mut data = data(values);
    data.iter_mut().enumerate().for_each(|(i, datum)| datum.inert = inert(&[trial], at.unit(i)));
    data
}

/// ‖g_l‖ of one seed at each layer, for the mean over `n` samples.
pub(super) fn gradient(trial: &Trial, n: u64) -> Vec<Datum> {
    let norms = &trial.final_layers.gradient;
    let datum =
        |l: usize| Datum::new(l as f64, norms.at(l).map_or(f64::NAN, |norm| protocol::of_mean(norm, n)));
    (0..norms.by_layer().len()).map(datum).collect()
}

/// The N of a figure's gradient norms: the files' own if all agree, else the protocol's.
pub fn samples<'a>(trials: impl IntoIterator<Item = &'a Trial>) -> u64 {
    let mut all = trials.into_iter().map(|trial| trial.native_samples);
    let first = all.next().flatten();
    first.filter(|n| all.all(|other| other == Some(*n))).unwrap_or(PROTOCOL_SAMPLES)
}

/// The N at which the D2 floor is stated.
pub(super) const PROTOCOL_SAMPLES: u64 = protocol::FLOOR_SAMPLES;

/// The thresholds of the first trial, or the protocol's defaults without any trial.
pub fn thresholds<'a>(trials: impl IntoIterator<Item = &'a Trial>) -> Thresholds {
    trials.into_iter().next().map_or(THRESHOLDS, |trial| trial.thresholds)
}

/// The D2 floor of ‖g‖ for the mean over `n` samples, as a line across.
pub fn floor<'a>(trials: impl IntoIterator<Item = &'a Trial>, n: u64) -> Guide {
    let floor = thresholds(trials).floor;
    let value = super::request::power(floor);
    let name = if n == PROTOCOL_SAMPLES {
        format!("D2 floor ${value}$")
    } else {
        format!("D2 floor (${value}$ at $N{{=}}{PROTOCOL_SAMPLES}$)")
    };
    let line = Guide::horizontal(protocol::floor_at(floor, n), Some(&name), GUIDE, Dash::Dashed);
    line.meaning(Meaning::of(super::meaning::FLOOR))
}
