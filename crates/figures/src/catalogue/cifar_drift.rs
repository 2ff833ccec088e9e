//! `cifar-drift`: how far each block's first weight matrix moved in training.

use super::request::{CatalogueError, Drawing, Request, sources};
use super::{meaning, plain};
use crate::plot::{Axis, Datum, Figure, Line, Panel, Says};

/// A wider range gets a logarithmic axis: DFA can drift a hundred times as far as BP, whose line would be flat at zero.
const DECADES: f64 = 1.5;

pub(super) fn draw(request: &Request) -> Result<Drawing, CatalogueError> {
    let chosen = plain::chosen(request, |trial| trial.drift.iter().any(Option::is_some));
    let needs = "finished runs with the drift of `blocks.0.w1.weight` and so on";
    let chosen = chosen.ok_or(CatalogueError::nothing("cifar-drift", needs, None))?;
    let mut notes = chosen.notes.clone();
    let mut lines: Vec<Line> = Vec::new();
    for (variant, trials) in chosen.plain() {
        let data = |drift: &[Option<f64>]| -> Vec<Datum> {
            drift.iter().enumerate().map(|(l, v)| Datum::new(l as f64, v.unwrap_or(f64::NAN))).collect()
        };
        let seeds: Vec<_> = trials.iter().map(|trial| (trial.seed, data(&trial.drift))).collect();
        let look = request.look(&variant.rule);
        let meaning = meaning::rule(variant).of_series(meaning::DRIFT);
        lines.extend(plain::by_layer(&request.name(variant), &seeds, look, &meaning, false));
    }
    let label = "$\\|W_{\\mathrm{final}}-W_{\\mathrm{init}}\\|/\\|W_{\\mathrm{init}}\\|$";
    let values = || lines.iter().flat_map(|line| &line.data).map(|d| d.y).filter(|y| y.is_finite());
    let positive = || values().filter(|y| *y > 0.0);
    let low = positive().fold(f64::INFINITY, f64::min);
    let high = positive().fold(0.0, f64::max);
    let y = if high / low > 10f64.powf(DECADES) {
        if values().any(|y| y <= 0.0) {
            notes.push(
                "a drift of 0 cannot be drawn on a logarithmic axis: it is only in the table".to_owned(),
            );
        }
        Axis::log(label)
    } else {
        Axis::linear(label).including([0.0])
    };
    let x = Axis::layers("Block $l$", Says::Unit);
    let mut panel = Panel::new("drift", x, y).titled("Drift of each block's first weight matrix");
    lines.into_iter().for_each(|line| panel.add(line));
    let mut figure = Figure::row(vec![panel]);
    figure.aspect = 0.62;
    figure.widest = 0.7;
    figure.title = Some(plain::title(&chosen));
    figure.foot = plain::foot(&chosen, plain::MEAN_AND_SEEDS, None);
    Ok(Drawing { figure, sources: sources(chosen.trials()), notes })
}
