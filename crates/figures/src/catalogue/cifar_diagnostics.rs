//! `cifar-diagnostics`: cosine, ρ and nudge of the credit at each block, in the paper's convention.

use super::request::{CatalogueError, Drawing, Request, power, sources};
use super::{layers, meaning, plain};
use crate::plot::palette::Dash;
use crate::plot::{Axis, Datum, Figure, GUIDE, Guide, LegendPlace, Panel, Says};
use crate::reader::{ETA, Layers, Trial};
use record::Measured;
use record::Remedy;

struct Diagnostic {
    name: &'static str,
    series: &'static str,
    title: &'static str,
    label: String,
    /// Whether its axis is logarithmic.
    log: bool,
    read: fn(&Layers) -> &[Option<Measured>],
}

/// Changes of the loss below this are negligible.
const NEGLIGIBLE: f64 = 1e-6;

fn diagnostics() -> [Diagnostic; 3] {
    [
        Diagnostic {
            name: "cosine",
            series: meaning::COSINE_AT_INPUT,
            title: "Cosine with the BP gradient",
            label: "$\\cos(a_l,\\, g_l)$".to_owned(),
            log: false,
            read: |layers| &layers.cosine_at_input,
        },
        Diagnostic {
            name: "rho",
            series: meaning::RHO_AT_INPUT,
            title: "Perturbation correlation",
            label: "$\\rho_l$".to_owned(),
            log: false,
            read: |layers| &layers.rho_at_input,
        },
        Diagnostic {
            name: "nudge",
            series: meaning::NUDGE_AT_INPUT,
            title: "Nudge (negative is good)",
            label: format!("change in loss, $\\eta{{=}}{}$", power(ETA)),
            log: true,
            read: |layers| &layers.nudge_at_input,
        },
    ]
}

pub(super) fn draw(request: &Request) -> Result<Drawing, CatalogueError> {
    let has_any =
        |trial: &Trial| diagnostics().iter().any(|shown| has_numbers((shown.read)(&trial.final_layers)));
    let needs = "runs with cosines, ρ or nudges by layer";
    let chosen = plain::chosen(request, has_any);
    let chosen = chosen.ok_or(CatalogueError::nothing("cifar-diagnostics", needs, Some(Remedy::Audit)))?;
    let mut notes = chosen.notes.clone();
    let mut unreliable = false;
    let mut inert = false;
    let mut panels = Vec::new();
    for Diagnostic { name, series, title, label, log, read } in diagnostics() {
        let x = Axis::layers("Block $l$", Says::Unit);
        let y = if log { Axis::signed(&label, NEGLIGIBLE) } else { Axis::linear(&label) };
        let mut panel = Panel::new(name, x, y.including([0.0])).titled(title);
        panel.legend = LegendPlace::Figure;
        panel.add(Guide::horizontal(0.0, None, GUIDE, Dash::Dashed));
        let mut any = false;
        for (variant, trials) in chosen.plain() {
            let seeds: Vec<(Option<u64>, Vec<Datum>)> = trials
                .iter()
                .filter(|trial| has_numbers(read(&trial.final_layers)))
                .map(|trial| {
                    let data = layers::data(read(&trial.final_layers).iter().copied());
                    (trial.seed, layers::with_inert(data, &[trial]))
                })
                .collect();
            if seeds.is_empty() {
                notes.push(format!("panel {name}: no {name} by layer of {variant}; an audit measures it"));
                continue;
            }
            any = true;
            let values = || seeds.iter().flat_map(|(_, data)| data).filter(|d| d.y.is_finite());
            unreliable |= values().any(|d| !d.firm);
            inert |= values().any(|d| d.inert);
            let look = request.look(&variant.rule);
            let meaning = meaning::rule(variant).of_series(series);
            let lines = plain::by_layer(&request.name(variant), &seeds, look, &meaning, false);
            lines.into_iter().for_each(|line| panel.add(line));
        }
        if !any {
            panel.absent = Some(format!("no {name} by layer in these records; an audit measures it"));
        }
        panels.push(panel);
    }
    let mut figure = Figure::row(panels);
    figure.aspect = 0.95;
    figure.title = Some(plain::title(&chosen));
    let marks = [(unreliable, layers::HOLLOW), (inert, layers::RINGED)];
    let marks: Vec<&str> = marks.iter().filter(|(used, _)| *used).map(|(_, words)| *words).collect();
    let marks = (!marks.is_empty()).then(|| marks.join("; "));
    figure.foot = plain::foot(&chosen, plain::MEAN_AND_SEEDS, marks);
    Ok(Drawing { figure, sources: sources(chosen.trials()), notes })
}

fn has_numbers(list: &[Option<Measured>]) -> bool {
    list.iter().flatten().any(|measured| measured.value().is_some())
}
