//! What a sample costs: the convolutional network at its default size stays within 15 MFLOP.

use nn::{Network, ResnetSpec, Tape, Unit};

/// Multiply-adds of a forward pass. A weight is used once at each position of its output, and every layer of a unit gives an
/// output as large as the unit's; the head reads the mean over the positions. Sides are those of the states that a pass leaves.
fn multiply_adds(spec: ResnetSpec) -> usize {
    let net = spec.build().expect("valid");
    let params: Vec<f32> = net.initial(1);
    let mut tape = Network::<f32>::tape(&net, 1);
    net.forward(&params, &vec![0.5; Network::<f32>::shape(&net).inputs], 1, &mut tape);
    let weights = Network::<f32>::layout(&net).tensors().iter().filter(|t| t.name.ends_with(".weight"));
    let work = weights.map(|weight| {
        let positions = match weight.unit {
            Unit::Embed => tape.hidden(0).len() / weight.shape[0],
            Unit::Block(l) => tape.hidden(l + 1).len() / weight.shape[0],
            Unit::Head => 1,
            Unit::Statistics => unreachable!("{} is no weight", weight.name),
        };
        positions * weight.shape.iter().product::<usize>()
    });
    work.sum()
}

/// By hand: 8×8 pixels of one colour; a stem of two channels with stride 2, then a block in each stage, of which the second and
/// third halve the side once more and have a 1×1 convolution beside them. Each convolution's BatchNorm scales every value.
#[test]
fn work_is_counted_as_by_hand() {
    let spec = ResnetSpec { channels: 1, height: 8, width: 8, d: 2, blocks: 3, classes: 5 };
    let stem = 16 * (9 * 2 + 2);
    let first = 16 * 2 * (9 * 2 * 2 + 2);
    let second = 4 * (9 * 2 * 4 + 9 * 4 * 4 + 2 * 4 + 3 * 4);
    let third = 9 * 4 * 8 + 9 * 8 * 8 + 4 * 8 + 3 * 8;
    assert_eq!(multiply_adds(spec), stem + first + second + third + 8 * 5);
}

#[test]
fn the_default_network_takes_15_mflop_at_most() {
    let flop = 2 * multiply_adds(ResnetSpec::default());
    assert!(flop <= 15_000_000, "{flop}");
}
