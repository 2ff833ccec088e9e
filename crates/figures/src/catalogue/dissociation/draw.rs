//! Chooses the runs and summarises each rule's measures.

use super::measure::{self, Measure, Summary};
use super::panel::panel;
use super::rank;
use crate::catalogue::choose::choose;
use crate::catalogue::request::{CatalogueError, Drawing, Request, foot};
use crate::catalogue::{Convention, meaning, several};
use crate::plot::{Figure, Look, Spread};
use crate::reader::Trial;
use crate::scene::Meaning;

/// With more rules, three panels side by side are too small.
const FEW: usize = 6;

/// A rule with its measures.
pub(super) struct Row {
    pub(super) name: String,
    pub(super) look: Look,
    pub(super) meaning: Meaning,
    /// In the order of [`Measure::ALL`].
    summaries: [Option<Summary>; 4],
}

impl Row {
    pub(super) fn get(&self, measure: Measure) -> Option<&Summary> {
        self.summaries[measure as usize].as_ref()
    }
}

pub(in crate::catalogue) fn draw(request: &Request) -> Result<Drawing, CatalogueError> {
    let wanted = |trial: &Trial| {
        let layers = &trial.final_layers;
        trial.variant().is_plain() && !(layers.cosine.is_empty() && layers.cosine_at_input.is_empty())
    };
    let needs = "runs of several rules with cosines by layer";
    let chosen = choose(&request.records, wanted);
    let chosen = chosen.ok_or(CatalogueError::nothing("dissociation", needs, None))?;
    // The paper's files have its convention only; if some records have ours, ours is used.
    let convention = request.convention(chosen.trials(), false);
    let here = convention == Convention::Credit;
    let mut notes = chosen.notes.clone();
    if !here && request.convention.is_none() {
        let note = "credit is compared at h_l, the paper's convention: these records hold nothing else";
        notes.push(note.to_owned());
    }
    let mut rows = Vec::new();
    for (variant, trials) in chosen.plain() {
        let row = Row {
            name: request.rule(&variant.rule),
            look: request.look(&variant.rule),
            meaning: meaning::trials(trials),
            summaries: Measure::ALL
                .map(|measure| measure::summary(measure, trials, here, request.spread(Spread::Sd))),
        };
        for missing in Measure::ALL.into_iter().filter(|measure| row.get(*measure).is_none()) {
            notes.push(format!("{}: no reliable {}", variant.rule, missing.word()));
        }
        rows.push(row);
    }
    let others = [Measure::Accuracy, Measure::Rho, Measure::Nudge];
    let panels = others.into_iter().map(|other| panel(other, here, &rows, &mut notes));
    let mut figure = Figure::row(panels.collect());
    if rows.len() > FEW {
        // Many markers and names need larger panels.
        figure.columns = 2;
        figure.aspect = 0.8;
    } else {
        figure.aspect = 1.05;
    }
    let convention = if here { "where credit acts" } else { "at $h_l$" };
    let is_part = |row: &Row, other: Measure| {
        let measures = [row.get(Measure::Cosine), row.get(other)];
        measures.iter().all(Option::is_some) && !measures.iter().flatten().all(|m| m.is_whole())
    };
    let hollow = rows.iter().any(|row| others.iter().any(|&other| is_part(row, other)));
    let hollow = if hollow { "; hollow: without units whose cosine is unreliable" } else { "" };
    let joined = others.iter().any(|&other| !rank::opposites(&rows, other).is_empty());
    let joined = if joined { "; joined: opposite ranks" } else { "" };
    let lines = format!("Means over units, {convention}{hollow}{joined}");
    let setting =
        foot(request, &chosen, Some(several::markers(request.spread(Spread::Sd)))).unwrap_or_default();
    figure.foot = Some(format!("{lines}. {setting}"));
    Ok(Drawing::of(figure.lettered(), chosen.trials(), notes))
}
