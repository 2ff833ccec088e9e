//! A figure as the catalogue composes it: panels in rows and columns, with title, row names and foot.

use super::axis::Axis;
use super::diagram::Diagram;
use super::element::Element;
use crate::picture::Picture;

/// Where a panel's legend goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "`None` says it")]
pub enum LegendPlace {
    /// Inside if it hides nothing, else below the panel.
    Auto,
    /// In the legend of the whole figure.
    Figure,
    None,
}

/// One plot.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the other names say it")]
pub struct Panel {
    /// Its name in the table.
    pub name: String,
    pub title: Option<String>,
    /// Before the title, in figures whose panels are of different things.
    pub letter: Option<char>,
    /// The network that it is of, as recipes name it; for the table.
    pub network: Option<String>,
    pub x: Axis,
    pub y: Axis,
    /// A second vertical axis on the right.
    pub right: Option<Axis>,
    /// From bottom to top.
    pub elements: Vec<Element>,
    pub legend: LegendPlace,
    /// A sentence in a box below it.
    pub caption: Option<String>,
    /// Shown instead of the plot: why there is nothing to draw.
    pub absent: Option<String>,
    /// An image instead of a plot.
    pub picture: Option<Picture>,
}

impl Panel {
    /// An empty panel.
    pub fn new(name: &str, x: Axis, y: Axis) -> Self {
        Self {
            name: name.to_owned(),
            title: None,
            letter: None,
            network: None,
            x,
            y,
            right: None,
            elements: Vec::new(),
            legend: LegendPlace::Auto,
            caption: None,
            absent: None,
            picture: None,
        }
    }

    /// A panel that shows an image.
    pub(crate) fn image(picture: Picture) -> Self {
        let mut panel = Self::new("image", Axis::linear(""), Axis::linear(""));
        panel.picture = Some(picture);
        panel
    }

    /// An empty place in the grid.
    pub(crate) fn blank() -> Self {
        let mut panel = Self::new("", Axis::linear(""), Axis::linear(""));
        panel.absent = Some(String::new());
        panel
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.absent.as_ref().is_some_and(String::is_empty)
    }

    /// Letter and title, as label source.
    pub(super) fn heading(&self) -> Option<String> {
        heading(self.letter, self.title.as_deref())
    }

    /// Sets the title.
    pub fn titled(mut self, title: &str) -> Self {
        self.title = Some(title.to_owned());
        self
    }

    /// Sets the caption.
    pub fn captioned(mut self, caption: &str) -> Self {
        self.caption = Some(caption.to_owned());
        self
    }

    /// Adds an element on top.
    pub fn add(&mut self, element: impl Into<Element>) {
        self.elements.push(element.into());
    }
}

/// A letter and a title, as label source.
pub(super) fn heading(letter: Option<char>, title: Option<&str>) -> Option<String> {
    match (letter, title) {
        (Some(letter), Some(title)) => Some(format!("({letter}) {title}")),
        (Some(letter), None) => Some(format!("({letter})")),
        (None, title) => title.map(str::to_owned),
    }
}

/// Panels with title, row names and foot.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "`title` says it")]
pub struct Figure {
    pub title: Option<String>,
    /// Drawn across the page, above the panels.
    pub diagram: Option<Diagram>,
    /// Row by row.
    pub panels: Vec<Panel>,
    /// Panels per row.
    pub columns: usize,
    /// Whether there may be fewer columns if panels would become too narrow.
    pub reflows: bool,
    /// As few columns as that, even if panels are narrow; fewer if there is no other way.
    pub fewest: usize,
    /// Names of the rows, at the left; empty for none.
    pub rows: Vec<String>,
    /// Height of a plot area as a share of its width.
    pub aspect: f64,
    /// The share of a page that suits it, where nobody asks for a width.
    pub share: f64,
    /// Largest width of a plot area, as a share of the page.
    pub widest: f64,
    /// Whether panels of a column share the horizontal axis, which only the lowest prints.
    pub shares_x: bool,
    /// Whether panels of a row share the vertical axis, which only the first prints.
    pub shares_y: bool,
    /// Small text at the bottom: setting, seeds, meaning of marks.
    pub foot: Option<String>,
}

impl Figure {
    /// Panels side by side, in more rows if the page is too narrow.
    pub fn row(panels: Vec<Panel>) -> Self {
        Self {
            title: None,
            diagram: None,
            columns: panels.len().max(1),
            panels,
            reflows: true,
            fewest: 1,
            rows: Vec::new(),
            aspect: 0.92,
            share: 1.0,
            widest: 1.0,
            shares_x: false,
            shares_y: false,
            foot: None,
        }
    }

    /// With letters, if there are several panels: for panels of different things.
    pub fn lettered(mut self) -> Self {
        let mut letters = 'a'..='z';
        let several = self.panels.len() + usize::from(self.diagram.is_some()) > 1;
        if several {
            self.diagram.iter_mut().for_each(|diagram| diagram.letter = letters.next());
            self.panels.iter_mut().for_each(|panel| panel.letter = letters.next());
        }
        self
    }

    /// A diagram alone.
    pub(crate) fn of_diagram(diagram: Diagram) -> Self {
        Self { diagram: Some(diagram), ..Self::row(Vec::new()) }
    }

    /// What it shows beyond its values, for readers who cannot see it.
    pub(crate) fn description(&self) -> Option<String> {
        self.diagram.as_ref().map(Diagram::description)
    }

    /// Panels in rows of `columns`.
    pub fn grid(columns: usize, panels: Vec<Panel>) -> Self {
        Self { columns: columns.max(1), reflows: false, ..Self::row(panels) }
    }
}
