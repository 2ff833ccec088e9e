//! Recognises direct feedback: credit that is one fixed linear image of the error at the output.

use crate::dump::DumpRows;
use tensor::{Mat, matmul};

/// Share of a signal that a linear image of the error must explain.
const LEAST_SHARE: f64 = 0.999;
/// Samples per class that are needed to tell.
const SAMPLES_PER_CLASS: usize = 10;
/// More classes are not looked at.
const MOST_CLASSES: usize = 1000;
/// A pivot below this share of the largest one is zero: errors sum to zero over the classes.
const RANK: f64 = 1e-10;

/// Whether the rows of a signal are e_T times one matrix, by least squares.
pub(super) fn is_image_of(errors: &DumpRows, signal: &DumpRows) -> bool {
    let classes = errors.width;
    let enough = errors.len() >= SAMPLES_PER_CLASS * classes && classes <= MOST_CLASSES;
    let finite = || signal.values.iter().chain(&errors.values).all(|x| x.is_finite());
    if !enough || !finite() {
        return false;
    }
    let feedback = least_squares(errors, signal);
    let mut left = signal.values.clone();
    let image = Mat::new(&feedback, classes, signal.width);
    // The residual in one go: the signal minus its image.
    let mut explained = vec![0.0; left.len()];
    matmul(&mut explained, 1.0, Mat::new(&errors.values, errors.len(), classes), image);
    left.iter_mut().zip(&explained).for_each(|(left, x)| *left -= x);
    let squares = |values: &[f64]| values.iter().map(|x| x * x).sum::<f64>();
    let all = squares(&signal.values);
    all > 0.0 && 1.0 - squares(&left) / all > LEAST_SHARE
}

/// B of the least ‖signal − errors·B‖, classes × features; zero along errors that do not occur.
fn least_squares(errors: &DumpRows, signal: &DumpRows) -> Vec<f64> {
    let classes = errors.width;
    let e = Mat::new(&errors.values, errors.len(), classes);
    let mut gram = vec![0.0; classes * classes];
    matmul(&mut gram, 1.0, e.t(), e);
    let mut right = vec![0.0; classes * signal.width];
    matmul(&mut right, 1.0, e.t(), Mat::new(&signal.values, signal.len(), signal.width));
    let largest = (0..classes).map(|c| gram[c * classes + c]).fold(0.0, f64::max);
    let mut open: Vec<usize> = (0..classes).collect();
    let mut used = Vec::new();
    // Gauss and Jordan, the largest pivot first.
    while let Some(at) = (0..open.len()).max_by(|&a, &b| {
        let pivot = |c: usize| gram[c * classes + c];
        pivot(open[a]).total_cmp(&pivot(open[b]))
    }) {
        let pivot = open.swap_remove(at);
        let size = gram[pivot * classes + pivot];
        if size <= RANK * largest {
            break;
        }
        used.push(pivot);
        scale(&mut gram, pivot, classes, 1.0 / size);
        scale(&mut right, pivot, signal.width, 1.0 / size);
        for row in (0..classes).filter(|&row| row != pivot) {
            let factor = gram[row * classes + pivot];
            subtract(&mut gram, row, pivot, classes, factor);
            subtract(&mut right, row, pivot, signal.width, factor);
        }
    }
    for row in (0..classes).filter(|row| !used.contains(row)) {
        scale(&mut right, row, signal.width, 0.0);
    }
    right
}

fn scale(rows: &mut [f64], row: usize, width: usize, by: f64) {
    rows[row * width..(row + 1) * width].iter_mut().for_each(|x| *x *= by);
}

/// Subtracts `factor` times one row from another.
fn subtract(rows: &mut [f64], from: usize, row: usize, width: usize, factor: f64) {
    for column in 0..width {
        rows[from * width + column] -= factor * rows[row * width + column];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tensor::random::{Purpose, Stream};

    fn rows(stream: &mut Stream, count: usize, width: usize) -> DumpRows {
        DumpRows { values: (0..count * width).map(|_| stream.normal()).collect(), width }
    }

    #[test]
    fn an_image_is_recognised_and_a_little_of_anything_else_is_not() {
        let mut stream = Stream::new(7, Purpose::Audit);
        let mut errors = rows(&mut stream, 60, 4);
        // Errors sum to zero over the classes.
        for row in errors.values.chunks_exact_mut(4) {
            let mean = row.iter().sum::<f64>() / 4.0;
            row.iter_mut().for_each(|x| *x -= mean);
        }
        let feedback = rows(&mut stream, 4, 9);
        let mut image = DumpRows { values: vec![0.0; 60 * 9], width: 9 };
        let e = Mat::new(&errors.values, 60, 4);
        matmul(&mut image.values, 1.0, e, Mat::new(&feedback.values, 4, 9));
        assert!(is_image_of(&errors, &image));
        let scaled = |by: f64| {
            let mut stream = Stream::new(8, Purpose::Audit);
            let values = image.values.iter().map(|x| x + by * stream.normal()).collect();
            DumpRows { values, width: 9 }
        };
        assert!(is_image_of(&errors, &scaled(0.01)));
        assert!(!is_image_of(&errors, &scaled(0.1)));
        assert!(!is_image_of(&errors, &rows(&mut stream, 60, 9)));
        let few =
            |rows: &DumpRows| DumpRows { values: rows.values[..30 * rows.width].to_vec(), width: rows.width };
        assert!(
            !is_image_of(&few(&errors), &few(&image)),
            "thirty samples of four classes are too few to tell"
        );
    }
}
