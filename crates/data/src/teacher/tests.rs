//! The data follows from its specification, and is what the module says it is.

use super::network::Teacher;
use super::{TeacherSpec, generate};

fn small() -> TeacherSpec {
    TeacherSpec { inputs: 8, train: 4000, test: 500, ..TeacherSpec::default() }
}

#[test]
fn the_same_spec_makes_the_same_data_and_every_part_of_it_matters() {
    let base = generate(&small()).unwrap().hash;
    assert_eq!(base, generate(&small()).unwrap().hash);
    for other in [
        TeacherSpec { seed: 1, ..small() },
        TeacherSpec { gain: 1.0, ..small() },
        TeacherSpec { bias: 0.5, ..small() },
        TeacherSpec { blocks: 3, ..small() },
        TeacherSpec { width: 31, ..small() },
    ] {
        assert_ne!(base, generate(&other).unwrap().hash, "{other:?}");
    }
}

#[test]
fn classes_are_balanced_and_inputs_standard_normal() {
    let data = generate(&small()).unwrap();
    for class in 0..10 {
        let share = data.train.labels().iter().filter(|&&l| l == class).count();
        assert!((100..1000).contains(&share), "class {class} has {share} of 4000");
    }
    let mut x = vec![0.0; 4000 * 8];
    data.train.fill(0, &mut x, &mut vec![0; 4000]);
    let mean = x.iter().map(|&v| f64::from(v)).sum::<f64>() / x.len() as f64;
    let square = x.iter().map(|&v| f64::from(v).powi(2)).sum::<f64>() / x.len() as f64;
    assert!(mean.abs() < 0.028 && (square - 1.0).abs() < 0.04, "{mean} {square}");
}

#[test]
fn a_teacher_without_blocks_is_a_linear_map() {
    // By hand: with no blocks, logits = H E x.
    let spec = TeacherSpec { blocks: 0, inputs: 3, width: 2, classes: 4, train: 50, test: 5, ..small() };
    let teacher = Teacher::draw(&spec);
    let (x, logits) = teacher.samples(&spec, 1, spec.train);
    let entry = |c: usize, i: usize| -> f64 {
        (0..2).map(|k| teacher.head.values[c * 2 + k] * teacher.embed.values[k * 3 + i]).sum()
    };
    for n in 0..spec.train {
        for c in 0..4 {
            let by_hand: f64 = (0..3).map(|i| entry(c, i) * f64::from(x[n * 3 + i])).sum();
            assert!((logits[n * 4 + c] - by_hand).abs() < 1e-12);
        }
    }
}

#[test]
fn labels_are_the_argmax_of_logits_standardised_over_the_training_inputs() {
    let spec = TeacherSpec { train: 300, test: 100, ..small() };
    let data = generate(&spec).unwrap();
    let teacher = Teacher::draw(&spec);
    let (_, train) = teacher.samples(&spec, 1, spec.train);
    let mean = |c: usize| (0..spec.train).map(|n| train[n * 10 + c]).sum::<f64>() / spec.train as f64;
    let means: Vec<f64> = (0..10).map(mean).collect();
    let variance = |c: usize| (0..spec.train).map(|n| (train[n * 10 + c] - means[c]).powi(2)).sum::<f64>();
    let scales: Vec<f64> = (0..10).map(|c| (variance(c) / spec.train as f64).sqrt()).collect();
    for (split, logits) in [(&data.train, &train), (&data.test, &teacher.samples(&spec, 2, spec.test).1)] {
        for (n, &label) in split.labels().iter().enumerate() {
            let standard = |c: usize| (logits[n * 10 + c] - means[c]) / scales[c];
            assert!((0..10).all(|c| standard(c) <= standard(usize::from(label)) + 1e-9), "sample {n}");
        }
    }
}

#[test]
fn the_size_of_one_split_does_not_move_the_other() {
    let inputs = |spec: &TeacherSpec| {
        let mut x = vec![0.0; 10 * 8];
        let mut labels = vec![0; 10];
        generate(spec).unwrap().train.fill(0, &mut x, &mut labels);
        (x, labels)
    };
    assert_eq!(inputs(&small()), inputs(&TeacherSpec { test: 7, ..small() }));
}

#[test]
fn impossible_specs_are_refused_by_key() {
    for (spec, key) in [
        (TeacherSpec { inputs: 0, ..small() }, "inputs"),
        (TeacherSpec { classes: 1, ..small() }, "classes"),
        (TeacherSpec { classes: 257, ..small() }, "classes"),
        (TeacherSpec { gain: f64::NAN, ..small() }, "gain"),
        (TeacherSpec { gain: 1e308, ..small() }, "gain"),
        (TeacherSpec { train: 1, ..small() }, "gain"),
        (TeacherSpec { bias: -1.0, ..small() }, "bias"),
        (TeacherSpec { train: usize::MAX, ..small() }, "train"),
        (TeacherSpec { width: 1 << 40, ..small() }, "width"),
        (TeacherSpec { blocks: usize::MAX, ..small() }, "width"),
    ] {
        let message = generate(&spec).unwrap_err().to_string();
        assert!(message.starts_with(&format!("teacher.{key} = ")), "{message}");
    }
}
