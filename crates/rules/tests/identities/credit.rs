//! Cases in which a rule's credit is known: it equals the true gradient, or that of another block.

use crate::made::{learner, relative, signals_of};
use nn::{Architecture, Mlp, MlpSpec};
use rules::{Learner, Modifiers};
use tensor::{Mat, matmul};

/// (I + W2·W1)ᵀ of block l: the exact transport through a linear block.
fn exact_feedback(learner: &Learner<f64, Mlp>, l: usize, d: usize) -> Vec<f64> {
    let layout = learner.net.layout();
    let weight = |name: &str| {
        layout.get(&format!("blocks.{l}.{name}.weight")).expect("a block").to_torch(&learner.params)
    };
    let w1 = weight("w1");
    let w2 = weight("w2");
    let mut out = vec![0.0; d * d];
    matmul(&mut out, 1.0, Mat::new(&w1, d, d).t(), Mat::new(&w2, d, d).t());
    (0..d).for_each(|i| out[i * d + i] += 1.0);
    out
}

#[test]
fn feedback_alignment_with_the_true_transport_is_backpropagation() {
    let d = 9;
    let blocks = 4;
    let rows = 5;
    for shift in 0..blocks {
        let mut fa = learner(MlpSpec::student(6, d, blocks, 3, 0.0), "fa", Modifiers::default());
        let exact: Vec<_> = (0..blocks).map(|l| exact_feedback(&fa, l, d)).collect();
        for (l, saved) in fa.rule.saved_mut().iter_mut().enumerate() {
            saved.values = exact[(l + shift) % blocks].clone();
        }
        let seen = signals_of(&fa, rows);
        for l in 0..=blocks {
            // The credit is that of the mean over the batch, p that of each sample.
            let credit: Vec<f64> = seen.credit[l].iter().map(|a| a * rows as f64).collect();
            let error = relative(&credit, &seen.p[l]);
            if shift == 0 || l == blocks {
                assert!(error < 1e-12, "layer {l}: {error:e}");
            } else {
                assert!(error > 1e-3, "layer {l} with the matrix of another block: {error:e}");
            }
        }
    }
}

#[test]
fn direct_feedback_through_the_head_is_backpropagation_of_one_block() {
    let d = 7;
    let classes = 4;
    let spec = MlpSpec { out_ln: false, ..MlpSpec::resmlp(5, d, 1, classes) };
    let mut dfa = learner(spec, "dfa", Modifiers::default());
    let head = dfa.net.layout().get("out_head.weight").expect("a head").to_torch(&dfa.params);
    dfa.rule.saved_mut()[0].values =
        (0..d * classes).map(|i| head[(i % classes) * d + i / classes]).collect();
    let seen = signals_of(&dfa, 6);
    assert!(relative(&seen.credit[1], &seen.p[1]) < 1e-12);
    assert!(relative(&seen.credit[0], &seen.p[0]) > 1e-3, "the embedding's credit is not its gradient");
}

#[test]
fn direct_feedback_gives_the_embedding_the_credit_of_block_0() {
    let seen = signals_of(&learner(MlpSpec::resmlp(5, 8, 3, 4), "dfa", Modifiers::default()), 6);
    assert_eq!(seen.credit[0], seen.credit[1]);
    assert_ne!(seen.credit[1], seen.credit[2]);
}

#[test]
fn the_last_block_of_feedback_alignment_has_the_true_direction() {
    let seen = signals_of(&learner(MlpSpec::resmlp(5, 8, 3, 4), "fa", Modifiers::default()), 4);
    let scaled: Vec<f64> = seen.credit[3].iter().map(|a| a * 4.0).collect();
    assert!(relative(&scaled, &seen.p[3]) < 1e-14);
}
