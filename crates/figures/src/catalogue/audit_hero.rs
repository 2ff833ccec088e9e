//! `audit-hero`: what the usual pair of numbers says about each rule, and what each layer says.

use super::choose::{Chosen, choose};
use super::published::{Published, PublishedRule};
use super::request::{CatalogueError, Drawing, Leading, PUBLISHED, Request, foot};
use super::{architecture, layers, meaning, sentences};
use crate::plot::palette::{BAD, BAD_INK, Dash, GOOD, GOOD_INK, Look, NEUTRAL};
use crate::plot::{
    Axis, Datum, Diagram, Figure, GUIDE, Guide, LegendPlace, Line, MUTED, Panel, Region, Says, Spot,
};
use crate::reader::{Statistics, Trial, Variant, statistics};
use crate::scene::Meaning;
use record::Remedy;

/// One rule, measured or published.
pub(super) struct Row {
    pub(super) rule: String,
    pub(super) name: String,
    pub(super) look: Look,
    pub(super) accuracy: Option<Statistics>,
    pub(super) gamma: Option<Statistics>,
    /// Whether every layer behind Γ is reliable.
    pub(super) firm: bool,
    pub(super) cosine: Vec<Datum>,
    pub(super) gradient: Vec<Datum>,
    pub(super) published: bool,
    meaning: Meaning,
}

pub(super) fn draw(request: &Request) -> Result<Drawing, CatalogueError> {
    let wanted = |trial: &Trial| {
        trial.variant().is_plain()
            && !trial.final_layers.cosine_at_input.is_empty()
            && trial.accuracy().is_some()
    };
    let chosen = choose(&request.records, wanted);
    let mut rows: Vec<Row> = Vec::new();
    let mut notes = Vec::new();
    // Published norms are for the protocol's N and are not rescaled.
    let n = match &chosen {
        Some(chosen) if request.published.is_none() => layers::samples(chosen.trials()),
        _ => layers::PROTOCOL_SAMPLES,
    };
    if let Some(chosen) = &chosen {
        rows.extend(chosen.plain().map(|(variant, trials)| measured(request, &variant.rule, trials, n)));
        notes.extend(chosen.notes.clone());
    }
    if let Some(published) = &request.published {
        rows.extend(published_rows(request, published));
    }
    if rows.is_empty() {
        let needs = "runs with cosines by layer and an accuracy";
        return Err(CatalogueError::nothing("audit-hero", needs, Some(Remedy::Published)));
    }
    let chance = chosen
        .as_ref()
        .and_then(|chosen| chosen.trials().find_map(|trial| trial.classes))
        .or(request.published.as_ref().map(|published| published.classes))
        .map(|classes| 1.0 / classes as f64);
    let floor = layers::floor(chosen.iter().flat_map(|c| c.trials()), n);
    let diagram =
        matches!(request.leading, Leading::Diagram).then(|| network(request, chosen.as_ref(), &rows));
    let mut panels = Vec::new();
    if let Leading::Picture(picture) = &request.leading {
        panels.push(Panel::image(picture.clone()).titled("(A) Network"));
    }
    let diagram = diagram.flatten();
    let mut letters = ('A'..='D').skip(usize::from(diagram.is_some() || !panels.is_empty()));
    for panel in [pair(&rows, chance), cosines(&rows), gradients(&rows, n, floor)] {
        let letter = letters.next();
        let title = panel.title.as_ref().zip(letter).map(|(title, letter)| format!("({letter}) {title}"));
        panels.push(Panel { title, ..panel });
    }
    let mut figure = Figure::row(panels);
    figure.diagram = diagram;
    figure.aspect = 1.05;
    figure.fewest = 2;
    let mut feet: Vec<String> = foot(chosen.as_ref(), request.published.as_ref()).into_iter().collect();
    feet.extend(request.published.iter().map(|published| crate::text::escape(&published.setting)));
    feet.push("credit of block $l$ against the gradient at its input $h_l$, as published".to_owned());
    let is_hollow = |row: &Row| !row.firm || row.cosine.iter().any(|d| !d.firm && d.y.is_finite());
    if rows.iter().any(is_hollow) {
        feet.push(layers::HOLLOW.to_owned());
    }
    if rows.iter().any(|row| row.cosine.iter().any(|d| d.inert)) {
        feet.push(layers::RINGED.to_owned());
    }
    figure.foot = Some(feet.join("; "));
    let sources = request.published.iter().flat_map(|published| &published.sources);
    let drawing = Drawing::of(figure, chosen.iter().flat_map(|chosen| chosen.trials()), notes);
    Ok(drawing.and_from(sources.map(|source| format!("published: {source}"))))
}

/// The network of the trials or of the published values, with a way for each rule.
fn network(request: &Request, chosen: Option<&Chosen<'_>>, rows: &[Row]) -> Option<Diagram> {
    let known = request.published.as_ref().map(|published| &published.network);
    let setting = chosen.map(|chosen| &chosen.setting).or(known)?;
    let trials: Vec<&Trial> = chosen.iter().flat_map(|chosen| chosen.trials()).collect();
    let mut rules: Vec<&str> = rows.iter().map(|row| row.rule.as_str()).collect();
    rules.sort_by_key(|rule| request.records.place(rule));
    rules.dedup();
    let title = Some("(A) The network, and how credit comes to its blocks".to_owned());
    Some(Diagram { title, ..architecture::diagram(request, setting, &trials, &rules)? })
}

fn measured(request: &Request, rule: &str, trials: &[&Trial], n: u64) -> Row {
    let gammas = || trials.iter().map(|trial| trial.final_layers.gamma.at_input);
    Row {
        rule: rule.to_owned(),
        name: request.rule(rule),
        look: request.look(rule),
        accuracy: statistics(trials.iter().filter_map(|trial| trial.accuracy())),
        // As usually reported: the mean over all layers, reliable or not.
        gamma: statistics(gammas().filter_map(|gamma| gamma.all)),
        firm: gammas().all(|gamma| gamma.units == gamma.of),
        cosine: layers::with_inert(layers::measured(trials, |l| &l.cosine_at_input), trials),
        gradient: layers::gradients(trials, n),
        published: false,
        meaning: meaning::trials(trials),
    }
}

fn published_rows(request: &Request, published: &Published) -> Vec<Row> {
    let data =
        |values: &[f64]| values.iter().enumerate().map(|(l, v)| Datum::new(l as f64, *v)).collect::<Vec<_>>();
    let one = |mean: f64| Some(Statistics { n: 1, mean, sd: None });
    let row = |known: &PublishedRule| Row {
        rule: known.rule.clone(),
        name: format!("{}{PUBLISHED}", request.rule(&known.rule)),
        look: request.look(&known.rule).published(),
        accuracy: one(known.accuracy),
        gamma: one(known.gamma),
        firm: true,
        cosine: data(&known.cosine),
        gradient: data(&known.gradient),
        published: true,
        meaning: meaning::published(meaning::rule(&Variant::plain(&known.rule))),
    };
    published.rules.iter().map(row).collect()
}

/// Accuracy against Γ, with quadrants for how the pair is usually read.
fn pair(rows: &[Row], chance: Option<f64>) -> Panel {
    let mut panel = Panel::new(
        "pair",
        Axis::linear("Aggregate $\\Gamma$ (mean cosine)").including([-0.36, 1.1]),
        Axis::linear("Test accuracy").including([0.0]),
    )
    .titled("Standard reporting pair");
    if let Some(chance) = chance {
        let quarter = |x, y, fill, name: &str, ink| Region { x, y, fill, name: Some(name.to_owned()), ink };
        let left = (f64::NEG_INFINITY, 0.0);
        let right = (0.0, f64::INFINITY);
        let below = (f64::NEG_INFINITY, chance);
        let above = (chance, f64::INFINITY);
        panel.add(quarter(right, above, GOOD, "“looks like learning”", GOOD_INK));
        panel.add(quarter(left, below, BAD, "neither", BAD_INK));
        panel.add(quarter(left, above, NEUTRAL, "cos < 0,\nacc > chance", MUTED));
        panel.add(quarter(right, below, NEUTRAL, "cos > 0,\nacc < chance", MUTED));
        panel.add(Guide::vertical(0.0, None, MUTED, Dash::Dashed));
        let line = Guide { listed: true, ..Guide::horizontal(chance, None, MUTED, Dash::Dashed) };
        panel.add(line.meaning(Meaning::of(meaning::CHANCE)));
    }
    let alone = rows.iter().all(|row| row.published);
    let label = |row: &Row| {
        if alone { row.name.replace(PUBLISHED, "") } else { row.name.clone() }
    };
    for row in rows {
        let (Some(gamma), Some(accuracy)) = (row.gamma, row.accuracy) else { continue };
        let at = Datum { firm: row.firm, ..Datum::new(gamma.mean, accuracy.mean) };
        let meaning = row.meaning.clone().of_series(meaning::TEST_ACCURACY);
        panel.add(Spot {
            label: Some(label(row)),
            error: (gamma.sd, accuracy.sd),
            size: 1.25,
            ..Spot::new(row.name.clone(), at, row.look, meaning)
        });
    }
    // For names that have no room next to their markers.
    panel.legend = LegendPlace::Figure;
    panel.captioned(&sentences::pair(rows, chance))
}

/// The cosine at each block.
fn cosines(rows: &[Row]) -> Panel {
    let blocks = rows.iter().map(|row| row.cosine.len()).max().unwrap_or(0);
    let mut panel = Panel::new(
        "cosine",
        by_layer(Axis::layers("Block $l$", Says::Unit), "l{=}", blocks),
        Axis::linear("$\\cos(a_l,\\, \\nabla_{h_l}\\mathcal{L})$").including([-0.2, 1.05]),
    )
    .titled("Per-block cosine $\\cos(a_l, g_l)$");
    panel.add(Guide::horizontal(0.0, None, GUIDE, Dash::Dotted));
    for row in rows.iter().filter(|row| !row.cosine.is_empty()) {
        let line = Line::new(&row.name, row.cosine.clone(), row.look);
        panel.add(line.meaning(row.meaning.clone().of_series(meaning::COSINE_AT_INPUT)));
    }
    panel.legend = LegendPlace::Figure;
    panel.captioned(&sentences::cosines(rows))
}

/// The norm of the reference at each layer.
fn gradients(rows: &[Row], n: u64, floor: Guide) -> Panel {
    let states = rows.iter().map(|row| row.gradient.len()).max().unwrap_or(0);
    let mut panel = Panel::new(
        "gradient",
        by_layer(Axis::layers("Layer $l$", Says::State), "h_", states),
        Axis::log(&format!("median $\\|g_l\\|_2$ ($N{{=}}{n}$)")),
    )
    .titled("BP gradient $\\|g_l\\|$");
    panel.legend = LegendPlace::Figure;
    let caption = sentences::gradients(rows, floor.at);
    panel.add(floor);
    for row in rows.iter().filter(|row| !row.gradient.is_empty()) {
        let line = Line::new(&row.name, row.gradient.clone(), row.look);
        panel.add(line.meaning(row.meaning.clone().of_series(meaning::GRADIENT)));
    }
    if states == 0 {
        panel.absent = Some("no gradient norms by layer in these records".to_owned());
        return panel;
    }
    panel.captioned(&caption)
}

/// Labels a few layers by name; more keep their numbers.
fn by_layer(axis: Axis, before: &str, count: usize) -> Axis {
    const FEW: usize = 7;
    if count == 0 || count > FEW {
        return axis;
    }
    axis.ticked((0..count).map(|l| (l as f64, format!("${before}{{{l}}}$"))))
}
