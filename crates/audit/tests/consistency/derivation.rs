//! What the credit is: that of the training step itself, and the slope of the objective by central differences.

use crate::kinds::{SIZES, Sizes, networks};
use crate::run::{Run, each};
use nn::{Architecture, Network, Tape};
use record::audit::Consistency;

/// The recorded credit of these tests is that which a step descends: the gradient of a bias is the sum of its
/// signal, and backpropagation's signal is its credit, and the penalty of the block itself.
#[test]
fn the_credit_of_these_tests_is_the_one_that_training_uses() {
    each(|run, case| {
        let credit = run.healthy();
        let d = SIZES.d;
        let rows = run.labels.len();
        let penalty = run.learner.modifiers.penalty as f32;
        let mut chunk = run.learner.chunk(rows);
        (chunk.x, chunk.labels) = (run.x.clone(), run.labels.clone());
        chunk.used = Some(Vec::new());
        run.learner.learn(&mut chunk, run.batch, 1);
        assert_eq!(chunk.used.as_ref(), Some(&credit), "{case}");
        if run.rule != "bp" || penalty == 0.0 {
            let seen = rules::signals(&run.learner, &mut chunk, run.batch);
            assert_eq!(seen.credit, credit, "{case}");
        }
        if run.rule != "bp" {
            return;
        }
        run.learner.learn(&mut chunk, run.batch, 1);
        let layout = run.learner.net.layout();
        let tape = run.tape();
        for (unit, credit) in credit.iter().enumerate() {
            let name =
                if unit == 0 { "embed.bias".to_owned() } else { format!("blocks.{}.w2.bias", unit - 1) };
            let gradient = layout
                .get(&name)
                .expect("a bias")
                .to_torch(&run.learner.gradient(std::slice::from_ref(&chunk)));
            for i in 0..d {
                let own = |row: usize| if unit == 0 { 0.0 } else { tape.branch(unit - 1)[row * d + i] };
                let signal = |row: usize| credit[row * d + i] + 2.0 * penalty * own(row);
                let sum: f32 = (0..rows).map(signal).sum::<f32>() / rows as f32;
                assert!((sum - gradient[i]).abs() < 1e-5 * (1.0 + sum.abs()), "{case}, {name}");
            }
        }
    });
}

/// CE + λΣ‖f‖² of one sample, by the f64 network.
fn objective(run: &Run, params: &[f64]) -> f64 {
    let x: Vec<f64> = run.x.iter().map(|&x| f64::from(x)).collect();
    let net = &run.learner.net;
    let mut tape = Network::<f64>::tape(net, 1);
    net.forward(params, &x, 1, &mut tape);
    let z = tape.logits();
    let top = z.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let entropy = z.iter().map(|z| (z - top).exp()).sum::<f64>().ln() + top - z[usize::from(run.labels[0])];
    let squares = |l: usize| tape.branch(l).iter().map(|f| f * f).sum::<f64>();
    entropy + run.learner.modifiers.penalty * (0..run.blocks()).map(squares).sum::<f64>()
}

/// A bias moves its unit's output and nothing else, so its slope is the gradient there. The bias of W2 also moves the
/// block's own branch, whose penalty is no part of the block's credit and is taken off.
#[test]
fn backpropagation_with_a_penalty_is_the_slope_of_the_objective() {
    for net in (0..=4).flat_map(networks) {
        for penalty in [0.0, 0.05, 1.0] {
            let run = Run::new(net.clone(), "bp", penalty, Sizes { rows: 1, ..SIZES }, 3);
            let params: Vec<f64> = run.learner.params.iter().map(|&p| f64::from(p)).collect();
            let layout = run.learner.net.layout();
            let tape = run.tape();
            let slope = |unit: usize, i: usize| {
                let name = if unit == 0 { "embed".to_owned() } else { format!("blocks.{}.w2", unit - 1) };
                let place = layout.get(&format!("{name}.bias")).expect("a bias").range.start + i;
                let at = |step: f64| {
                    let mut moved = params.clone();
                    moved[place] += step;
                    objective(&run, &moved)
                };
                let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
                let own = if unit == 0 { 0.0 } else { f64::from(tape.branch(unit - 1)[i]) };
                (slope - 2.0 * penalty * own) as f32
            };
            let credit: Vec<Vec<f32>> =
                (0..=run.blocks()).map(|unit| (0..SIZES.d).map(|i| slope(unit, i)).collect()).collect();
            let outcome = run.compare(&credit);
            assert!(matches!(outcome, Consistency::Agrees { .. }), "{net:?}, {penalty}: {outcome:?}");
        }
    }
}
