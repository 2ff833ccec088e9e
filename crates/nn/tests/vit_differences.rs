//! Every part of the transformer against central differences in f64, on random shapes from 1 upwards.

mod probe;

use nn::{Architecture, Network, Pass, Tape, VitSpec, VitTape};
use probe::{Probe, dot};
use proptest::prelude::*;
use std::ops::Range;
use tensor::GradientSink;
use tensor::random::{Purpose, Stream};

/// At most 13 tokens, some with a single feature per head.
fn spec() -> impl Strategy<Value = VitSpec> {
    let image = (1usize..4, 1usize..4, 1usize..5, 1usize..4);
    let block = (1usize..4, 1usize..7, 1usize..20);
    (image, block, 0usize..3, 2usize..8).prop_map(
        |((channels, high, wide, patch), (heads, features, mlp), blocks, classes)| VitSpec {
            channels,
            height: high * patch,
            width: wide * patch,
            patch,
            d: heads * features,
            blocks,
            heads,
            mlp,
            classes,
        },
    )
}

/// A LayerNorm over two features is a steep step: its slope changes within any finite step of a difference, which
/// then says nothing. Over one feature it is a constant, and the slope has to come out as 0.
fn smooth(spec: &VitSpec) -> bool {
    spec.d != 2
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whole_network(spec in spec(), rows in 1usize..5, seed: u64) {
        prop_assume!(smooth(&spec));
        Probe::new(spec.build().expect("sizes are valid"), rows, seed).whole_network()?;
    }

    #[test]
    fn one_block_with_a_foreign_signal(spec in spec(), rows in 1usize..5, everywhere: bool, seed: u64) {
        prop_assume!(smooth(&spec) && spec.blocks > 0);
        let block = (seed % spec.blocks as u64) as usize;
        Probe::new(spec.build().expect("sizes are valid"), rows, seed).one_block(block, everywhere)?;
    }

    #[test]
    fn samples_in_any_passes_give_the_same_bytes(spec in spec(), rows in 1usize..7, cut in 0usize..7, seed: u64) {
        spread(spec, rows, cut.min(rows), seed)?;
    }
}

/// Enough tokens for several groups per pass, and passes that end within a group.
#[test]
fn large_passes_give_the_same_bytes() {
    let spec = VitSpec { d: 12, blocks: 2, heads: 3, mlp: 17, ..VitSpec::mini(1, 16, 12, 3) };
    for cut in [1, 39, 77, 150] {
        spread(spec.clone(), 150, cut, 0x5a5a_5a5a).expect("the same bytes");
    }
}

/// The same bytes however samples are split into passes, and however large the tapes are.
fn spread(spec: VitSpec, rows: usize, cut: usize, seed: u64) -> Result<(), TestCaseError> {
    let net = spec.build().expect("sizes are valid");
    let shape = net.shape();
    let width = net.state(0).width();
    let params: Vec<f32> = net.initial(seed);
    let mut stream = Stream::new(seed, Purpose::Feedback);
    let mut draw = |n: usize| (0..rows * n).map(|_| stream.normal() as f32).collect::<Vec<f32>>();
    let x = draw(shape.inputs);
    let error = draw(shape.classes);
    let mut signals: Vec<_> = (0..=shape.blocks).map(|_| draw(width)).collect();
    // Some samples have a signal at their class tokens only.
    for (i, sample) in signals.iter_mut().flat_map(|signals| signals.chunks_exact_mut(width)).enumerate() {
        if seed >> (i % 64) & 1 == 1 {
            sample[shape.width..].fill(0.0);
        }
    }
    let run = |samples: Range<usize>| {
        let part = |values: &[f32]| {
            let width = values.len() / rows;
            values[samples.start * width..samples.end * width].to_vec()
        };
        let mut tape = Network::<f32>::tape(&net, rows);
        // The tape has held a longer pass before.
        net.forward(&params, &x, rows, &mut tape);
        let x = part(&x);
        net.forward(&params, &x, samples.len(), &mut tape);
        tape.error_mut().0.copy_from_slice(&part(&error));
        for (l, signal) in signals.iter().enumerate() {
            tape.signal_mut(l).0.copy_from_slice(&part(signal));
        }
        let mut below = vec![0.0; samples.len() * width];
        (0..shape.blocks).rev().for_each(|l| net.branch_vjp(&params, l, &mut tape, Some(&mut below)));
        (x, tape, below)
    };
    let gradient = |parts: &[(Vec<f32>, VitTape<f32>, Vec<f32>)]| {
        let passes: Vec<_> = parts.iter().map(|(x, tape, _)| Pass { x, tape }).collect();
        let mut into = vec![f32::NAN; params.len()];
        net.gradient(&passes, 0.5, 0..params.len(), GradientSink::Keep { params: &params, into: &mut into });
        into
    };
    let whole = [run(0..rows)];
    let parts = [run(0..cut), run(cut..rows)];
    let joined =
        |of: &dyn Fn(&VitTape<f32>) -> Vec<f32>| parts.iter().flat_map(|(_, tape, _)| of(tape)).collect();
    let [logits, top]: [Vec<f32>; 2] =
        [joined(&|tape| tape.logits().to_vec()), joined(&|tape| tape.hidden(shape.blocks).to_vec())];
    prop_assert_eq!(whole[0].1.logits(), &logits);
    prop_assert_eq!(whole[0].1.hidden(shape.blocks), &top);
    prop_assert_eq!(&whole[0].2, &[&parts[0].2[..], &parts[1].2[..]].concat());
    prop_assert_eq!(gradient(&whole), gradient(&parts));
    Ok(())
}

#[test]
fn impossible_sizes_are_refused_with_the_value() {
    let mini = || VitSpec::mini(3, 32, 32, 10);
    for (spec, words) in [
        (VitSpec { channels: 0, ..mini() }, "channels is 0"),
        (VitSpec { height: 0, ..mini() }, "height is 0"),
        (VitSpec { patch: 0, ..mini() }, "patch is 0"),
        (VitSpec { heads: 0, ..mini() }, "heads is 0"),
        (VitSpec { mlp: 0, ..mini() }, "mlp is 0"),
        (VitSpec { classes: 1, ..mini() }, "classes is 1"),
        (VitSpec { height: 30, ..mini() }, "height is 30: it must be a multiple of the patch, which is 4"),
        (
            VitSpec { width: 27, patch: 8, ..mini() },
            "width is 27: it must be a multiple of the patch, which is 8",
        ),
        (
            VitSpec { heads: 3, ..mini() },
            "d is 128: it must be a multiple of the number of heads, which is 3",
        ),
        (VitSpec { d: 1 << 40, ..mini() }, "more than"),
        (VitSpec { blocks: usize::MAX, ..mini() }, "more than"),
        (VitSpec { channels: usize::MAX, ..mini() }, "more than"),
    ] {
        let message = spec.build().expect_err("impossible").to_string();
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn initial_values_follow_their_laws() {
    let net = VitSpec::mini(3, 32, 32, 10).build().expect("valid");
    let params: Vec<f64> = net.initial(42);
    let layout = net.layout();
    let of = |name: &str| &params[layout.get(name).expect(name).range.clone()];
    let std = |values: &[f64]| (dot(values, values) / values.len() as f64).sqrt();
    for name in ["cls_token", "pos_embed"] {
        let room = 3.0 / (of(name).len() as f64).sqrt();
        assert!((std(of(name)) / 0.02 - 1.0).abs() < room, "{name}");
    }
    for name in ["blocks.0.ln1", "blocks.3.ln2", "out_ln"] {
        assert!(of(&format!("{name}.weight")).iter().all(|&w| w == 1.0), "{name}");
        assert!(of(&format!("{name}.bias")).iter().all(|&b| b == 0.0), "{name}");
    }
    let fans = [
        ("embed", 48.0),
        ("blocks.0.qkv", 128.0),
        ("blocks.1.proj", 128.0),
        ("blocks.2.fc1", 128.0),
        ("blocks.3.fc2", 256.0),
    ];
    for (name, fan_in) in fans {
        let bound = 1.0 / f64::sqrt(fan_in);
        for values in [of(&format!("{name}.weight")), of(&format!("{name}.bias"))] {
            assert!(values.iter().all(|v| v.abs() <= bound), "{name}");
            // A uniform law on ±b has standard deviation b/√3.
            let expected = bound / 3f64.sqrt();
            assert!((std(values) / expected - 1.0).abs() < 3.0 / (values.len() as f64).sqrt(), "{name}");
        }
    }
}
