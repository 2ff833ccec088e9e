//! A figure as the catalogue composes it: panels in rows and columns, and what stands around them.

use super::axis::Axis;
use super::element::Element;
use crate::picture::Picture;

/// Where a panel's legend goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LegendPlace {
    /// Inside where it hides nothing, else above the panel.
    Auto,
    /// Into the legend of the whole figure.
    Figure,
    /// Nowhere.
    None,
}

/// One plot.
#[derive(Clone, Debug)]
pub struct Panel {
    /// What the table calls it.
    pub name: String,
    /// Title.
    pub title: Option<String>,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// A second vertical axis on the right.
    pub right: Option<Axis>,
    /// What it shows, the first at the bottom.
    pub elements: Vec<Element>,
    /// Where its legend goes.
    pub legend: LegendPlace,
    /// A sentence in a box under it.
    pub caption: Option<String>,
    /// Why there is nothing to show, where there is nothing.
    pub absent: Option<String>,
    /// An image in place of a plot.
    pub picture: Option<Picture>,
}

impl Panel {
    /// An empty panel.
    pub fn new(name: &str, x: Axis, y: Axis) -> Self {
        Self {
            name: name.to_owned(),
            title: None,
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
    pub fn image(picture: Picture) -> Self {
        let mut panel = Self::new("image", Axis::linear(""), Axis::linear(""));
        panel.picture = Some(picture);
        panel
    }

    /// A place that is left free.
    pub fn blank() -> Self {
        let mut panel = Self::new("", Axis::linear(""), Axis::linear(""));
        panel.absent = Some(String::new());
        panel
    }

    /// Whether it is a place that is left free.
    pub(super) fn is_blank(&self) -> bool {
        self.absent.as_ref().is_some_and(String::is_empty)
    }

    /// With a title.
    pub fn titled(mut self, title: &str) -> Self {
        self.title = Some(title.to_owned());
        self
    }

    /// With a sentence in a box under it.
    pub fn captioned(mut self, caption: &str) -> Self {
        self.caption = Some(caption.to_owned());
        self
    }

    /// Puts something on top.
    pub fn add(&mut self, element: impl Into<Element>) {
        self.elements.push(element.into());
    }
}

/// Panels and what stands around them.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Title over everything.
    pub title: Option<String>,
    /// Panels, row by row.
    pub panels: Vec<Panel>,
    /// Panels in a row.
    pub columns: usize,
    /// Whether rows may be broken where panels would become too narrow.
    pub reflows: bool,
    /// Names of the rows, at the left; empty for none.
    pub rows: Vec<String>,
    /// Height of the area between axes as a share of its width.
    pub aspect: f64,
    /// Widest that the area between axes may become, as a share of the page; 1 for no limit.
    pub widest: f64,
    /// Whether panels of a column share their horizontal axis: only the lowest prints it.
    pub shares_x: bool,
    /// A line at the foot: where values come from that this program did not measure.
    pub foot: Option<String>,
}

impl Figure {
    /// Panels side by side, broken into more rows where the page is too narrow.
    pub fn row(panels: Vec<Panel>) -> Self {
        Self {
            title: None,
            columns: panels.len().max(1),
            panels,
            reflows: true,
            rows: Vec::new(),
            aspect: 0.92,
            widest: 1.0,
            shares_x: false,
            foot: None,
        }
    }

    /// Panels in rows of `columns`.
    pub fn grid(columns: usize, panels: Vec<Panel>) -> Self {
        Self { columns: columns.max(1), reflows: false, ..Self::row(panels) }
    }
}
