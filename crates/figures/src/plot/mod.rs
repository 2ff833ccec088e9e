//! The plot engine: what a panel shows, how axes are divided, where text has room, and how all of it is drawn. A figure is
//! composed from [`Figure`], [`Panel`], [`Axis`] and the elements; everything else follows.

mod axis;
mod cells;
mod colour_bar;
mod course;
mod decimate;
mod diagram;
mod draw;
mod draw_axes;
mod element;
mod error;
mod figure;
mod fitted_axis;
mod fitted_panel;
mod frame;
mod height;
mod layout;
mod legend;
mod letters;
mod marker;
mod meanings;
mod obstacles;
pub mod palette;
mod range;
mod remark;
mod scale;
mod shapes;
mod spread;
mod strip;
mod style;
mod table;
mod table_header;
mod ticks;
mod words;

pub use axis::{Axis, AxisKind, Says};
pub use course::course;
pub use diagram::{Block, Diagram, Lane, Network, Part};
pub use element::{Band, Bar, Bars, Datum, Element, Guide, Key, Line, Region, Spot};
pub use error::DrawError;
pub use figure::{Figure, LegendPlace, Panel};
pub use marker::Marker;
pub use palette::{Dash, Look};
pub use remark::Remark;
pub use spread::{Interval, Spread};
pub use strip::{Shade, Strip};
pub use style::{BORDER, GUIDE, INK, MUTED, Style};
