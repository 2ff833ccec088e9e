//! Repeated measurements of one thing: best, median, spread, and ratios.

/// At least one number, none of them NaN; less is better.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    values: Vec<f64>,
    sorted: Vec<f64>,
}

/// How many times more one side takes than the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// Ratio of the best values.
    pub best: f64,
    /// Ratio of the medians.
    pub median: f64,
}

impl Sample {
    /// A sample of these; none if there are none or one is NaN.
    pub fn of(values: Vec<f64>) -> Option<Self> {
        if values.is_empty() || values.iter().any(|value| value.is_nan()) {
            return None;
        }
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        Some(Self { values, sorted })
    }

    /// All of them, in the order they were measured.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The least.
    pub fn best(&self) -> f64 {
        self.sorted[0]
    }

    /// The median; of an even number of values, the mean of the middle two.
    pub fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    /// The quartiles; of fewer than four values the least and the largest; none of a single value.
    ///
    /// ```
    /// use creditscope_benches::sample::Sample;
    /// let sample = Sample::of(vec![3.0, 1.0, 5.0, 2.0, 4.0]).unwrap();
    /// assert_eq!(sample.spread(), Some((2.0, 4.0)));
    /// ```
    pub fn spread(&self) -> Option<(f64, f64)> {
        match self.sorted.as_slice() {
            [_] => None,
            [least, .., largest] if self.sorted.len() < 4 => Some((*least, *largest)),
            _ => Some((self.quantile(0.25), self.quantile(0.75))),
        }
    }

    /// How many times more this takes than `ours`.
    pub fn over(&self, ours: &Self) -> Ratio {
        Ratio { best: self.best() / ours.best(), median: self.median() / ours.median() }
    }

    /// A quantile, by linear interpolation.
    fn quantile(&self, share: f64) -> f64 {
        let position = share * (self.sorted.len() - 1) as f64;
        let below = self.sorted[position.floor() as usize];
        let above = self.sorted[position.ceil() as usize];
        below + (above - below) * position.fract()
    }
}

/// The order of the sides in a round: rotated by one each round, so that none is always first.
///
/// ```
/// assert_eq!(creditscope_benches::sample::turns(1, 3).collect::<Vec<_>>(), [1, 2, 0]);
/// ```
pub fn turns(round: usize, sides: usize) -> impl Iterator<Item = usize> {
    (0..sides).map(move |k| (round + k) % sides)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(values: &[f64]) -> Sample {
        Sample::of(values.to_vec()).unwrap()
    }

    #[test]
    fn medians_of_odd_and_even_numbers() {
        assert_eq!(sample(&[9.0, 1.0, 2.0]).median(), 2.0);
        assert_eq!(sample(&[9.0, 1.0, 2.0, 4.0]).median(), 3.0);
        assert_eq!(sample(&[7.0]).median(), 7.0);
    }

    #[test]
    fn quartiles_are_interpolated() {
        // The type that NumPy and R call linear: positions .75 and 2.25 of 0, 1, 2, 3.
        assert_eq!(sample(&[40.0, 10.0, 30.0, 20.0]).spread(), Some((17.5, 32.5)));
        assert_eq!(sample(&[3.0, 8.0, 5.0]).spread(), Some((3.0, 8.0)), "too few for quartiles");
        assert_eq!(sample(&[3.0]).spread(), None);
    }

    #[test]
    fn ratios_say_how_much_longer_the_other_takes() {
        let ours = sample(&[2.0, 4.0, 10.0]);
        let theirs = sample(&[3.0, 8.0, 9.0]);
        assert_eq!(theirs.over(&ours), Ratio { best: 1.5, median: 2.0 });
    }

    #[test]
    fn nothing_is_no_sample_and_neither_is_nan() {
        assert_eq!(Sample::of(vec![]), None);
        assert_eq!(Sample::of(vec![1.0, f64::NAN]), None);
    }

    #[test]
    fn everybody_begins_once() {
        let first: Vec<usize> = (0..3).map(|round| turns(round, 3).next().unwrap()).collect();
        assert_eq!(first, [0, 1, 2]);
    }
}
