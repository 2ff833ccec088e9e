//! A page: what there is to say about a set of audits, in blocks. Renderers write the same page for a terminal and as Markdown;
//! a front end adds its own spelling of remedies first.

use crate::show::{Colour, Symbol, Table, Text, Tone, WIDTH, hanging, wrap};
use record::Remedy;
use record::escape::{markdown, xml};

/// What to do about something.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// In words that fit every front end.
    pub words: String,
    /// The setting that helps, which a front end spells in its own way.
    pub remedy: Option<Remedy>,
}

/// A sentence or a short paragraph.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// What kind of news it is.
    pub symbol: Option<Symbol>,
    /// What there is to say.
    pub words: String,
    /// What to do about it.
    pub advice: Option<Advice>,
}

impl Line {
    /// News that need no action.
    pub fn new(symbol: Option<Symbol>, words: impl Into<String>) -> Self {
        Self { symbol, words: words.into(), advice: None }
    }
}

/// A part of a page.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A new section begins.
    Heading(String),
    /// Numbers.
    Table(Table),
    /// Sentences, one per line.
    Lines(Vec<Line>),
    /// Marks and what they mean.
    Legend(Vec<(String, String)>),
}

/// Blocks from top to bottom.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    blocks: Vec<Block>,
}

impl Page {
    /// Adds a section, without its heading where that is empty; sections without content are left out.
    pub fn section(&mut self, heading: &str, blocks: impl IntoIterator<Item = Block>) {
        let has_content = |block: &Block| match block {
            Block::Heading(_) => true,
            Block::Table(table) => !table.is_empty(),
            Block::Lines(lines) => !lines.is_empty(),
            Block::Legend(marks) => !marks.is_empty(),
        };
        let mut blocks = blocks.into_iter().filter(has_content).peekable();
        if blocks.peek().is_some() && !heading.is_empty() {
            self.blocks.push(Block::Heading(heading.to_owned()));
        }
        self.blocks.extend(blocks);
    }

    /// The blocks, from top to bottom.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The page with every remedy in the words of a front end, behind the advice that it belongs to.
    #[must_use]
    pub fn with_remedies(mut self, spell: impl Fn(Remedy) -> String) -> Self {
        for block in &mut self.blocks {
            let Block::Lines(lines) = block else { continue };
            for advice in lines.iter_mut().filter_map(|line| line.advice.as_mut()) {
                if let Some(remedy) = advice.remedy.take() {
                    advice.words.push_str(&format!(" ({})", spell(remedy)));
                }
            }
        }
        self
    }

    /// The page for a terminal of 80 columns.
    pub fn text(&self, colour: Colour) -> String {
        let mut text = String::new();
        for (index, block) in self.blocks.iter().enumerate() {
            let below_heading = index > 0 && matches!(self.blocks[index - 1], Block::Heading(_));
            if index > 0 && !below_heading {
                text.push('\n');
            }
            match block {
                Block::Heading(words) => text.push_str(&heading(words, colour)),
                Block::Table(table) => text.push_str(&table.painted(colour)),
                Block::Lines(lines) => text.extend(lines.iter().map(|line| of_line(line, colour))),
                Block::Legend(marks) => text.push_str(&legend(marks)),
            }
        }
        text
    }

    /// The page in Markdown.
    pub fn markdown(&self) -> String {
        let block = |block: &Block| match block {
            Block::Heading(words) => format!("### {}\n", markdown(words)),
            Block::Table(table) => table.markdown(),
            Block::Lines(lines) => {
                lines.iter().map(|line| format!("- {}\n", markdown(&one_line(line)))).collect()
            }
            // The marks are our own, and within backticks nothing would be taken for an entity.
            Block::Legend(marks) => {
                marks.iter().map(|(mark, words)| format!("- `{mark}` {}\n", markdown(words))).collect()
            }
        };
        self.blocks.iter().map(block).collect::<Vec<String>>().join("\n")
    }

    /// The page as plain HTML, without style or script, as a notebook shows it. The kind of news is the class of its line.
    pub fn html(&self) -> String {
        let line = |line: &Line| {
            let tone = line.symbol.map_or(Tone::Plain, Symbol::tone).class();
            let class = if tone.is_empty() { String::new() } else { format!(" class=\"{tone}\"") };
            format!("<li{class}>{}</li>\n", xml(&one_line(line)))
        };
        let mark = |(mark, words): &(String, String)| {
            format!("<div><dt>{}</dt><dd>{}</dd></div>\n", xml(mark), xml(words))
        };
        let block = |block: &Block| match block {
            Block::Heading(words) => format!("<h4>{}</h4>\n", xml(words)),
            Block::Table(table) => format!("<div class=\"scroll\">{}</div>\n", table.html()),
            Block::Lines(lines) => {
                format!("<ul class=\"lines\">\n{}</ul>\n", lines.iter().map(line).collect::<String>())
            }
            Block::Legend(marks) => {
                format!("<dl class=\"legend\">\n{}</dl>\n", marks.iter().map(mark).collect::<String>())
            }
        };
        self.blocks.iter().map(block).collect()
    }
}

/// `── dfa, 3 seeds ─────`, as wide as the text.
fn heading(words: &str, colour: Colour) -> String {
    let rest = WIDTH.saturating_sub(words.chars().count() + 4).max(2);
    let line = Text::toned(Tone::Faint, "── ").then(Text::toned(Tone::Strong, words));
    line.then(Text::toned(Tone::Faint, format!(" {}", "─".repeat(rest)))).painted(colour) + "\n"
}

fn of_line(line: &Line, colour: Colour) -> String {
    let sign = line.symbol.map_or_else(String::new, |symbol| format!("{} ", symbol.sign()));
    let words = wrap(&format!("{sign}{}", line.words), 2);
    let words = match line.symbol {
        Some(symbol) => Text::from(symbol).then(&words[symbol.sign().len()..]).painted(colour),
        None => words,
    };
    let advice = line.advice.as_ref().map(|advice| hanging(&format!("→ {}", advice.words), 2, 4) + "\n");
    format!("{words}\n{}", advice.unwrap_or_default())
}

fn one_line(line: &Line) -> String {
    let sign = line.symbol.map_or_else(String::new, |symbol| format!("{} ", symbol.sign()));
    let advice = line.advice.as_ref().map_or_else(String::new, |advice| format!(" → {}", advice.words));
    format!("{sign}{}{advice}", line.words)
}

fn legend(marks: &[(String, String)]) -> String {
    let width = marks.iter().map(|(mark, _)| mark.chars().count()).max().unwrap_or(0);
    let line = |(mark, words): &(String, String)| {
        let pad = " ".repeat(width - mark.chars().count());
        let rest = hanging(words, width + 2, width + 2);
        format!("{mark}{pad}{}\n", &rest[width..])
    };
    marks.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Page {
        let mut table = Table::new(&["rule", "accuracy"], 1);
        table.row(vec![Text::from(Symbol::Bad).then(" dfa"), ".551".into()]);
        let advice = Advice { words: "state it".to_owned(), remedy: Some(Remedy::GiveAccuracy) };
        let warned = Line { advice: Some(advice), ..Line::new(Some(Symbol::Chance), "no accuracy") };
        let mut page = Page::default();
        page.section("", [Block::Table(table)]);
        page.section("nothing", [Block::Lines(vec![])]);
        page.section("before you quote this", [Block::Lines(vec![warned])]);
        page.section("", [Block::Legend(vec![("±".to_owned(), "deviation".to_owned())])]);
        page
    }

    #[test]
    fn a_page_is_the_same_in_every_form() {
        let page = page().with_remedies(|remedy| format!("{remedy:?}"));
        let text = page.text(Colour::Off);
        assert!(text.contains("── before you quote this ──") && !text.contains("nothing"), "{text}");
        assert!(text.contains("· no accuracy\n  → state it (GiveAccuracy)\n"), "{text}");
        let markdown = page.markdown();
        let html = page.html();
        assert!(html.contains("<th align=left>rule<th align=right>accuracy</thead>"), "{html}");
        assert!(!html.contains("style") && !html.contains("<script"), "{html}");
        for words in ["✗ dfa", ".551", "before you quote this", "no accuracy", "(GiveAccuracy)", "deviation"]
        {
            let everywhere = [&text, &markdown, &html].iter().all(|form| form.contains(words));
            assert!(everywhere, "{words}\n{text}\n{markdown}\n{html}");
        }
    }

    /// A rule is named by whoever wrote the file, and Markdown takes HTML as it comes.
    #[test]
    fn no_markup_of_a_stranger_reaches_markdown_or_html() {
        let name = "<script>alert(1)</script> & <img src=x>";
        let mut table = Table::new(&["rule", name], 1);
        table.row(vec![name, name]);
        let advice = Advice { words: name.to_owned(), remedy: None };
        let line = Line { advice: Some(advice), ..Line::new(None, name) };
        let mut page = Page::default();
        page.section(name, [Block::Table(table), Block::Lines(vec![line])]);
        page.section(name, [Block::Legend(vec![("±".to_owned(), name.to_owned())])]);
        for form in [page.markdown(), page.html()] {
            assert!(!form.contains("<script") && !form.contains("<img") && !form.contains("& "), "{form}");
            assert_eq!(
                form.matches("&lt;script&gt;alert(1)&lt;/script&gt; &amp; &lt;img src=x&gt;").count(),
                8
            );
        }
    }

    #[test]
    fn colour_adds_nothing_but_colour() {
        let painted = page().text(Colour::On);
        let codes = ["\x1b[31m", "\x1b[2m", "\x1b[1m", "\x1b[0m"];
        assert!(codes.iter().all(|code| painted.contains(code)), "{painted:?}");
        assert_eq!(codes.iter().fold(painted, |text, code| text.replace(code, "")), page().text(Colour::Off));
    }
}
