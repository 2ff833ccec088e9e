//! Plain tables: columns as wide as their widest cell, numbers to the right.

/// A table under construction.
#[derive(Debug)]
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
    left: usize,
}

impl Table {
    /// Starts with a heading; the first `left` columns are set to the left, the others to the right.
    pub(crate) fn new(heading: &[&str], left: usize) -> Self {
        Self { rows: vec![heading.iter().map(|&cell| cell.to_owned()).collect()], left }
    }

    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// The table as text, a line each row, with a rule under the heading.
    pub(crate) fn text(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |c: usize| {
            self.rows.iter().filter_map(|r| r.get(c)).map(|s| s.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut text = String::new();
        for (i, row) in self.rows.iter().enumerate() {
            let cells = row.iter().enumerate().map(|(c, cell)| {
                let pad = " ".repeat(widths[c] - cell.chars().count());
                if c < self.left { format!("{cell}{pad}") } else { format!("{pad}{cell}") }
            });
            text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
            text.push('\n');
            if i == 0 {
                text.push_str(&"─".repeat(widths.iter().sum::<usize>() + 2 * columns.saturating_sub(1)));
                text.push('\n');
            }
        }
        text
    }
}
