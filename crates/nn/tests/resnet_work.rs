//! What a sample costs: the work that the convolutional network states for its parameters, by hand and at its default size.

use nn::{Architecture, ResnetSpec};

/// Multiply-adds of each range of parameters for one sample.
fn work(spec: ResnetSpec) -> Vec<f64> {
    spec.build().expect("valid").parameter_ranges().into_iter().map(|(_, work)| work).collect()
}

/// By hand: 8×8 pixels of one colour; a stem of two channels with stride 2, then a block in each stage, of which the second and
/// third halve the side once more and have a 1×1 convolution as a shortcut. A weight is used once at each position of its
/// output; the head reads the mean over the positions, and has a bias.
#[test]
fn work_is_stated_as_by_hand() {
    let spec = ResnetSpec { channels: 1, height: 8, width: 8, d: 2, blocks: 3, classes: 5 };
    let stem = [16 * 9 * 2];
    let first = [16 * 9 * 2 * 2, 16 * 9 * 2 * 2];
    let second = [4 * 9 * 2 * 4, 4 * 9 * 4 * 4, 4 * 2 * 4];
    let third = [9 * 4 * 8, 9 * 8 * 8, 4 * 8];
    let head = [8 * 5 + 5];
    let all = [&stem[..], &first, &second, &third, &head].concat();
    assert_eq!(work(spec), all.into_iter().map(f64::from).collect::<Vec<f64>>());
}

#[test]
fn the_default_network_takes_15_mflop_at_most() {
    let flop = 2.0 * work(ResnetSpec::default()).iter().sum::<f64>();
    assert!((13e6..=15e6).contains(&flop), "{flop}");
}
