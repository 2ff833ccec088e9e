//! Input and output of a figure, and text that figures share.

use super::choose::Chosen;
use super::composed::CompositionError;
use super::convention::Convention;
use super::options::{Options, Refusal};
use super::published::Published;
use crate::picture::Picture;
use crate::plot::palette::{self, Look};
use crate::plot::{Figure, Spread};
use crate::reader::{Records, Setting, Trial, Variant};
use crate::text::escape;
use record::Remedy;
use std::collections::BTreeMap;

/// What a figure is drawn from.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Everything that was read.
    pub records: Records,
    /// Published values to draw as well, marked as such.
    pub published: Option<Published>,
    /// What comes before the panels of `audit-hero`.
    pub leading: Leading,
    /// Names of rules that replace the usual ones, as label source.
    pub names: BTreeMap<String, String>,
    /// Series that the figure `series` shows over epochs too; without any it shows all of them by layer.
    pub series: Vec<String>,
    /// What the author decides.
    pub options: Options,
    /// Where credit is compared with the gradient; `None` for each figure's own.
    pub convention: Option<Convention>,
    /// What bands and error bars show; `None` for each figure's own.
    pub spread: Option<Spread>,
}

/// What comes before the panels of a figure.
#[derive(Clone, Debug, Default)]
pub enum Leading {
    /// The network of the runs with the ways of credit.
    #[default]
    Diagram,
    /// An image of the user.
    Picture(Picture),
    /// Nothing.
    Nothing,
}

/// A figure with its provenance.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// The figure.
    pub figure: Figure,
    /// Where its numbers come from, one line per source.
    pub sources: Vec<String>,
    /// What is missing or was left out, one sentence each.
    pub notes: Vec<String>,
}

/// Why a figure cannot be drawn at all.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum CatalogueError {
    #[error("{figure} needs {needs}, and the records hold none")]
    Nothing { figure: String, needs: String, remedy: Option<Remedy> },
    #[error("{first} has {have} epochs and {second} has {other}: curves over seeds need one length")]
    Lengths { first: String, have: usize, second: String, other: usize },
    #[error(transparent)]
    Composition(#[from] CompositionError),
    #[error(transparent)]
    Option(#[from] Refusal),
}

impl Drawing {
    /// A figure of these trials.
    pub fn of<'a>(figure: Figure, trials: impl IntoIterator<Item = &'a Trial>, notes: Vec<String>) -> Self {
        let trials: Vec<&Trial> = trials.into_iter().collect();
        let sources = sources(trials.iter().copied());
        let mut drawing = Self { figure, sources, notes };
        // Panels of several networks say themselves which they are of.
        if let [first, others @ ..] = &trials[..]
            && others.iter().all(|other| other.setting.network == first.setting.network)
        {
            let network = Some(first.setting.network.clone()).filter(|name| !name.is_empty());
            drawing.figure.panels.iter_mut().for_each(|panel| panel.network.clone_from(&network));
        }
        drawing
    }

    /// As the options of the request want it.
    pub fn shaped(mut self, request: &Request) -> Result<Self, CatalogueError> {
        request.options.shape(&mut self.figure)?;
        Ok(self)
    }

    /// With further sources, such as published values.
    pub fn and_from(mut self, sources: impl IntoIterator<Item = String>) -> Self {
        self.sources.extend(sources);
        self
    }
}

impl CatalogueError {
    /// A [`Self::Nothing`].
    pub fn nothing(figure: &str, needs: &str, remedy: Option<Remedy>) -> Self {
        Self::Nothing { figure: figure.to_owned(), needs: needs.to_owned(), remedy }
    }
}

impl Request {
    /// Rules among the records without a look of their own, in the order of legends.
    fn unlisted(&self) -> Vec<&str> {
        let rules = self.records.trials.iter().map(|trial| trial.rule.as_str());
        let mut names: Vec<&str> = rules.filter(|rule| !palette::is_listed(rule)).collect();
        names.sort_unstable_by_key(|rule| record::rules::place(rule));
        names.dedup();
        names
    }

    /// The look of a rule, the same in every figure.
    pub fn look(&self, rule: &str) -> Look {
        let look = palette::look(rule, &self.unlisted());
        Look {
            colour: self.options.colours.get(rule).copied().unwrap_or(look.colour),
            marker: self.options.markers.get(rule).copied().unwrap_or(look.marker),
            ..look
        }
    }

    /// What bands and error bars show, in a figure that usually shows `own`.
    pub fn spread(&self, own: Spread) -> Spread {
        self.spread.unwrap_or(own)
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

/// Marks a published value in a legend; the foot of the figure cites its source.
pub const PUBLISHED: &str = " (publ.)";

/// How a foot begins to say which values are published.
pub(super) const PUBLISHED_MARK: &str = "grey, dashed: published";

/// What a foot says of published values beside ours.
pub fn published_beside(published: &Published) -> String {
    format!("{PUBLISHED_MARK}, {}", set(&published.citation))
}

/// λ as label source: `$\lambda=10^{-2}$`.
pub fn lambda(penalty: f64) -> String {
    format!("$\\lambda{{=}}{}$", power(penalty))
}

/// A number as math, as a power of ten if it is one.
pub fn power(value: f64) -> String {
    if value <= 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let exponent = value.log10().round();
    let mantissa = value / 10f64.powf(exponent);
    let floor = value.log10().floor();
    if (0.001..10_000.0).contains(&value) && (mantissa - 1.0).abs() > 1e-9 {
        // Three significant digits; a threshold such as 50 or 0.02 has fewer.
        let unit = 10f64.powf(2.0 - floor);
        return ((value * unit).round() / unit).to_string();
    }
    match mantissa {
        m if (m - 1.0).abs() < 1e-9 => format!("10^{{{exponent}}}"),
        _ => format!("{:.1}\\times10^{{{floor}}}", value / 10f64.powf(floor)),
    }
}

/// A value of at least 10 with two significant digits, and a comma before the last three.
pub(super) fn rounded(value: f64) -> String {
    let unit = 10f64.powf(value.log10().floor() - 1.0);
    let digits = format!("{:.0}", (value / unit).round() * unit);
    match digits.len().checked_sub(3) {
        Some(split) if split > 0 => format!("{},{}", &digits[..split], &digits[split..]),
        _ => digits,
    }
}

/// The provenance of trials, each line once.
pub fn sources<'a>(trials: impl IntoIterator<Item = &'a Trial>) -> Vec<String> {
    let mut lines: Vec<String> = trials.into_iter().map(|trial| trial.origin.to_string()).collect();
    lines.sort();
    lines.dedup();
    lines
}

/// A setting in words, as label source.
pub fn setting(setting: &Setting) -> String {
    set(&setting.to_string())
}

/// Words about runs as label source: sizes such as `d=256 L=4` as math, apostrophes as they are printed.
pub(super) fn set(words: &str) -> String {
    let words: Vec<&str> = words.split(' ').collect();
    let size = |word: &str| -> Option<String> {
        let (name, rest) = word.split_once('=')?;
        let name =
            [("d", "d"), ("L", "L"), ("α", "\\alpha")].into_iter().find(|(known, _)| *known == name)?.1;
        let number = rest.trim_end_matches([',', ';']);
        number.parse::<f64>().ok()?;
        Some(format!("${name}{{=}}{number}${}", &rest[number.len()..]))
    };
    let label = |(i, word): (usize, &&str)| match size(word) {
        Some(label) if words.get(i + 1).is_some_and(|next| size(next).is_some()) => format!("{label},"),
        Some(label) => label,
        None => escape(word).replace('\'', "’"),
    };
    words.iter().enumerate().map(label).collect::<Vec<_>>().join(" ")
}

/// The foot of a figure: setting and seeds; `several` says how more than one of them are drawn.
pub fn foot(request: &Request, chosen: &Chosen<'_>, several: Option<String>) -> Option<String> {
    let mut parts = vec![setting(&chosen.setting), chosen.seeds(request)];
    parts.extend(several.filter(|_| chosen.has_several()));
    parts.retain(|part| !part.is_empty());
    (!parts.is_empty()).then(|| parts.join("; "))
}
