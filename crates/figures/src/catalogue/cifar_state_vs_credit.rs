//! `cifar-state-vs-credit`: how well a rule predicts the last state, and the accuracies of rules other than
//! backpropagation.

use super::choose::Chosen;
use super::request::{CatalogueError, Drawing, Request, power};
use super::{meaning, plain, several};
use crate::plot::palette;
use crate::plot::{Axis, Bar, Bars, Datum, Figure, Line, Panel, Spread};
use crate::reader::{Trial, Variant, statistics};

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
    let several = several::bars(request.spread(Spread::Sd));
    figure.foot = plain::foot(request, &chosen, several, None);
    Ok(Drawing::of(figure.lettered(), chosen.trials(), notes))
}

/// Prediction errors over epochs.
fn errors(trial: &Trial) -> Vec<Datum> {
    trial.epochs.iter().filter_map(|e| Some(Datum::new(e.epoch as f64, e.state_error?))).collect()
}

/// The prediction error, one line per seed.
fn prediction(request: &Request, chosen: &Chosen<'_>, notes: &mut Vec<String>) -> Panel {
    let name = request.rule(PREDICTS);
    let mut panel = Panel::new("prediction", Axis::epochs(), Axis::log("Relative error of predicting $h_L$"))
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
        let look = if few && count > 1 { palette::rank(i, count) } else { request.look(PREDICTS) };
        let line = Line::new(&seed, data, look)
            .sparse()
            .meaning(meaning::trials(&[trial]).of_series(meaning::STATE_ERROR));
        let key = if few { Some(seed) } else { (i == 0).then(|| format!("{count} seeds")) };
        // The foot names a seed alone.
        panel.add(Line { key: key.filter(|_| count > 1), weight: 0.8, ..line });
    }
    match error_at_the_end(chosen) {
        Some(error) => panel.captioned(&prediction_words(error)),
        None => panel,
    }
}

/// The accuracies, with a sentence about the rule that predicts.
fn credit(request: &Request, chosen: &Chosen<'_>, notes: &mut Vec<String>) -> Panel {
    let mut variants: Vec<Variant> = chosen.plain().map(|(variant, _)| variant.clone()).collect();
    variants.extend(COMPARED.map(Variant::plain));
    variants.sort();
    variants.dedup();
    let mut panel = Panel::new(
        "accuracy",
        Axis::categories("", variants.iter().map(|variant| request.name(variant))),
        plain::accuracies_axis().including([0.0]),
    )
    .titled("Accuracy without backpropagation");
    let mut means: Vec<(&Variant, f64)> = Vec::new();
    for (i, variant) in variants.iter().enumerate() {
        let values = plain::accuracies(chosen.of(variant));
        match statistics(values.iter().map(|(_, value)| *value)) {
            Some(s) => means.push((variant, s.mean)),
            None => notes.push(format!("panel accuracy: no run of {variant} among the records")),
        }
        let name = request.name(variant);
        let look = request.look(&variant.rule);
        let meaning = meaning::rule(variant).of_series(meaning::TEST_ACCURACY);
        let bar = Bar { x: i as f64, ..plain::mean(values, request.spread(Spread::Sd), plain::percent) };
        let colour = look.colour;
        panel.add(Bars { name, key: None, bars: vec![bar], width: 0.62, colour, published: false, meaning });
    }
    let predicting = means.iter().find(|(variant, _)| variant.rule == PREDICTS);
    let (Some((_, mean)), Some(error)) = (predicting, error_at_the_end(chosen)) else { return panel };
    let better = means.iter().filter(|(_, other)| other > mean).count();
    let found = Finding { error, place: better + 1, of: means.len() };
    panel.captioned(&found.credit(&request.rule(PREDICTS)))
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
    /// Rank of its accuracy, from the highest, out of `of`.
    place: usize,
    of: usize,
}

impl Finding {
    fn is_good(&self) -> bool {
        self.error < GOOD
    }

    fn is_lowest(&self) -> bool {
        self.of > 1 && self.place == self.of
    }

    fn accuracy(&self) -> String {
        match (self.is_lowest(), self.place) {
            (true, _) => format!("the lowest accuracy of {}", self.of),
            (false, 1) if self.of > 1 => format!("the highest accuracy of {}", self.of),
            (false, _) if self.of == 1 => "the only accuracy here".to_owned(),
            (false, place) => format!("rank {place} of {} in accuracy", self.of),
        }
    }

    /// Below the accuracies, as label source.
    fn credit(&self, name: &str) -> String {
        let accuracy = self.accuracy();
        match (self.is_good(), self.is_lowest()) {
            (true, true) => format!("{name} has {accuracy}: good prediction is not good credit"),
            _ => format!("{name} has {accuracy}"),
        }
    }
}

/// Below the errors: whether the last state is predicted.
fn prediction_words(error: f64) -> String {
    let verb = if error < GOOD { "learns to predict" } else { "does not learn to predict" };
    format!("It {verb} $h_L$: error ${}$ at the end", power(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_follow_the_values() {
        let words = |error, place| Finding { error, place, of: 3 }.credit("It");
        assert_eq!(words(1e-4, 3), "It has the lowest accuracy of 3: good prediction is not good credit");
        assert_eq!(words(1e-4, 2), "It has rank 2 of 3 in accuracy");
        assert_eq!(words(1e-4, 1), "It has the highest accuracy of 3");
        // What is not predicted well says nothing about prediction.
        assert_eq!(words(0.5, 3), "It has the lowest accuracy of 3");
        assert_eq!(prediction_words(1e-4), "It learns to predict $h_L$: error $10^{-4}$ at the end");
        assert!(prediction_words(0.5).starts_with("It does not learn to predict $h_L$"));
        // A rule alone is not the lowest.
        assert!(!Finding { error: 1e-4, place: 1, of: 1 }.is_lowest());
    }
}
