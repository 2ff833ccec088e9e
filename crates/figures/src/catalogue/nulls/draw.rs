//! The figure: which audits it shows, and what its panels share.

use super::panel;
use crate::catalogue::choose::{Chosen, choose};
use crate::catalogue::meaning;
use crate::catalogue::request::{CatalogueError, Drawing, Request, foot, sources};
use crate::plot::Figure;
use crate::reader::Trial;
use record::Measured;
use record::Remedy;
use record::audit::{Evidence, Null, NullKind, Quantity};

/// Letters of a name that fits beside a row.
const SHORT: usize = 12;

/// A measured quantity that has nulls.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    Cosine,
    Rho,
}

impl Measure {
    const ALL: [Self; 2] = [Self::Cosine, Self::Rho];

    /// What panels and sentences call it, as label source.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Cosine => "Cosine",
            Self::Rho => "$\\rho$",
        }
    }

    /// What its marks stand for.
    pub(super) fn series(self) -> &'static str {
        match self {
            Self::Cosine => meaning::COSINE,
            Self::Rho => meaning::RHO,
        }
    }

    /// Its value in the evidence of a unit.
    pub(super) fn of(self, evidence: &Evidence) -> Option<Measured> {
        match self {
            Self::Cosine => Some(evidence.cosine),
            Self::Rho => evidence.rho.map(|rho| rho.value),
        }
    }

    pub(super) fn is_of(self, null: &Null) -> bool {
        null.of == if self == Self::Cosine { Quantity::Cosine } else { Quantity::Rho }
    }
}

/// What chance is called, as label source.
pub(super) fn chance(kind: NullKind) -> &'static str {
    match kind {
        NullKind::FreshFeedback => "feedback drawn afresh",
        NullKind::PermutedLabels => "labels permuted",
        NullKind::ShuffledSamples => "samples shuffled",
        NullKind::TurnedFeatures => "features turned",
    }
}

/// The evidence of a unit where its credit acts.
pub(super) fn evidence(trial: &Trial, unit: usize) -> Option<&Evidence> {
    trial.final_units().get(unit).and_then(|unit| unit.here.as_ref())
}

/// Nulls of one quantity over all units of these trials.
pub(super) fn nulls<'a>(trials: &'a [&Trial], measure: Measure) -> impl Iterator<Item = &'a Null> {
    let units = trials.iter().flat_map(|trial| trial.final_units());
    let all = units.filter_map(|unit| unit.here.as_ref()).flat_map(|evidence| &evidence.nulls);
    all.filter(move |null| measure.is_of(null))
}

/// Draws it.
pub(in crate::catalogue) fn draw(request: &Request) -> Result<Drawing, CatalogueError> {
    // Units that were measured but have no null still say something: that none applies.
    let wanted = |trial: &Trial| !trial.frozen && trial.final_units().iter().any(|unit| unit.here.is_some());
    let chosen = choose(&request.records, wanted).filter(|chosen| {
        Measure::ALL.iter().any(|m| chosen.groups.values().any(|t| nulls(t, *m).next().is_some()))
    });
    let Some(chosen) = chosen else {
        return Err(CatalogueError::Nothing {
            figure: "nulls",
            needs: "audits with nulls",
            remedy: Some(Remedy::Audit),
        });
    };
    let mut notes = chosen.notes.clone();
    let measures: Vec<Measure> = Measure::ALL.into_iter().filter(|m| is_measured(&chosen, *m)).collect();
    if !measures.contains(&Measure::Rho) {
        notes.push("no audit holds ρ with its nulls: the figure shows the cosine alone".to_owned());
    }
    let kinds = kinds(&chosen);
    let mut panels = Vec::new();
    let shared: Vec<panel::Shared> =
        measures.iter().map(|measure| panel::Shared::of(*measure, &chosen, &kinds)).collect();
    let names: Vec<String> = chosen.groups.keys().map(|variant| request.name(variant)).collect();
    // Beside a row there is room for a short name; a longer one opens the title.
    let named_beside = names.iter().all(|name| name.chars().count() <= SHORT);
    for ((variant, trials), name) in chosen.groups.iter().zip(&names) {
        for (i, shared) in shared.iter().enumerate() {
            let mut panel = shared.panel(name, variant, request.look(&variant.rule), trials);
            if i == 0 && !named_beside {
                panel.title = panel.title.map(|title| format!("{name}. {title}"));
            }
            panels.push(panel);
        }
    }
    let mut figure = Figure::grid(measures.len(), panels);
    if named_beside {
        figure.rows = names;
    }
    figure.shares_x = true;
    figure.aspect = match (measures.len(), chosen.groups.len()) {
        (1, _) => 0.22,
        (_, ..=4) => 0.46,
        _ => 0.34,
    };
    let mut meaning =
        "Markers: measured where credit acts; hollow: unreliable; grey: smallest to largest draw".to_owned();
    if shared.iter().any(|shared| chosen.groups.values().any(|trials| shared.has_gaps(trials))) {
        meaning.push_str("; shaded: no feedback enters the credit");
    }
    let setting = foot(Some(&chosen), None).unwrap_or_default();
    figure.foot = Some(format!("{meaning}. {setting}"));
    Ok(Drawing { figure, sources: sources(chosen.trials()), notes })
}

fn is_measured(chosen: &Chosen<'_>, measure: Measure) -> bool {
    chosen.groups.values().any(|trials| nulls(trials, measure).next().is_some())
}

/// Kinds of chance that any unit is held against, in order.
fn kinds(chosen: &Chosen<'_>) -> Vec<NullKind> {
    let all = |measure: Measure| {
        chosen
            .groups
            .values()
            .flat_map(move |trials| nulls(trials, measure).map(|null| null.kind).collect::<Vec<_>>())
    };
    let mut kinds: Vec<NullKind> = Measure::ALL.into_iter().flat_map(all).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}
