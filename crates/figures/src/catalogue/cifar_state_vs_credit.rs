//! `cifar-state-vs-credit`: how well a rule predicts the last state, and the accuracies of rules other than
//! backpropagation.

use super::choose::Chosen;
use super::request::{CatalogueError, Drawing, Request, power};
use super::{meaning, plain};
use crate::plot::palette;
use crate::plot::{Axis, Callout, Datum, Figure, Line, Panel};
use crate::reader::{Statistics, Trial, Variant, statistics};

/// The rule that predicts states.
const PREDICTS: &str = "state_bridge";

/// Rules that are always listed; others are added if there are runs.
const COMPARED: [&str; 3] = ["dfa", PREDICTS, "credit_bridge"];

/// A prediction counts as good if its error, relative to the size of h_L, is below this.
const GOOD: f64 = 0.01;

/// With more seeds than this, all have the same look.
const DISTINCT_SEEDS: usize = 5;

pub(super) fn draw(request: &Request) -> Result<Drawing, CatalogueError> {
    let is_shown =
        |trial: &Trial| trial.rule != "bp" && (trial.accuracy().is_some() || !errors(trial).is_empty());
    let chosen = plain::chosen_with(request, is_shown, |trial| trial.rule == PREDICTS);
    // Trials of the rule that came to no end may have been left out.
    let chosen = chosen.filter(|chosen| !chosen.of(&Variant::plain(PREDICTS)).is_empty());
    let needs = "runs of rules other than bp, `state_bridge` among them";
    let chosen = chosen.ok_or(CatalogueError::nothing("cifar-state-vs-credit", needs, None))?;
    let mut notes = chosen.notes.clone();
    let panels = vec![prediction(request, &chosen, &mut notes), credit(request, &chosen, &mut notes)];
    let mut figure = Figure::row(panels);
    figure.aspect = 0.78;
    figure.title = Some(plain::title(&chosen));
    figure.foot = plain::foot(&chosen, plain::BARS, None);
    Ok(Drawing::of(figure, chosen.trials(), notes))
}

/// Prediction errors over epochs.
fn errors(trial: &Trial) -> Vec<Datum> {
    trial.epochs.iter().filter_map(|e| Some(Datum::new(e.epoch as f64, e.state_error?))).collect()
}

/// The prediction error, one line per seed.
fn prediction(request: &Request, chosen: &Chosen<'_>, notes: &mut Vec<String>) -> Panel {
    let name = request.rule(PREDICTS);
    let mut panel = Panel::new("prediction", Axis::epochs(), Axis::log("error of predicting $h_L$"))
        .titled(&format!("{name}: prediction error"));
    let trials = chosen.of(&Variant::plain(PREDICTS));
    let measured: Vec<(&Trial, Vec<Datum>)> =
        trials.iter().map(|trial| (*trial, errors(trial))).filter(|(_, data)| !data.is_empty()).collect();
    if measured.is_empty() {
        let why = format!("no `state_pred_error` in the runs of `{PREDICTS}`");
        notes.push(format!("panel prediction: {why}"));
        panel.absent = Some(why);
        return panel;
    }
    let count = measured.len();
    for (i, (trial, data)) in measured.into_iter().enumerate() {
        if data.iter().any(|d| d.y <= 0.0) {
            let name = &trial.name;
            notes.push(format!("panel prediction: {name} has errors of 0, which are only in the table"));
        }
        let seed = trial.seed.map_or_else(|| trial.name.clone(), |seed| format!("seed {seed}"));
        let few = count <= DISTINCT_SEEDS;
        let look = if few { palette::step(i, count) } else { request.look(PREDICTS) };
        let line = Line::new(&seed, data, look)
            .plain()
            .meaning(meaning::trials(&[trial]).of_series(meaning::STATE_ERROR));
        let key = if few { Some(seed) } else { (i == 0).then(|| format!("{count} seeds")) };
        panel.add(Line { key, weight: 0.8, ..line });
    }
    panel
}

/// The accuracies, with a remark on the rule that predicts.
fn credit(request: &Request, chosen: &Chosen<'_>, notes: &mut Vec<String>) -> Panel {
    let mut variants: Vec<Variant> = chosen.plain().map(|(variant, _)| variant.clone()).collect();
    variants.extend(COMPARED.map(Variant::plain));
    variants.sort();
    variants.dedup();
    let mut panel = Panel::new(
        "accuracy",
        Axis::categories("", variants.iter().map(|variant| request.name(variant))),
        Axis::linear("Test accuracy").including([0.0]).in_percent(),
    )
    .titled("Accuracy without backpropagation");
    let mut means: Vec<(usize, &Variant, Statistics)> = Vec::new();
    let mut top = 0.0f64;
    for (i, variant) in variants.iter().enumerate() {
        let values = plain::accuracies(chosen.of(variant));
        match statistics(values.iter().map(|(_, value)| *value)) {
            Some(s) => {
                top = values.iter().fold(top.max(s.mean + s.sd.unwrap_or(0.0)), |top, (_, v)| top.max(*v));
                means.push((i, variant, s));
            }
            None => notes.push(format!("panel accuracy: no run of {variant} among the records")),
        }
        let name = request.name(variant);
        let look = request.look(&variant.rule);
        let meaning = meaning::rule(variant).of_series(meaning::TEST_ACCURACY);
        panel.add(plain::bar(&name, look, i as f64, 0.62, values, meaning));
    }
    let predicting = means.iter().find(|(_, variant, _)| variant.rule == PREDICTS);
    let (Some(&(i, _, s)), Some(error)) = (predicting, error_at_the_end(chosen)) else { return panel };
    let better = means.iter().filter(|(.., other)| other.mean > s.mean).count();
    let found = Finding { error, is_good: error < GOOD, place: better + 1, of: means.len() };
    // The arrow ends above the bar's whisker and number, and the remark needs room above that.
    panel.y = panel.y.including([1.25 * top]);
    panel
        .add(Callout { text: found.remark(), target: (i as f64, s.mean + s.sd.unwrap_or(0.0) + 0.09 * top) });
    panel.captioned(&found.sentence(&request.rule(PREDICTS)))
}

/// The mean error over seeds after the last epoch.
fn error_at_the_end(chosen: &Chosen<'_>) -> Option<f64> {
    let trials = chosen.of(&Variant::plain(PREDICTS));
    let all: Vec<Vec<Datum>> = trials.iter().map(|t| errors(t)).filter(|data| !data.is_empty()).collect();
    Some(statistics(all.iter().filter_map(|data| data.last()).map(|d| d.y))?.mean)
}

/// What the two panels say together.
struct Finding {
    error: f64,
    is_good: bool,
    /// Rank of its accuracy, from the highest, out of `of`.
    place: usize,
    of: usize,
}

impl Finding {
    fn is_lowest(&self) -> bool {
        self.of > 1 && self.place == self.of
    }

    fn accuracy(&self) -> String {
        match (self.is_lowest(), self.place) {
            (true, _) => "the lowest accuracy".to_owned(),
            (false, 1) if self.of > 1 => "the highest accuracy".to_owned(),
            (false, _) if self.of == 1 => "the only accuracy here".to_owned(),
            (false, place) => format!("rank {place} of {} in accuracy", self.of),
        }
    }

    /// For the note at the bar, as label source.
    fn remark(&self) -> String {
        let link = if self.is_good && self.is_lowest() { "yet " } else { "" };
        format!("error ${}$, {link}{}", power(self.error), self.accuracy())
    }

    /// For the caption, as label source.
    fn sentence(&self, name: &str) -> String {
        let accuracy = self.accuracy();
        match (self.is_good, self.is_lowest()) {
            (true, true) => format!(
                "{name} learns to predict $h_L$, yet has {accuracy}: good prediction is not good credit"
            ),
            (true, false) => format!("{name} learns to predict $h_L$, and has {accuracy}"),
            (false, _) => format!("{name} has not learned to predict $h_L$, and has {accuracy}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_follow_the_values() {
        let words = |is_good, place| Finding { error: 1e-4, is_good, place, of: 3 }.sentence("It");
        assert!(words(true, 3).contains("good prediction is not good credit"));
        assert!(words(true, 2).ends_with("and has rank 2 of 3 in accuracy"));
        assert!(words(true, 1).ends_with("and has the highest accuracy"));
        assert_eq!(words(false, 3), "It has not learned to predict $h_L$, and has the lowest accuracy");
        let remark = |is_good, place| Finding { error: 1e-4, is_good, place, of: 3 }.remark();
        assert_eq!(remark(true, 3), "error $10^{-4}$, yet the lowest accuracy");
        assert_eq!(remark(false, 3), "error $10^{-4}$, the lowest accuracy");
        // A rule alone is not the lowest.
        assert!(!Finding { error: 1e-4, is_good: true, place: 1, of: 1 }.is_lowest());
    }
}
