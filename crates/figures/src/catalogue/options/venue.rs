//! The venues: how wide and how high a figure may be there, and how large its letters are.

use crate::plot::Style;
use crate::text::Family;

/// How much of a page's width a figure takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Span {
    #[default]
    Page,
    Column,
}

/// A venue. Lengths are in points.
#[derive(Debug, PartialEq)]
#[expect(missing_docs, reason = "the other names say it")]
pub struct Venue {
    pub name: &'static str,
    /// The width of the text.
    pub page: f64,
    /// The width of a column, where the text has two.
    pub column: Option<f64>,
    /// The greatest height of a figure.
    pub height: f64,
    pub family: Family,
    /// Sizes of titles, axis titles, tick labels and remarks.
    pub letters: [f64; 4],
}

const INCH: f64 = 72.0;
const MILLIMETRE: f64 = INCH / 25.4;
/// Beside text of 10 points.
const OF_PAPERS: [f64; 4] = [8.0, 8.0, 7.0, 6.5];

/// Every venue. The conferences set their text in Times, which Libertinus Serif is near; `nature` takes letters of 5 to 7
/// points without serifs; `beamer` is the text of a slide of 160 mm by 90 mm below its title.
pub static VENUES: [Venue; 5] = [
    conference("neurips", 5.5, None),
    conference("iclr", 5.5, None),
    conference("icml", 6.75, Some(3.25 * INCH)),
    Venue {
        name: "nature",
        page: 183.0 * MILLIMETRE,
        column: Some(89.0 * MILLIMETRE),
        height: 170.0 * MILLIMETRE,
        family: Family::Sans,
        letters: [7.0, 7.0, 6.0, 5.5],
    },
    Venue {
        name: "beamer",
        page: 140.0 * MILLIMETRE,
        column: None,
        height: 68.0 * MILLIMETRE,
        family: Family::Sans,
        letters: [9.5, 9.5, 8.5, 8.0],
    },
];

const fn conference(name: &'static str, inches: f64, column: Option<f64>) -> Venue {
    Venue {
        name,
        page: inches * INCH,
        column,
        height: 9.0 * INCH,
        family: Family::Libertinus,
        letters: OF_PAPERS,
    }
}

impl Venue {
    /// The width of a figure.
    pub fn width(&self, span: Span) -> Result<f64, String> {
        match (span, self.column) {
            (Span::Page, _) => Ok(self.page),
            (Span::Column, Some(column)) => Ok(column),
            (Span::Column, None) => {
                Err(format!("{} has no columns: its text is {:.2} in wide", self.name, self.page / INCH))
            }
        }
    }

    /// The style of papers with the letters of the venue, and everything else in proportion to them.
    pub(super) fn style(&self) -> Style {
        let paper = Style::paper();
        let [title, label, tick, note] = self.letters;
        let k = tick / paper.tick;
        Style {
            family: self.family.clone(),
            title,
            label,
            tick,
            note,
            line: k * paper.line,
            frame: k * paper.frame,
            marker: k * paper.marker,
            spot: k * paper.spot,
            gap: k * paper.gap,
            gutter: k * paper.gutter,
            narrowest: k * paper.narrowest,
            tallest: Some(self.height),
            strict: true,
            ..paper
        }
    }
}
