//! A section on the terminal: one line per row and side.

use creditscope_benches::markdown::{number, times};
use creditscope_benches::section::{Row, Section, Side};

/// The whole section, with its heading and notes.
pub(crate) fn section(section: &Section) -> String {
    let mut text = format!("── {}\n", section.title);
    if !section.rows.is_empty() {
        let names = section.rows.iter().flat_map(|row| &row.sides).map(|side| side.name.chars().count());
        let width = names.max().unwrap_or(0);
        text += &format!(
            "{:<28} {:<width$} {:>9} {:>9} {:>19} {:>15}\n",
            format!("[{}]", section.unit),
            "",
            "best",
            "median",
            "spread",
            "times ours"
        );
        section.rows.iter().for_each(|line| text += &row(line, width));
    }
    section.notes.iter().for_each(|note| text += &format!("{note}\n"));
    text
}

fn row(row: &Row, width: usize) -> String {
    let ratios = row.ratios();
    let least = row.least();
    let mut text = String::new();
    for (index, side) in row.sides.iter().enumerate() {
        let case = if index == 0 { row.case.as_str() } else { "" };
        text += &format!("{case:<28} {:<width$} {}", side.name, numbers(side));
        if let Some((ratio, least)) = index.checked_sub(1).and_then(|other| ratios[other]).zip(least) {
            let mark = |ratio: f64, least: f64| if ratio <= least { '*' } else { ' ' };
            let best = mark(ratio.best, least.best);
            let median = mark(ratio.median, least.median);
            text += &format!(" {:>6}{best}{:>6}{median}", times(ratio.best), times(ratio.median));
        }
        if let (0, Some(share)) = (index, row.share) {
            text += &format!(" {:>12.0} % of the FMA peak", 100.0 * share);
        }
        text = text.trim_end().to_owned() + "\n";
    }
    text
}

fn numbers(side: &Side) -> String {
    match &side.sample {
        Ok(sample) => {
            let spread = sample.spread().map(|(low, high)| format!("{}–{}", number(low), number(high)));
            let best = number(sample.best());
            let median = number(sample.median());
            format!("{best:>9} {median:>9} {:>19}", spread.unwrap_or_default())
        }
        Err(why) => format!("not measured: {why}"),
    }
}
