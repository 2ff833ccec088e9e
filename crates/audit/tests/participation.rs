//! The participation ratio against algebra, against the eigenvalues' power sums in plain f64, and at any size of the state.

use audit::measurements::Participation;
use record::{Measured, Why};
use tensor::random::{Purpose, Stream};

fn ratio(rows: &[f32], width: usize) -> Measured {
    let mut measured = Participation::new(width);
    // In chunks of an odd size, as an evaluation adds them.
    rows.chunks(3 * width).for_each(|chunk| measured.add(chunk));
    measured.finish()
}

fn value(rows: &[f32], width: usize) -> f64 {
    ratio(rows, width).defined().expect("a state that varies")
}

fn gaussian(n: usize, seed: u64) -> Vec<f32> {
    let mut stream = Stream::new(seed, Purpose::Audit);
    (0..n).map(|_| stream.normal() as f32).collect()
}

/// Σλ and Σλ² of the covariance by its definition: sums over samples, then over pairs of features.
fn naive(rows: &[f32], width: usize) -> f64 {
    let n = rows.len() / width;
    let x = |i: usize, j: usize| f64::from(rows[i * width + j]);
    let mean: Vec<f64> = (0..width).map(|j| (0..n).map(|i| x(i, j)).sum::<f64>() / n as f64).collect();
    let covariance = |j: usize, k: usize| -> f64 {
        (0..n).map(|i| (x(i, j) - mean[j]) * (x(i, k) - mean[k])).sum::<f64>() / n as f64
    };
    let trace: f64 = (0..width).map(|j| covariance(j, j)).sum();
    let pairs = (0..width).flat_map(|j| (0..width).map(move |k| (j, k)));
    trace * trace / pairs.map(|(j, k)| covariance(j, k).powi(2)).sum::<f64>()
}

fn close(found: f64, wanted: f64, within: f64, what: &str) {
    assert!((found / wanted - 1.0).abs() < within, "{what}: {found}, not {wanted}");
}

/// Samples at ± the first k unit vectors, in so many features.
fn cross(k: usize, width: usize) -> Vec<f32> {
    let mut rows = vec![0.0; 2 * k * width];
    for i in 0..k {
        rows[2 * i * width + i] = 1.0;
        rows[(2 * i + 1) * width + i] = -1.0;
    }
    rows
}

#[test]
fn equal_directions_are_counted_exactly() {
    for k in [1, 2, 7, 40] {
        // More samples than features, and fewer.
        for width in [k, k + 1, 100] {
            assert_eq!(value(&cross(k, width), width), k as f64, "{k} directions in {width} features");
        }
    }
}

#[test]
fn a_line_is_one_direction_however_it_lies() {
    let direction = gaussian(50, 1);
    let along = gaussian(90, 2);
    for (samples, width) in [(90, 50), (20, 50)] {
        let rows: Vec<f32> = along[..samples]
            .iter()
            .flat_map(|t| direction[..width].iter().map(move |d| 5.0 + t * d))
            .collect();
        close(value(&rows, width), 1.0, 1e-6, "a line");
    }
}

#[test]
fn it_agrees_with_the_definition_on_both_sides_of_the_gram_matrix() {
    for (n, width) in [(2, 1), (2, 9), (3, 3), (40, 7), (7, 40), (300, 33), (33, 300), (129, 128)] {
        let mut rows = gaussian(n * width, (n * width) as u64);
        // Features of unequal size, far from zero.
        for (i, x) in rows.iter_mut().enumerate() {
            *x = 30.0 + *x / (1 + i % width) as f32;
        }
        close(value(&rows, width), naive(&rows, width), 1e-6, &format!("{n} samples of {width} features"));
    }
}

#[test]
fn size_shift_and_rotation_leave_it_as_it_is() {
    let (n, width) = (60, 24);
    let mut rows = gaussian(n * width, 5);
    rows.iter_mut().enumerate().for_each(|(i, x)| *x *= 1.0 + (i % width) as f32);
    let plain = value(&rows, width);
    for size in [1e-38, 1e-30, 1e-9, 1e9, 1e30, 1e36] {
        let scaled: Vec<f32> = rows.iter().map(|x| size * x).collect();
        let within = if size < 1e-37 { 1e-4 } else { 2e-6 };
        close(value(&scaled, width), plain, within, &format!("times {size}"));
    }
    let shifted: Vec<f32> = rows.iter().enumerate().map(|(i, x)| x + 64.0 * (i % width) as f32).collect();
    close(value(&shifted, width), plain, 1e-4, "shifted, which costs the values themselves digits");
    // A product of plane rotations.
    let mut turned = rows.clone();
    for row in turned.chunks_exact_mut(width) {
        for j in 0..width {
            let k = (5 * j + 3) % width;
            if k != j {
                let (a, b) = (row[j], row[k]);
                (row[j], row[k]) = (0.6 * a - 0.8 * b, 0.8 * a + 0.6 * b);
            }
        }
    }
    close(value(&turned, width), plain, 2e-6, "turned");
}

#[test]
fn isotropic_noise_of_finitely_many_samples_has_the_known_ratio() {
    // For n samples of d independent normal features the scatter matrix about the mean is Wishart with m = n − 1 degrees:
    // E[(tr S)²] = md(md + 2) and E[tr S²] = md(m + d + 1), so the ratio is near (md + 2)/(m + d + 1).
    for (n, d) in [(400, 64), (64, 400), (1280, 256)] {
        let m = (n - 1) as f64;
        let d_ = d as f64;
        let wanted = (m * d_ + 2.0) / (m + d_ + 1.0);
        close(value(&gaussian(n * d, 11), d), wanted, 0.01, &format!("{n} samples of {d} features"));
    }
}

#[test]
fn what_does_not_vary_or_is_not_finite_has_no_ratio() {
    let undefined = |why| Measured::Undefined { why };
    // One tenth is no binary fraction, and a mean over three of it might be another number.
    for same in [0.0, 0.1, -3e38, 1e-45] {
        assert_eq!(ratio(&[same; 21], 7), undefined(Why::StateConstant), "{same}");
    }
    assert_eq!(ratio(&[1.0, 2.0, 3.0], 3), undefined(Why::StateConstant), "a single sample");
    for broken in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        assert_eq!(ratio(&[1.0, 2.0, broken, 4.0], 2), undefined(Why::NotFinite), "{broken}");
    }
}

#[test]
fn of_large_states_the_first_samples_count() {
    let width = 1 << 18;
    let mut rows = vec![0.0f32; 12 * width];
    // Eight samples have room: at ± two directions. What comes after would change the ratio.
    for (i, sample) in rows.chunks_exact_mut(width).enumerate() {
        sample[if i < 8 { i % 4 / 2 } else { 10 + i }] = if i % 2 == 0 { 1.0 } else { -1.0 };
    }
    assert_eq!(value(&rows, width), 2.0);
}
