//! Values that were published, kept in one data file with their sources. They are drawn next to measured ones, always
//! marked as published, and never in place of a measurement.

mod panels;
mod tables;

pub use panels::{Alignment, AlignmentKind, AlignmentRow, Capacity, CapacityRow, Hero, Penalty, Sweep};
pub use tables::{
    Calibration, CosineRow, Early, Firing, Lq, LqRow, MainRow, Mechanism, Parted, Printed, Published,
    RatedRow, Table, Value, for_figures, published,
};
