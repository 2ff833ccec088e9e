//! The convolutional network against PyTorch, tensor by tensor, in both precisions.
//!
//! The fixture comes from `oracles/make_resnet_fixture.py`: states and credits in evaluation, gradients and running
//! statistics in training.

use nn::{Architecture, Network, Pass, Resnet, ResnetSpec, ResnetTape, Tape, Unit};
use safetensors::SafeTensors;
use tensor::{Float, GradientSink, softmax_cross_entropy};

const BATCH: usize = 4;

struct Case<T> {
    bytes: Vec<u8>,
    net: Resnet,
    params: Vec<T>,
    x: Vec<T>,
    tolerance: f64,
}

/// ‖got − want‖ / ‖want‖.
fn distance<T: Float>(got: &[T], want: &[f64]) -> f64 {
    assert_eq!(got.len(), want.len());
    let norm = |it: &mut dyn Iterator<Item = f64>| it.map(|x| x * x).sum::<f64>().sqrt();
    norm(&mut got.iter().zip(want).map(|(g, w)| g.to_f64() - w)) / norm(&mut want.iter().copied())
}

impl<T: Float> Case<T>
where
    Resnet: Network<T, Tape = ResnetTape<T>>,
{
    fn open(tolerance: f64) -> Self {
        let path = format!("{}/tests/fixtures/resnet.safetensors", env!("CARGO_MANIFEST_DIR"));
        let bytes = std::fs::read(path).expect("the fixture is committed");
        let spec = ResnetSpec { channels: 2, height: 16, width: 16, d: 2, blocks: 4, classes: 5 };
        let mut case =
            Self { bytes, net: spec.build().expect("valid"), params: Vec::new(), x: Vec::new(), tolerance };
        let of = |values: Vec<f64>| values.into_iter().map(T::of).collect::<Vec<T>>();
        let layout = case.net.layout();
        let mut params = vec![T::ZERO; layout.len()];
        for tensor in layout.tensors() {
            tensor.from_torch(&of(case.get(&format!("param/{}", tensor.name))), &mut params);
        }
        (case.x, case.params) = (of(case.get("x")), params);
        case
    }

    fn raw(&self, key: &str) -> Vec<[u8; 8]> {
        let all = SafeTensors::deserialize(&self.bytes).expect("a safetensors file");
        let view = all.tensor(key).unwrap_or_else(|_| panic!("no {key} in the fixture"));
        view.data().chunks_exact(8).map(|bytes| bytes.try_into().expect("8 bytes")).collect()
    }

    fn get(&self, key: &str) -> Vec<f64> {
        self.raw(key).into_iter().map(f64::from_le_bytes).collect()
    }

    fn check(&self, key: &str, got: &[T]) {
        let error = distance(got, &self.get(key));
        assert!(error <= self.tolerance, "{key}: {error:e}");
    }

    /// Forward, and the exact signal of each sample's loss down to every unit; returns p_0…p_L.
    fn pass(&self, training: bool) -> (ResnetTape<T>, Vec<Vec<T>>) {
        let net = &self.net;
        let blocks = self.net.spec().blocks;
        let mut tape = Network::<T>::tape(net, BATCH);
        tape.set_training(training);
        net.forward(&self.params, &self.x, BATCH, &mut tape);
        let labels: Vec<u8> = self.raw("labels").into_iter().map(|bytes| bytes[0]).collect();
        let (error, logits) = tape.error_mut();
        softmax_cross_entropy(logits, &labels, error, &mut [T::ZERO; BATCH]);
        let mut p: Vec<_> = (0..=blocks).map(|l| vec![T::ZERO; BATCH * net.state(l).width()]).collect();
        net.head_vjp(&self.params, &mut tape, &mut p[blocks]);
        for l in (0..blocks).rev() {
            let (below, above) = p.split_at_mut(l + 1);
            let below = &mut below[l];
            let above = &above[0];
            tape.signal_mut(l + 1).0.copy_from_slice(above);
            net.branch_vjp(&self.params, l, &mut tape, Some(below));
            if net.skip(l) {
                below.iter_mut().zip(above).for_each(|(b, &a)| *b += a);
            }
        }
        tape.signal_mut(0).0.copy_from_slice(&p[0]);
        (tape, p)
    }
}

fn compare<T: Float>(tolerance: f64)
where
    Resnet: Network<T, Tape = ResnetTape<T>>,
{
    let case = Case::<T>::open(tolerance);
    let (tape, p) = case.pass(false);
    case.check("eval/logits", tape.logits());
    for (l, p) in p.iter().enumerate() {
        case.check(&format!("eval/h/{l}"), tape.hidden(l));
        case.check(&format!("eval/p/{l}"), p);
    }

    let (tape, _) = case.pass(true);
    case.check("train/logits", tape.logits());
    let layout = case.net.layout();
    let passes = [Pass { x: &case.x, tape: &tape }];
    let mut gradient = vec![T::ZERO; layout.unit(Unit::Statistics).start];
    let stretch = 0..gradient.len();
    let params = &case.params[..gradient.len()];
    let sink = GradientSink::Keep { params, into: &mut gradient };
    case.net.gradient(&passes, T::of(1.0 / BATCH as f64), stretch, sink);
    let mut after = case.params.clone();
    case.net.take_statistics(&mut after, &passes);
    for tensor in layout.tensors() {
        if tensor.unit == Unit::Statistics {
            case.check(&format!("train/after/{}", tensor.name), &tensor.to_torch(&after));
        } else {
            assert_eq!(after[tensor.range.clone()], case.params[tensor.range.clone()]);
            case.check(&format!("train/grad/{}", tensor.name), &tensor.to_torch(&gradient));
        }
    }
}

#[test]
fn f64_agrees_with_pytorch() {
    compare::<f64>(1e-10);
}

#[test]
fn f32_agrees_with_pytorch() {
    compare::<f32>(1e-5);
}

/// An evaluation pass does not change the statistics.
#[test]
fn only_training_moves_the_statistics() {
    let case = Case::<f64>::open(0.0);
    let (tape, _) = case.pass(false);
    let mut after = case.params.clone();
    case.net.take_statistics(&mut after, &[Pass { x: &case.x, tape: &tape }]);
    assert_eq!(after, case.params);
}
