//! `cifar-summary`: test accuracy after the last epoch, one bar per rule.

use super::choose::Chosen;
use super::request::{CatalogueError, Drawing, PUBLISHED, Request, sources};
use super::{meaning, plain};
use crate::plot::palette::Dash;
use crate::plot::{Axis, Bar, Bars, Figure, GUIDE, Guide, Panel};
use crate::reader::Variant;
use crate::scene::Meaning;
use crate::text::escape;
use record::Remedy;

pub(super) fn draw(request: &Request) -> Result<Drawing, CatalogueError> {
    let found = plain::chosen(request, |trial| trial.accuracy().is_some());
    if found.is_none() && request.published.is_none() {
        let needs = "runs with a test accuracy";
        return Err(CatalogueError::nothing("cifar-summary", needs, Some(Remedy::Published)));
    }
    let empty = Chosen::empty();
    let chosen = found.as_ref().unwrap_or(&empty);
    let table = request.published.as_ref().and_then(|known| known.accuracies(chosen.setting.blocks));
    let mut variants: Vec<Variant> = chosen.plain().map(|(variant, _)| variant.clone()).collect();
    for (rule, ..) in table.iter().flat_map(|table| &table.rows) {
        if !variants.iter().any(|variant| variant.rule == *rule) {
            variants.push(Variant::plain(rule));
        }
    }
    variants.sort();
    let beside = table.is_some() && found.is_some();
    let (width, shift) = if beside { (0.38, 0.2) } else { (0.62, 0.0) };
    let mut panel = Panel::new(
        "accuracy",
        Axis::categories("", variants.iter().map(|variant| request.name(variant))),
        Axis::linear("Test accuracy").including([0.0]).in_percent(),
    );
    for (i, variant) in variants.iter().enumerate() {
        let name = request.name(variant);
        let look = request.look(&variant.rule);
        let x = i as f64;
        let meaning = meaning::rule(variant).of_series(meaning::TEST_ACCURACY);
        if found.is_some() {
            let values = plain::accuracies(chosen.of(variant));
            panel.add(plain::bar(&name, look, x - shift, width, values, meaning.clone()));
        }
        let row = table.iter().flat_map(|table| &table.rows).find(|(rule, ..)| *rule == variant.rule);
        if let Some(&(_, y, error)) = row {
            let value = Some(plain::percent(y));
            let bars = vec![Bar { x: x + shift, y, error, value, ..Bar::default() }];
            let name = format!("{name}{PUBLISHED}");
            let meaning = meaning::published(meaning);
            panel.add(Bars { name, key: None, bars, width, colour: look.colour, hollow: true, meaning });
        }
    }
    if let Some(classes) = chosen.trials().find_map(|trial| trial.classes) {
        let chance = Guide::horizontal(1.0 / classes as f64, Some("chance"), GUIDE, Dash::Dotted);
        panel.add(chance.meaning(Meaning::of(meaning::CHANCE)));
    }
    let mut figure = Figure::row(vec![panel]);
    figure.aspect = 0.5;
    figure.widest = 0.8;
    let mut origin = sources(chosen.trials());
    let mut more = None;
    if let Some(table) = table {
        origin.push(format!("published: {} ({})", table.source, table.setting));
        more = Some(format!("hollow: published, {}", escape(&table.setting)));
    }
    figure.title = Some(match &found {
        Some(chosen) => plain::title(chosen),
        None => "Published accuracies".to_owned(),
    });
    figure.foot = plain::foot(chosen, plain::BARS, more);
    Ok(Drawing { figure, sources: origin, notes: chosen.notes.clone() })
}
