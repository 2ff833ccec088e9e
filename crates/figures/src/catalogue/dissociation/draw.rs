//! The figure: which runs it shows, and the rules with their measures.

use super::measure::{self, Measure, Summary};
use super::{panel, rank};
use crate::catalogue::choose::choose;
use crate::catalogue::meaning;
use crate::catalogue::request::{CatalogueError, Drawing, Request, foot, sources};
use crate::plot::{Figure, Look};
use crate::reader::Trial;
use crate::scene::Meaning;

/// Rules for which panels of a third of the page have room.
const FEW: usize = 6;

/// A rule with its measures.
pub(super) struct Row {
    pub(super) name: String,
    pub(super) look: Look,
    /// Its rule, and its seed where there is one only.
    pub(super) meaning: Meaning,
    cosine: Option<Summary>,
    accuracy: Option<Summary>,
    rho: Option<Summary>,
    nudge: Option<Summary>,
}

impl Row {
    pub(super) fn get(&self, measure: Measure) -> Option<&Summary> {
        match measure {
            Measure::Cosine => self.cosine.as_ref(),
            Measure::Accuracy => self.accuracy.as_ref(),
            Measure::Rho => self.rho.as_ref(),
            Measure::Nudge => self.nudge.as_ref(),
        }
    }
}

/// Draws it.
pub(in crate::catalogue) fn draw(request: &Request) -> Result<Drawing, CatalogueError> {
    let wanted = |trial: &Trial| {
        let layers = &trial.final_layers;
        trial.variant().is_plain() && !(layers.cosine.is_empty() && layers.cosine_at_input.is_empty())
    };
    let Some(chosen) = choose(&request.records, wanted) else {
        return Err(CatalogueError::Nothing {
            figure: "dissociation",
            needs: "runs of several rules with cosines by layer",
            remedy: None,
        });
    };
    // The paper's files know its convention only; mixed with ours, the figure keeps to those that have ours.
    let here = chosen.trials().any(|trial| !trial.final_layers.cosine.is_empty());
    let mut notes = chosen.notes.clone();
    if !here {
        notes.push(
            "credit is compared as the paper does, a_l at h_l: these records hold nothing else".to_owned(),
        );
    }
    let mut rows = Vec::new();
    for (variant, trials) in chosen.plain() {
        let of = |measure: Measure| measure::summary(measure, trials, here);
        let row = Row {
            name: request.rule(&variant.rule),
            look: request.look(&variant.rule),
            meaning: meaning::trials(trials),
            cosine: of(Measure::Cosine),
            accuracy: of(Measure::Accuracy),
            rho: of(Measure::Rho),
            nudge: of(Measure::Nudge),
        };
        let all = [Measure::Cosine, Measure::Accuracy, Measure::Rho, Measure::Nudge];
        for missing in all.into_iter().filter(|measure| row.get(*measure).is_none()) {
            notes.push(format!("{}: no reliable {}", variant.rule, missing.word()));
        }
        rows.push(row);
    }
    let others = [Measure::Accuracy, Measure::Rho, Measure::Nudge];
    let panels =
        others.into_iter().enumerate().map(|(i, other)| panel::of(i, other, here, &rows, &mut notes));
    let mut figure = Figure::row(panels.collect());
    if rows.len() > FEW {
        // Many markers and names want larger panels.
        figure.columns = 2;
        figure.aspect = 0.8;
    } else {
        figure.aspect = 1.05;
    }
    let place = if here { "where credit acts" } else { "at $h_l$" };
    let joined = others.iter().any(|&other| !rank::opposites(&rows, other).is_empty());
    let joined = if joined { "; joined: opposite ranks" } else { "" };
    let lines =
        format!("Means over units, {place}; hollow: without units whose cosine is unreliable{joined}");
    let setting = foot(Some(&chosen), None).unwrap_or_default();
    figure.foot = Some(format!("{lines}. {setting}"));
    Ok(Drawing { figure, sources: sources(chosen.trials()), notes })
}
