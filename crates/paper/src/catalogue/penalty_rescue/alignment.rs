//! (b) Cosine and ρ of the deep blocks under each condition.

use super::draw::{SPREAD, penalties};
use crate::catalogue::claims::{self, AgainstChance};
use crate::published::{AlignmentKind, AlignmentRow, published};
use figures::catalogue::choose::Chosen;
use figures::catalogue::request::{PUBLISHED, Request, lambda};
use figures::catalogue::{Convention, meaning, plain};
use figures::plot::palette::{Dash, PAIR};
use figures::plot::{Axis, Bar, Bars, GUIDE, Guide, Interval, Panel, Spread};
use figures::reader::{Layers, Trial, Variant, statistics};
use figures::scene::{Meaning, Tag};
use record::Measured;
use record::audit::{NullKind, Quantity};

const EARLY: &str = "none (early)";
const NULL: &str = "fresh $B$";

struct Condition {
    name: String,
    /// What both bars have in common.
    meaning: Meaning,
    /// Cosine and ρ.
    bars: [Option<Bar>; 2],
}

/// The panel, and the last epoch at which dfa without a penalty still had reliable values.
pub(super) fn panel(
    request: &Request,
    chosen: &Chosen<'_>,
    penalty: f64,
    convention: Convention,
    notes: &mut Vec<String>,
) -> (Panel, Option<u64>) {
    let spread = request.spread(SPREAD);
    // The two measures and the quantities of their marks.
    let measures = [("deep cosine", convention.cosine_series()), ("deep $\\rho$", convention.rho_series())];
    let deep = Deep { convention, spread };
    let mut measured: Vec<Condition> = Vec::new();
    let early = deep.early_epoch(chosen.of(&Variant::plain("dfa")));
    measured.extend(deep.vanilla(chosen.of(&Variant::plain("dfa")), early));
    for value in penalties(chosen) {
        measured.extend(deep.at_the_end(&lambda(value), chosen.of(&Variant::penalised("dfa", value))));
    }
    measured.extend(deep.null(chosen.of(&Variant::penalised("dfa", penalty))));
    measured.extend(deep.at_the_end(&request.rule("bp"), chosen.of(&Variant::plain("bp"))));
    let sentence = against_chance(&lambda(penalty), &measured);
    let foreign: Vec<Condition> = if request.published.is_some() {
        published().penalty.alignment.rows.iter().map(|row| as_published(row, &request.rule("bp"))).collect()
    } else {
        Vec::new()
    };
    let names = united(&measured, &foreign);
    let mut panel = Panel::new(
        "alignment",
        Axis::categories("", names.clone()),
        Axis::linear("Mean over deep blocks").including([-0.1, 1.0]),
    )
    .titled("Two measures of the deep blocks");
    if names.is_empty() {
        let why = "no audit with cosine and ρ of deep blocks among the records";
        notes.push(format!("panel (b): {why}"));
        panel.absent = Some(format!("{why}; an audit measures them"));
        return (panel, None);
    }
    panel.caption = sentence;
    panel.add(Guide::horizontal(0.0, None, GUIDE, Dash::Solid));
    let both = !measured.is_empty() && !foreign.is_empty();
    let width = if both { 0.2 } else { 0.38 };
    for (conditions, published) in [(measured, false), (foreign, true)] {
        for (i, ((what, series), colour)) in measures.into_iter().zip(PAIR).enumerate() {
            let name = if published { format!("{what}{PUBLISHED}") } else { what.to_owned() };
            // Measured bars first, then the published ones.
            let offset = i as f64 - 0.5 + if both { if published { 1.0 } else { -1.0 } } else { 0.0 };
            let bars: Vec<Bar> = conditions
                .iter()
                .filter_map(|c| {
                    let x = names.iter().position(|n| *n == c.name)? as f64 + offset * (width + 0.02);
                    let bar = c.bars[i].clone()?;
                    let meaning = c.meaning.clone().and(&bar.meaning);
                    Some(Bar { x, meaning, ..bar })
                })
                .collect();
            if !bars.is_empty() {
                let key = Some(name.clone());
                let meaning = Meaning::of(series);
                panel.add(Bars { name, key, bars, width, colour, published, meaning });
            }
        }
    }
    (panel, early)
}

/// How the condition of that name stands to what fresh feedback draws.
fn against_chance(name: &str, conditions: &[Condition]) -> Option<String> {
    let bars = |name: &str| conditions.iter().find(|condition| condition.name == name).map(|c| &c.bars);
    let (measured, chance) = (bars(name)?, bars(NULL)?);
    let place = |i: usize| -> Option<AgainstChance> {
        let [value, range] = [measured[i].as_ref()?, chance[i].as_ref()?];
        Some(AgainstChance { value: Some(value.y).filter(|y| !y.is_nan()), low: range.base, high: range.y })
    };
    Some(claims::measures(name, place(0)?, place(1)?))
}

/// Names of all conditions, each once: those of the first list, and each further one at its index in the second.
fn united(first: &[Condition], second: &[Condition]) -> Vec<String> {
    let mut names: Vec<String> = first.iter().map(|c| c.name.clone()).collect();
    for (i, condition) in second.iter().enumerate() {
        if !names.contains(&condition.name) {
            names.insert(i.min(names.len()), condition.name.clone());
        }
    }
    names
}

/// The layers of one seed.
type SeedLayers<'a> = (Option<u64>, &'a Layers);

/// Means over the blocks above the first.
#[derive(Clone, Copy)]
struct Deep {
    convention: Convention,
    spread: Spread,
}

impl Deep {
    /// The values of the blocks above the first.
    fn of(self, values: &[Option<Measured>]) -> impl Iterator<Item = Option<f64>> {
        let at = self.convention.at();
        let first = at.index(2).unwrap_or(0);
        values.iter().skip(first).map(|m| m.as_ref()?.defined())
    }

    /// Their mean; `None` if one is unreliable.
    fn mean(self, values: &[Option<Measured>]) -> Option<f64> {
        statistics(self.of(values).collect::<Option<Vec<f64>>>()?).map(|s| s.mean)
    }

    fn bar(self, values: Vec<(Option<u64>, f64)>) -> Option<Bar> {
        let bar = || Bar { value: None, ..plain::mean(values.clone(), self.spread, |_| String::new()) };
        (!values.is_empty()).then(bar)
    }

    fn of_layers(self, name: &str, meaning: Meaning, seeds: &[SeedLayers<'_>]) -> Option<Condition> {
        let over_seeds = |read: &dyn Fn(&Layers) -> Option<f64>| {
            self.bar(seeds.iter().filter_map(|(seed, layers)| Some((*seed, read(layers)?))).collect())
        };
        let bars = [
            over_seeds(&|layers| self.mean(self.convention.cosine(layers))),
            over_seeds(&|layers| self.mean(self.convention.rho(layers))),
        ];
        let any = bars.iter().any(Option::is_some);
        // The word takes the place of a bar that has no reliable value.
        let unreliable = || Bar { y: f64::NAN, value: Some("unreliable".to_owned()), ..Bar::default() };
        let bars = bars.map(|bar| Some(bar.unwrap_or_else(unreliable)));
        any.then(|| Condition { name: name.to_owned(), meaning, bars })
    }

    fn at_the_end(self, name: &str, trials: &[&Trial]) -> Option<Condition> {
        let seeds: Vec<SeedLayers<'_>> =
            trials.iter().map(|trial| (trial.seed, &trial.final_layers)).collect();
        self.of_layers(name, rule(trials), &seeds)
    }

    /// The last epoch at which cosine and ρ of all deep blocks are reliable for every seed.
    fn early_epoch(self, trials: &[&Trial]) -> Option<u64> {
        let firm = |list: &[Option<Measured>]| {
            let mut values = self.of(list).peekable();
            values.peek().is_some() && values.all(|value| value.is_some())
        };
        let is_firm =
            |layers: &Layers| firm(self.convention.cosine(layers)) && firm(self.convention.rho(layers));
        let epochs = |trial: &Trial| -> Vec<u64> {
            let good = trial.epochs.iter().filter(|e| e.epoch > 0 && is_firm(&e.layers));
            good.map(|e| e.epoch).collect()
        };
        let first = epochs(trials.first()?);
        first.into_iter().rev().find(|epoch| trials.iter().all(|trial| epochs(trial).contains(epoch)))
    }

    /// DFA without a penalty at the `early` epoch; at its end if there is none, or if it is the end.
    fn vanilla(self, trials: &[&Trial], early: Option<u64>) -> Option<Condition> {
        let is_last = |epoch: u64| trials.iter().all(|t| t.last().is_some_and(|last| last.epoch == epoch));
        let Some(epoch) = early.filter(|epoch| !is_last(*epoch)) else {
            return self.at_the_end("no penalty", trials);
        };
        let epochs =
            trials.iter().filter_map(|t| Some((t.seed, t.epochs.iter().find(|e| e.epoch == epoch)?)));
        let seeds: Vec<SeedLayers<'_>> = epochs.map(|(seed, e)| (seed, &e.layers)).collect();
        self.of_layers(EARLY, rule(trials).with(Tag::Epoch, epoch), &seeds)
    }

    /// What fresh feedback gives on the same states: the range of all draws, averaged over the deep blocks.
    fn null(self, trials: &[&Trial]) -> Option<Condition> {
        let range = |of: Quantity| -> Option<Bar> {
            let units = trials.iter().flat_map(|trial| trial.final_units().iter().skip(2));
            let nulls = units.filter_map(|unit| self.convention.evidence(unit)).flat_map(|e| e.nulls.iter());
            let ours: Vec<(f64, f64)> = nulls
                .filter(|null| null.kind == NullKind::FreshFeedback && null.of == of)
                .map(|null| (null.low, null.high))
                .collect();
            let low = statistics(ours.iter().map(|(low, _)| *low))?;
            let high = statistics(ours.iter().map(|(_, high)| *high))?;
            Some(Bar { y: high.mean, base: low.mean, ..Bar::default() })
        };
        let bars = [range(Quantity::Cosine), range(Quantity::Rho)];
        let meaning = rule(trials).with(Tag::Null, NullKind::FreshFeedback.name());
        bars.iter().any(Option::is_some).then(|| Condition { name: NULL.to_owned(), meaning, bars })
    }
}

fn rule(trials: &[&Trial]) -> Meaning {
    trials.first().map_or_else(Meaning::default, |trial| meaning::rule(&trial.variant()))
}

fn as_published(row: &AlignmentRow, bp: &str) -> Condition {
    let name = match row.kind {
        AlignmentKind::FreshFeedback => NULL.to_owned(),
        AlignmentKind::Gradient => bp.to_owned(),
        AlignmentKind::End => lambda(row.penalty),
        AlignmentKind::Early => EARLY.to_owned(),
    };
    let null = (row.kind == AlignmentKind::FreshFeedback).then_some(NullKind::FreshFeedback.name());
    let rule = meaning::rule(&Variant::penalised(&row.rule, row.penalty));
    let meaning = meaning::published(rule.with_some(Tag::Null, null));
    let bar = |value: &crate::published::Value| {
        let error = value.sd.map(|sd| Interval::sd(value.mean, sd));
        Some(Bar { y: value.mean, error, ..Bar::default() })
    };
    Condition { name, meaning, bars: [bar(&row.cosine), bar(&row.rho)] }
}
