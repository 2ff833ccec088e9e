//! Several seeds of one thing, and two things seed by seed.

use super::Verdict;
use crate::number;
use serde::{Deserialize, Serialize};

/// One quantity over the seeds of a group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Series {
    /// Its name: `accuracy`, `gain`, `growth`, `gradient`, `gamma`.
    pub name: String,
    /// One value per seed, in the order of the group's seeds; absent where it could not be measured.
    #[serde(with = "number::options")]
    pub values: Vec<Option<f64>>,
    /// Their mean; absent where a seed has none.
    #[serde(with = "number::option")]
    pub mean: Option<f64>,
    /// Their standard deviation (n−1); absent with fewer than two.
    #[serde(with = "number::option")]
    pub sd: Option<f64>,
}

/// Runs that differ in nothing but their seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// Its name, such as `dfa`.
    pub name: String,
    /// Seeds, in order; absent for a dump.
    pub seeds: Vec<Option<u64>>,
    /// The audits of the set that belong to it, in the order of the seeds.
    pub members: Vec<usize>,
    /// Quantities over the seeds.
    pub series: Vec<Series>,
    /// The verdict of each seed.
    pub verdicts: Vec<Verdict>,
    /// The most frequent verdict, and of how many seeds it is; the graver on a tie.
    pub verdict: Verdict,
    /// How many seeds have it.
    pub agree: u64,
}

/// The difference of a quantity between two groups, by seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// The first group.
    pub a: String,
    /// The second.
    pub b: String,
    /// Which quantity.
    pub of: String,
    /// Seeds that both have.
    pub seeds: Vec<u64>,
    /// a − b, one value per seed.
    #[serde(with = "number::list")]
    pub differences: Vec<f64>,
    /// Their mean.
    #[serde(with = "number")]
    pub mean: f64,
    /// Their standard deviation (n−1); absent with fewer than two.
    #[serde(with = "number::option")]
    pub sd: Option<f64>,
}
