//! Planted signals come back: cosines at any size, nulls inside their band at the stated rate.

use audit::CosineMean;
use audit::measurements::band;
use proptest::prelude::*;
use record::audit::{NullKind, Place, Quantity};
use record::{Measured, Why};
use tensor::random::{Purpose, Stream};

/// `samples` pairs of vectors with this cosine each, of these lengths.
fn pairs(
    cosine: f64,
    (credit, reference): (f64, f64),
    samples: usize,
    width: usize,
    seed: u64,
) -> (Vec<f64>, Vec<f64>) {
    let mut stream = Stream::new(seed, Purpose::Teacher);
    let mut a = Vec::new();
    let mut p = Vec::new();
    for _ in 0..samples {
        let mut draw = || (0..width).map(|_| stream.normal()).collect::<Vec<f64>>();
        let u = draw();
        let mut v = draw();
        let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
        // Make v orthogonal to u; in one dimension nothing is left of it, and the cosine must be ±1.
        let along = dot(&u, &v) / dot(&u, &u);
        v.iter_mut().zip(&u).for_each(|(v, u)| *v -= along * u);
        let nu = dot(&u, &u).sqrt();
        let nv = dot(&v, &v).sqrt();
        let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
        a.extend(u.iter().zip(&v).map(|(u, v)| credit * (cosine * u / nu + sine * v / nv)));
        p.extend(u.iter().map(|u| reference * u / nu));
    }
    (a, p)
}

fn narrow(values: &[f64]) -> Vec<f32> {
    values.iter().map(|&x| x as f32).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_known_cosine_comes_back_at_any_size(
        cosine in -1.0f64..=1.0,
        sizes in (-30.0f64..=30.0, -30.0f64..=30.0),
        samples in 1usize..20,
        width in 2usize..40,
        seed: u64,
    ) {
        let (a, p) = pairs(cosine, (10f64.powf(sizes.0), 10f64.powf(sizes.1)), samples, width, seed);
        let mut exact = CosineMean::default();
        exact.add(&a, &p, width);
        let value = exact.finish(1.0, 1e-7).defined().expect("defined");
        prop_assert!((value - cosine).abs() < 1e-9, "{value} for {cosine}");
        prop_assert!(exact.spread().is_none_or(|spread| spread < 1e-6));
        // The same in f32, and with a credit of another precision than the reference.
        let mut mixed = CosineMean::default();
        mixed.add(&narrow(&a), &p, width);
        let mixed = mixed.finish(1.0, 1e-7).defined().expect("defined");
        prop_assert!((mixed - cosine).abs() < 1e-5, "{mixed} for {cosine}");
        // Scaling by a power of two changes nothing at all; by 1e-6, nothing but the last digits.
        let scaled = |factor: f64| {
            let a: Vec<f64> = a.iter().map(|x| x * factor).collect();
            let mut mean = CosineMean::default();
            mean.add(&a, &p, width);
            mean.finish(1.0, 1e-7).defined().expect("defined")
        };
        prop_assert_eq!(scaled(0.5f64.powi(20)), value);
        prop_assert!((scaled(1e-6) - value).abs() < 1e-14);
    }

    /// PyTorch's clamp, by its definition.
    #[test]
    fn the_clamped_cosine_is_what_pytorch_says(cosine in -1.0f64..=1.0, size in -12.0f64..0.0, seed: u64) {
        let size = 10f64.powf(size);
        let (a, p) = pairs(cosine, (1.0, size), 3, 8, seed);
        let mut mean = CosineMean::default();
        mean.add(&a, &p, 8);
        let expected = cosine * size / size.max(1e-8);
        prop_assert!((mean.torch().expect("samples") - expected).abs() < 1e-9);
    }
}

#[test]
fn dead_and_broken_layers_have_no_number() {
    let (a, p) = pairs(0.3, (1.0, 1.0), 4, 6, 1);
    let finish = |a: &[f64], p: &[f64]| {
        let mut mean = CosineMean::default();
        mean.add(&narrow(a), &narrow(p), 6);
        mean.finish(1.0, 1e-7)
    };
    assert_eq!(finish(&[0.0; 24], &p), Measured::Undefined { why: Why::CreditVanished });
    assert_eq!(finish(&a, &[0.0; 24]), Measured::Undefined { why: Why::ReferenceVanished });
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for place in [0, 23] {
            let mut broken = a.clone();
            broken[place] = bad;
            assert_eq!(finish(&broken, &p), Measured::Undefined { why: Why::NotFinite });
            assert_eq!(finish(&p, &broken), Measured::Undefined { why: Why::NotFinite });
        }
    }
}

/// Of 21 exchangeable values one is the smallest or largest with probability 2/21, whatever their law.
#[test]
fn a_planted_null_falls_inside_its_band_at_the_stated_rate() {
    const TRIALS: usize = 2000;
    let mut stream = Stream::new(11, Purpose::Teacher);
    for width in [2, 16] {
        // Mean cosines of random vectors with a fixed one: 20 draws, and one more as the measured value.
        let mut draw = || {
            let mut mean = CosineMean::default();
            for _ in 0..8 {
                let a: Vec<f64> = (0..width).map(|_| stream.normal()).collect();
                mean.add(&a, &vec![1.0; width], width);
            }
            mean.mean().expect("a direction")
        };
        let mut inside = 0;
        for _ in 0..TRIALS {
            let draws: Vec<f64> = (0..20).map(|_| draw()).collect();
            let null = band(NullKind::FreshFeedback, Quantity::Cosine, 8, draw(), &draws).expect("finite");
            inside += usize::from(null.place == Place::Inside);
        }
        let rate = inside as f64 / TRIALS as f64;
        let expected = 19.0 / 21.0;
        let sd = (expected * (1.0 - expected) / TRIALS as f64).sqrt();
        assert!((rate - expected).abs() < 3.0 * sd, "{rate} for {expected} ± {sd}");
    }
}

#[test]
fn a_band_of_broken_draws_is_none() {
    let of = |value: f64, draws: &[f64]| band(NullKind::PermutedLabels, Quantity::Rho, 1, value, draws);
    assert!(of(0.0, &[]).is_none() && of(f64::NAN, &[0.0]).is_none() && of(0.0, &[0.0, f64::NAN]).is_none());
    assert_eq!(of(0.0, &[0.0, 1.0]).expect("finite").place, Place::Inside);
    assert_eq!(of(-1.0, &[0.0, 1.0]).expect("finite").place, Place::Below);
}
