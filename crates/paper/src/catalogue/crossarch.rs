//! `crossarch`: states, gradients and accuracy over epochs, one row per network.

use figures::catalogue::choose::{Chosen, choose};
use figures::catalogue::curves::curve;
use figures::catalogue::request::{self, CatalogueError, Drawing, Request};
use figures::catalogue::several::{self, Axes};
use figures::catalogue::{layers, meaning, plain};
use figures::plot::{Axis, Figure, LegendPlace, Panel, Spread};
use figures::reader::{EpochPoint, Trial};
use figures::scene::Meaning;

struct NetworkRow {
    name: &'static str,
    holds: fn(&Trial) -> bool,
    /// What the row says where there is no such trial.
    missing: &'static str,
}

const NETWORKS: [NetworkRow; 3] = [
    NetworkRow {
        name: "ViT-Mini",
        holds: |trial| trial.setting.network == "vit",
        missing: "no run of network “vit” among the records",
    },
    NetworkRow {
        name: "ResMLP no-LN",
        holds: |trial| trial.setting.network == "resmlp" && trial.setting.out_ln == Some(false),
        missing: "no run of network “resmlp” with “out_ln = false” among the records",
    },
    NetworkRow {
        name: "StudentNet",
        holds: |trial| trial.setting.network == "student",
        missing: "no run of network “student” among the records",
    },
];

/// The rules that the rows compare.
const COMPARED: [&str; 3] = ["bp", "fa", "dfa"];

/// The quantity of a column, and how it is read from an epoch.
type Column = (Meaning, fn(&EpochPoint) -> Option<f64>);

/// What bands show: logarithmic and linear panels alike.
const SPREAD: Spread = Spread::MinMax;

/// The range of the gradients, the same in all rows so that they can be compared.
const GRADIENTS: [f64; 2] = [1e-12, 5e-2];

pub(super) fn draw(request: &Request) -> Result<Drawing, CatalogueError> {
    let has_norms = |trial: &Trial| {
        trial.variant().is_plain()
            && trial.epochs.iter().any(|e| e.hidden_last().is_some() || e.gradient_last().is_some())
    };
    let row = |network: &NetworkRow| {
        let ours = |trial: &Trial| (network.holds)(trial) && has_norms(trial);
        // The setting is that of the rules that every row compares; it shows its other rules too.
        let compared =
            choose(&request.records, |trial| ours(trial) && COMPARED.contains(&trial.rule.as_str()));
        let setting = compared.map(|chosen| chosen.setting);
        let is_of = |trial: &Trial| setting.as_ref().is_none_or(|setting| setting.agrees(&trial.setting));
        let chosen = choose(&request.records, |trial| ours(trial) && is_of(trial))?;
        let others = request.records.trials.iter().filter(|trial| ours(trial) && !is_of(trial));
        Some(chosen.leaving_out(others.map(|trial| &trial.setting)))
    };
    let rows: Vec<Option<Chosen<'_>>> = NETWORKS.iter().map(row).collect();
    let shown = || rows.iter().flatten();
    if shown().next().is_none() {
        let needs =
            "runs of `vit`, of `resmlp` with `out_ln = false`, or of `student`, with norms over epochs";
        return Err(CatalogueError::nothing("crossarch", needs, None));
    }
    let n = layers::samples(shown().flat_map(|chosen| chosen.trials()));
    let floor = layers::floor(shown().flat_map(|chosen| chosen.trials()), n);
    let mut panels = Vec::new();
    let mut notes: Vec<String> = Vec::new();
    for (network, chosen) in NETWORKS.iter().zip(&rows) {
        let mut row = empty_row(network.name, n);
        match chosen {
            None => {
                notes.push(format!("row {}: {}", network.name, network.missing));
                row.iter_mut().for_each(|panel| panel.absent = Some(network.missing.to_owned()));
            }
            Some(chosen) => {
                notes.extend(chosen.notes.iter().cloned());
                let last = chosen.setting.blocks;
                let columns: [Column; 3] = [
                    (meaning::of_state(meaning::HIDDEN, last), EpochPoint::hidden_last),
                    (meaning::of_state(meaning::GRADIENT, last), EpochPoint::gradient_last),
                    (Meaning::of(meaning::TEST_ACCURACY), |e| e.test_accuracy),
                ];
                row[1].add(floor.clone());
                row.iter_mut().for_each(|panel| panel.network = Some(chosen.setting.network.clone()));
                for (i, (panel, (quantity, read))) in row.iter_mut().zip(columns).enumerate() {
                    // The records hold the gradient of each sample's own loss.
                    let factor = if i == 1 { n as f64 } else { 1.0 };
                    for (variant, trials) in chosen.plain() {
                        let name = request.name(variant);
                        let look = request.look(&variant.rule);
                        let scaled = |e: &EpochPoint| read(e).map(|v| v / factor);
                        let curve =
                            curve(&quantity, &name, trials, look, i < 2, request.spread(SPREAD), scaled)?;
                        curve.into_iter().for_each(|element| panel.add(element));
                    }
                }
                for (variant, trials) in chosen.plain() {
                    notes.extend(holes(network.name, &request.name(variant), trials));
                }
            }
        }
        panels.extend(row);
    }
    for (panel, title) in panels.iter_mut().zip([
        "$\\|h_L\\|$ (residual norm)",
        "$\\|g_L\\|$ (BP gradient at $h_L$)",
        "Test accuracy",
    ]) {
        panel.title = Some(title.to_owned());
    }
    let lengths = |chosen: &Chosen<'_>| {
        chosen.trials().filter_map(|trial| trial.last().map(|e| e.epoch)).max().unwrap_or(0)
    };
    let mut figure = Figure::grid(3, panels);
    let all: Vec<u64> = shown().map(lengths).collect();
    figure.shares_x = rows.iter().all(Option::is_some) && all.windows(2).all(|w| w[0] == w[1]);
    figure.rows = NETWORKS.iter().map(|network| network.name.to_owned()).collect();
    figure.aspect = 0.72;
    let settings: Vec<String> = shown().map(|chosen| request::setting(&chosen.setting)).collect();
    let mut seeds: Vec<String> = shown().map(|chosen| chosen.seeds(request)).collect();
    seeds.dedup();
    let several =
        shown().any(Chosen::has_several).then(|| several::lines(request.spread(SPREAD), Axes::BOTH));
    let feet = settings.into_iter().chain([seeds.join(", ")]).chain(several);
    figure.foot = Some(feet.collect::<Vec<_>>().join("; "));
    Ok(Drawing::of(figure, shown().flat_map(|chosen| chosen.trials()), notes))
}

fn empty_row(network: &str, n: u64) -> [Panel; 3] {
    let panel = |what: &str, y: Axis| {
        let mut panel = Panel::new(&format!("{network}: {what}"), Axis::epochs(), y);
        panel.legend = LegendPlace::Figure;
        panel
    };
    [
        panel("hidden norm", Axis::log("$\\|h_L\\|_2$")),
        panel(
            "gradient norm",
            Axis { tight: true, ..Axis::log(&format!("$\\|g_L\\|_2$ ($N{{=}}{n}$)")) }.including(GRADIENTS),
        ),
        // The title says it.
        panel("accuracy", Axis { label: None, ..plain::accuracies_axis() }),
    ]
}

/// What the logs of a rule lack, by file.
fn holes(network: &str, name: &str, trials: &[&Trial]) -> Vec<String> {
    let mut found = Vec::new();
    for (what, read) in [
        ("‖h_L‖", EpochPoint::hidden_last as fn(&EpochPoint) -> Option<f64>),
        ("‖g_L‖", EpochPoint::gradient_last),
        ("test accuracy", |e| e.test_accuracy),
    ] {
        let lacking = trials.iter().filter(|t| t.epochs.iter().any(|e| read(e).is_none()));
        let files: Vec<String> = lacking.map(|t| t.origin.path.display().to_string()).collect();
        if !files.is_empty() {
            found.push(format!("row {network}: no {what} of {name} in some epochs of {}", files.join(", ")));
        }
    }
    found
}
