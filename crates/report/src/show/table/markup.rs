//! Tables in Markdown and HTML.

use super::Table;
use crate::show::Text;
use record::escape::{markdown, xml};

impl Table {
    /// The table in Markdown.
    pub fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let cell = |words: &str| markdown(words.trim()).replace('|', "\\|");
        let heading = line(self.heading.iter().map(|words| cell(words)).collect());
        let rows = self.rows.iter().map(|row| line(row.iter().map(|text| cell(&text.plain())).collect()));
        format!("{heading}|{}\n{}", "---|".repeat(self.heading.len()), rows.collect::<String>())
    }

    /// The table in HTML, numbers to the right. Sides are attributes, so that they hold where there is no style; what a cell says
    /// is its class.
    pub fn html(&self) -> String {
        self.marked_up("<table class=\"grid\">", true, |_| "<tr>".to_owned(), |_, cell| cell)
    }

    /// The same for a page whose style sets all columns but the first of a table of `numbers` to the right, for a page may have very
    /// many cells. Tables of another kind say their sides.
    pub fn html_styled(&self) -> String {
        match self.left {
            1 => {
                self.marked_up("<table class=\"grid numbers\">", false, |_| "<tr>".to_owned(), |_, cell| cell)
            }
            _ => self.html(),
        }
    }

    /// The same under an id, with the number of each row, whose first cell leads to the element `row-number`.
    pub fn html_index(&self, id: &str, row: &str) -> String {
        self.marked_up(
            &format!("<table class=\"grid\" id=\"{id}\">"),
            true,
            |index| format!("<tr data-{row}=\"{index}\">"),
            |index, cell| format!("<a href=\"#{row}-{index}\">{cell}</a>"),
        )
    }

    fn marked_up(
        &self,
        opening: &str,
        says_sides: bool,
        row_opening: impl Fn(usize) -> String,
        first: impl Fn(usize, String) -> String,
    ) -> String {
        // Ends of cells and rows are left out, as HTML allows: a page has very many.
        let cell = |tag: &str, column: usize, text: &Text, content: String| {
            let side = match (tag, column < self.left) {
                _ if !says_sides => "",
                ("td", true) => "",
                (_, true) => " align=left",
                (_, false) => " align=right",
            };
            let class = match text.tone().class() {
                "" => String::new(),
                class => format!(" class={class}"),
            };
            format!("<{tag}{side}{class}>{content}")
        };
        let heading = self.heading.iter().enumerate();
        let heading: String =
            heading.map(|(column, words)| cell("th", column, &Text::default(), xml(words.trim()))).collect();
        let row = |(index, row): (usize, &Vec<Text>)| {
            let content = |column: usize, text: &Text| match (column, xml(text.plain().trim())) {
                (0, words) => first(index, words),
                (_, words) => words,
            };
            let cells = row.iter().enumerate();
            let cells = cells.map(|(column, text)| cell("td", column, text, content(column, text)));
            format!("{}{}\n", row_opening(index), cells.collect::<String>())
        };
        let rows: String = self.rows.iter().enumerate().map(row).collect();
        // A table of facts has no heading.
        let head = if self.heading.iter().all(String::is_empty) {
            String::new()
        } else {
            format!("<thead><tr>{heading}</thead>\n")
        };
        format!("{opening}\n{head}<tbody>\n{rows}</table>\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::Symbol;

    #[test]
    fn a_table_of_numbers_leaves_its_sides_to_the_style() {
        let mut table = Table::new(&["unit", "cosine"], 1);
        table.row(vec!["a align=right", ".5"]);
        let html = table.html_styled();
        assert!(
            html.contains("class=\"grid numbers\"")
                && !html.contains("<td align")
                && !html.contains("<th align"),
            "{html}"
        );
        assert!(html.contains("<td>a align=right"), "{html}");
        assert_eq!(table.html().matches("align=right>").count(), 2);
        let words = Table::new(&["", ""], 2);
        assert_eq!(words.html_styled(), words.html());
    }

    #[test]
    fn html_keeps_every_cell_and_takes_no_markup_from_it() {
        let mut table = Table::new(&["rule", "a<b"], 1);
        table.row(vec![Text::from("<script>"), Text::from(".5 ").then(Symbol::Bad)]);
        let html = table.html();
        assert!(html.contains("<th align=right>a&lt;b</thead>"), "{html}");
        let row = "<tr><td>&lt;script&gt;<td align=right class=bad>.5 ✗\n";
        assert!(html.contains(row), "{html}");
    }

    #[test]
    fn markdown_keeps_every_cell() {
        let mut table = Table::new(&["rule", "a|b"], 1);
        table.row(vec![Text::from("dfa"), Text::from(".5 ").then(Symbol::Bad)]);
        table.row(vec!["<script>&amp;", "a|b"]);
        let expected = "| rule | a\\|b |\n|---|---|\n| dfa | .5 ✗ |\n| &lt;script&gt;&amp;amp; | a\\|b |\n";
        assert_eq!(table.markdown(), expected);
    }
}
