//! The crate as its readers and writers use it. One program, so that runs made by hand are made in one place.

mod directories;
mod durable;
mod made;
mod numbers;
#[expect(dead_code, reason = "shared with other tests, which use the rest")]
mod power;
mod series;
mod units;
mod whole;
