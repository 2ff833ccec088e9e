//! All published values in one picture: how far ours are from them, study by study, in units of the published spread.

use super::deviation::HOLDS;
use super::lines::Kind;
use super::{Cell, Comparison};
use crate::published::published;
use crate::study::Study;
use figures::Drawing;
use figures::catalogue::meaning;
use figures::plot::palette::{self, Dash, GOOD, GOOD_INK};
use figures::plot::{
    Axis, BORDER, Datum, Figure, GUIDE, Guide, Key, LegendPlace, Look, Marker, Panel, Region, Spot,
};
use figures::reader::Variant;
use figures::text::escape;

/// The study of earlier runs, whose published values are those of another study.
const AGAIN: &str = "unclipped";
/// Deviations within this are drawn on a linear scale.
const LINEAR: f64 = 1.0;
/// The axis ends here; larger deviations are drawn at its end.
const EDGE: f64 = 30.0;
/// Labelled on both sides of 0.
const TICKS: [f64; 4] = [2.0, 5.0, 10.0, EDGE];
/// Places of the dots of a row above one another, so that neighbours do not cover each other.
const LANES: usize = 4;
/// Share of a row that these take.
const SPREAD: f64 = 0.66;

/// The figure, and what it says.
pub struct Overview {
    /// The figure.
    pub drawing: Drawing,
    /// How many published values hold.
    pub sentence: String,
}

impl Overview {
    /// The name of the figure and its files.
    pub const NAME: &str = "reproduction";
}

/// Values of one kind in one study.
struct Row<'a> {
    study: &'a str,
    kind: Kind,
    cells: Vec<&'a Cell>,
}

impl Row<'_> {
    /// Study and kind, as label source.
    fn name(&self) -> String {
        let kind = match self.kind {
            Kind::Accuracy => "accuracy",
            Kind::State => "$\\|h_L\\|$, growth",
            Kind::Gradient => "$\\|g_l\\|$",
            Kind::Cosine => "cosine",
            Kind::Rho => "$\\rho$",
            Kind::Checks => "checks",
        };
        format!("{}: {kind}", escape(self.study))
    }

    fn has(&self, rule: &str) -> bool {
        self.cells.iter().any(|cell| cell.rule == rule)
    }

    /// How many hold.
    fn remark(&self) -> String {
        let compared = self.cells.iter().filter(|cell| cell.holds.is_some()).count();
        let held = self.cells.iter().filter(|cell| cell.holds == Some(true)).count();
        let not_run = self.cells.iter().filter(|cell| !cell.run).count();
        let open = self.cells.len() - compared - not_run;
        let mut parts = Vec::new();
        if compared > 0 {
            parts.push(format!("{held} of {compared} hold"));
        }
        if open > 0 {
            parts.push(format!("{open} not judged"));
        }
        if not_run > 0 {
            parts.push(format!("{not_run} not run"));
        }
        parts.join(", ")
    }
}

/// The figure of these studies, in their order; those without published values are left out.
pub fn overview(studies: &[(&Study, Comparison)]) -> Overview {
    let rows: Vec<Row<'_>> =
        studies.iter().flat_map(|(study, compared)| rows(study.name, compared)).collect();
    // Categories go upwards, and the first row belongs on top.
    let names = rows.iter().rev().map(Row::name);
    let mut panel = Panel::new("deviation", axis(), Axis::categories("", names));
    panel.right = Some(Axis::categories("", rows.iter().rev().map(Row::remark)));
    panel.legend = LegendPlace::Figure;
    let everywhere = (f64::NEG_INFINITY, f64::INFINITY);
    panel.add(Region { x: (-HOLDS, HOLDS), y: everywhere, fill: GOOD, name: None, ink: GOOD_INK });
    panel.add(Guide::vertical(0.0, None, GUIDE, Dash::Dotted));
    let ends = rows.windows(2).enumerate().filter(|(_, pair)| pair[0].study != pair[1].study);
    for (i, _) in ends {
        let between = (rows.len() - 1 - i) as f64 - 0.5;
        panel.add(Guide::horizontal(between, None, BORDER, Dash::Solid));
    }
    let rules = record::rules::RULES.iter().map(|rule| rule.name);
    for rule in rules.filter(|rule| rows.iter().any(|row| row.has(rule))) {
        let colour = palette::look(rule, &[]).colour;
        let marker = Some(Marker::Circle);
        panel.add(Key { name: escape(record::rules::title(rule)), colour, dash: Dash::Solid, marker });
    }
    for (y, row) in rows.iter().rev().enumerate() {
        spots(row, y as f64).into_iter().for_each(|spot| panel.add(spot));
    }
    let sentence = sentence(studies);
    let mut figure = Figure::row(vec![panel]);
    // The width that a row's words leave, and its height, as shares of the page.
    figure.aspect = 0.034 * (rows.len() as f64 + 0.4) / 0.56;
    figure.title = Some(sentence.clone());
    figure.foot = Some(
        "Dot: holds, within the shading; cross: does not, at the end of the axis if it is further or there is no number. The \
         shading ends at two spreads, for rough values at a factor of 2, for first epochs at 2; norms by their logarithms."
            .to_owned(),
    );
    let sources = vec![format!("published: {}", published().citation)];
    Overview { drawing: Drawing { figure, sources, notes: Vec::new() }, sentence }
}

fn rows<'a>(study: &'a str, compared: &'a Comparison) -> Vec<Row<'a>> {
    let mut kinds: Vec<Kind> = compared.cells.iter().map(|cell| cell.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let of_kind = |kind: Kind| compared.cells.iter().filter(|cell| cell.kind == kind).collect();
    kinds.into_iter().map(|kind| Row { study, kind, cells: of_kind(kind) }).collect()
}

fn axis() -> Axis {
    let mut ticks: Vec<f64> = TICKS.iter().flat_map(|&tick| [-tick, tick]).chain([0.0]).collect();
    ticks.sort_by(f64::total_cmp);
    let word = |tick: f64| (tick, tick.to_string().replace('-', "−"));
    let axis = Axis::signed("Ours minus published, in units of the published spread", LINEAR);
    Axis { ticks: Some(ticks.into_iter().map(word).collect()), ..axis }
}

/// The dots of a row. A value that was not compared has no place, but a line in the table.
fn spots(row: &Row<'_>, middle: f64) -> Vec<Spot> {
    let place = |cell: &Cell| cell.deviation.map_or(f64::NAN, |d| d.clamp(-EDGE, EDGE));
    let mut cells = row.cells.clone();
    cells.sort_by(|a, b| place(a).total_cmp(&place(b)));
    let lanes = LANES.min(cells.len());
    let spot = |(i, cell): (usize, &&Cell)| {
        let share = if lanes > 1 { (i % lanes) as f64 / (lanes - 1) as f64 - 0.5 } else { 0.0 };
        let marker = if cell.holds == Some(true) { Marker::Circle } else { Marker::Cross };
        let further = match cell.deviation {
            Some(d) if !d.is_finite() => ", not a number",
            Some(d) if d.abs() > EDGE => ", or more",
            _ => "",
        };
        let name = format!("{}: {}{further}", row.study, cell.what);
        let at = Datum::new(place(cell), middle + SPREAD * share);
        let look = Look { marker, ..palette::look(&cell.rule, &[]) };
        let meaning = meaning::rule(&Variant::plain(&cell.rule)).of_series("deviation");
        Spot { size: 0.62, ..Spot::new(name, at, look, meaning) }
    };
    cells.iter().enumerate().map(spot).collect()
}

/// How many published values hold. A study that repeats another's is counted apart.
fn sentence(studies: &[(&Study, Comparison)]) -> String {
    let count = |again: bool| {
        let of =
            studies.iter().filter(|(study, _)| (study.name == AGAIN) == again).map(|(_, compared)| compared);
        of.fold([0; 3], |[held, compared, all], found| {
            [held + found.held(), compared + found.compared(), all + found.cells.len()]
        })
    };
    let [held, compared, all] = count(false);
    let mut words = format!("{held} of {compared} published values hold");
    if compared < all {
        words.push_str(&format!("; {} more are not run or cannot be judged", all - compared));
    }
    let [held, compared, _] = count(true);
    if compared > 0 {
        words.push_str(&format!(". Without gradient clipping, {held} of {compared}"));
    }
    words
}
