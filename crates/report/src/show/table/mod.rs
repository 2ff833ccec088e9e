//! Tables: columns as wide as their widest cell, numbers to the right, never wider than the usual terminal.

mod markup;

use super::cell::{LEAST_NAME, broken};
use super::{Colour, Text, Tone, WIDTH};

/// A table under construction.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    heading: Vec<String>,
    rows: Vec<Vec<Text>>,
    left: usize,
    wraps: bool,
}

impl Table {
    /// Starts with a heading; the first `left` columns are set to the left, the others to the right.
    pub fn new(heading: &[&str], left: usize) -> Self {
        let heading = heading.iter().map(|&cell| cell.to_owned()).collect();
        Self { heading, rows: Vec::new(), left, wraps: false }
    }

    /// Breaks the lines of cells where the table is too wide, for tables of words.
    #[must_use]
    pub fn wrapping(mut self) -> Self {
        self.wraps = true;
        self
    }

    /// Adds a row.
    pub fn row<C: Into<Text>>(&mut self, cells: Vec<C>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// Whether it has no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table without the columns and rows that have nothing but a name.
    #[must_use]
    pub fn without_blanks(mut self) -> Self {
        for column in (1..self.heading.len()).rev() {
            if self.rows.iter().all(|row| row.get(column).is_none_or(Text::is_blank)) {
                self.remove(column);
            }
        }
        self.rows.retain(|row| row.iter().skip(1).any(|cell| !cell.is_blank()));
        self
    }

    fn remove(&mut self, column: usize) -> String {
        for row in self.rows.iter_mut().filter(|row| row.len() > column) {
            row.remove(column);
        }
        self.left -= usize::from(column < self.left);
        self.heading.remove(column)
    }

    /// Takes out the columns after the first that have one value in all of several rows, and returns them as words:
    /// `epochs 15, steps 1,500`.
    pub fn take_common(&mut self) -> String {
        let mut common = Vec::new();
        if self.rows.len() < 2 {
            return String::new();
        }
        for column in (1..self.heading.len()).rev() {
            let first = self.rows[0].get(column).cloned().unwrap_or_default();
            if self.rows.iter().all(|row| row.get(column) == Some(&first)) {
                let value = first.plain();
                let heading = self.remove(column);
                common.insert(0, format!("{heading} {value}"));
            }
        }
        common.join(", ")
    }

    /// The table as plain text, one line per row, with a rule under the heading.
    pub fn text(&self) -> String {
        self.painted(Colour::Off)
    }

    /// The same as a terminal shows it. Columns for which there is no room follow in a second table, whose rows have the same
    /// names.
    pub fn painted(&self, colour: Colour) -> String {
        let widths = self.widths();
        let mut parts: Vec<Vec<usize>> = Vec::new();
        let mut taken = 0;
        for (column, width) in widths.iter().enumerate() {
            match parts.last_mut() {
                Some(part) if part.len() < 2 || taken + 2 + width <= WIDTH => {
                    part.push(column);
                    taken += 2 + width;
                }
                Some(_) => {
                    parts.push(vec![0, column]);
                    taken = widths[0] + 2 + width;
                }
                None => {
                    parts.push(vec![column]);
                    taken = *width;
                }
            }
        }
        let parts: Vec<String> = parts.iter().map(|part| self.part(part, &widths, colour)).collect();
        parts.join("\n")
    }

    /// The width of each column: that of its widest cell, or less where lines may break at blanks, or where the names and the
    /// column alone would be wider than the terminal. Names give way first.
    fn widths(&self) -> Vec<usize> {
        let cells = |column: usize| {
            let rows = self.rows.iter().filter_map(move |row| row.get(column)).map(Text::plain);
            rows.chain([self.heading[column].clone()])
        };
        let widest = |column: usize| cells(column).map(|cell| cell.chars().count()).max().unwrap_or(0);
        let word = |column: usize| {
            let words = cells(column).flat_map(|cell| {
                cell.split_whitespace().map(|word| word.chars().count()).collect::<Vec<_>>()
            });
            words.max().unwrap_or(0)
        };
        let columns = self.heading.len();
        let mut widths: Vec<usize> = (0..columns).map(widest).collect();
        let least: Vec<usize> = (0..columns).map(word).collect();
        let room = WIDTH.saturating_sub(2 * columns.saturating_sub(1));
        if self.wraps && least.iter().sum::<usize>() <= room {
            while widths.iter().sum::<usize>() > room {
                let spare = (0..columns).filter(|&column| widths[column] > least[column]);
                let Some(widest) = spare.max_by_key(|&column| widths[column]) else { break };
                widths[widest] -= 1;
            }
        }
        if let [names, others @ ..] = &mut widths[..] {
            let gap = if others.is_empty() { 0 } else { 2 };
            let least = (*names).min(LEAST_NAME);
            others.iter_mut().for_each(|width| *width = (*width).min(WIDTH - gap - least));
            *names = (*names).min(WIDTH - gap - others.iter().copied().max().unwrap_or(0));
        }
        widths
    }

    fn part(&self, columns: &[usize], widths: &[usize], colour: Colour) -> String {
        let line = |cells: &dyn Fn(usize) -> Text| {
            let mut line = String::new();
            for (place, &column) in columns.iter().enumerate() {
                let cell = cells(column);
                let pad = " ".repeat(widths[column].saturating_sub(cell.width()));
                let cell = cell.painted(colour);
                let gap = if place == 0 { "" } else { "  " };
                line += &if column < self.left {
                    format!("{gap}{cell}{pad}")
                } else {
                    format!("{gap}{pad}{cell}")
                };
            }
            line.trim_end().to_owned() + "\n"
        };
        // Of a row whose cells are broken, line by line.
        let lines = |cells: &dyn Fn(usize) -> Text| {
            let broken = |&column: &usize| broken(cells(column), widths[column]);
            let broken: Vec<Vec<Text>> = columns.iter().map(broken).collect();
            let height = broken.iter().map(Vec::len).max().unwrap_or(1);
            let cell = |column: usize, at: usize| {
                let place = columns.iter().position(|&other| other == column).unwrap_or(0);
                broken[place].get(at).cloned().unwrap_or_default()
            };
            (0..height).map(|at| line(&|column| cell(column, at))).collect::<String>()
        };
        let wide = columns.iter().map(|&column| widths[column]).sum::<usize>() + 2 * (columns.len() - 1);
        let rule = Text::toned(Tone::Faint, "─".repeat(wide)).painted(colour) + "\n";
        let heading = lines(&|column| self.heading[column].as_str().into());
        let rows = self.rows.iter().map(|row| lines(&|column| row.get(column).cloned().unwrap_or_default()));
        heading + &rule + &rows.collect::<String>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::Symbol;

    fn wide() -> Table {
        let names: Vec<String> = (0..13).map(|block| format!("block {block}")).collect();
        let heading: Vec<&str> = std::iter::once("rule").chain(names.iter().map(String::as_str)).collect();
        let mut table = Table::new(&heading, 1);
        for rule in ["bp", "credit_bridge"] {
            let cells = (0..13).map(|block| Text::from(format!("{rule}{block} ")).then(Symbol::Good));
            table.row(std::iter::once(Text::from(rule)).chain(cells).collect());
        }
        table
    }

    #[test]
    fn what_does_not_fit_goes_on_below_under_the_same_names() {
        let text = wide().text();
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        for block in 0..13 {
            assert!(text.contains(&format!(" block {block}")) && text.contains(&format!("bridge{block} ✓")));
        }
        let parts = text.split("\n\n").count();
        assert!(parts > 1 && text.lines().filter(|line| line.starts_with("bp")).count() == parts, "{text}");
    }

    #[test]
    fn words_are_broken_at_blanks_and_none_is_lost() {
        let mut table = Table::new(&["quantity", "ours", "published"], 1).wrapping();
        let long = "a sentence that goes on and on ".repeat(3);
        table.row(vec!["short", long.trim(), "0.5"]);
        table.row(vec![long.trim(), "0.1", long.trim()]);
        let text = table.text();
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        let count = |text: &str, word: &str| text.split_whitespace().filter(|other| *other == word).count();
        assert_eq!((count(&text, "sentence"), count(&text, "on")), (9, 18), "{text}");
        assert_eq!(text.matches("quantity").count(), 1, "one table: {text}");
    }

    #[test]
    fn colour_adds_nothing_but_colour() {
        let painted = wide().painted(Colour::On);
        let plain =
            ["\x1b[32m", "\x1b[2m", "\x1b[0m"].iter().fold(painted.clone(), |t, code| t.replace(code, ""));
        assert!(painted.contains("\x1b[32m✓\x1b[0m"));
        assert_eq!(plain, wide().text());
    }

    #[test]
    fn a_column_of_one_value_is_said_once() {
        let mut table = Table::new(&["run", "data", "epochs", "steps"], 2);
        table.row(vec!["a", "digits", "15", "10"]);
        table.row(vec!["b", "digits", "15", "20"]);
        assert_eq!(table.take_common(), "data digits, epochs 15");
        assert_eq!(table.text(), "run  steps\n──────────\na       10\nb       20\n");
        let mut one = Table::new(&["run", "data"], 2);
        one.row(vec!["a", "digits"]);
        assert_eq!(one.take_common(), "", "a single row has nothing in common with others");
    }
}
