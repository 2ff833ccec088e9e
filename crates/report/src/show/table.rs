//! Plain tables: columns as wide as their widest cell, numbers to the right.

/// A table under construction.
#[derive(Debug)]
pub struct Table {
    heading: Option<Vec<String>>,
    rows: Vec<Vec<String>>,
    left: usize,
}

impl Table {
    /// Starts with a heading; the first `left` columns are set to the left, the others to the right.
    pub fn new(heading: &[&str], left: usize) -> Self {
        let heading = heading.iter().map(|&cell| cell.to_owned()).collect();
        Self { heading: Some(heading), rows: Vec::new(), left }
    }

    /// A table without a heading.
    pub fn bare(left: usize) -> Self {
        Self { heading: None, rows: Vec::new(), left }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// The table as text, a line each row, with a rule under the heading.
    pub fn text(&self) -> String {
        let rows = || self.heading.iter().chain(&self.rows);
        let columns = rows().map(Vec::len).max().unwrap_or(0);
        let width = |c: usize| rows().filter_map(|r| r.get(c)).map(|s| s.chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut text = String::new();
        for (i, row) in rows().enumerate() {
            let cells = row.iter().enumerate().map(|(c, cell)| {
                let pad = " ".repeat(widths[c] - cell.chars().count());
                if c < self.left { format!("{cell}{pad}") } else { format!("{pad}{cell}") }
            });
            text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
            text.push('\n');
            if i == 0 && self.heading.is_some() {
                text.push_str(&"─".repeat(widths.iter().sum::<usize>() + 2 * columns.saturating_sub(1)));
                text.push('\n');
            }
        }
        text
    }

    /// The same in Markdown.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        for (i, row) in self.heading.iter().chain(&self.rows).enumerate() {
            let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
            text.push_str(&format!("| {} |\n", cells.join(" | ")));
            if i == 0 {
                text.push_str(&format!("|{}\n", "---|".repeat(row.len())));
            }
        }
        text
    }
}
