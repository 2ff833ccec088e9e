//! The cells of a table of units: one measured quantity, over one run or the seeds of a group.

use super::legend::{Legend, Mark};
use super::words::quantity;
use crate::show;
use protocol::{Chance, Statistics, against_chance, statistics};
use record::Measured;
use record::audit::{Evidence, Quantity, Standing};

/// The mark of a quantity over the seeds; a space where nothing was drawn.
pub(super) fn mark(seeds: &[Option<&Evidence>], of: Quantity, legend: &mut Legend) -> char {
    let mut chances = seeds.iter().flatten().filter_map(|evidence| against_chance(evidence, of));
    let Some(first) = chances.next() else { return ' ' };
    for null in seeds.iter().flatten().flat_map(|evidence| &evidence.nulls).filter(|null| null.of == of) {
        legend.chance(null.kind, null.draws);
    }
    let (mark, sign) = if chances.any(|chance| chance != first) {
        (Mark::SeedsDiffer, '?')
    } else {
        match first {
            Chance::Beats => (Mark::Beats, '✓'),
            Chance::Within => (Mark::Within, '·'),
            Chance::Worse => (Mark::Worse, '✗'),
        }
    };
    legend.mark(mark);
    sign
}

/// Smallest to largest draw over all kinds and seeds, so that a value marked as better than chance lies outside.
pub(super) fn band(seeds: &[Option<&Evidence>], of: Quantity) -> String {
    let nulls = || seeds.iter().flatten().flat_map(|e| &e.nulls).filter(|null| null.of == of);
    let low = nulls().map(|null| null.low).fold(f64::INFINITY, f64::min);
    let high = nulls().map(|null| null.high).fold(f64::NEG_INFINITY, f64::max);
    if nulls().next().is_none() {
        String::new()
    } else {
        format!("{} to {}", show::signed(low), show::signed(high))
    }
}

/// Values over the seeds, none where it was not measured: their mean in brackets where one is not to be relied upon,
/// `–` where none exists, blank where nothing was measured. `spread` is what stands behind ± for a single run.
pub(super) fn measured(
    values: &[Option<Measured>],
    write: fn(f64) -> String,
    spread: Option<f64>,
    with_deviation: bool,
    legend: &mut Legend,
) -> String {
    if values.iter().all(Option::is_none) {
        return String::new();
    }
    for value in values.iter().flatten() {
        match *value {
            Measured::Defined { .. } => {}
            Measured::Unreliable { why, .. } => legend.unreliable(why),
            Measured::Undefined { why } => legend.undefined(why),
        }
    }
    let known = statistics(values.iter().flatten().filter_map(Measured::value));
    let Some(Statistics { mean, sd, .. }) = known else { return "– ".to_owned() };
    let shown = if values.len() > 1 { sd } else { spread };
    let deviation = match shown.filter(|_| with_deviation) {
        Some(x) => format!(" ±{}", show::share(x)),
        None => String::new(),
    };
    if shown.is_some() && with_deviation {
        legend.mark(if values.len() > 1 { Mark::OverSeeds } else { Mark::OverSamples });
    }
    let sure = values.iter().all(|value| value.is_some_and(|value| value.defined().is_some()));
    let number = write(mean) + &deviation;
    // The blank keeps digits in line with those of a bracketed neighbour.
    if sure { format!("{number} ") } else { format!("({number})") }
}

/// A plain number over the seeds; blank where it was not measured.
pub(super) fn plain(values: &[Option<f64>], write: fn(f64) -> String) -> String {
    statistics(values.iter().flatten().copied()).map_or_else(String::new, |over_seeds| write(over_seeds.mean))
}

/// The most frequent standing, the graver on a tie, and how many seeds have it.
pub(super) fn standing(standings: &[Standing]) -> Option<(Standing, usize)> {
    let count = |wanted: &Standing| standings.iter().filter(|standing| *standing == wanted).count();
    standings
        .iter()
        .map(|standing| (count(standing), *standing))
        .max()
        .map(|(count, standing)| (standing, count))
}

/// What of a unit differs between seeds, in words; the mean alone would hide it.
pub(super) fn disagreements(seeds: &[Option<&Evidence>]) -> Vec<String> {
    let all = seeds.iter().flatten().count();
    let cosines = || seeds.iter().flatten().map(|evidence| evidence.cosine);
    let mut words = Vec::new();
    let sure = cosines().filter(|cosine| cosine.defined().is_some()).count();
    if sure > 0 && sure < all {
        words.push(format!("the cosine can be relied upon in {sure} of {all} seeds only"));
    }
    // Where no seed's cosine can be relied upon, chance decides nothing.
    if sure == 0 {
        return words;
    }
    let mut said: Vec<(String, Vec<&str>)> = Vec::new();
    for of in [Quantity::Cosine, Quantity::Rho, Quantity::Nudge] {
        let chances: Vec<Chance> = seeds.iter().flatten().filter_map(|e| against_chance(e, of)).collect();
        let beats = chances.iter().filter(|&&chance| chance == Chance::Beats).count();
        let worse = chances.iter().filter(|&&chance| chance == Chance::Worse).count();
        let told = if beats > 0 && beats < chances.len() {
            format!("better than chance in {beats} of {} seeds", chances.len())
        } else if worse > 0 && worse < chances.len() {
            format!("worse than chance in {worse} of {} seeds", chances.len())
        } else {
            continue;
        };
        match said.iter_mut().find(|(other, _)| *other == told) {
            Some((_, quantities)) => quantities.push(quantity(of)),
            None => said.push((told, vec![quantity(of)])),
        }
    }
    words.extend(said.into_iter().map(|(told, quantities)| format!("{} {told}", quantities.join(", "))));
    words
}
