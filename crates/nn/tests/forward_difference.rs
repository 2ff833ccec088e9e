//! Differences carried forward are those of whole passes, on every network, at every layer, for shifts of every size.

use nn::{Architecture, LqSpec, MlpSpec, Network, ResnetSpec, Tape, UnmovedSamples, VitSpec};
use tensor::Sides;
use tensor::random::{Purpose, Stream};

const N: usize = 5;
const EACH: usize = 6;

/// A network with the states of N samples.
struct Seen<N: Network<f64>> {
    net: N,
    params: Vec<f64>,
    tape: N::Tape,
    h: Vec<Vec<f64>>,
    labels: Vec<u8>,
    losses: Vec<f64>,
}

fn seen<W: Network<f64>>(net: W, change: impl Fn(&str, &mut f64)) -> Seen<W> {
    let mut params: Vec<f64> = net.initial(3);
    for tensor in net.layout().tensors().to_vec() {
        params[tensor.range.clone()].iter_mut().for_each(|w| change(&tensor.name, w));
        params[tensor.range].iter_mut().for_each(|w| *w = f64::from(*w as f32));
    }
    let shape = net.shape();
    let mut stream = Stream::new(7, Purpose::Teacher);
    let x: Vec<f64> = (0..N * shape.inputs).map(|_| stream.normal()).collect();
    let labels: Vec<u8> = (0..N).map(|_| stream.below(shape.classes as u64) as u8).collect();
    let mut tape = net.tape(N);
    tape.set_training(false);
    net.forward(&params, &x, N, &mut tape);
    let h = (0..=shape.blocks).map(|l| tape.hidden(l).to_vec()).collect();
    let mut losses = vec![0.0; N];
    net.loss(&mut tape, &labels, &mut losses);
    Seen { net, params, tape, h, labels, losses }
}

fn rms(values: &[f64]) -> f64 {
    (values.iter().map(|x| x * x).sum::<f64>() / values.len() as f64).sqrt()
}

/// Shifts of `size`, as a share of each state's RMS, along random directions of what is measured: carried and by passes, the
/// RMS of the difference as a share of the RMS of the changes.
fn difference<W: Network<f64>>(seen: &mut Seen<W>, layer: usize, size: f64, sides: Sides) -> f64 {
    let Seen { net, params, tape, h, labels, losses } = seen;
    let state = net.state(layer);
    let reach = state.reached_features();
    let mut stream = Stream::new(11 + layer as u64, Purpose::Audit);
    // From here on all is done with the shifts that f32 can represent.
    let scale = size * rms(&h[layer]);
    let shifts: Vec<f32> = (0..N * EACH * reach).map(|_| (scale * stream.normal()) as f32).collect();
    let owners: Vec<usize> = (0..N * EACH).map(|row| row % N).collect();
    let mut moved_losses = |sign: f64| {
        let mut losses = vec![0.0; N * EACH];
        for (shifts, losses) in shifts.chunks_exact(N * reach).zip(losses.chunks_exact_mut(N)) {
            let mut moved = h[layer].clone();
            for (row, shift) in moved.chunks_exact_mut(state.width()).zip(shifts.chunks_exact(reach)) {
                row.iter_mut().zip(shift).for_each(|(h, &by)| *h += sign * f64::from(by));
            }
            net.forward_from(params, layer, &moved, tape);
            net.loss(tape, labels, losses);
        }
        losses
    };
    let up = moved_losses(1.0);
    let expected: Vec<f64> = match sides {
        Sides::Up => up.iter().zip(losses.iter().cycle()).map(|(up, before)| up - before).collect(),
        Sides::Both => up.iter().zip(moved_losses(-1.0)).map(|(up, down)| 0.5 * (up - down)).collect(),
    };
    net.forward_from(params, layer, &h[layer], tape);
    let carrier = net.forward_difference(params).expect("it carries differences");
    let around = carrier.around(UnmovedSamples { h, logits: tape.logits(), labels });
    for (found, expected) in around.losses().iter().zip(&*losses) {
        assert!((found - expected).abs() < 1e-12 * (1.0 + expected.abs()), "{found} {expected}");
    }
    let mut found = vec![f64::NAN; N * EACH];
    around.changes(layer, &shifts, &owners, sides, &mut found);
    let errors: Vec<f64> = found.iter().zip(&expected).map(|(found, expected)| found - expected).collect();
    rms(&errors) / rms(&expected)
}

/// A hundredth of what is asked of ρ, at every layer, for shifts from those of a step to those that change everything.
fn agrees<W: Network<f64>>(name: &str, net: W, change: impl Fn(&str, &mut f64)) {
    let mut seen = seen(net, change);
    for layer in 0..seen.h.len() {
        for size in [1e-5, 1e-3, 0.1, 3.0] {
            let difference = difference(&mut seen, layer, size, Sides::Up);
            assert!(difference < 1e-5, "{name}, h_{layer}, shifts of {size}: {difference:e}");
        }
        // Of halves a share of second order is missing, so it falls with the square of the shift.
        for size in [1e-6, 1e-5] {
            let difference = difference(&mut seen, layer, size, Sides::Both);
            assert!(difference < 1e-5, "{name}, h_{layer}, both ways by {size}: {difference:e}");
        }
    }
}

fn same(_: &str, _: &mut f64) {}

#[test]
fn the_perceptron_with_and_without_its_parts() {
    let net = |spec: MlpSpec| spec.build().expect("valid");
    let usual = || MlpSpec { w2_std: 0.3, ..MlpSpec::resmlp(7, 36, 3, 5) };
    agrees("resmlp", net(usual()), same);
    agrees("without a last norm", net(MlpSpec { out_ln: false, ..usual() }), same);
    agrees("without skips", net(MlpSpec { skip: false, ..usual() }), same);
    for alpha in [0.0, 0.25, 1.0] {
        agrees("student", net(MlpSpec { w2_std: 0.3, ..MlpSpec::student(7, 36, 3, 5, alpha) }), same);
    }
}

/// Where the stream has blown up, at weights that keep the function as it is.
#[test]
fn it_is_right_at_any_norm() {
    for factor in [1e4, 1e8] {
        let grown = |name: &str, w: &mut f64| {
            if name.contains("embed") || name.contains("w2.") {
                *w *= factor;
            }
        };
        let spec = MlpSpec { w2_std: 0.3, ..MlpSpec::resmlp(7, 36, 3, 5) };
        agrees("resmlp", spec.build().expect("valid"), grown);
    }
}

/// Shifts so small that two passes would have nothing left of the change: the changes are in proportion to the shift.
#[test]
fn tiny_shifts_keep_their_digits() {
    let spec = MlpSpec { w2_std: 0.3, ..MlpSpec::resmlp(7, 36, 3, 5) };
    let Seen { net, params, tape, h, labels, .. } = seen(spec.build().expect("valid"), same);
    let carrier = net.forward_difference(&params).expect("it carries differences");
    let around = carrier.around(UnmovedSamples { h: &h, logits: tape.logits(), labels: &labels });
    let mut stream = Stream::new(5, Purpose::Audit);
    let direction: Vec<f64> = (0..N * 36).map(|_| stream.normal()).collect();
    let owners: Vec<usize> = (0..N).collect();
    let slope = |size: f64| {
        let shifts: Vec<f32> = direction.iter().map(|v| (size * v) as f32).collect();
        let mut changes = vec![0.0; N];
        around.changes(0, &shifts, &owners, Sides::Up, &mut changes);
        changes.iter().map(|change| change / size).collect::<Vec<f64>>()
    };
    let [coarse, fine] = [slope(1e-7), slope(1e-15)];
    for (coarse, fine) in coarse.iter().zip(&fine) {
        assert!((fine / coarse - 1.0).abs() < 1e-4, "{fine} {coarse}");
    }
}

#[test]
fn the_transformer() {
    let mini = VitSpec { d: 16, blocks: 3, heads: 2, mlp: 24, ..VitSpec::mini(3, 8, 8, 5) };
    // Without them, all images are nearly the same to a head that reads the class token.
    let alive = |name: &str, w: &mut f64| {
        *w *= if name.contains("token") || name.contains("qkv") { 5.0 } else { 1.0 }
    };
    agrees("vit", mini.build().expect("valid"), alive);
}

#[test]
fn the_convolutional_network_in_evaluation() {
    let mut stream = Stream::new(2, Purpose::Teacher);
    let mut drawn = (0..4096).map(|_| stream.uniform()).collect::<Vec<f64>>().into_iter().cycle();
    let statistics = std::cell::RefCell::new(&mut drawn);
    let trained = |name: &str, w: &mut f64| {
        let x = statistics.borrow_mut().next().expect("endless");
        if name.contains("running_var") {
            *w = 0.5 + x;
        } else if name.contains("running_mean") || name.contains("bn") && name.ends_with("bias") {
            *w = x - 0.5;
        }
    };
    let spec = ResnetSpec { height: 8, width: 8, d: 4, blocks: 4, classes: 5, channels: 3 };
    agrees("resnet", spec.build().expect("valid"), trained);
}

#[test]
fn the_linear_system() {
    agrees("lq", LqSpec::new(12, 5, 4).build().expect("valid"), same);
}
