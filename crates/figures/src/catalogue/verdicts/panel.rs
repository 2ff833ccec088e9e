//! One check: one row per rule, one marker per seed, the threshold and the side on which it fires.

use super::{Row, remark};
use crate::catalogue::meaning;
use crate::catalogue::request::power;
use crate::plot::palette::{BAD, BAD_INK, Dash};
use crate::plot::{Axis, AxisKind, Datum, Guide, LegendPlace, Panel, Region, Spot};
use crate::scene::{Meaning, Tag};
use record::audit::{CheckId, Outcome};

/// Share of a row over which the seeds are spread.
const SPREAD: f64 = 0.5;

/// How a check is drawn.
struct CheckAxis {
    label: &'static str,
    log: bool,
    /// From the statistic to the unit of the axis.
    scale: f64,
    /// Whether the check fires above its threshold.
    above: bool,
}

fn check_axis(id: CheckId) -> CheckAxis {
    let (label, log, scale, above) = match id {
        CheckId::D1 => ("largest growth of a block, $\\max_l \\|h_{l+1}\\|/\\|h_l\\|$", true, 1.0, true),
        CheckId::D2 => ("gradient at the last state, $\\|g_L\\|$ at $N{=}128$", true, 1.0, false),
        CheckId::D3 => ("accuracy gained over frozen blocks (points)", false, 100.0, false),
        CheckId::Direction => ("mean pairwise cosine of batch gradients at $h_{L/2}$", false, 1.0, true),
        CheckId::Consistency => ("largest relative difference of the credit", true, 1.0, true),
    };
    CheckAxis { label, log, scale, above }
}

fn title(id: CheckId) -> String {
    match id {
        CheckId::Direction | CheckId::Consistency => capital(id.title()),
        _ => format!("{} {}", id.name(), capital(id.title())),
    }
}

pub(super) fn panel(id: CheckId, rows: &[Row], notes: &mut Vec<String>) -> Panel {
    let check_axis = check_axis(id);
    let thresholds = thresholds(id, rows);
    let names = rows.iter().rev().map(|row| row.name.clone());
    let axis = if check_axis.log {
        Axis::log(check_axis.label)
    } else {
        Axis::linear(check_axis.label).including([0.0])
    };
    let mut panel = Panel::new(id.name(), axis, Axis::categories("", names));
    // Categories go upwards, and the first rule belongs on top.
    let remarks = rows.iter().rev().map(|row| remark::remark(id, &row.results(id)));
    panel.right = Some(Axis::categories("", remarks));
    panel.legend = LegendPlace::None;
    let advisory = rows.iter().flat_map(|row| row.results(id)).any(|result| result.advisory);
    let side = if check_axis.above { "above" } else { "below" };
    let fires = match thresholds[..] {
        [one] => format!(": fires {side} {}", words(id, one)),
        _ => String::new(),
    };
    panel.title = Some(format!("{}{}{fires}", title(id), if advisory { " (advisory)" } else { "" }));
    if thresholds.len() > 1 {
        let all: Vec<String> = thresholds.iter().map(ToString::to_string).collect();
        let all = all.join(", ");
        notes.push(format!("{}: the audits were made with different thresholds: {all}", id.name()));
    }
    for &threshold in &thresholds {
        let at = threshold * check_axis.scale;
        if thresholds.len() == 1 {
            let x = if check_axis.above { (at, f64::INFINITY) } else { (f64::NEG_INFINITY, at) };
            let y = (f64::NEG_INFINITY, f64::INFINITY);
            panel.add(Region { x, y, fill: BAD, name: Some("fires".to_owned()), ink: BAD_INK });
        }
        let line = Guide::vertical(at, Some(&words(id, threshold)), BAD_INK, Dash::Dashed);
        panel.add(line.meaning(Meaning::of(meaning::THRESHOLD)));
    }
    for (i, row) in rows.iter().rev().enumerate() {
        spots(id, row, i as f64, check_axis.scale, &mut panel);
    }
    panel
}

/// One marker per seed, the first on top.
fn spots(id: CheckId, row: &Row, middle: f64, scale: f64, panel: &mut Panel) {
    let count = row.seeds.len();
    for (k, (seed, checks)) in row.seeds.iter().enumerate() {
        let Some(result) = checks.iter().find(|check| check.check == id) else { continue };
        let Some(statistic) = result.statistic else { continue };
        let share = if count > 1 { 0.5 - k as f64 / (count - 1) as f64 } else { 0.0 };
        let firm = !matches!(result.outcome, Outcome::NotAssessed { .. });
        let at = Datum { firm, ..Datum::new(statistic * scale, middle + SPREAD * share) };
        let meaning = meaning::rule(&row.variant).of_series(id.name()).with_some(Tag::Seed, *seed);
        let size = if count > 1 { 0.8 } else { 1.0 };
        panel.add(Spot { size, ..Spot::new(Spot::of_seed(&row.name, *seed), at, row.look, meaning) });
    }
}

/// The distinct thresholds that a check was made with, in ascending order.
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
        AxisKind::Categories(names) => names.clone(),
        _ => Vec::new(),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
