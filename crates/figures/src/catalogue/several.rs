//! How several seeds are drawn, in the words of a foot. Every figure that draws means asks here.

use crate::plot::Spread;

/// The axes along which lines are drawn: means of orders of magnitude are geometric.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Axes {
    /// Whether some are linear.
    pub linear: bool,
    /// Whether some are logarithmic.
    pub log: bool,
}

impl Axes {
    /// Linear ones alone.
    pub const LINEAR: Self = Self { linear: true, log: false };
    /// Logarithmic ones alone.
    pub const LOG: Self = Self { linear: false, log: true };
    /// Both.
    pub const BOTH: Self = Self { linear: true, log: true };

    /// Those of either.
    pub(super) fn and(self, other: Self) -> Self {
        Self { linear: self.linear || other.linear, log: self.log || other.log }
    }

    fn mean(self) -> &'static str {
        match self {
            Self { log: false, .. } => "mean over seeds",
            Self { linear: false, .. } => "geometric mean over seeds",
            _ => "mean over seeds, geometric on log axes",
        }
    }

    /// What an interval of the logarithm is called.
    fn of_logarithms(self, spread: Spread) -> &'static str {
        match self {
            Self { log: false, .. } => "",
            _ if spread == Spread::MinMax => "",
            Self { linear: false, .. } => " of the logarithm",
            _ => ", on log axes of the logarithm",
        }
    }
}

/// Of lines with bands, or with a thin line for each seed.
pub fn lines(spread: Spread, axes: Axes) -> String {
    let mean = axes.mean();
    match spread.meaning() {
        Some(ends) => format!("lines: {mean}; bands: {ends}{}", axes.of_logarithms(spread)),
        None => format!("thick: {mean}; thin: each seed"),
    }
}

/// Of bars, which have a dot for each seed.
pub fn bars(spread: Spread) -> String {
    let whiskers = spread.meaning().map(|ends| format!("; whiskers: {ends}")).unwrap_or_default();
    format!("bars: mean over seeds{whiskers}; dots: each seed")
}

/// Of single markers with error bars, or with a small marker for each seed.
pub fn markers(spread: Spread) -> String {
    match spread.meaning() {
        Some(ends) => format!("markers: mean over seeds; whiskers: {ends}"),
        None => "markers: mean over seeds; small: each seed".to_owned(),
    }
}

/// Of a figure with single markers and lines.
pub fn markers_and_lines(spread: Spread, axes: Axes) -> String {
    let mean = axes.mean();
    match spread.meaning() {
        Some(ends) => {
            format!("markers and lines: {mean}; whiskers and bands: {ends}{}", axes.of_logarithms(spread))
        }
        None => format!("large and thick: {mean}; small and thin: each seed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_name_mean_and_ends() {
        assert_eq!(lines(Spread::Sd, Axes::LINEAR), "lines: mean over seeds; bands: one standard deviation");
        assert_eq!(
            lines(Spread::Sem, Axes::LOG),
            "lines: geometric mean over seeds; bands: one standard error of the logarithm"
        );
        assert_eq!(
            lines(Spread::MinMax, Axes::BOTH),
            "lines: mean over seeds, geometric on log axes; bands: smallest to largest seed"
        );
        assert_eq!(lines(Spread::Seeds, Axes::LINEAR), "thick: mean over seeds; thin: each seed");
        assert_eq!(bars(Spread::Seeds), "bars: mean over seeds; dots: each seed");
        // No word of whiskers where there are none.
        assert!(!markers(Spread::Seeds).contains("whiskers") && markers(Spread::Ci95).contains("95%"));
    }
}
