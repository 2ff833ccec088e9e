//! Linear probe: what a linear classifier can read from a hidden state.
//!
//! Ridge regression on one-hot labels has a closed form, so the result is deterministic and needs no learning rate.
//! Features are standardised first, since states may have any scale.

use tensor::{Mat, matmul};

/// Weight of the ridge, as a share of the number of training samples.
const RIDGE: f64 = 1e-3;

/// Accuracy on the second set of a linear classifier fitted to the first; rows of `width` features. None if a value is not
/// finite or there is nothing to fit.
///
/// ```
/// let states = [0.0, 1.0, 0.2, 1.1, 5.0, -1.0, 5.2, -0.9];
/// assert_eq!(audit::probe((&states, &[0, 0, 1, 1]), (&states, &[0, 0, 1, 0]), 2, 2), Some(0.75));
/// ```
pub fn probe(fit: (&[f64], &[u8]), test: (&[f64], &[u8]), width: usize, classes: usize) -> Option<f64> {
    let n = fit.1.len();
    let columns = width + 1;
    if n == 0 || test.1.is_empty() || fit.0.iter().chain(test.0).any(|x| !x.is_finite()) {
        return None;
    }
    let scale = Scale::of(fit.0, width);
    let x = scale.apply(fit.0);
    let x_test = scale.apply(test.0);
    // (XᵀX + ridge) W = Xᵀ Y, with a constant column without ridge.
    let mut gram = vec![0.0; columns * columns];
    matmul(&mut gram, 1.0, Mat::new(&x, n, columns).t(), Mat::new(&x, n, columns));
    for i in 0..width {
        gram[i * columns + i] += RIDGE * n as f64;
    }
    let mut y = vec![0.0; n * classes];
    for (row, &label) in y.chunks_exact_mut(classes).zip(fit.1) {
        row[usize::from(label)] = 1.0;
    }
    let mut weights = vec![0.0; columns * classes];
    matmul(&mut weights, 1.0, Mat::new(&x, n, columns).t(), Mat::new(&y, n, classes));
    solve(&mut gram, &mut weights, columns, classes)?;
    let mut scores = vec![0.0; test.1.len() * classes];
    matmul(&mut scores, 1.0, Mat::new(&x_test, test.1.len(), columns), Mat::new(&weights, columns, classes));
    let best = |row: &[f64]| (1..classes).fold(0, |best, c| if row[c] > row[best] { c } else { best });
    let hits =
        scores.chunks_exact(classes).zip(test.1).filter(|(row, label)| best(row) == usize::from(**label));
    Some(hits.count() as f64 / test.1.len() as f64)
}

/// Mean and 1/sd of each feature.
struct Scale(Vec<(f64, f64)>);

impl Scale {
    fn of(rows: &[f64], width: usize) -> Self {
        let n = (rows.len() / width) as f64;
        let column = |c: usize| rows.iter().skip(c).step_by(width);
        let moments = |c: usize| {
            let mean = column(c).sum::<f64>() / n;
            let sd = (column(c).map(|x| (x - mean).powi(2)).sum::<f64>() / n).sqrt();
            (mean, if sd > 0.0 { 1.0 / sd } else { 0.0 })
        };
        Self((0..width).map(moments).collect())
    }

    /// Standardised rows with a constant 1 at the end of each.
    fn apply(&self, rows: &[f64]) -> Vec<f64> {
        let row = |row: &[f64]| -> Vec<f64> {
            row.iter().zip(&self.0).map(|(x, (mean, scale))| (x - mean) * scale).chain([1.0]).collect()
        };
        rows.chunks_exact(self.0.len()).flat_map(row).collect()
    }
}

/// Solves A·X = B in place for a positive definite A (Cholesky). None if A is not.
fn solve(a: &mut [f64], b: &mut [f64], n: usize, columns: usize) -> Option<()> {
    for i in 0..n {
        for j in 0..=i {
            let dot: f64 = (0..j).map(|k| a[i * n + k] * a[j * n + k]).sum();
            let rest = a[i * n + j] - dot;
            a[i * n + j] = if i == j { (rest > 0.0).then(|| rest.sqrt())? } else { rest / a[j * n + j] };
        }
    }
    for c in 0..columns {
        for i in 0..n {
            let dot: f64 = (0..i).map(|k| a[i * n + k] * b[k * columns + c]).sum();
            b[i * columns + c] = (b[i * columns + c] - dot) / a[i * n + i];
        }
        for i in (0..n).rev() {
            let dot: f64 = (i + 1..n).map(|k| a[k * n + i] * b[k * columns + c]).sum();
            b[i * columns + c] = (b[i * columns + c] - dot) / a[i * n + i];
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tensor::random::{Purpose, Stream};

    /// Labels that are a linear function of the state are read at any scale; labels that are not are not.
    #[test]
    fn what_is_linear_is_read_and_what_is_not_is_not() {
        let mut stream = Stream::new(3, Purpose::Teacher);
        let n = 600;
        let width = 5;
        for size in [1e-6, 1.0, 1e8] {
            let states: Vec<f64> = (0..n * width).map(|_| size * stream.normal()).collect();
            let rows = || states.chunks_exact(width);
            let linear: Vec<u8> = rows().map(|h| u8::from(h[0] - 2.0 * h[3] > 0.0)).collect();
            let xor: Vec<u8> = rows().map(|h| u8::from((h[0] > 0.0) != (h[1] > 0.0))).collect();
            let split = |labels: &[u8]| {
                let half = n / 2;
                let h = n / 2 * width;
                probe((&states[..h], &labels[..half]), (&states[h..], &labels[half..]), width, 2)
                    .expect("finite")
            };
            assert!(split(&linear) > 0.93, "{}", split(&linear));
            // Five standard errors around one half.
            assert!((split(&xor) - 0.5).abs() < 5.0 * 0.5 / (n as f64 / 2.0).sqrt(), "{}", split(&xor));
        }
    }

    #[test]
    fn broken_states_have_no_accuracy() {
        assert_eq!(probe((&[f64::NAN], &[0]), (&[1.0], &[0]), 1, 2), None);
    }
}
