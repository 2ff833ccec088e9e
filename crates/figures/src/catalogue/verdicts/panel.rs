//! One check: rules as rows, a marker a seed, the threshold and the side on which it fires.

use super::{Row, remark};
use crate::catalogue::meaning;
use crate::catalogue::request::power;
use crate::plot::palette::{BAD, BAD_INK, Dash};
use crate::plot::{Axis, Datum, Guide, Kind, LegendPlace, Panel, Region, Spot};
use crate::scene::{Meaning, Tag};
use record::audit::{CheckId, Outcome};

/// Share of a row over which the seeds are spread.
const SPREAD: f64 = 0.5;

/// How a check is drawn.
struct Manner {
    /// What the panel is called.
    title: String,
    /// What the axis shows.
    label: &'static str,
    log: bool,
    /// From the statistic to the unit of the axis.
    scale: f64,
    /// Whether it fires above its threshold.
    above: bool,
}

fn manner(id: CheckId) -> Manner {
    let (label, log, scale, above) = match id {
        CheckId::D1 => ("largest growth of a block, $\\max_l \\|h_{l+1}\\|/\\|h_l\\|$", true, 1.0, true),
        CheckId::D2 => ("gradient at the last state, $\\|g_L\\|$ at $N{=}128$", true, 1.0, false),
        CheckId::D3 => ("accuracy gained over frozen blocks (points)", false, 100.0, false),
        CheckId::Direction => ("mean pairwise cosine of batch gradients at $h_{L/2}$", false, 1.0, true),
        CheckId::Consistency => ("largest relative difference of the credit", true, 1.0, true),
    };
    let title = match id {
        CheckId::Direction | CheckId::Consistency => capital(id.title()),
        _ => format!("{} {}", id.name(), capital(id.title())),
    };
    Manner { title, label, log, scale, above }
}

/// The panel of a check.
pub(super) fn of(id: CheckId, rows: &[Row], notes: &mut Vec<String>) -> Panel {
    let manner = manner(id);
    let thresholds = thresholds(id, rows);
    let names = rows.iter().rev().map(|row| row.name.clone());
    let axis = if manner.log { Axis::log(manner.label) } else { Axis::linear(manner.label).including([0.0]) };
    let mut panel = Panel::new(id.name(), axis, Axis::categories("", names));
    // Categories grow upwards, and the first rule belongs on top.
    panel.right = Some(Axis::categories("", rows.iter().rev().map(|row| remark::of(id, &row.results(id)))));
    panel.legend = LegendPlace::None;
    let advisory = rows.iter().flat_map(|row| row.results(id)).any(|result| result.advisory);
    let side = if manner.above { "above" } else { "below" };
    let fires = match thresholds[..] {
        [one] => format!(": fires {side} {}", words(id, one)),
        _ => String::new(),
    };
    panel.title = Some(format!("{}{}{fires}", manner.title, if advisory { " (advisory)" } else { "" }));
    if thresholds.len() > 1 {
        let all: Vec<String> = thresholds.iter().map(ToString::to_string).collect();
        notes.push(format!(
            "{}: the audits were made with different thresholds: {}",
            id.name(),
            all.join(", ")
        ));
    }
    for &threshold in &thresholds {
        let at = threshold * manner.scale;
        if thresholds.len() == 1 {
            let (low, high) = (f64::NEG_INFINITY, f64::INFINITY);
            let x = if manner.above { (at, high) } else { (low, at) };
            panel.add(Region { x, y: (low, high), fill: BAD, name: Some("fires".to_owned()), ink: BAD_INK });
        }
        let line = Guide::upright(at, Some(&words(id, threshold)), BAD_INK, Dash::Dashed);
        panel.add(line.meaning(Meaning::of(meaning::THRESHOLD)));
    }
    for (i, row) in rows.iter().rev().enumerate() {
        spots(id, row, i as f64, manner.scale, &mut panel);
    }
    panel
}

/// One marker a seed, the first on top.
fn spots(id: CheckId, row: &Row, middle: f64, scale: f64, panel: &mut Panel) {
    let count = row.seeds.len();
    for (k, (seed, checks)) in row.seeds.iter().enumerate() {
        let Some(result) = checks.iter().find(|check| check.check == id) else { continue };
        let Some(statistic) = result.statistic else { continue };
        let share = if count > 1 { 0.5 - k as f64 / (count - 1) as f64 } else { 0.0 };
        let firm = !matches!(result.outcome, Outcome::NotAssessed { .. });
        panel.add(Spot {
            name: seed.map_or_else(|| row.name.clone(), |seed| format!("{}, seed {seed}", row.name)),
            label: None,
            key: None,
            at: Datum { x: statistic * scale, y: middle + SPREAD * share, firm },
            error: (None, None),
            look: row.look,
            size: if count > 1 { 0.8 } else { 1.0 },
            meaning: meaning::rule(&row.variant).of_series(id.name()).with_some(Tag::Seed, *seed),
        });
    }
}

/// The thresholds that a check was made with, each once, from the smallest.
fn thresholds(id: CheckId, rows: &[Row]) -> Vec<f64> {
    let mut all: Vec<f64> =
        rows.iter().flat_map(|row| row.results(id)).map(|result| result.threshold).collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    all
}

/// A threshold as label source.
fn words(id: CheckId, threshold: f64) -> String {
    match id {
        CheckId::D3 => remark::points(threshold, true),
        _ => match power(threshold) {
            formula if formula.contains('\\') || formula.contains('^') => format!("${formula}$"),
            plain => plain,
        },
    }
}

/// The names along an axis.
pub(super) fn words_along(axis: &Axis) -> Vec<String> {
    match &axis.kind {
        Kind::Categories(names) => names.clone(),
        _ => Vec::new(),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
