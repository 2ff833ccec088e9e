//! Rule × {accuracy, frozen, growth, ‖g_L‖, cosine by layer}.

use super::Reading;
use crate::show::{self, Table};

/// The table, with a legend for what its marks mean. Every value is the mean over the seeds, ± their standard
/// deviation (n−1) where there is more than one.
pub(crate) fn table(readings: &[Reading]) -> String {
    let units = readings.iter().map(|r| r.cosines().len()).max().unwrap_or(0);
    let mut heading =
        vec!["rule".to_owned(), "accuracy".into(), "frozen".into(), "growth".into(), "‖g_L‖".into()];
    heading.extend((0..units).map(|u| if u == 0 { "embed".to_owned() } else { format!("block {}", u - 1) }));
    let mut table = Table::new(&heading.iter().map(String::as_str).collect::<Vec<_>>(), 1);
    let (mut doubted, mut absent) = (false, false);
    for reading in readings {
        let frozen: Option<Vec<f64>> = reading.seeds.iter().map(|seed| seed.frozen).collect();
        let mut row = vec![
            reading.rule.clone(),
            spread(&reading.seeds.iter().map(|seed| seed.accuracy).collect::<Vec<_>>()),
            frozen.map_or("–".to_owned(), |values| spread(&values)),
            show::scientific(reading.mean(|seed| seed.growth)),
            show::scientific(reading.mean(|seed| seed.gradient)),
        ];
        for (unit, cosine) in reading.cosines().into_iter().enumerate() {
            row.push(match cosine {
                Some(value) if reading.believable(unit) => format!("{value:.2}"),
                Some(value) => {
                    doubted = true;
                    format!("({value:.2})")
                }
                None => {
                    absent = true;
                    "–".to_owned()
                }
            });
        }
        table.row(row);
    }
    let seeds = readings.iter().map(|reading| reading.seeds.len()).max().unwrap_or(0);
    let over = if seeds > 1 { format!(", mean ± sd over {seeds} seeds") } else { String::new() };
    let mut legend = format!(
        "Test accuracy at the last epoch{over}; `frozen` is the same rule with its blocks left untrained. Growth is the \
         largest ratio of hidden norms over one block, ‖g_L‖ the gradient at the top (mean over 128 samples). Then the \
         cosine between credit and true gradient where the credit acts."
    );
    if doubted {
        legend.push_str(
            " In brackets: the gradient is too small to mean anything, and so is a cosine with it.",
        );
    }
    if absent {
        legend.push_str(" –: no such number.");
    }
    format!("{}{}\n", table.text(), show::wrap(&legend, 0))
}

/// `.615 ± .004`; the deviation is absent for a single value.
fn spread(values: &[f64]) -> String {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    if values.len() < 2 {
        return show::share(mean);
    }
    let deviation = (values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt();
    format!("{} ± {}", show::share(mean), show::share(deviation))
}
