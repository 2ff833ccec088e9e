//! Rules that carry credit down by weights of their own: what algebra says of them.

mod plain_adamw;

use nn::{Architecture, Mlp, MlpSpec, Network, Tensor, Unit};
use plain_adamw::Moments;
use rules::{Credit, Learner, Modifiers, RuleSpec, Value, signals};
use tensor::AdamW;
use tensor::random::{Purpose, Stream};

const ROWS: usize = 6;

fn learner(spec: MlpSpec, rule: RuleSpec) -> Learner<f64, Mlp> {
    let net = MlpSpec { w2_std: 0.3, ..spec }.build().expect("valid");
    Learner::new(net, &rule, Modifiers::default(), 5).expect("known")
}

fn filled(learner: &Learner<f64, Mlp>) -> rules::Chunk<f64, Mlp> {
    let shape = learner.net.shape();
    let mut stream = Stream::new(9, Purpose::Teacher);
    let mut chunk = learner.chunk(ROWS);
    chunk.x.fill_with(|| stream.normal());
    chunk.labels = (0..ROWS).map(|_| stream.below(shape.classes as u64) as u8).collect();
    chunk
}

fn matrices(learner: &Learner<f64, Mlp>) -> Vec<Tensor> {
    let all = learner.net.layout().tensors().iter();
    all.filter(|t| matches!(t.unit, Unit::Block(_)) && t.is_matrix()).cloned().collect()
}

fn norm(values: impl Iterator<Item = f64>) -> f64 {
    values.map(|x| x * x).sum::<f64>().sqrt()
}

fn relative(a: &[f64], b: &[f64]) -> f64 {
    norm(a.iter().zip(b).map(|(a, b)| a - b)) / norm(b.iter().copied())
}

/// Where all entries of a weight are of one size, their signs say everything: R = W.
#[test]
fn sign_symmetry_of_weights_of_one_size_is_backpropagation() {
    for spec in [MlpSpec::resmlp(5, 8, 3, 4), MlpSpec::student(5, 9, 3, 4, 0.5)] {
        let mut learner = learner(spec, "sign_symmetry".into());
        for (i, tensor) in matrices(&learner).into_iter().enumerate() {
            let size = 0.1 + 0.02 * i as f64;
            learner.params[tensor.range].iter_mut().for_each(|w| *w = size.copysign(*w));
        }
        let (net, params) = (learner.net.clone(), learner.params.clone());
        learner.rule.refresh(&net, &params);
        let mut chunk = filled(&learner);
        let seen = signals(&learner, &mut chunk, ROWS);
        for l in 0..=3 {
            assert!(relative(&seen.credit[l], &seen.p[l]) < 1e-12, "layer {l}");
        }
        // And of weights of many sizes it is not.
        let start: Vec<f64> = net.initial(5);
        learner.params.copy_from_slice(&start);
        learner.rule.refresh(&net, &start);
        let seen = signals(&learner, &mut chunk, ROWS);
        assert!(relative(&seen.credit[0], &seen.p[0]) > 1e-2);
    }
}

fn weights(learner: &Learner<f64, Mlp>) -> Vec<f64> {
    match learner.rule.credit() {
        Credit::Through(weights) => weights.to_vec(),
        _ => unreachable!("it carries credit through weights"),
    }
}

/// R and W, carried by the test: both start where the rule's do, and each step takes W's gradient through an AdamW of its own, with
/// the rule's decay on the matrices of trained blocks and the recipe's on everything else. So ‖W_t − R_t‖ is ‖W_0 − R_0‖·Π(1 − η_t λ),
/// whatever gradients, moments and learning rates are.
#[test]
fn kolen_pollack_takes_weights_and_feedback_by_the_same_steps() {
    let (decay, weight_decay) = (0.9, 0.01);
    for trainable_last in [None, Some(2)] {
        let net = MlpSpec { w2_std: 0.3, ..MlpSpec::resmlp(5, 8, 3, 4) }.build().expect("valid");
        let rule = RuleSpec::with("kolen_pollack", &[("rule.decay", Value::Real(decay))]).expect("its keys");
        let modifiers = Modifiers { trainable_last, ..Modifiers::default() };
        let mut learner = Learner::<f64, Mlp>::new(net, &rule, modifiers, 5).expect("known");
        let layout = learner.net.layout().clone();
        let is_matrix = |t: &Tensor| matches!(t.unit, Unit::Block(_)) && t.is_matrix();
        let is_frozen = |t: &Tensor| matches!(t.unit, Unit::Block(l) if !modifiers.trains(l, 3));
        let mut chunk = filled(&learner);
        let (mut w, mut r, mut left) = (learner.params.clone(), weights(&learner), 1.0);
        let apart = |w: &[f64], r: &[f64], t: &Tensor| norm(t.range.clone().map(|i| r[i] - w[i]));
        let start: Vec<f64> = layout.tensors().iter().map(|t| apart(&w, &r, t)).collect();
        let mut moments = Moments::new(w.len());
        for t in 1..=50u64 {
            let lr = 1e-2 * (1.0 + (t as f64 * 0.1).cos());
            let optimiser = AdamW { lr, beta1: 0.9, beta2: 0.999, eps: 1e-8, weight_decay };
            learner.learn(&mut chunk, ROWS, t);
            let directions = moments.take(&learner.gradient(std::slice::from_ref(&chunk)), optimiser);
            learner.descend(t, optimiser, std::slice::from_ref(&chunk), 1).expect("finite gradients");
            for tensor in layout.tensors().iter().filter(|t| !is_frozen(t)) {
                let keep = 1.0 - lr * if is_matrix(tensor) { decay } else { weight_decay };
                for i in tensor.range.clone() {
                    (w[i], r[i]) = (keep * w[i] - lr * directions[i], keep * r[i] - lr * directions[i]);
                }
            }
            left *= 1.0 - lr * decay;
        }
        assert!(left < 0.8, "{left}");
        let feedback = weights(&learner);
        for (tensor, start) in layout.tensors().iter().zip(start) {
            let (name, range) = (&tensor.name, || tensor.range.clone());
            // What is not a weight of a block is the network's own, so for that R is W.
            for (what, got, want) in [("W", &learner.params, &w), ("R", &feedback, &r)] {
                let error = norm(range().map(|i| got[i] - want[i]));
                assert!(error <= 1e-9 * norm(range().map(|i| want[i])), "{what} of {name}: {error:e}");
            }
            if is_matrix(tensor) {
                let now = apart(&learner.params, &feedback, tensor);
                let want = if is_frozen(tensor) { start } else { start * left };
                assert!(
                    want > 0.1 && (now / want - 1.0).abs() < 1e-4,
                    "{name}: {now} of {start}, not {want}"
                );
            }
        }
    }
}

/// With R = W, Kolen–Pollack is backpropagation; at the start it is not.
#[test]
fn kolen_pollack_ends_as_backpropagation() {
    let mut learner = learner(MlpSpec::resmlp(5, 8, 3, 4), "kolen_pollack".into());
    let mut chunk = filled(&learner);
    let seen = signals(&learner, &mut chunk, ROWS);
    assert!(relative(&seen.credit[0], &seen.p[0]) > 1e-2);
    learner.rule.saved_mut().iter_mut().for_each(|d| d.values.fill(0.0));
    let (net, params) = (learner.net.clone(), learner.params.clone());
    learner.rule.refresh(&net, &params);
    let seen = signals(&learner, &mut chunk, ROWS);
    (0..=3).for_each(|l| assert!(relative(&seen.credit[l], &seen.p[l]) < 1e-12, "layer {l}"));
}

/// Frozen blocks keep their weights, and their feedback its distance.
#[test]
fn kolen_pollack_leaves_frozen_blocks_alone() {
    let net = MlpSpec::resmlp(5, 8, 2, 4).build().expect("valid");
    let modifiers = Modifiers { trainable_last: Some(1), ..Modifiers::default() };
    let mut learner = Learner::<f64, Mlp>::new(net, &"kolen_pollack".into(), modifiers, 5).expect("known");
    let before: Vec<Vec<f64>> = learner.rule.saved().iter().map(|d| d.values.clone()).collect();
    let mut chunk = filled(&learner);
    learner.learn(&mut chunk, ROWS, 1);
    let optimiser = AdamW { lr: 1e-2, beta1: 0.9, beta2: 0.999, eps: 1e-8, weight_decay: 0.01 };
    learner.descend(1, optimiser, std::slice::from_ref(&chunk), 1).expect("finite gradients");
    for (saved, before) in learner.rule.saved().iter().zip(before) {
        let block: usize = saved.name.split('.').nth(3).and_then(|l| l.parse().ok()).expect("a block");
        assert_eq!(saved.values == before, block == 0, "{}", saved.name);
    }
}

/// Target projection knows the label and nothing else: minus a column of B.
#[test]
fn target_projection_is_a_column_of_its_matrix() {
    let learner = learner(MlpSpec::resmlp(5, 8, 3, 4), "drtp".into());
    let mut chunk = filled(&learner);
    let seen = signals(&learner, &mut chunk, ROWS);
    for (l, matrix) in learner.rule.saved().iter().enumerate() {
        for (i, &label) in chunk.labels.iter().enumerate() {
            let row = &seen.credit[l + 1][i * 8..(i + 1) * 8];
            let column: Vec<f64> = (0..8).map(|k| -matrix.values[k * 4 + usize::from(label)]).collect();
            assert_eq!(row, column, "block {l}, sample {i}");
        }
    }
    assert_eq!(seen.credit[0], seen.credit[1]);
}
