//! Rule × {accuracy, frozen, growth, ‖g_L‖, cosine by layer}.

use super::Reading;
use crate::show::{self, Table};
use protocol::{Statistics, statistics};
use record::Unit;

/// The table, with a legend for what its marks mean. Every value is the mean over the seeds, ± their standard
/// deviation (n−1) where there is more than one.
pub(crate) fn table(readings: &[Reading]) -> String {
    let units = readings.iter().map(|r| r.cosines().len()).max().unwrap_or(0);
    let names = (0..units).map(|u| match Unit::at(u) {
        Unit::Embed => "emb".to_owned(),
        Unit::Block(block) => format!("b{block}"),
    });
    let cosines = in_line(names.collect());
    let mut table = Table::new(&["rule", "accuracy", "frozen", "growth", "‖g_L‖", "/‖e_T‖", &cosines], 1);
    let (mut doubted, mut absent) = (false, false);
    for reading in readings {
        let frozen: Option<Vec<f64>> = reading.seeds.iter().map(|seed| seed.frozen).collect();
        let cell = |(unit, cosine): (usize, Option<f64>)| match cosine {
            Some(value) if reading.believable(unit) => two_digits(value),
            Some(value) => {
                doubted = true;
                format!("({})", two_digits(value))
            }
            None => {
                absent = true;
                "–".to_owned()
            }
        };
        let cosines = in_line(reading.cosines().into_iter().enumerate().map(cell).collect());
        table.row(vec![
            reading.rule.clone(),
            spread(&reading.seeds.iter().map(|seed| seed.accuracy).collect::<Vec<_>>()),
            frozen.map_or("–".to_owned(), |values| spread(&values)),
            show::scientific(reading.mean(|seed| seed.growth)),
            show::scientific(reading.mean(|seed| seed.gradient)),
            show::scientific(reading.mean(|seed| seed.gradient / seed.error)),
            cosines,
        ]);
    }
    let seeds = readings.iter().map(|reading| reading.seeds.len()).max().unwrap_or(0);
    let over = if seeds > 1 { format!(", mean ± sd over {seeds} seeds") } else { String::new() };
    let mut legend = format!(
        "Test accuracy at the last epoch{over}; `frozen` is the same rule with its blocks left untrained. Growth is the \
         largest ratio of hidden norms over one block, ‖g_L‖ the gradient at the top (mean over 128 samples), then also divided by the error at the output. Then the \
         cosine between credit and true gradient where the credit acts: embedding, block 0 and so on."
    );
    if doubted {
        legend.push_str(
            " In brackets: not to be relied upon, mostly because the gradient is too small to mean anything.",
        );
    }
    if absent {
        legend.push_str(" –: no such number.");
    }
    format!("{}{}\n", table.text(), show::wrap(&legend, 0))
}

/// Cosines side by side, close together, so that a table of four blocks fits the usual terminal.
fn in_line(cells: Vec<String>) -> String {
    cells.into_iter().map(|cell| format!("{cell:>5}")).collect::<Vec<_>>().join(" ")
}

/// `.42`, `-.09`, `1.00`; what rounds to zero has no sign.
fn two_digits(x: f64) -> String {
    let text = format!("{:.2}", x.abs());
    let sign = if x < 0.0 && text != "0.00" { "-" } else { "" };
    format!("{sign}{}", text.strip_prefix('0').unwrap_or(&text))
}

/// `.615±.004`; the deviation is absent for a single value.
fn spread(values: &[f64]) -> String {
    match statistics(values.iter().copied()) {
        None => String::new(),
        Some(Statistics { mean, sd: None, .. }) => show::share(mean),
        Some(Statistics { mean, sd: Some(sd), .. }) => format!("{}±{}", show::share(mean), show::share(sd)),
    }
}
