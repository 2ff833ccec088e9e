//! The figure: which runs it shows, and its three panels.

use super::sweep::Sweep;
use super::{accuracy, alignment, trajectory};
use crate::published::published;
use figures::catalogue::choose::{Chosen, choose};
use figures::catalogue::request::{self, CatalogueError, Drawing, Request};
use figures::catalogue::several::{self, Axes};
use figures::plot::{Figure, Panel, Spread};
use figures::reader::{Trial, Variant};
use record::Remedy;

/// What bands and error bars show: logarithmic and linear panels alike.
pub(super) const SPREAD: Spread = Spread::MinMax;

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
    let convention = request.convention(shown.trials(), true);
    let (alignment, early) = alignment::panel(request, shown, penalty, convention, &mut notes);
    panels.push(alignment);
    panels.push(accuracy::panel(request, shown, penalty, &mut notes));
    let mut figure = Figure::row(panels);
    figure.aspect = 1.15;
    let early = early.map(|epoch| {
        format!("$\\lambda{{=}}0$ in (b): epoch {epoch}, the last with a gradient above the floor")
    });
    let deep = "deep: mean over blocks $l>0$; fresh $B$: smallest to largest draw".to_owned();
    let several = several::markers_and_lines(request.spread(SPREAD), Axes::BOTH);
    let setting = chosen.iter().filter_map(|chosen| request::foot(request, chosen, Some(several.clone())));
    let published_words = request.published.as_ref().map(request::published_beside);
    let feet = setting.chain(published_words).chain(early).chain([deep, convention.words().to_owned()]);
    figure.foot = Some(feet.collect::<Vec<_>>().join("; "));
    notes.extend(chosen.iter().flat_map(|chosen| sweep.note(chosen)));
    notes.extend(shown.notes.iter().cloned());
    let drawing = Drawing::of(figure.lettered(), shown.trials(), notes);
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
