//! Mean and standard deviation over seeds, the only ones in the program.

/// A mean over seeds with its spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statistics {
    /// How many values.
    pub n: usize,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation (n−1); absent with a single value, which has none.
    pub sd: Option<f64>,
}

/// Mean and standard deviation; none without values.
///
/// ```
/// let three = protocol::statistics([0.3, 0.5, 0.7]).unwrap();
/// assert!((three.mean - 0.5).abs() < 1e-15 && (three.sd.unwrap() - 0.2).abs() < 1e-15);
/// assert_eq!(protocol::statistics([0.3]).unwrap().sd, None);
/// assert_eq!(protocol::statistics([]), None);
/// ```
pub fn statistics(values: impl IntoIterator<Item = f64>) -> Option<Statistics> {
    let values: Vec<f64> = values.into_iter().collect();
    let n = values.len();
    if n == 0 {
        return None;
    }
    let mean = values.iter().sum::<f64>() / n as f64;
    let sum: f64 = values.iter().map(|x| (x - mean) * (x - mean)).sum();
    Some(Statistics { n, mean, sd: (n > 1).then(|| (sum / (n - 1) as f64).sqrt()) })
}

/// The geometric mean, for what spans decades; none without values. One value is itself, to the last digit.
pub fn geometric_mean(values: &[f64]) -> Option<f64> {
    match values {
        [only] => Some(*only),
        many => statistics(many.iter().map(|v| v.ln())).map(|s| s.mean.exp()),
    }
}
