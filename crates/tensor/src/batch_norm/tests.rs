use super::*;
use crate::random::{Purpose, Stream};
use proptest::prelude::*;

fn near(got: f64, want: f64) -> bool {
    (got - want).abs() <= 1e-12 * (1.0 + want.abs())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Every loop against its definition, value by value, on widths around that of a panel.
    #[test]
    fn as_defined(cols in 1usize..40, rows in 1usize..9, seed: u64) {
        let mut stream = Stream::new(seed, Purpose::Init);
        let mut draw = |n: usize| (0..n).map(|_| stream.normal()).collect::<Vec<f64>>();
        let n = rows * cols;
        let [z, s, h, other] = [(); 4].map(|()| draw(n));
        let [scale, shift, mean, spread, level] = [(); 5].map(|()| draw(cols));

        let mut out = vec![f64::NAN; n];
        norm_relu(&z, &scale, &shift, &mut out);
        let y = |i: usize| z[i] * scale[i % cols] + shift[i % cols];
        prop_assert!((0..n).all(|i| near(out[i], y(i).max(0.0))));
        norm_relu_input_grad(&s, &z, &scale, &shift, &mut out);
        let passed = |i: usize| if y(i) > 0.0 { s[i] } else { 0.0 };
        prop_assert!((0..n).all(|i| out[i] == passed(i)));

        let branch = Normed { z: &z, scale: &scale, shift: &shift };
        let short = Normed { z: &other, scale: &level, shift: &mean };
        let mut f = vec![f64::NAN; n];
        let mut next = vec![f64::NAN; n];
        norm_residual(branch, None, Some(&h), &mut f, &mut next);
        prop_assert!((0..n).all(|i| near(f[i], y(i)) && near(next[i], y(i) + h[i])));
        norm_residual(branch, Some(short), None, &mut f, &mut next);
        let both = |i: usize| y(i) + other[i] * level[i % cols] + mean[i % cols];
        prop_assert!((0..n).all(|i| near(f[i], both(i)) && near(next[i], both(i))));

        let mut sum = vec![f64::NAN; cols];
        let mut slope = vec![f64::NAN; cols];
        norm_sums(&s, &z, &mean, &mut sum, &mut slope);
        for c in 0..cols {
            let column_sum = |term: &dyn Fn(usize) -> f64| (0..rows).map(|r| term(r * cols + c)).sum::<f64>();
            prop_assert!(near(sum[c], column_sum(&|i| s[i])));
            prop_assert!(near(slope[c], column_sum(&|i| s[i] * (z[i] - mean[c]))));
        }

        norm_input_grad(&s, &z, NormSlope { mean: &mean, own: &scale, spread: &spread, level: &level }, &mut out);
        let want = |i: usize| {
            let c = i % cols;
            scale[c] * s[i] + spread[c] * (z[i] - mean[c]) + level[c]
        };
        prop_assert!((0..n).all(|i| near(out[i], want(i))));
    }

    /// Mean and squared distances of all rows, however they are split.
    #[test]
    fn moments_of_parts_are_those_of_the_whole(cols in 1usize..20, rows in 1usize..30, part in 1usize..9, seed: u64) {
        let mut stream = Stream::new(seed, Purpose::Init);
        let z: Vec<f64> = (0..rows * cols).map(|_| 3.0 + stream.normal()).collect();
        let mut moments = Moments::new(cols);
        moments.add(&vec![9.0; cols]);
        moments.clear();
        z.chunks(part * cols).for_each(|z| moments.add(z));
        prop_assert_eq!(moments.rows, rows);
        for c in 0..cols {
            let column_sum = |term: &dyn Fn(f64) -> f64| (0..rows).map(|r| term(z[r * cols + c])).sum::<f64>();
            let mean = column_sum(&|x| x) / rows as f64;
            prop_assert!(near(moments.mean[c], mean));
            prop_assert!(near(moments.squares[c], column_sum(&|x| (x - mean) * (x - mean))));
        }
    }
}

/// NaN is passed on, so that a diverged run shows.
#[test]
fn nan_passes_the_relu() {
    let mut out = [0.0; 3];
    norm_relu(&[f64::NAN, -1.0, 2.0], &[1.0; 3], &[0.0; 3], &mut out);
    assert!(out[0].is_nan() && out[1..] == [0.0, 2.0], "{out:?}");
}

/// A mean that is large compared with the spread must not absorb it.
#[test]
fn f32_variance_survives_a_large_mean() {
    let z: Vec<f32> = (0..4096).map(|i| 1000.0 + if i % 2 == 0 { 0.5 } else { -0.5 }).collect();
    let mut moments = Moments::new(1);
    z.chunks(256).for_each(|z| moments.add(z));
    assert!((moments.squares[0] / 4096.0 - 0.25).abs() < 1e-4);
}
