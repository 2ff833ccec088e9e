//! Heat maps: layers upwards, their values as colours.

use super::plot::{Plot, place};
use super::spec::Along;
use crate::plot::{Axis, Datum, Element, Shade, Strip};
use crate::reader::Trial;
use record::Measured;
use record::series::At;
use std::collections::BTreeSet;

/// Labels along the layers, at most.
const LABELS: usize = 4;
/// Series whose ramp always has zero in its middle.
const SIGNED: [&str; 5] = ["cosine", "cosine_at_input", "update_cosine", "rho", "rho_at_input"];

/// The strips of a panel, in colours that [`shade`] gives to all panels together.
pub(super) fn draw(plot: &Plot<'_>, shade: &Shade) -> Vec<Element> {
    let Some(at) = plot.spec.y.at(plot.records()) else { return Vec::new() };
    let columns = columns(plot);
    let strip = |index: usize| {
        let (name, of_layer) = place(at, index);
        let read = |(x, values): &(f64, Vec<Vec<Option<Measured>>>)| -> Datum {
            let here: Vec<Option<Measured>> =
                values.iter().map(|layers| layers.get(index).copied().flatten()).collect();
            plot.datum(*x, &here)
        };
        let meaning = plot.meaning(&plot.cohort).and(&of_layer);
        let data = columns.iter().map(read).collect();
        Strip { name, at: row(at, index), data, shade: shade.clone(), meaning }.into()
    };
    (0..plot.layers()).map(strip).collect()
}

/// Places along the horizontal axis, with the values of every seed by layer.
fn columns(plot: &Plot<'_>) -> Vec<(f64, Vec<Vec<Option<Measured>>>)> {
    match &plot.spec.x {
        Along::Field(field) => {
            let parts = field.split(plot.request, &plot.cohort).into_iter().enumerate();
            parts
                .map(|(i, part)| (i as f64, part.cohort.iter().map(|t| plot.spec.y.at_end(t)).collect()))
                .collect()
        }
        _ => {
            let epochs = |trial: &&Trial| -> BTreeSet<u64> {
                let measured = |epoch: &&crate::reader::EpochPoint| !plot.spec.y.after(epoch).is_empty();
                trial.epochs.iter().filter(measured).map(|epoch| epoch.epoch).collect()
            };
            // As curves do, it shows the epochs that every seed has.
            let shared = plot.cohort.iter().map(epochs).reduce(|a, b| &a & &b).unwrap_or_default();
            let values = |epoch: u64| {
                let of = |trial: &&Trial| trial.epoch(epoch).map(|e| plot.spec.y.after(e));
                plot.cohort.iter().filter_map(of).collect()
            };
            shared.into_iter().map(|epoch| (epoch as f64, values(epoch))).collect()
        }
    }
}

/// The row of a layer: a block's own number, with the embedding below block 0.
fn row(at: At, index: usize) -> f64 {
    index as f64 - if at == At::Unit { 1.0 } else { 0.0 }
}

/// The axis of the layers, labelled in even steps from the lowest.
pub(super) fn axis(plot: &Plot<'_>) -> Axis {
    let at = plot.spec.y.at(plot.records()).unwrap_or(At::BlockInput);
    let step = (plot.layers().saturating_sub(1)).div_ceil(LABELS).max(1);
    let name = |index: usize| match row(at, index) {
        row if row < 0.0 => "embed".to_owned(),
        row => row.to_string(),
    };
    let ticks = (0..plot.layers()).step_by(step).map(|index| (row(at, index), name(index)));
    let label = if at == At::State { "Layer $l$" } else { "Block $l$" };
    Axis { tight: true, ..Axis::linear(label).ticked(ticks) }
}

/// One way of turning values into colours for all panels.
pub(super) fn shade(plots: &[&Plot<'_>]) -> Shade {
    let spec = plots[0].spec;
    let values: Vec<f64> = plots
        .iter()
        .flat_map(|plot| columns(plot))
        .flat_map(|(_, seeds)| seeds.into_iter().flatten().flatten())
        .filter_map(|measured| measured.value())
        .filter(|value| value.is_finite())
        .collect();
    let label = spec.label.clone().unwrap_or_else(|| spec.y.label());
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (least, most) = spec.range.unwrap_or((least, most));
    if least < 0.0 || SIGNED.contains(&spec.y.name.as_str()) {
        let reach = least.abs().max(most.abs());
        // Cosines share one ramp in all figures.
        return Shade::signed(&label, if reach <= 1.0 && spec.range.is_none() { 1.0 } else { reach });
    }
    if plots[0].is_log() {
        let positive = values.iter().copied().filter(|v| *v > 0.0).fold(f64::INFINITY, f64::min);
        return Shade::rising(Axis::log(&label).including([least.max(positive), most]));
    }
    Shade::rising(Axis::linear(&label).including([least, most]))
}
