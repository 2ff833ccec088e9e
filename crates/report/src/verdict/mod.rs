//! What a set of runs shows, rule by rule, read from their records: a table, and a sentence for each row that is
//! chosen by the measured values and by nothing else.

mod reading;
mod sentence;
mod table;

use protocol::baseline::Fill;
use reading::{Reading, readings};
use sentence::{CHECKS, sentence};
use table::table;

/// Table, sentences and what the checks mean, for runs that have something to say; empty where none is finished. `fill` gives
/// recipes the keys that they lack, by which frozen baselines are matched.
pub fn text(runs: &[record::Run], fill: Fill<'_>) -> String {
    let readings = readings(runs, fill);
    if readings.is_empty() {
        return String::new();
    }
    let sentences: String =
        readings.iter().map(|reading| format!("{}\n", crate::show::wrap(&sentence(reading), 2))).collect();
    format!("{}\n{sentences}\n{}\n", table(&readings), crate::show::wrap(CHECKS, 0))
}
