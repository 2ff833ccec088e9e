//! The figure: which runs it shows, and its three panels.

use super::sweep::Sweep;
use super::{accuracy, alignment, trajectory};
use crate::published::published;
use figures::catalogue::choose::{Chosen, choose};
use figures::catalogue::request::{self, CatalogueError, Drawing, Request};
use figures::plot::{Figure, Panel};
use figures::reader::{Trial, Variant};
use record::Remedy;

/// The penalty shown if there are several.
const PREFERRED: f64 = 1e-2;

pub(crate) fn draw(request: &Request) -> Result<Drawing, CatalogueError> {
    let wanted = |trial: &Trial| {
        ["bp", "dfa"].contains(&trial.rule.as_str())
            && trial.modifiers.is_empty()
            && trial.setting.network == "resmlp"
            && trial.setting.out_ln != Some(false)
            // Without states, files of different network sizes look alike.
            && (trial.epochs.iter().any(|e| e.hidden_last().is_some()) || trial.audit.is_some())
    };
    let sweep = Sweep::of(&request.records, wanted);
    let chosen = choose(&request.records, |trial| sweep.takes(trial));
    let penalty = chosen.as_ref().and_then(main_penalty);
    if penalty.is_none() && request.published.is_none() {
        let needs = "runs of dfa with `rule.penalty`, and runs without";
        return Err(CatalogueError::nothing("penalty-rescue", needs, Some(Remedy::Published)));
    }
    let mut panels: Vec<Panel> = Vec::new();
    let mut notes: Vec<String> = Vec::new();
    let empty = Chosen::empty();
    let shown = chosen.as_ref().unwrap_or(&empty);
    let penalty = penalty.unwrap_or(PREFERRED);
    panels.push(trajectory::panel(request, shown, penalty, &mut notes)?);
    let (alignment, early) = alignment::panel(request, shown, penalty, &mut notes);
    panels.push(alignment);
    panels.push(accuracy::panel(request, shown, penalty, &mut notes));
    let mut figure = Figure::row(panels);
    figure.aspect = 1.15;
    let early = early
        .map(|epoch| format!("early: epoch {epoch}, the last at which the gradient was above the floor"));
    let deep = "deep: mean over blocks $l>0$ of $a_l$ at $h_l$; fresh $B$: range of its draws";
    let feet = request::foot(chosen.as_ref(), request.published.as_ref()).into_iter().chain(early);
    let feet = feet.chain([deep.to_owned()]);
    figure.foot = Some(feet.collect::<Vec<_>>().join("; "));
    notes.extend(chosen.iter().flat_map(|chosen| sweep.note(chosen)));
    notes.extend(shown.notes.iter().cloned());
    let drawing = Drawing::of(figure, shown.trials(), notes);
    let penalty = request.published.as_ref().map(|_| &published().penalty);
    let all = penalty.iter().flat_map(|penalty| [&penalty.alignment.source, &penalty.capacity.source]);
    Ok(drawing.and_from(all.map(|source| format!("published: {source}"))))
}

/// The preferred penalty if dfa has it, else dfa's largest.
fn main_penalty(chosen: &Chosen<'_>) -> Option<f64> {
    let all = penalties(chosen);
    all.iter().copied().find(|p| *p == PREFERRED).or(all.last().copied())
}

/// All penalties of dfa, from the smallest.
pub(crate) fn penalties(chosen: &Chosen<'_>) -> Vec<f64> {
    let of_dfa = |v: &&Variant| v.rule == "dfa" && !v.frozen && v.penalty != 0.0;
    chosen.groups.keys().filter(of_dfa).map(|v| v.penalty).collect()
}
