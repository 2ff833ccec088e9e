//! One check: a column with a marker for each seed, the threshold, the side on which it fires, and what there is room to say.

use super::{Row, between_rows, remark, rules};
use crate::catalogue::meaning;
use crate::catalogue::request::power;
use crate::plot::palette::{BAD, BAD_INK, Dash};
use crate::plot::{Axis, Datum, Guide, LegendPlace, MUTED, Panel, Region, Remark, Spot};
use crate::scene::{Meaning, Tag};
use record::audit::{CheckId, Outcome};

/// Share of a row over which the seeds are spread.
const SPREAD: f64 = 0.5;

/// What the foot says of the columns.
pub(super) const LEGEND: &str = "Shaded: the check fires; numbers: how far the seeds are from the threshold, and the epoch at which it fired first";

/// How a check is drawn.
struct CheckAxis {
    title: &'static str,
    label: &'static str,
    log: bool,
    /// From the statistic to the unit of the axis.
    scale: f64,
    /// Whether the check fires above its threshold.
    above: bool,
}

fn check_axis(id: CheckId) -> CheckAxis {
    let (title, label, log, scale, above) = match id {
        CheckId::D1 => ("D1 Scale stability", "$\\max_l \\|h_{l+1}\\|/\\|h_l\\|$", true, 1.0, true),
        CheckId::D2 => ("D2 Reference validity", "$\\|g_L\\|$ at $N{=}128$", true, 1.0, false),
        CheckId::D3 => ("D3 Depth utility", "points over frozen", false, 100.0, false),
        CheckId::Direction => ("Direction", "batch cosine, $h_{L/2}$", false, 1.0, true),
        CheckId::Consistency => ("Consistency", "difference of credit", true, 1.0, true),
    };
    CheckAxis { title, label, log, scale, above }
}

pub(super) fn column(id: CheckId, rows: &[Row], notes: &mut Vec<String>) -> Panel {
    let check_axis = check_axis(id);
    let thresholds = thresholds(id, rows);
    let advisory = rows.iter().flat_map(|row| row.results(id)).any(|result| result.advisory);
    let side = if check_axis.above { "above" } else { "below" };
    let fires = match thresholds[..] {
        [one] => format!("\nfires {side} {}", words(id, one)),
        _ => String::new(),
    };
    let label = format!("{}{fires}", check_axis.label);
    let axis = if check_axis.log { Axis::log(&label) } else { Axis::linear(&label).including([0.0]) };
    let title = format!("{}{}", check_axis.title, if advisory { " (advisory)" } else { "" });
    let mut panel = Panel::new(id.name(), axis, rules(rows)).titled(&title);
    panel.legend = LegendPlace::None;
    if thresholds.is_empty() {
        panel.absent = Some("not assessed for any rule".to_owned());
        return panel;
    }
    if thresholds.len() > 1 {
        let all: Vec<String> = thresholds.iter().map(ToString::to_string).collect();
        let all = all.join(", ");
        notes.push(format!("{}: the audits were made with different thresholds: {all}", id.name()));
    }
    let everywhere = (f64::NEG_INFINITY, f64::INFINITY);
    for &threshold in &thresholds {
        let at = threshold * check_axis.scale;
        if thresholds.len() == 1 {
            let x = if check_axis.above { (at, f64::INFINITY) } else { (f64::NEG_INFINITY, at) };
            panel.add(Region { x, y: everywhere, fill: BAD, name: None, ink: BAD_INK });
        }
    }
    between_rows(rows, &mut panel);
    for &threshold in &thresholds {
        let at = threshold * check_axis.scale;
        let line = Guide::vertical(at, Some(&words(id, threshold)), BAD_INK, Dash::Dashed);
        panel.add(line.meaning(Meaning::of(meaning::THRESHOLD)));
    }
    // Names go upwards, and the first rule belongs on top.
    for (i, row) in rows.iter().rev().enumerate() {
        spots(id, row, i as f64, check_axis.scale, &mut panel);
        let results = row.results(id);
        let drawn = results.iter().any(|result| result.statistic.is_some());
        panel.add(Remark {
            at: i as f64,
            text: remark::remark(id, &results),
            written: remark::short(id, &results),
            ink: MUTED,
            bold: false,
            // Nothing is left empty without a word.
            needed: !drawn,
            meaning: meaning::rule(&row.variant).of_series(id.name()),
        });
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
        panel.add(Spot { size: 0.72, ..Spot::new(Spot::of_seed(&row.name, *seed), at, row.look, meaning) });
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
