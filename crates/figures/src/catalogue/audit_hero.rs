//! `audit-hero`: what the usual pair of numbers says about each rule, and what each layer says.

use super::choose::{Chosen, choose};
use super::convention::Convention;
use super::published::{Published, PublishedRule};
use super::request::{CatalogueError, Drawing, Leading, PUBLISHED, Request, foot, published_beside, set};
use super::several::{self, Axes};
use super::{architecture, layers, meaning, plain, sentences};
use crate::plot::palette::{BAD, BAD_INK, Dash, GOOD, GOOD_INK, Look, NEUTRAL};
use crate::plot::{
    Axis, Datum, Diagram, Figure, Guide, Interval, LegendPlace, MUTED, Panel, Region, Says, Spot, Spread,
};
use crate::reader::{Trial, Variant};
use crate::scene::Meaning;
use crate::text::escape;
use record::Remedy;

/// Values by layer of each seed.
type Seeds = Vec<(Option<u64>, Vec<Datum>)>;

/// One rule, measured or published.
pub(super) struct Row {
    pub(super) rule: String,
    pub(super) name: String,
    pub(super) look: Look,
    pub(super) accuracy: Option<(f64, Option<Interval>)>,
    pub(super) gamma: Option<(f64, Option<Interval>)>,
    /// Whether every layer behind Γ is reliable.
    pub(super) firm: bool,
    /// Means over seeds.
    pub(super) cosine: Vec<Datum>,
    pub(super) gradient: Vec<Datum>,
    /// Γ and accuracy, cosines and gradients of each seed.
    pairs: Vec<(Option<u64>, Datum)>,
    cosines: Seeds,
    gradients: Seeds,
    pub(super) published: bool,
    meaning: Meaning,
}

pub(super) fn draw(request: &Request) -> Result<Drawing, CatalogueError> {
    let wanted = |trial: &Trial| {
        trial.variant().is_plain()
            && Convention::ALL.iter().any(|convention| !convention.cosine(&trial.final_layers).is_empty())
            && trial.accuracy().is_some()
    };
    let chosen = choose(&request.records, wanted);
    let convention = request.convention(chosen.iter().flat_map(|chosen| chosen.trials()), true);
    let convention = if chosen.is_none() { Convention::Input } else { convention };
    let mut rows: Vec<Row> = Vec::new();
    let mut notes = Vec::new();
    // Published norms are for the protocol's N and are not rescaled.
    let n = match &chosen {
        Some(chosen) if request.published.is_none() => layers::samples(chosen.trials()),
        _ => layers::PROTOCOL_SAMPLES,
    };
    if let Some(chosen) = &chosen {
        rows.extend(
            chosen.plain().map(|(variant, trials)| measured(request, &variant.rule, trials, n, convention)),
        );
        notes.extend(chosen.notes.clone());
    }
    if let Some(published) = &request.published {
        if convention == Convention::Credit {
            notes.push("the published cosines are at the input of blocks, so they are left out".to_owned());
        }
        rows.extend(published_rows(request, published, convention, chosen.is_some()));
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
    let spread = request.spread(Spread::Seeds);
    let mut panels = Vec::new();
    if let Leading::Picture(picture) = &request.leading {
        panels.push(Panel::image(picture.clone()).titled("Network"));
    }
    panels.extend([
        pair(&rows, chance, spread),
        cosines(&rows, convention, spread),
        gradients(&rows, n, floor, spread),
    ]);
    let mut figure = Figure::row(panels);
    figure.diagram = diagram.flatten();
    figure.aspect = 1.05;
    figure.fewest = 2;
    let several = several::markers_and_lines(spread, Axes::BOTH);
    let mut feet: Vec<String> =
        chosen.iter().filter_map(|chosen| foot(request, chosen, Some(several.clone()))).collect();
    if let Some(published) = &request.published {
        feet.push(match chosen {
            Some(_) => published_beside(published),
            None => format!("published, {}", escape(&published.citation)),
        });
        feet.push(set(&published.setting));
    }
    feet.push(convention.words().to_owned());
    let is_hollow = |row: &Row| !row.firm || row.cosine.iter().any(|d| !d.firm && d.y.is_finite());
    if rows.iter().any(is_hollow) {
        feet.push(layers::HOLLOW.to_owned());
    }
    if rows.iter().any(|row| row.cosine.iter().any(|d| d.inert)) {
        feet.push(layers::RINGED.to_owned());
    }
    figure.foot = Some(feet.join("; "));
    let sources = request.published.iter().flat_map(|published| &published.sources);
    let drawing = Drawing::of(figure.lettered(), chosen.iter().flat_map(|chosen| chosen.trials()), notes);
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
    let title = Some("The network, and how credit comes to its blocks".to_owned());
    Some(Diagram { title, ..architecture::diagram(request, setting, &trials, &rules)? })
}

fn measured(request: &Request, rule: &str, trials: &[&Trial], n: u64, convention: Convention) -> Row {
    let spread = request.spread(Spread::Seeds);
    let about = |values: Vec<f64>| spread.about(&values, false);
    let gamma = |trial: &Trial| convention.gamma(&trial.final_layers);
    let is_firm = |trial: &Trial| gamma(trial).units == gamma(trial).of;
    let pair = |trial: &&Trial| {
        let at = Datum { firm: is_firm(trial), ..Datum::new(gamma(trial).all?, trial.accuracy()?) };
        Some((trial.seed, at))
    };
    let cosine = |trial: &&Trial| {
        let values = convention.cosine(&trial.final_layers).to_vec();
        (trial.seed, layers::of_credit(trial, convention.at(), values))
    };
    let cosines: Seeds = trials.iter().map(cosine).collect();
    let gradients: Seeds = trials.iter().map(|trial| (trial.seed, layers::gradient(trial, n))).collect();
    Row {
        rule: rule.to_owned(),
        name: request.rule(rule),
        look: request.look(rule),
        accuracy: about(trials.iter().filter_map(|trial| trial.accuracy()).collect()),
        // As usually reported: the mean over all layers, reliable or not.
        gamma: about(trials.iter().filter_map(|trial| gamma(trial).all).collect()),
        firm: trials.iter().all(|trial| is_firm(trial)),
        cosine: plain::mean_by_layer(&cosines, false),
        gradient: plain::mean_by_layer(&gradients, true),
        pairs: trials.iter().filter_map(pair).collect(),
        cosines,
        gradients,
        published: false,
        meaning: meaning::trials(trials),
    }
}

/// Published values, apart from ours if they stand `beside` them. Their cosines are at the input.
fn published_rows(
    request: &Request,
    published: &Published,
    convention: Convention,
    beside: bool,
) -> Vec<Row> {
    let data =
        |values: &[f64]| values.iter().enumerate().map(|(l, v)| Datum::new(l as f64, *v)).collect::<Vec<_>>();
    let comparable = convention == Convention::Input;
    let row = |known: &PublishedRule| {
        let look = request.look(&known.rule);
        let cosine = if comparable { data(&known.cosine) } else { Vec::new() };
        let gradient = data(&known.gradient);
        Row {
            rule: known.rule.clone(),
            name: format!("{}{PUBLISHED}", request.rule(&known.rule)),
            look: if beside { look.published() } else { look },
            accuracy: Some((known.accuracy, None)),
            gamma: comparable.then_some((known.gamma, None)),
            firm: true,
            cosines: vec![(None, cosine.clone())],
            cosine,
            gradients: vec![(None, gradient.clone())],
            gradient,
            pairs: Vec::new(),
            published: true,
            meaning: meaning::published(meaning::rule(&Variant::plain(&known.rule))),
        }
    };
    published.rules.iter().map(row).collect()
}

/// Accuracy against Γ, with quadrants for how the pair is usually read.
fn pair(rows: &[Row], chance: Option<f64>, spread: Spread) -> Panel {
    let mut panel = Panel::new(
        "pair",
        Axis::linear("Aggregate $\\Gamma$ (mean cosine)").including([-0.36, 1.1]),
        plain::accuracies_axis().including([0.0]),
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
        let at = Datum { firm: row.firm, ..Datum::new(gamma.0, accuracy.0) };
        let meaning = row.meaning.clone().of_series(meaning::TEST_ACCURACY);
        if spread == Spread::Seeds && row.pairs.len() > 1 {
            for (seed, pair) in &row.pairs {
                panel.add(plain::small(&row.name, *seed, *pair, row.look, &meaning));
            }
        }
        panel.add(Spot {
            label: Some(label(row)),
            error: (gamma.1, accuracy.1),
            size: 1.25,
            ..Spot::new(row.name.clone(), at, row.look, meaning)
        });
    }
    // For names that have no room next to their markers.
    panel.legend = LegendPlace::Figure;
    panel.captioned(&sentences::pair(rows, chance))
}

/// The cosine of each unit.
fn cosines(rows: &[Row], convention: Convention, spread: Spread) -> Panel {
    let count = rows.iter().map(|row| row.cosine.len()).max().unwrap_or(0);
    let (x, title) = match convention {
        Convention::Credit => (convention.axis(count), "Cosine of each unit"),
        Convention::Input => (by_layer(convention.axis(count), "l{=}", count), "Cosine of each block"),
    };
    let y = Axis::linear(convention.cosine_label()).including([-0.2, 1.05]);
    let mut panel = Panel::new("cosine", x, y).titled(title);
    panel.add(Guide::horizontal(0.0, None, MUTED, Dash::Solid));
    for row in rows.iter().filter(|row| !row.cosine.is_empty()) {
        let meaning = row.meaning.clone().of_series(convention.cosine_series());
        let lines = plain::by_layer(&row.name, &row.cosines, row.look, &meaning, false, spread);
        lines.into_iter().for_each(|element| panel.add(element));
    }
    panel.legend = LegendPlace::Figure;
    panel.captioned(&sentences::cosines(rows, convention))
}

/// The norm of the reference at each layer.
fn gradients(rows: &[Row], n: u64, floor: Guide, spread: Spread) -> Panel {
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
        let meaning = row.meaning.clone().of_series(meaning::GRADIENT);
        let lines = plain::by_layer(&row.name, &row.gradients, row.look, &meaning, true, spread);
        lines.into_iter().for_each(|element| panel.add(element));
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
