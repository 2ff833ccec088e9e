//! Chooses the audits and lays out the panels.

use super::panel;
use crate::catalogue::choose::{Chosen, choose};
use crate::catalogue::request::{CatalogueError, Drawing, Request, foot};
use crate::catalogue::{layers, meaning};
use crate::plot::Figure;
use crate::reader::Trial;
use record::Measured;
use record::Remedy;
use record::audit::{Evidence, Null, NullKind, Quantity};
use std::collections::BTreeSet;

/// A measured quantity that has nulls.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    Cosine,
    Rho,
}

impl Measure {
    const ALL: [Self; 2] = [Self::Cosine, Self::Rho];

    /// As label source.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Cosine => "Cosine",
            Self::Rho => "$\\rho$",
        }
    }

    /// The quantity of its marks.
    pub(super) fn series(self) -> &'static str {
        match self {
            Self::Cosine => meaning::COSINE,
            Self::Rho => meaning::RHO,
        }
    }

    pub(super) fn value(self, evidence: &Evidence) -> Option<Measured> {
        match self {
            Self::Cosine => Some(evidence.cosine),
            Self::Rho => evidence.rho.map(|rho| rho.value),
        }
    }

    pub(super) fn is_of(self, null: &Null) -> bool {
        null.of == if self == Self::Cosine { Quantity::Cosine } else { Quantity::Rho }
    }
}

/// The name of a null, as label source.
pub(super) fn null_name(kind: NullKind) -> &'static str {
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

pub(in crate::catalogue) fn draw(request: &Request) -> Result<Drawing, CatalogueError> {
    // Measured units without nulls are shown too: they show that no null applies.
    let wanted = |trial: &Trial| !trial.frozen && trial.final_units().iter().any(|unit| unit.here.is_some());
    let has_nulls = |chosen: &Chosen<'_>| Measure::ALL.iter().any(|measure| is_measured(chosen, *measure));
    let chosen = choose(&request.records, wanted).filter(has_nulls);
    let nothing = CatalogueError::nothing("nulls", "audits with nulls", Some(Remedy::Audit));
    let chosen = chosen.ok_or(nothing)?;
    let mut notes = chosen.notes.clone();
    let measures: Vec<Measure> = Measure::ALL.into_iter().filter(|m| is_measured(&chosen, *m)).collect();
    if !measures.contains(&Measure::Rho) {
        notes.push("no audit holds nulls of ρ: only the cosine is shown".to_owned());
    }
    let kinds = kinds(&chosen);
    let mut panels = Vec::new();
    let shared: Vec<panel::Shared> =
        measures.iter().map(|measure| panel::Shared::of(*measure, &chosen, &kinds)).collect();
    let names: Vec<String> = chosen.groups.keys().map(|variant| request.name(variant)).collect();
    for ((variant, trials), name) in chosen.groups.iter().zip(&names) {
        let look = request.look(&variant.rule);
        panels.extend(shared.iter().map(|shared| shared.panel(name, variant, look, trials)));
    }
    let mut figure = Figure::grid(measures.len(), panels);
    figure.rows = names;
    figure.shares_x = true;
    figure.aspect = match (measures.len(), chosen.groups.len()) {
        (1, _) => 0.17,
        (_, ..=4) => 0.35,
        _ => 0.26,
    };
    let mut legend =
        format!("Markers: measured where credit acts; {}; grey: smallest to largest draw", layers::HOLLOW);
    let units = |trial: &Trial| (0..trial.final_units().len()).any(|unit| layers::inert(&[trial], unit));
    if chosen.trials().any(units) {
        legend.push_str(&format!("; {}", layers::RINGED));
    }
    if shared.iter().any(|shared| chosen.groups.values().any(|trials| shared.has_gaps(trials))) {
        legend.push_str("; shaded: no feedback enters the credit");
    }
    let setting = foot(request, &chosen, None).unwrap_or_default();
    figure.foot = Some(format!("{legend}. {setting}"));
    Ok(Drawing::of(figure, chosen.trials(), notes))
}

fn is_measured(chosen: &Chosen<'_>, measure: Measure) -> bool {
    chosen.groups.values().any(|trials| nulls(trials, measure).next().is_some())
}

/// Kinds of nulls that any unit has, in order.
fn kinds(chosen: &Chosen<'_>) -> Vec<NullKind> {
    let groups = || chosen.groups.values();
    let all = Measure::ALL.iter().flat_map(|measure| groups().flat_map(|trials| nulls(trials, *measure)));
    all.map(|null| null.kind).collect::<BTreeSet<_>>().into_iter().collect()
}
