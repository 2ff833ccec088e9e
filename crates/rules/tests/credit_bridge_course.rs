//! The credit bridge in the course of training: its own optimiser, its slow copy, and who gives the credit when.

mod plain_adamw;

use nn::{Mlp, MlpSpec, Network};
use plain_adamw::Moments;
use rules::{BatchView, Chunk, Credit, Given, Learner, Modifiers, RuleGradient, RuleSpec, Value, signals};
use tensor::AdamW;
use tensor::random::{Purpose, Stream};

const ROWS: usize = 6;
const D: usize = 8;
const BLOCKS: usize = 3;
const CLASSES: usize = 4;

fn learner(settings: &[(&str, Value)]) -> Learner<f64, Mlp> {
    let net = MlpSpec { w2_std: 0.3, ..MlpSpec::resmlp(5, D, BLOCKS, CLASSES) }.build().expect("valid");
    let small = [("rule.bridge_width", Value::Whole(7)), ("rule.copies", Value::Whole(3))];
    let rule = RuleSpec::with("credit_bridge", &[&small, settings].concat()).expect("its keys");
    Learner::new(net, &rule, Modifiers::default(), 5).expect("known")
}

fn filled(learner: &Learner<f64, Mlp>) -> Chunk<f64, Mlp> {
    let mut stream = Stream::new(9, Purpose::Teacher);
    let mut chunk = learner.chunk(ROWS);
    chunk.x.fill_with(|| stream.normal());
    chunk.labels = (0..ROWS).map(|_| stream.below(CLASSES as u64) as u8).collect();
    chunk
}

fn saved<'a>(learner: &'a Learner<f64, Mlp>, name: &str) -> &'a [f64] {
    &learner.rule.saved().iter().find(|saved| saved.name == name).expect("it is saved").values
}

/// The gradient that the bridge's net takes from a batch at step `t`.
fn gradient(learner: &Learner<f64, Mlp>, chunk: &mut Chunk<f64, Mlp>, t: u64) -> Vec<f64> {
    let p = signals(learner, chunk, ROWS).p;
    let mut losses = vec![0.0; ROWS];
    learner.net.loss(&mut chunk.tape().clone(), &chunk.labels, &mut losses);
    let (net, params, tape) = (&learner.net, &learner.params[..], chunk.tape());
    let (x, labels, e) = (&chunk.x[..], &chunk.labels[..], chunk.error());
    let (p_last, losses, samples) = (&p[BLOCKS][..], &losses[..], ROWS);
    let batch = BatchView { net, params, x, tape, labels, losses, e, p_last, samples };
    let Credit::Given(rule) = learner.rule.credit() else { panic!("it gives credit") };
    let mut gradient = RuleGradient { t, values: vec![0.0; rule.own_parameters()], observed: 0.0 };
    let mut credit = vec![vec![0.0; ROWS * D]; BLOCKS + 1];
    rule.give(&batch, Given { credit: &mut credit, gradient: Some(&mut gradient), report: None });
    gradient.values
}

/// However the network's learning rate goes, the net takes one step of AdamW a batch at its own, and the slow copy then follows
/// by a two-hundredth.
#[test]
fn the_net_descends_by_its_own_adamw_and_its_slow_copy_follows() {
    let lr = 2e-3;
    let mut learner = learner(&[("rule.bridge_lr", Value::Real(lr))]);
    let mut chunk = filled(&learner);
    for saved in learner.rule.saved_mut().iter_mut().filter(|saved| saved.name == "rule.slow") {
        saved.values.iter_mut().for_each(|value| *value += 0.3);
    }
    let mut moments = Moments::new(saved(&learner, "rule.net").len());
    for t in 1..=4 {
        let optimiser =
            AdamW { lr: 0.05 / t as f64, beta1: 0.9, beta2: 0.999, eps: 1e-8, weight_decay: 0.01 };
        let gradient = gradient(&learner, &mut chunk, t);
        let before = ["rule.net", "rule.slow"].map(|name| saved(&learner, name).to_vec());
        learner.learn(&mut chunk, ROWS, t);
        learner.descend(t, optimiser, std::slice::from_ref(&chunk), 1).expect("finite gradients");
        let (net, slow) = (saved(&learner, "rule.net"), saved(&learner, "rule.slow"));
        assert_eq!(net.len(), gradient.len());
        for (i, direction) in moments.take(&gradient, optimiser).into_iter().enumerate() {
            let want = (1.0 - lr * 0.01) * before[0][i] - lr * direction;
            assert!((net[i] - want).abs() < 1e-13 * (1.0 + want.abs()), "step {t}, {i}: {} {want}", net[i]);
            let want = 0.995 * before[1][i] + 0.005 * net[i];
            assert!((slow[i] - want).abs() < 1e-15 * (1.0 + want.abs()), "step {t}, {i}: {} {want}", slow[i]);
        }
    }
}

/// B_l·e_T of each sample.
fn projected(learner: &Learner<f64, Mlp>, e: &[f64], l: usize) -> Vec<f64> {
    let b = saved(learner, &format!("feedback.{l}"));
    let value = |e: &[f64], k: usize| (0..CLASSES).map(|c| b[k * CLASSES + c] * e[c]).sum::<f64>();
    e.chunks_exact(CLASSES).flat_map(|e| (0..D).map(move |k| value(e, k))).collect()
}

fn relative(a: &[f64], b: &[f64]) -> f64 {
    let norm = |it: &mut dyn Iterator<Item = f64>| it.map(|x| x * x).sum::<f64>().sqrt();
    norm(&mut a.iter().zip(b).map(|(a, b)| a - b)) / norm(&mut b.iter().copied())
}

/// Up to epoch 19 of 100 the credit is direct feedback, from epoch 20 on ∇V, which a bridge without warm-up gives at once (and
/// PyTorch as well: see `bridges.rs`). What the net learns is the same before and after.
#[test]
fn direct_feedback_gives_the_credit_for_a_fifth_of_the_schedule() {
    let mut warming = learner(&[]);
    let ready = learner(&[("rule.warm_up", Value::Real(0.0))]);
    let mut chunk = filled(&warming);
    let slopes = signals(&ready, &mut chunk, ROWS).credit;
    let taught = gradient(&ready, &mut chunk, 1);
    assert!(taught.iter().any(|g| g.abs() > 1e-3));
    for epoch in [0, 1, 19, 20, 21, 99] {
        warming.rule.begin_epoch(f64::from(epoch) / 100.0);
        let credit = signals(&warming, &mut chunk, ROWS).credit;
        for l in 0..BLOCKS {
            let direct = projected(&warming, chunk.error(), l);
            assert!(relative(&slopes[l + 1], &direct) > 0.1, "the two can be told apart");
            let error = relative(&credit[l + 1], if epoch < 20 { &direct } else { &slopes[l + 1] });
            assert!(error < 1e-12, "epoch {epoch}, block {l}: {error:e}");
        }
        assert_eq!(credit[0], credit[1], "epoch {epoch}: the embedding's is that of block 0");
        assert_eq!(gradient(&warming, &mut chunk, 1), taught, "epoch {epoch}");
    }
}
