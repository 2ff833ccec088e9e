//! Every part of the perceptrons against central differences in f64, on random shapes from 1 upwards.

mod probe;

use nn::{Activation, Architecture, MlpSpec, Network};
use probe::{Probe, dot};
use proptest::prelude::*;

fn spec() -> impl Strategy<Value = MlpSpec> {
    let sizes = (1usize..20, 1usize..21, 0usize..4, 2usize..12);
    let activation = prop_oneof![Just(Activation::Gelu), (0.0..=1.0f64).prop_map(Activation::Blend)];
    (sizes, activation, any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
        |((inputs, d, blocks, classes), activation, block_ln, out_ln, skip)| MlpSpec {
            inputs,
            d,
            blocks,
            classes,
            activation,
            block_ln,
            out_ln,
            skip,
            w2_std: 0.4,
        },
    )
}

/// A LayerNorm over two features is a steep step: its slope changes within any finite step of a difference, which
/// then says nothing. Over one feature it is a constant, and the slope has to come out as 0.
fn smooth(spec: &MlpSpec) -> bool {
    spec.d != 2 || !(spec.block_ln || spec.out_ln)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whole_network(spec in spec(), rows in 1usize..6, seed: u64) {
        prop_assume!(smooth(&spec));
        Probe::new(spec.build().expect("sizes are valid"), rows, seed).whole_network()?;
    }

    #[test]
    fn one_block_with_a_foreign_signal(spec in spec(), rows in 1usize..6, seed: u64) {
        prop_assume!(smooth(&spec) && spec.blocks > 0);
        let block = (seed % spec.blocks as u64) as usize;
        Probe::new(spec.build().expect("sizes are valid"), rows, seed).one_block(block, true)?;
    }
}

#[test]
fn impossible_sizes_are_refused_with_the_value() {
    for (spec, words) in [
        (MlpSpec::resmlp(0, 8, 1, 3), "inputs is 0"),
        (MlpSpec::resmlp(4, 0, 1, 3), "d is 0"),
        (MlpSpec::resmlp(4, 8, 1, 1), "classes is 1"),
        (MlpSpec::student(4, 8, 1, 3, 1.5), "alpha is 1.5"),
        (MlpSpec::resmlp(4, usize::MAX, 1, 3), "more than"),
    ] {
        let message = spec.build().expect_err("impossible").to_string();
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn initial_values_follow_their_laws() {
    let net = MlpSpec::resmlp(300, 200, 2, 10).build().expect("valid");
    let params: Vec<f64> = net.initial(42);
    let layout = net.layout();
    let of = |name: &str| &params[layout.get(name).expect(name).range.clone()];
    let std = |values: &[f64]| (dot(values, values) / values.len() as f64).sqrt();
    assert!((std(of("blocks.1.w2.weight")) / 0.01 - 1.0).abs() < 0.02);
    assert!(of("blocks.0.w2.bias").iter().all(|&b| b == 0.0));
    assert!(of("out_ln.weight").iter().all(|&w| w == 1.0));
    for (name, fan_in) in [("embed.weight", 300.0), ("embed.bias", 300.0), ("blocks.0.w1.weight", 200.0)] {
        let bound = 1.0 / f64::sqrt(fan_in);
        assert!(of(name).iter().all(|v| v.abs() <= bound), "{name}");
        // A uniform law on ±b has standard deviation b/√3.
        let expected = bound / 3f64.sqrt();
        assert!((std(of(name)) / expected - 1.0).abs() < 5.0 / (of(name).len() as f64).sqrt(), "{name}");
    }
}
