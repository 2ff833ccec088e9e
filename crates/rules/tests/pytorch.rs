//! Credits, gradients and updates against PyTorch, tensor by tensor, in both precisions.
//!
//! The fixtures come from `oracles/make_fixtures.py`, which states each rule once more in plain autograd. Gradients
//! and credits are compared before updates, since Adam forgives any constant factor.

mod fixture;

use fixture::Fixture;
use nn::{Architecture, Mlp, MlpSpec, Network, Tape};
use rules::{Learner, Modifiers, Tally, signals};
use tensor::{AdamW, Float};

const NETWORKS: [&str; 4] = ["resmlp", "resmlp_noln", "resmlp_noskip", "student"];
/// Those that PyTorch states once more; the others have oracles of their own.
const RULES: [&str; 3] = ["bp", "fa", "dfa"];
const PENALTIES: [(&str, f64); 2] = [("pen0", 0.0), ("pen0.05", 0.05)];
const SIZES: (usize, usize, usize, usize, usize) = (7, 12, 3, 5, 6);

fn network(name: &str) -> Mlp {
    let (inputs, d, blocks, classes, _) = SIZES;
    let spec = match name {
        "student" => MlpSpec::student(inputs, d, blocks, classes, 0.5),
        _ => MlpSpec {
            out_ln: name != "resmlp_noln",
            skip: name != "resmlp_noskip",
            ..MlpSpec::resmlp(inputs, d, blocks, classes)
        },
    };
    spec.build().expect("valid")
}

fn of<T: Float>(values: &[f64]) -> Vec<T> {
    values.iter().map(|&x| T::of(x)).collect()
}

fn learner<T: Float>(fixture: &Fixture, network_name: &str, rule: &str, penalty: f64) -> Learner<T, Mlp>
where
    Mlp: Network<T>,
{
    let net = network(network_name);
    let modifiers = Modifiers { penalty, ..Modifiers::default() };
    let mut learner = Learner::new(net, &rule.into(), modifiers, 0).expect("known rule");
    for (l, saved) in learner.rule.saved_mut().iter_mut().enumerate() {
        saved.values = of(&fixture.get(&format!("feedback/{rule}.{l}")));
    }
    for tensor in learner.net.layout().tensors().to_vec() {
        let values = of(&fixture.get(&format!("param/{}", tensor.name)));
        tensor.from_torch(&values, &mut learner.params);
    }
    learner
}

/// Splits the batch of six into chunks of `rows`, as a run with that many chunks would.
fn compare<T: Float>(rows: usize, signal_tolerance: f64, update_tolerance: f64)
where
    Mlp: Network<T>,
{
    let (inputs, _, blocks, _, batch) = SIZES;
    for network_name in NETWORKS {
        let fixture = Fixture::open(network_name);
        let (x, labels): (Vec<T>, Vec<u8>) = (of(&fixture.get("x")), fixture.labels());
        for rule in RULES {
            for (pen, penalty) in PENALTIES {
                let case = format!("{rule}/{pen}");
                let check = |key: &str, got: &[T], tolerance: f64| {
                    let error = fixture.distance(key, got);
                    assert!(error <= tolerance, "{network_name} {key}: {error:e}");
                };
                let mut learner = learner::<T>(&fixture, network_name, rule, penalty);

                let mut whole = learner.chunk(batch);
                whole.x.copy_from_slice(&x);
                whole.labels = labels.clone();
                let seen = signals(&learner, &mut whole, batch);
                check("logits", whole.tape().logits(), signal_tolerance);
                for l in 0..=blocks {
                    check(&format!("h/{l}"), whole.tape().hidden(l), signal_tolerance);
                    check(&format!("p/{l}"), &seen.p[l], signal_tolerance);
                    let unit = if l == 0 { "embed".to_owned() } else { (l - 1).to_string() };
                    check(&format!("{case}/credit/{unit}"), &seen.credit[l], signal_tolerance);
                }

                let mut chunks: Vec<_> = (0..batch / rows).map(|_| learner.chunk(rows)).collect();
                for (i, chunk) in chunks.iter_mut().enumerate() {
                    chunk.x.copy_from_slice(&x[i * rows * inputs..(i + 1) * rows * inputs]);
                    chunk.labels = labels[i * rows..(i + 1) * rows].to_vec();
                }
                for t in 1..=3 {
                    chunks.iter_mut().for_each(|chunk| learner.learn(chunk, batch, t));
                    let loss = Tally::of(&chunks).loss;
                    if t == 1 {
                        let error = (loss / batch as f64 / fixture.get("loss")[0] - 1.0).abs();
                        assert!(error <= signal_tolerance, "{network_name} loss: {error:e}");
                        let whole = learner.gradient(&chunks);
                        for tensor in learner.net.layout().tensors() {
                            check(
                                &format!("{case}/grad/{}", tensor.name),
                                &tensor.to_torch(&whole),
                                signal_tolerance,
                            );
                        }
                    }
                    let optimiser =
                        AdamW { lr: 1e-3, beta1: 0.9, beta2: 0.999, eps: 1e-8, weight_decay: 0.01 };
                    learner.descend(t, optimiser, &chunks, 1 + (t % 3) as usize).expect("finite gradients");
                    for tensor in learner.net.layout().tensors() {
                        let values = &tensor.to_torch(&learner.params);
                        if t == 1 && penalty == 0.0 {
                            check(&format!("{case}/after1/{}", tensor.name), values, update_tolerance);
                        }
                        if t == 3 {
                            check(&format!("{case}/after3/{}", tensor.name), values, update_tolerance);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn f64_agrees_with_pytorch() {
    compare::<f64>(6, 1e-10, 1e-9);
}

#[test]
fn f32_agrees_with_pytorch() {
    compare::<f32>(6, 1e-5, 1e-5);
}

#[test]
fn a_batch_in_chunks_is_the_same_batch() {
    compare::<f64>(3, 1e-10, 1e-9);
    compare::<f64>(1, 1e-10, 1e-9);
    compare::<f32>(2, 1e-5, 1e-5);
}
