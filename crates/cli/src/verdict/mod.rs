//! What a set of runs shows, rule by rule, read from their records: a table, and a sentence for each row that is
//! chosen by the measured values and by nothing else.

mod reading;
mod sentence;
mod table;

pub(crate) use reading::{Reading, readings};
pub(crate) use sentence::sentence;
pub(crate) use table::table;
