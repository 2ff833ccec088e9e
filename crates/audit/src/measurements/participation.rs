//! Participation ratio: over how many directions a state spreads from sample to sample.

use record::{Measured, Why};
use tensor::{Float, Mat, matmul};

/// Values of a state that are kept, at most. A state of more than 1,638 features is measured on fewer than 1,280 samples,
/// so that neither time nor memory depends on how large a convolution's states are.
const MOST_VALUES: usize = 1 << 21;

/// Terms of a sum that are added up in f32; sums of so many go on in f64.
const PIECE: usize = 128;

/// (Σλ)² / Σλ² of the eigenvalues λ of a state's covariance over samples: k where k directions vary equally, 1 where all
/// samples are on a line. Of n samples it is at most n − 1.
///
/// ```
/// let mut square = audit::measurements::Participation::new(2);
/// square.add(&[1e9f32, 1.0, -1e9, 1.0]);
/// square.add(&[0.0f32, 1e9 + 1.0, 0.0, 1.0 - 1e9]);
/// assert!((square.finish().value().unwrap() - 2.0).abs() < 1e-6);
/// ```
#[derive(Clone, Debug)]
pub struct Participation<T> {
    width: usize,
    values: Vec<T>,
}

impl<T: Float> Participation<T> {
    /// Of a state of `width` features.
    pub fn new(width: usize) -> Self {
        Self { width, values: Vec::new() }
    }

    /// Adds the samples of a chunk, as long as there is room.
    pub fn add(&mut self, rows: &[T]) {
        let room = (MOST_VALUES / self.width).max(2) * self.width - self.values.len();
        self.values.extend(rows.iter().take(room));
    }

    /// The ratio. It is tr(C)² / ‖C‖² of the covariance C, or of the smaller matrix of the samples' inner products, which
    /// has the same eigenvalues.
    pub fn finish(&self) -> Measured {
        let centred = match self.centred() {
            Ok(centred) => centred,
            Err(why) => return Measured::Undefined { why },
        };
        let samples = centred.len() / self.width;
        let side = samples.min(self.width);
        let mut gram = vec![0.0; side * side];
        let mut piece = vec![0.0f32; side * side];
        // One column per step along the longer side.
        let x = Mat::new(&centred, samples, self.width);
        let x = if samples < self.width { x } else { x.t() };
        let steps = samples.max(self.width);
        for start in (0..steps).step_by(PIECE) {
            let part = x.cols(start..steps.min(start + PIECE));
            matmul(&mut piece, 1.0, part, part.t());
            gram.iter_mut().zip(&piece).for_each(|(sum, &x)| *sum += f64::from(x));
        }
        let trace: f64 = gram.iter().step_by(side + 1).sum();
        let squares: f64 = gram.iter().map(|x| x * x).sum();
        Measured::Defined { value: trace * trace / squares }
    }

    /// The values less the mean of their feature, in units of the largest: then no square is too large or too small for f32.
    fn centred(&self) -> Result<Vec<f32>, Why> {
        if !self.values.iter().all(|x| x.to_f64().is_finite()) {
            return Err(Why::NotFinite);
        }
        let rows = || self.values.chunks_exact(self.width);
        let mut mean = vec![0.0; self.width];
        for row in rows() {
            mean.iter_mut().zip(row).for_each(|(sum, x)| *sum += x.to_f64());
        }
        mean.iter_mut().for_each(|sum| *sum /= rows().len() as f64);
        let from_mean = || rows().flat_map(|row| row.iter().zip(&mean).map(|(x, mean)| x.to_f64() - mean));
        let largest = from_mean().fold(0.0, |largest: f64, x| largest.max(x.abs()));
        if largest == 0.0 {
            return Err(Why::StateConstant);
        }
        Ok(from_mean().map(|x| (x / largest) as f32).collect())
    }
}
