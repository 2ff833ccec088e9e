//! The transformer against PyTorch, tensor by tensor, in both precisions. The fixture comes from
//! `oracles/make_vit_fixture.py`, which runs a module of PyTorch's own parts through plain autograd.

use nn::{Architecture, Network, Pass, Tape, Vit, VitSpec};
use safetensors::{Dtype, SafeTensors};
use tensor::{Float, GradientSink, softmax_cross_entropy};

const BATCH: usize = 3;
const SPEC: VitSpec =
    VitSpec { channels: 2, height: 6, width: 9, patch: 3, d: 9, blocks: 2, heads: 3, mlp: 14, classes: 5 };

fn fixture() -> Vec<u8> {
    let path = format!("{}/tests/fixtures/vit.safetensors", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(path).expect("the fixture is committed")
}

fn get(all: &SafeTensors<'_>, key: &str) -> Vec<f64> {
    let view = all.tensor(key).unwrap_or_else(|_| panic!("no {key} in the fixture"));
    assert_eq!(view.dtype(), Dtype::F64, "{key}");
    view.data().chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().expect("8 bytes"))).collect()
}

/// ‖got − want‖ / ‖want‖.
fn distance<T: Float>(got: &[T], want: &[f64]) -> f64 {
    assert_eq!(got.len(), want.len());
    let norm = |it: &mut dyn Iterator<Item = f64>| it.map(|x| x * x).sum::<f64>().sqrt();
    norm(&mut got.iter().zip(want).map(|(g, w)| g.to_f64() - w)) / norm(&mut want.iter().copied())
}

fn compare<T: Float>(tolerance: f64)
where
    Vit: Network<T>,
{
    let bytes = fixture();
    let all = SafeTensors::deserialize(&bytes).expect("a safetensors file");
    let of = |key: &str| get(&all, key).iter().map(|&x| T::of(x)).collect::<Vec<T>>();
    let check = |key: &str, got: &[T]| {
        let error = distance(got, &get(&all, key));
        assert!(error <= tolerance, "{key}: {error:e}");
    };
    let net = SPEC.build().expect("valid");
    let layout = net.layout();
    let mut params = vec![T::ZERO; layout.len()];
    for tensor in layout.tensors() {
        let key = format!("param/{}", tensor.name);
        assert_eq!(tensor.shape, all.tensor(&key).expect("a parameter").shape(), "{key}");
        tensor.from_torch(&of(&key), &mut params);
    }
    let saved = all.names().iter().filter(|name| name.starts_with("param/")).count();
    assert_eq!(saved, layout.tensors().len(), "PyTorch has no other parameters");

    let x = of("x");
    let labels: Vec<u8> =
        all.tensor("labels").expect("labels").data().chunks_exact(8).map(|label| label[0]).collect();
    let mut tape = Network::<T>::tape(&net, BATCH);
    net.forward(&params, &x, BATCH, &mut tape);
    check("logits", tape.logits());
    (0..=SPEC.blocks).for_each(|l| check(&format!("h/{l}"), tape.hidden(l)));
    (0..SPEC.blocks).for_each(|l| check(&format!("f/{l}"), tape.branch(l)));

    let (error, logits) = tape.error_mut();
    softmax_cross_entropy(logits, &labels, error, &mut [T::ZERO; BATCH]);
    let mut p = vec![T::ZERO; tape.hidden(0).len()];
    net.head_vjp(&params, &mut tape, &mut p);
    for l in (0..SPEC.blocks).rev() {
        check(&format!("p/{}", l + 1), &p);
        tape.signal_mut(l + 1).0.copy_from_slice(&p);
        let mut below = vec![T::ZERO; p.len()];
        net.branch_vjp(&params, l, &mut tape, Some(&mut below));
        p.iter_mut().zip(&below).for_each(|(p, &below)| *p += below);
    }
    check("p/0", &p);
    tape.signal_mut(0).0.copy_from_slice(&p);

    let mut gradient = vec![T::ZERO; params.len()];
    let sink = GradientSink::Keep { params: &params, into: &mut gradient };
    net.gradient(&[Pass { x: &x, tape: &tape }], T::of(1.0 / BATCH as f64), 0..params.len(), sink);
    for tensor in layout.tensors() {
        check(&format!("grad/{}", tensor.name), &tensor.to_torch(&gradient));
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
