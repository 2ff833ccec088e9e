//! The cells of a table of units: one measured quantity, over one run or the seeds of a group.

use super::legend::{Legend, Mark};
use super::words::Noun;
use crate::show::{self, Symbol, Text, list};
use protocol::{Chance, Statistics, against_chance, gathered, statistics};
use record::Measured;
use record::audit::{Estimate, Evidence, Quantity};

/// How a quantity compares with chance over the seeds; none where nothing was drawn.
pub(super) fn mark(seeds: &[Option<&Evidence>], of: Quantity, legend: &mut Legend) -> Option<Symbol> {
    let mut chances = seeds.iter().flatten().filter_map(|evidence| against_chance(evidence, of));
    let first = chances.next()?;
    for null in seeds.iter().flatten().flat_map(|evidence| &evidence.nulls).filter(|null| null.of == of) {
        legend.chance(null.kind, null.draws);
    }
    let (mark, symbol) = if chances.any(|chance| chance != first) {
        (Mark::SeedsDiffer, Symbol::Open)
    } else {
        match first {
            Chance::Beats => (Mark::Beats, Symbol::Good),
            Chance::Within => (Mark::Within, Symbol::Chance),
            Chance::Worse => (Mark::Worse, Symbol::Bad),
        }
    };
    legend.mark(mark);
    Some(symbol)
}

/// Numbers and their marks; no room is kept for brackets and marks that no cell of the column has.
pub(super) fn aligned(cells: Vec<(String, Option<Symbol>)>) -> Vec<Text> {
    let bracketed = cells.iter().any(|(number, _)| number.ends_with(')'));
    let marked = cells.iter().any(|(_, mark)| mark.is_some());
    let cell = |(number, mark): (String, Option<Symbol>)| {
        let number = if bracketed { number } else { number.trim_end().to_owned() };
        match mark {
            _ if number.is_empty() => Text::default(),
            Some(mark) => Text::from(number + " ").then(mark),
            None if marked => Text::from(number + "  "),
            None => number.into(),
        }
    };
    cells.into_iter().map(cell).collect()
}

/// Smallest to largest draw over all kinds and seeds, so that a value marked as better than chance is outside.
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

/// Values over the seeds, none where it was not measured: their mean in brackets where one is unreliable, `–` where none
/// exists, blank where nothing was measured. `spread` is the deviation behind ± for a single run.
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

/// The cosine, of a single run with its deviation over samples, or its interval where it is only estimated.
pub(super) fn cosine(seeds: &[Option<&Evidence>], legend: &mut Legend) -> String {
    let spread = seeds.first().copied().flatten().and_then(|evidence| evidence.spread);
    let values: Vec<Option<Measured>> = seeds.iter().map(|e| e.map(|e| e.cosine)).collect();
    estimated(seeds, legend).unwrap_or_else(|| measured(&values, show::signed, spread, true, legend))
}

/// A cosine that is only estimated, with its interval: `≈ .310 (.280 to .340)`. None for other cosines, and over several seeds, whose
/// spread says more.
fn estimated(seeds: &[Option<&Evidence>], legend: &mut Legend) -> Option<String> {
    let &[Some(evidence)] = seeds else { return None };
    let Estimate { low, high, directions } = evidence.estimate?;
    let value = evidence.cosine.value()?;
    legend.estimated(directions);
    Some(format!("≈ {} ({} to {})", show::signed(value), show::signed(low), show::signed(high)))
}

/// A plain number over the seeds; blank where it was not measured.
pub(super) fn plain(values: &[Option<f64>], write: fn(f64) -> String) -> String {
    statistics(values.iter().flatten().copied()).map_or_else(String::new, |over_seeds| write(over_seeds.mean))
}

/// What of a unit differs between seeds, in words; the mean alone would hide it.
pub(super) fn disagreements(seeds: &[Option<&Evidence>]) -> Vec<String> {
    let all = Noun::Seeds.count(seeds.iter().flatten().count() as u64);
    let cosines = || seeds.iter().flatten().map(|evidence| evidence.cosine);
    let mut words = Vec::new();
    let sure = cosines().filter(|cosine| cosine.defined().is_some()).count();
    // Where no seed has a reliable cosine, chance decides nothing.
    if sure == 0 {
        return words;
    }
    if sure < cosines().count() {
        words.push(format!("the cosine is reliable in {sure} of {all} only"));
    }
    let compared = |of: Quantity| {
        let chances: Vec<Chance> = seeds.iter().flatten().filter_map(|e| against_chance(e, of)).collect();
        let count = |wanted: Chance| chances.iter().filter(|&&chance| chance == wanted).count();
        let some = |count: usize| count > 0 && count < chances.len();
        let (word, count) = [("better", count(Chance::Beats)), ("worse", count(Chance::Worse))]
            .into_iter()
            .find(|(_, count)| some(*count))?;
        Some((format!("{word} than chance in {count} of {all}"), of.name()))
    };
    let said = gathered(Quantity::ALL.into_iter().filter_map(compared));
    words.extend(said.into_iter().map(|(compared, quantities)| format!("{} {compared}", list(&quantities))));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_kept_only_for_marks_that_are_there() {
        let good = Some(Symbol::Good);
        let cells = |list: &[(&str, Option<Symbol>)]| -> Vec<String> {
            let cells = aligned(list.iter().map(|&(number, mark)| (number.to_owned(), mark)).collect());
            cells.iter().map(Text::plain).collect()
        };
        assert_eq!(cells(&[(".1 ", None), ("", None), ("– ", None)]), [".1", "", "–"]);
        assert_eq!(cells(&[(".1 ", good), ("– ", None)]), [".1 ✓", "–  "]);
        assert_eq!(cells(&[("(.1)", Some(Symbol::Chance)), (".2 ", good)]), ["(.1) ·", ".2  ✓"]);
        assert_eq!(cells(&[("(.1)", None), (".2 ", None)]), ["(.1)", ".2 "]);
    }
}
