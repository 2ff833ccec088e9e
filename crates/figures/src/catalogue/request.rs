//! What a figure is drawn from, and what comes out.

use super::published::Published;
use crate::picture::Picture;
use crate::plot::Figure;
use crate::plot::palette::{self, Look};
use crate::reader::{Records, Setting, Trial, Variant};
use crate::text::escape;
use record::Remedy;
use std::collections::BTreeMap;

/// What a figure is drawn from.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Everything that was read.
    pub records: Records,
    /// Published values that are drawn beside it, marked as such.
    pub published: Option<Published>,
    /// An image of the user's for figures that have a place for one.
    pub picture: Option<Picture>,
    /// Names of rules in place of the usual ones, as label source.
    pub names: BTreeMap<String, String>,
}

/// A figure with where its numbers come from.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// The figure.
    pub figure: Figure,
    /// Where each number comes from, a line each.
    pub sources: Vec<String>,
    /// What is missing, or was left out, a sentence each.
    pub notes: Vec<String>,
}

/// Why a figure cannot be drawn at all.
#[derive(Debug, thiserror::Error)]
pub enum CatalogueError {
    /// The records hold nothing for it.
    #[error("{figure} needs {needs}, and nothing like it is among the records")]
    Nothing {
        /// The figure.
        figure: &'static str,
        /// What it is drawn from.
        needs: &'static str,
        /// What else may help.
        remedy: Option<Remedy>,
    },
    /// Curves that belong together have different lengths.
    #[error("{first} has {have} epochs and {second} has {other}: curves over seeds need one length")]
    Lengths {
        /// A trial.
        first: String,
        /// Its epochs.
        have: usize,
        /// Another seed of the same.
        second: String,
        /// Its epochs.
        other: usize,
    },
}

impl Request {
    /// Rules among the records that have no look of their own, in the order of legends.
    fn unlisted(&self) -> Vec<&str> {
        let rules = self.records.trials.iter().map(|trial| trial.rule.as_str());
        let mut names: Vec<&str> = rules.filter(|rule| !palette::is_listed(rule)).collect();
        names.sort_unstable_by_key(|rule| record::rules::place(rule));
        names.dedup();
        names
    }

    /// The look of a rule, the same in every figure.
    pub fn look(&self, rule: &str) -> Look {
        palette::look(rule, &self.unlisted())
    }

    /// The name of a rule, as label source.
    pub fn rule(&self, rule: &str) -> String {
        self.names.get(rule).cloned().unwrap_or_else(|| escape(record::rules::title(rule)))
    }

    /// The name of a rule with its modifiers, as label source.
    pub fn name(&self, variant: &Variant) -> String {
        let mut name = self.rule(&variant.rule);
        if variant.frozen {
            name.push_str(", frozen");
        }
        if variant.penalty != 0.0 {
            name.push_str(&format!(", {}", lambda(variant.penalty)));
        }
        if !variant.modifiers.is_empty() {
            name.push_str(&format!(", {}", escape(&variant.modifiers)));
        }
        name
    }
}

/// What marks a published value in a name; the foot of the figure says where it comes from.
pub const PUBLISHED: &str = " (publ.)";

/// λ as label source: `$\lambda=10^{-2}$`.
pub fn lambda(penalty: f64) -> String {
    format!("$\\lambda{{=}}{}$", power(penalty))
}

/// A number as math: a power of ten where it is one.
pub fn power(value: f64) -> String {
    if value <= 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let exponent = value.log10().round();
    let mantissa = value / 10f64.powf(exponent);
    let floor = value.log10().floor();
    if (0.001..10_000.0).contains(&value) && (mantissa - 1.0).abs() > 1e-9 {
        // Three digits that count; a threshold such as 50 or 0.02 has fewer.
        let unit = 10f64.powf(2.0 - floor);
        return ((value * unit).round() / unit).to_string();
    }
    match mantissa {
        m if (m - 1.0).abs() < 1e-9 => format!("10^{{{exponent}}}"),
        _ => format!("{:.1}\\times10^{{{floor}}}", value / 10f64.powf(floor)),
    }
}

/// Where trials come from, each line once.
pub fn sources<'a>(trials: impl IntoIterator<Item = &'a Trial>) -> Vec<String> {
    let mut lines: Vec<String> = trials.into_iter().map(|trial| trial.origin.to_string()).collect();
    lines.sort();
    lines.dedup();
    lines
}

/// A setting in words, as label source. An italic α would pass for an a.
pub fn setting(setting: &Setting) -> String {
    escape(&setting.to_string()).replace('α', "$\\alpha$")
}

/// The line at the foot of a figure: the setting and the seeds, and that published values are among what is shown.
pub fn foot(chosen: Option<&super::choose::Chosen<'_>>, published: Option<&Published>) -> Option<String> {
    let mut parts = Vec::new();
    if let Some(chosen) = chosen {
        let seeds = chosen.seeds();
        parts.push(setting(&chosen.setting));
        if !seeds.is_empty() {
            parts.push(seeds);
        }
    }
    if let Some(published) = published {
        parts.push(format!("hollow or dashed: published, {}", escape(&published.citation)));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}
