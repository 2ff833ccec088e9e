//! (a) The last state and, on the right, the gradient, over epochs.

use super::draw::SPREAD;
use crate::catalogue::claims;
use figures::catalogue::choose::Chosen;
use figures::catalogue::curves::curve;
use figures::catalogue::request::{CatalogueError, Request, lambda};
use figures::catalogue::{layers, meaning};
use figures::plot::palette::{self, Dash};
use figures::plot::{Axis, Element, Guide, Key, Line, Look, MUTED, Panel};
use figures::reader::{EpochPoint, Trial, Variant, geometric_mean};

/// The layer whose gradient the paper keeps for penalised runs.
pub(crate) const LAYER: usize = 2;

pub(super) fn panel(
    request: &Request,
    chosen: &Chosen<'_>,
    penalty: f64,
    notes: &mut Vec<String>,
) -> Result<Panel, CatalogueError> {
    let mut panel = Panel::new("trajectory", Axis::epochs(), Axis::log("$\\|h_L\\|$ (solid)"))
        .titled("States and gradients");
    let n = layers::samples(chosen.trials());
    let last = chosen.setting.blocks;
    let conditions = [
        (Variant::plain("dfa"), request.look("dfa"), format!("{}, no penalty", request.rule("dfa"))),
        (
            Variant::penalised("dfa", penalty),
            palette::penalty(penalty),
            format!("{}, {}", request.rule("dfa"), lambda(penalty)),
        ),
    ];
    let spread = request.spread(SPREAD);
    let mut symbols: Vec<String> = Vec::new();
    for (variant, look, name) in conditions {
        let trials = chosen.of(&variant);
        if trials.is_empty() {
            notes.push(format!("panel (a): no run of {variant} among the records"));
            continue;
        }
        for element in curve(
            &meaning::of_state(meaning::HIDDEN, last),
            &format!("{name}: $\\|h_L\\|$"),
            trials,
            look,
            true,
            spread,
            EpochPoint::hidden_last,
        )? {
            panel.add(on_the_left(element, &name));
        }
        let Gradient { symbol, state, read } = gradient(trials);
        let quantity = meaning::of_state(meaning::GRADIENT, state.or(last));
        let scaled = |e: &EpochPoint| read(e).map(|p| protocol::of_mean(p, n));
        for element in curve(&quantity, &format!("{name}: ${symbol}$"), trials, look, true, spread, scaled)? {
            // A second band would hide the lines of the first axis.
            if let Element::Line(line) = element
                && line.key.is_some()
            {
                // Lighter, so that it is told from the state's where they cross.
                let look = Look { dash: Dash::Dotted, colour: look.colour.tinted(0.3), ..look };
                panel.add(Line { look, right: true, ..line }.plain().unlisted());
            }
        }
        if !symbols.contains(&symbol) {
            symbols.push(symbol);
        }
    }
    if symbols.is_empty() {
        panel.absent = Some("no run of dfa with states over epochs among the records".to_owned());
        return Ok(panel);
    }
    let gradient = format!("${}$", symbols.join(",\\,"));
    panel.add(Key { name: "$\\|h_L\\|$ (left)".to_owned(), colour: MUTED, dash: Dash::Solid, marker: None });
    panel.add(Key { name: format!("{gradient} (right)"), colour: MUTED, dash: Dash::Dotted, marker: None });
    panel.right = Some(Axis::log(&format!("{gradient} (dotted, $N{{=}}{n}$)")));
    panel.add(Guide { right: true, ..layers::floor(chosen.trials(), n) });
    let end = |variant: &Variant| state(chosen.of(variant));
    let with = end(&Variant::penalised("dfa", penalty));
    panel.caption = claims::states(end(&Variant::plain("dfa")), with.as_slice());
    Ok(panel)
}

/// ‖h_L‖ after the last epoch, the geometric mean over seeds.
pub(super) fn state(trials: &[&Trial]) -> Option<f64> {
    let ends: Option<Vec<f64>> = trials.iter().map(|trial| trial.last()?.hidden_last()).collect();
    geometric_mean(&ends?)
}

struct Gradient {
    symbol: String,
    /// `None` for the last state.
    state: Option<u64>,
    read: fn(&EpochPoint) -> Option<f64>,
}

/// The gradient that the trials hold: at the last state, else where the paper measured it.
fn gradient(trials: &[&Trial]) -> Gradient {
    let has_last = trials.iter().all(|t| t.epochs.iter().any(|e| e.gradient_last().is_some()));
    if has_last {
        Gradient { symbol: "\\|g_L\\|".to_owned(), state: None, read: EpochPoint::gradient_last }
    } else {
        let symbol = format!("\\|g_{LAYER}\\|");
        Gradient { symbol, state: Some(LAYER as u64), read: |e| e.gradient_at(LAYER) }
    }
}

fn on_the_left(element: Element, key: &str) -> Element {
    match element {
        Element::Line(line) => Element::Line(Line { key: line.key.map(|_| key.to_owned()), ..line }),
        other => other,
    }
}
