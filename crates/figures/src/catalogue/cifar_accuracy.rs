//! `cifar-accuracy`: training and test accuracy of every plain rule over epochs.

use super::curves::curve;
use super::meaning;
use super::plain;
use super::request::{CatalogueError, Drawing, Request, sources};
use crate::plot::{Axis, Figure, LegendPlace, Panel};
use crate::reader::EpochPoint;
use crate::scene::Meaning;

/// Name, axis title and quantity of a panel, and how its value is read.
type AccuracyPanel = (&'static str, &'static str, &'static str, fn(&EpochPoint) -> Option<f64>);

const PANELS: [AccuracyPanel; 2] = [
    ("train", "Train accuracy", meaning::TRAIN_ACCURACY, |epoch| epoch.train_accuracy),
    ("test", "Test accuracy", meaning::TEST_ACCURACY, |epoch| epoch.test_accuracy),
];

pub(super) fn draw(request: &Request) -> Result<Drawing, CatalogueError> {
    let chosen = plain::chosen(request, |trial| !trial.epochs.is_empty());
    let needs = "runs with accuracies over epochs";
    let chosen = chosen.ok_or(CatalogueError::nothing("cifar-accuracy", needs, None))?;
    let mut notes = chosen.notes.clone();
    let mut panels = Vec::new();
    for (name, title, series, read) in PANELS {
        let mut panel = Panel::new(name, Axis::epochs(), Axis::linear(title));
        panel.legend = LegendPlace::Figure;
        for (variant, trials) in chosen.plain() {
            let rule = request.name(variant);
            let found = curve(&Meaning::of(series), &rule, trials, request.look(&variant.rule), false, read)?;
            if found.is_empty() {
                notes.push(format!("panel {name}: no {} of {variant}", title.to_lowercase()));
            }
            found.into_iter().for_each(|element| panel.add(element));
        }
        if panel.elements.is_empty() {
            panel.absent = Some(format!("no {} in these records", title.to_lowercase()));
        }
        panels.push(panel);
    }
    let mut figure = Figure::row(panels);
    figure.aspect = 0.72;
    figure.title = Some(plain::title(&chosen));
    figure.foot = plain::foot(&chosen, "lines: mean over seeds, bands: one standard deviation", None);
    Ok(Drawing { figure, sources: sources(chosen.trials()), notes })
}
