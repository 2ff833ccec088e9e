//! Direct Kolen–Pollack: what algebra says of feedback that learns beside the head.

mod plain_adamw;

use nn::{Architecture, MlpSpec, Net, Network, Tape, VitSpec};
use plain_adamw::Moments;
use rules::{Chunk, Learner, Modifiers, RuleSpec, Value, signals};
use tensor::AdamW;
use tensor::random::{Purpose, Stream};

const ROWS: usize = 6;
const BLOCKS: usize = 3;
const CLASSES: usize = 4;
const DECAY: f64 = 0.9;
const WEIGHT_DECAY: f64 = 0.01;
const STEPS: u64 = 50;

/// Both feed LN(h_L), of which feedback reaches everything or the class token, to the head.
fn networks() -> [(&'static str, Net); 2] {
    let resmlp = MlpSpec { w2_std: 0.3, ..MlpSpec::resmlp(16, 8, BLOCKS, CLASSES) };
    let vit =
        VitSpec { patch: 2, d: 8, blocks: BLOCKS, heads: 2, mlp: 12, ..VitSpec::mini(1, 4, 4, CLASSES) };
    [("resmlp", resmlp.build().expect("valid").into()), ("vit", vit.build().expect("valid").into())]
}

fn learner(net: Net) -> Learner<f64, Net> {
    let rule = RuleSpec::with("dkp", &[("rule.decay", Value::Real(DECAY))]).expect("its key");
    Learner::new(net, &rule, Modifiers::default(), 5).expect("known")
}

fn filled(learner: &Learner<f64, Net>) -> Chunk<f64, Net> {
    let mut stream = Stream::new(9, Purpose::Teacher);
    let mut chunk = learner.chunk(ROWS);
    chunk.x.fill_with(|| stream.normal());
    chunk.labels = (0..ROWS).map(|_| stream.below(CLASSES as u64) as u8).collect();
    chunk
}

fn optimiser(t: u64) -> AdamW {
    let lr = 1e-2 * (1.0 + (t as f64 * 0.1).cos());
    AdamW { lr, beta1: 0.9, beta2: 0.999, eps: 1e-8, weight_decay: WEIGHT_DECAY }
}

fn step(learner: &mut Learner<f64, Net>, chunk: &mut Chunk<f64, Net>, t: u64) {
    learner.learn(chunk, ROWS, t);
    learner.descend(t, optimiser(t), std::slice::from_ref(chunk), 1).expect("finite gradients");
}

fn feedback(learner: &Learner<f64, Net>, l: usize) -> Vec<f64> {
    let name = format!("feedback.{l}");
    learner.rule.saved().iter().find(|saved| saved.name == name).expect("a matrix").values.clone()
}

/// The head's weight, turned: a row per feature and a column per class, as feedback lies.
fn head(learner: &Learner<f64, Net>) -> Vec<f64> {
    let weight = learner.net.layout().get("out_head.weight").expect("a head").to_torch(&learner.params);
    let d = weight.len() / CLASSES;
    (0..weight.len()).map(|i| weight[i % CLASSES * d + i / CLASSES]).collect()
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// How far each B_l − head.weightᵀ is, after all steps, from its start times Π(1 − η_t λ).
fn off_the_product(net: Net, reset: bool) -> Vec<f64> {
    let mut learner = learner(net);
    let mut chunk = filled(&learner);
    let apart = |learner: &Learner<f64, Net>| -> Vec<Vec<f64>> {
        let head = head(learner);
        let of = |l: usize| feedback(learner, l).iter().zip(&head).map(|(b, w)| b - w).collect();
        (0..BLOCKS).map(of).collect()
    };
    let start = apart(&learner);
    let mut left = 1.0;
    for t in 1..=STEPS {
        step(&mut learner, &mut chunk, t);
        left *= 1.0 - optimiser(t).lr * DECAY;
        if reset {
            for (name, value) in [("out_ln.weight", 1.0), ("out_ln.bias", 0.0)] {
                let range = learner.net.layout().get(name).expect("a last LayerNorm").range.clone();
                learner.params[range].fill(value);
            }
        }
    }
    assert!(left < 0.8, "{left}");
    let off = |(now, start): (&Vec<f64>, &Vec<f64>)| {
        largest_difference(now, &start.iter().map(|d| d * left).collect::<Vec<_>>())
    };
    apart(&learner).iter().zip(&start).map(off).collect()
}

/// While out_ln is the identity, the head and the last block's feedback have the same gradient, so that only decay changes what is
/// between them. With out_ln free, or below the last block, gradients differ.
#[test]
fn the_last_feedback_comes_to_the_head_by_decay_alone() {
    for (name, net) in networks() {
        let off = off_the_product(net.clone(), true);
        assert!(off[BLOCKS - 1] < 1e-10, "{name}: {off:?}");
        assert!(off[..BLOCKS - 1].iter().all(|&off| off > 1e-3), "{name}, below the last block: {off:?}");
        let free = off_the_product(net, false);
        assert!(free.iter().all(|&off| off > 1e-3), "{name}, out_ln free: {free:?}");
    }
}

/// LN without scale and shift, by its definition.
fn normalised(h: &[f64]) -> Vec<f64> {
    let mean = h.iter().sum::<f64>() / h.len() as f64;
    let variance = h.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / h.len() as f64;
    h.iter().map(|x| (x - mean) / (variance + 1e-5).sqrt()).collect()
}

/// Every B_l and the head's weight, carried by the test: each takes its gradient through an AdamW of its own with the rule's decay.
/// And what B_l makes of the error is the credit of block l.
#[test]
fn every_feedback_learns_from_its_own_states_and_the_head_has_the_same_decay() {
    for (name, net) in networks() {
        let mut learner = learner(net);
        let mut chunk = filled(&learner);
        let reach = learner.net.state(1).reached_features();
        let values = reach * CLASSES;
        let mut want: Vec<Vec<f64>> = (0..BLOCKS).map(|l| feedback(&learner, l)).collect();
        want.push(head(&learner));
        let mut moments: Vec<Moments> = want.iter().map(|_| Moments::new(values)).collect();
        for t in 1..=STEPS {
            learner.learn(&mut chunk, ROWS, t);
            let mut gradients: Vec<Vec<f64>> = Vec::new();
            for l in 1..=BLOCKS {
                let mut gradient = vec![0.0; values];
                let states = chunk.tape().hidden(l).chunks_exact(learner.net.state(l).width());
                for (h, e) in states.zip(chunk.error().chunks_exact(CLASSES)) {
                    for (i, x) in normalised(&h[..reach]).into_iter().enumerate() {
                        (0..CLASSES).for_each(|c| gradient[i * CLASSES + c] += x * e[c] / ROWS as f64);
                    }
                }
                gradients.push(gradient);
            }
            let all = learner.gradient(std::slice::from_ref(&chunk));
            let of_head = learner.net.layout().get("out_head.weight").expect("a head").to_torch(&all);
            gradients.push((0..values).map(|i| of_head[i % CLASSES * reach + i / CLASSES]).collect());
            let optimiser = optimiser(t);
            learner.descend(t, optimiser, std::slice::from_ref(&chunk), 1).expect("finite gradients");
            for ((want, moments), gradient) in want.iter_mut().zip(&mut moments).zip(&gradients) {
                let directions = moments.take(gradient, optimiser);
                for (w, direction) in want.iter_mut().zip(directions) {
                    *w = (1.0 - optimiser.lr * DECAY) * *w - optimiser.lr * direction;
                }
            }
        }
        for (l, want) in want.iter().enumerate() {
            let got = if l == BLOCKS { head(&learner) } else { feedback(&learner, l) };
            let off = largest_difference(&got, want);
            assert!(off < 1e-9, "{name}, matrix {l} (the last is the head): {off:e}");
        }
        let seen = signals(&learner, &mut chunk, ROWS);
        for (l, b) in want[..BLOCKS].iter().enumerate() {
            let rows = seen.credit[l + 1].chunks_exact(learner.net.state(l + 1).width());
            for (credit, e) in rows.zip(chunk.error().chunks_exact(CLASSES)) {
                let product: Vec<f64> =
                    b.chunks_exact(CLASSES).map(|b| b.iter().zip(e).map(|(b, e)| b * e).sum()).collect();
                assert!(largest_difference(&credit[..reach], &product) < 1e-8, "{name}, block {l}");
            }
        }
        assert_eq!(seen.credit[0], seen.credit[1], "{name}: the embedding has the credit of block 0");
    }
}

/// A null is the rule of another seed at its start: other matrices, and moments of none of their steps.
#[test]
fn a_null_has_matrices_of_its_own_and_no_moments() {
    for (name, net) in networks() {
        let mut learner = learner(net);
        let mut chunk = filled(&learner);
        step(&mut learner, &mut chunk, 1);
        let null = learner.rule.redrawn(&learner.net, &learner.params, 77).expect("it is drawn");
        let fresh = rules::build(&"dkp".into(), &learner.net, &learner.net.initial(1), 77).expect("known");
        assert_eq!(null.saved(), fresh.saved(), "{name}");
        for (null, own) in null.saved().iter().zip(learner.rule.saved()) {
            assert_ne!(null.values, own.values, "{name}: {}", own.name);
            assert_eq!((&null.name, &null.shape, null.fixed), (&own.name, &own.shape, false), "{name}");
            assert_eq!(null.values.iter().all(|&x| x == 0.0), own.name.starts_with("rule."), "{name}");
        }
    }
}
