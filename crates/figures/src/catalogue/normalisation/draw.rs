//! One column per rule: ‖h_L‖, growth and accuracy after training by what credit is divided by, with each seed and their mean.

use super::answer;
use super::cells::{Cells, Rule};
use crate::catalogue::request::{self, CatalogueError, Drawing, Request, power};
use crate::catalogue::{layers, meaning, plain};
use crate::plot::palette::{self, Dash};
use crate::plot::{Axis, Datum, Figure, GUIDE, Guide, LegendPlace, Line, Look, Panel, Spot};
use crate::reader::{self, Setting, Trial, Variant, geometric_mean, statistics};
use crate::scene::{Meaning, Tag};
use record::normalise::NAMES;

/// From what changes least to what changes most: places in [`NAMES`], and their names along the axis.
const PLACES: [(usize, &str); 3] = [(2, "none"), (1, "batch"), (0, "sample")];
/// Columns side by side; further rules begin a new block of rows.
const COLUMNS: usize = 4;
/// Distance between the markers of neighbouring clippings, in units of the horizontal axis.
const APART: f64 = 0.16;

struct Quantity {
    name: &'static str,
    series: &'static str,
    label: &'static str,
    log: bool,
    read: fn(&Trial) -> Option<f64>,
}

const QUANTITIES: [Quantity; 3] = [
    Quantity {
        name: "stream",
        series: meaning::HIDDEN,
        label: "$\\|h_L\\|_2$",
        log: true,
        read: |trial| trial.last()?.hidden_last(),
    },
    Quantity {
        name: "growth",
        series: meaning::GROWTH,
        label: "Growth of a block",
        log: true,
        read: |trial| trial.last()?.growth,
    },
    Quantity {
        name: "accuracy",
        series: meaning::TEST_ACCURACY,
        label: "Test accuracy",
        log: false,
        read: |trial| trial.accuracy(),
    },
];

pub(in crate::catalogue) fn draw(request: &Request) -> Result<Drawing, CatalogueError> {
    let needs = "runs that differ in `rule.normalise`";
    let cells = Cells::of(&request.records).ok_or(CatalogueError::nothing("normalisation", needs, None))?;
    let mut notes = cells.notes.clone();
    notes.extend(cells.rules.iter().flat_map(|rule| missing(rule, &cells)));
    let columns = cells.rules.len().min(COLUMNS);
    let mut panels = Vec::new();
    for rules in cells.rules.chunks(columns) {
        for (row, quantity) in QUANTITIES.iter().enumerate() {
            for (column, rule) in rules.iter().enumerate() {
                let mut panel = panel(quantity, rule, &cells, column == 0);
                if row == 0 {
                    panel.title = Some(request.rule(&rule.name));
                }
                if row + 1 == QUANTITIES.len() {
                    panel = panel.captioned(&answer::caption(rule, &cells));
                }
                panels.push(panel);
            }
            panels.extend((rules.len()..columns).map(|_| Panel::blank()));
        }
    }
    let mut figure = Figure::grid(columns, panels);
    figure.aspect = 0.68;
    figure.widest = 0.27;
    figure.shares_x = cells.rules.len() <= COLUMNS;
    figure.title = Some(answer::headline(&cells, |rule| request.rule(rule)));
    figure.foot = Some(foot(&cells));
    Ok(Drawing::of(figure, cells.trials(), notes))
}

fn panel(quantity: &Quantity, rule: &Rule<'_>, cells: &Cells<'_>, first: bool) -> Panel {
    let label = if first { quantity.label } else { "" };
    let axis = if quantity.log { Axis::log(label) } else { plain::accuracies_axis() };
    // The same range for every rule, so that they can be compared.
    let y = axis.including(cells.trials().filter_map(quantity.read));
    let x = Axis::categories("RMS that divides credit", PLACES.map(|(_, name)| name));
    let mut panel = Panel::new(&format!("{}: {}", rule.name, quantity.name), x, y);
    panel.legend = LegendPlace::Figure;
    if quantity.series == meaning::GROWTH {
        let limit = layers::thresholds(cells.trials()).growth;
        let label = format!("D1 limit {}", power(limit));
        let line = Guide::horizontal(limit, Some(&label), GUIDE, Dash::Dashed);
        panel.add(line.meaning(Meaning::of(meaning::THRESHOLD)));
    }
    let count = cells.clips.len();
    for (i, (by_name, clip)) in rule.cells.iter().zip(&cells.clips).enumerate() {
        let look = palette::rank(i, count);
        let shift = APART * (i as f64 - (count - 1) as f64 / 2.0);
        let name = reader::clipping(*clip);
        let mut means = Vec::new();
        for (x, (place, _)) in PLACES.iter().enumerate() {
            let x = x as f64 + shift;
            let modifiers = format!("normalise = {}, clip = {clip}", NAMES[*place]);
            let meaning = meaning::rule(&Variant { modifiers, ..Variant::plain(&rule.name) });
            let meaning = meaning.of_series(quantity.series);
            let seeds: Vec<(Option<u64>, f64)> =
                by_name[*place].iter().filter_map(|t| Some((t.seed, (quantity.read)(t)?))).collect();
            let values: Vec<f64> = seeds.iter().map(|(_, value)| *value).collect();
            let mean =
                if quantity.log { geometric_mean(&values) } else { statistics(values).map(|s| s.mean) };
            means.push(Datum::new(x, mean.unwrap_or(f64::NAN)));
            // A single seed is its own mean.
            for (seed, value) in seeds.iter().filter(|_| seeds.len() > 1) {
                panel.add(spot(&name, *seed, Datum::new(x, *value), look, &meaning));
            }
        }
        let meaning =
            meaning::rule(&Variant { modifiers: format!("clip = {clip}"), ..Variant::plain(&rule.name) });
        panel.add(Line::new(&name, means, look).meaning(meaning.of_series(quantity.series)));
    }
    panel
}

/// One seed, small and pale beside the mean.
fn spot(name: &str, seed: Option<u64>, at: Datum, look: Look, meaning: &Meaning) -> Spot {
    let pale = Look { colour: look.colour.tinted(0.2), ..look };
    let meaning = meaning.clone().with_some(Tag::Seed, seed);
    Spot { size: 0.5, ..Spot::new(Spot::of_seed(name, seed), at, pale, meaning) }
}

/// Cells without a run, or with fewer seeds than others.
fn missing(rule: &Rule<'_>, cells: &Cells<'_>) -> Vec<String> {
    let all = cells.seeds();
    let mut notes = Vec::new();
    for (by_name, clip) in rule.cells.iter().zip(&cells.clips) {
        for (name, trials) in NAMES.iter().zip(by_name).filter(|(_, trials)| trials.len() < all) {
            let words = if trials.is_empty() {
                "no run".to_owned()
            } else {
                format!("{} of {all} seeds", trials.len())
            };
            let clipping = reader::clipping(*clip);
            notes.push(format!("{}, normalise = {name}, {clipping}: {words}", rule.name));
        }
    }
    notes
}

fn foot(cells: &Cells<'_>) -> String {
    let setting = cells.trials().next().map(|trial| Setting { other: Vec::new(), ..trial.setting.clone() });
    let setting = setting.map_or_else(String::new, |setting| format!("{}; ", request::setting(&setting)));
    let seeds = match cells.seeds() {
        0 | 1 => "one seed".to_owned(),
        many => format!(
            "up to {many} seeds; small: each seed, large: their mean, geometric on a logarithmic axis"
        ),
    };
    format!("{setting}{seeds}")
}
