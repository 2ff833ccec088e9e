//! How several seeds spread about their mean: what bands and error bars show, and its words, in one place.

/// What bands and error bars show of several seeds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spread {
    /// One standard deviation (n−1) to both sides of the mean.
    #[default]
    Sd,
    /// One standard error of the mean to both sides.
    Sem,
    /// From the smallest to the largest seed.
    MinMax,
    /// No interval: every seed is drawn.
    Seeds,
    /// The 95% confidence interval of the mean, by Student's t.
    Ci95,
}

/// Two ends about a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// What the ends are.
    pub spread: Spread,
}

impl Interval {
    /// One standard deviation to both sides of a mean.
    pub fn sd(mean: f64, sd: f64) -> Self {
        Self { low: mean - sd, high: mean + sd, spread: Spread::Sd }
    }
}

impl Spread {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Sd, Self::Sem, Self::MinMax, Self::Seeds, Self::Ci95];

    /// Its name in options.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sd => "sd",
            Self::Sem => "sem",
            Self::MinMax => "minmax",
            Self::Seeds => "seeds",
            Self::Ci95 => "ci95",
        }
    }

    /// Its name in tables.
    pub(super) fn word(self) -> &'static str {
        if self == Self::MinMax { super::table::RANGE } else { self.name() }
    }

    /// What a foot says of an interval; nothing where there is none.
    pub(crate) fn meaning(self) -> Option<&'static str> {
        match self {
            Self::Sd => Some("one standard deviation"),
            Self::Sem => Some("one standard error"),
            Self::MinMax => Some("smallest to largest seed"),
            Self::Seeds => None,
            Self::Ci95 => Some("95% confidence interval of the mean"),
        }
    }

    /// The mean of seeds, and the interval about it; of `log` values the geometric mean, with the interval of their
    /// logarithms. A single seed has no interval.
    pub fn about(self, values: &[f64], log: bool) -> Option<(f64, Option<Interval>)> {
        let logs: Vec<f64> = values.iter().map(|v| if log { v.ln() } else { *v }).collect();
        let s = protocol::statistics(logs)?;
        let back = |v: f64| if log { v.exp() } else { v };
        let mean = if let [only] = values { *only } else { back(s.mean) };
        let Some(sd) = s.sd else { return Some((mean, None)) };
        let both = |reach: f64| (back(s.mean - reach), back(s.mean + reach));
        let error = sd / (s.n as f64).sqrt();
        let ends = match self {
            Self::Sd => Some(both(sd)),
            Self::Sem => Some(both(error)),
            Self::Ci95 => Some(both(quantile(s.n - 1) * error)),
            Self::MinMax => {
                let least = values.iter().copied().fold(f64::INFINITY, f64::min);
                Some((least, values.iter().copied().fold(f64::NEG_INFINITY, f64::max)))
            }
            Self::Seeds => None,
        };
        Some((mean, ends.map(|(low, high)| Interval { low, high, spread: self })))
    }
}

/// The 97.5% quantile of Student's t.
fn quantile(freedom: usize) -> f64 {
    const SHARE: f64 = 0.95;
    // With one degree of freedom it is 12.7, and less with more.
    let (mut low, mut high) = (1.0f64, 13.0f64);
    while high - low > 1e-9 {
        let middle = (low + high) / 2.0;
        if within(middle, freedom) < SHARE { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

/// The probability that Student's t lies between −t and t: for whole degrees of freedom, a finite sum of powers of a cosine.
fn within(t: f64, freedom: usize) -> f64 {
    let angle = (t / (freedom as f64).sqrt()).atan();
    let (sin, cos) = angle.sin_cos();
    let is_odd = freedom % 2 == 1;
    let mut power = if is_odd { cos } else { 1.0 };
    let mut sum = 0.0;
    for k in (if is_odd { 1 } else { 0 }..freedom.saturating_sub(1)).step_by(2) {
        sum += power;
        power *= cos * cos * (k + 1) as f64 / (k + 2) as f64;
    }
    if is_odd { 2.0 / std::f64::consts::PI * (angle + sin * sum) } else { sin * sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(spread: Spread, values: &[f64], log: bool) -> (f64, f64, f64) {
        let (mean, interval) = spread.about(values, log).unwrap();
        let interval = interval.unwrap();
        (mean, interval.low, interval.high)
    }

    fn near(found: (f64, f64, f64), wanted: (f64, f64, f64)) {
        let close = |a: f64, b: f64| (a - b).abs() < 1e-4 * b.abs().max(1.0);
        assert!(
            close(found.0, wanted.0) && close(found.1, wanted.1) && close(found.2, wanted.2),
            "{found:?}"
        );
    }

    #[test]
    fn intervals_are_what_their_names_say() {
        // Mean 4, standard deviation 2, standard error 2/√3.
        let values = [2.0, 4.0, 6.0];
        near(ends(Spread::Sd, &values, false), (4.0, 2.0, 6.0));
        near(ends(Spread::Sem, &values, false), (4.0, 4.0 - 1.154_70, 4.0 + 1.154_70));
        near(ends(Spread::MinMax, &[1.0, 4.0, 4.0], false), (3.0, 1.0, 4.0));
        // t for two degrees of freedom is 4.3027.
        near(ends(Spread::Ci95, &values, false), (4.0, 4.0 - 4.9683, 4.0 + 4.9683));
        // Decades 0, 1, 2: mean 1, deviation 1.
        near(ends(Spread::Sd, &[1.0, 10.0, 100.0], true), (10.0, 1.0, 100.0));
    }

    #[test]
    fn one_seed_has_no_interval_and_seeds_are_none() {
        for spread in Spread::ALL {
            assert_eq!(spread.about(&[0.3], true), Some((0.3, None)));
            assert_eq!(spread.about(&[], false), None);
        }
        assert_eq!(Spread::Seeds.about(&[1.0, 3.0], false), Some((2.0, None)));
    }

    #[test]
    fn quantiles_are_those_of_tables() {
        let table =
            [(1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (7, 2.3646), (13, 2.1604), (20, 2.0860)];
        for (freedom, wanted) in table.into_iter().chain([(30, 2.0423), (120, 1.9799)]) {
            assert!((quantile(freedom) - wanted).abs() < 5e-5, "{freedom}: {}", quantile(freedom));
        }
    }
}
