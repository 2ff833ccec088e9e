//! Algebra that the rules must obey whatever the numbers are.

use nn::{Architecture, Mlp, MlpSpec, Network, Tape, Unit};
use rules::{
    AfterStep, Batch, BatchView, Credit, Given, Gives, Learner, Modifiers, Rule, RuleSpec, Saved, Signals,
    Value, signals,
};
use tensor::random::{Purpose, Stream};
use tensor::{AdamW, Mat, matmul};

const ADAMW: AdamW = AdamW { lr: 1e-3, beta1: 0.9, beta2: 0.999, eps: 1e-8, weight_decay: 0.01 };
/// Moves nothing but by a gradient.
const UNDECAYED: AdamW = AdamW { weight_decay: 0.0, ..ADAMW };

fn learner(spec: MlpSpec, rule: impl Into<RuleSpec>, modifiers: Modifiers) -> Learner<f64, Mlp> {
    let net = MlpSpec { w2_std: 0.3, ..spec }.build().expect("valid");
    Learner::new(net, &rule.into(), modifiers, 5).expect("known")
}

/// Some rules have a decay of their own.
fn undecayed(rule: &str) -> RuleSpec {
    let own = RuleSpec::from(rule).keys().iter().any(|key| key.name == "rule.decay");
    let settings = own.then_some(("rule.decay", Value::Real(0.0)));
    RuleSpec::with(rule, settings.as_slice()).expect("its keys")
}

fn fill(learner: &Learner<f64, Mlp>, rows: usize) -> (Vec<f64>, Vec<u8>) {
    let shape = learner.net.shape();
    let mut stream = Stream::new(9, Purpose::Teacher);
    let x = (0..rows * shape.inputs).map(|_| stream.normal()).collect();
    let labels = (0..rows).map(|_| stream.below(shape.classes as u64) as u8).collect();
    (x, labels)
}

fn signals_of(learner: &Learner<f64, Mlp>, rows: usize) -> Signals<f64> {
    let mut chunk = learner.chunk(rows);
    (chunk.x, chunk.labels) = fill(learner, rows);
    signals(learner, &mut chunk, rows)
}

fn train(learner: &mut Learner<f64, Mlp>, optimiser: AdamW, steps: u64, chunks: usize) {
    let rows = 6;
    let (x, labels) = fill(learner, rows);
    let chunks = learner.chunks_for(chunks);
    let (part, inputs) = (rows / chunks, x.len() / rows);
    let mut buffers: Vec<_> = (0..chunks).map(|_| learner.chunk(part)).collect();
    for (i, chunk) in buffers.iter_mut().enumerate() {
        chunk.x.copy_from_slice(&x[i * part * inputs..(i + 1) * part * inputs]);
        chunk.labels = labels[i * part..(i + 1) * part].to_vec();
    }
    for t in 1..=steps {
        buffers.iter_mut().for_each(|chunk| {
            learner.learn(chunk, rows, t);
        });
        learner.descend(t, optimiser, &buffers, chunks).expect("finite gradients");
    }
}

fn relative(a: &[f64], b: &[f64]) -> f64 {
    let norm = |it: &mut dyn Iterator<Item = f64>| it.map(|x| x * x).sum::<f64>().sqrt();
    norm(&mut a.iter().zip(b).map(|(a, b)| a - b)) / norm(&mut b.iter().copied())
}

/// (I + W2·W1)ᵀ of block l: the exact transport through a linear block.
fn exact_feedback(learner: &Learner<f64, Mlp>, l: usize, d: usize) -> Vec<f64> {
    let layout = learner.net.layout();
    let weight = |name: &str| {
        layout.get(&format!("blocks.{l}.{name}.weight")).expect("a block").to_torch(&learner.params)
    };
    let (w1, w2) = (weight("w1"), weight("w2"));
    let mut out = vec![0.0; d * d];
    matmul(&mut out, 1.0, Mat::new(&w1, d, d).t(), Mat::new(&w2, d, d).t());
    (0..d).for_each(|i| out[i * d + i] += 1.0);
    out
}

#[test]
fn feedback_alignment_with_the_true_transport_is_backpropagation() {
    let (d, blocks, rows) = (9, 4, 5);
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
    let (d, classes) = (7, 4);
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

/// With decay, which has to leave alone what is frozen; and without it, so that only credit can move what trains: every tensor
/// of it, not just some.
#[test]
fn modifiers_that_change_nothing_change_no_byte_and_frozen_blocks_keep_theirs() {
    let cases = rules::NAMES
        .into_iter()
        .flat_map(|name| [("decay", RuleSpec::from(name), ADAMW), ("no decay", undecayed(name), UNDECAYED)]);
    for (decay, rule, optimiser) in cases {
        let case = format!("{}, {decay}", rule.name);
        let fresh = |modifiers| learner(MlpSpec::resmlp(5, 8, 3, 4), rule.clone(), modifiers);
        let trained = |modifiers| {
            let mut learner = fresh(modifiers);
            train(&mut learner, optimiser, 4, 2);
            learner.params
        };
        let plain = trained(Modifiers::default());
        assert_eq!(plain, trained(Modifiers { trainable_last: Some(3), ..Modifiers::default() }), "{case}");
        let start = fresh(Modifiers::default());
        for k in 0..=3 {
            let params = trained(Modifiers { trainable_last: Some(k), ..Modifiers::default() });
            for tensor in start.net.layout().tensors() {
                let range = tensor.range.clone();
                let moved = params[range.clone()] != start.params[range];
                let trains = match tensor.unit {
                    Unit::Block(l) => l + k >= 3,
                    _ => true,
                };
                assert_eq!(moved, trains, "{case}, last {k} trained, {}", tensor.name);
            }
        }
    }
}

#[test]
fn a_network_without_blocks_trains_under_every_rule() {
    for rule in rules::NAMES {
        let mut shallow = learner(MlpSpec::resmlp(5, 8, 0, 4), undecayed(rule), Modifiers::default());
        let before = shallow.params.clone();
        train(&mut shallow, UNDECAYED, 3, 1);
        let moved = shallow.params.iter().zip(&before).all(|(a, b)| a.is_finite() && a != b);
        assert!(moved, "{rule}");
    }
}

/// The last batch of an epoch may have fewer samples than there are threads.
#[test]
fn an_empty_chunk_adds_nothing() {
    for rule in rules::NAMES {
        let learner = learner(MlpSpec::resmlp(5, 8, 2, 4), rule, Modifiers::default());
        let mut chunk = learner.chunk(3);
        (chunk.x, chunk.labels) = fill(&learner, 3);
        learner.learn(&mut chunk, 3, 1);
        chunk.labels.clear();
        learner.learn(&mut chunk, 2, 1);
        assert_eq!(rules::Tally::of(std::slice::from_ref(&chunk)), rules::Tally::default(), "{rule}");
        let mut full = learner.chunk(2);
        (full.x, full.labels) = fill(&learner, 2);
        learner.learn(&mut full, 2, 1);
        let alone = learner.gradient(std::slice::from_ref(&full));
        assert_eq!(learner.gradient(&[chunk, full]), alone, "{rule}");
    }
}

/// However samples are spread over chunks and parameters over threads, the bytes are the same: with whole panels and narrow
/// ones, and with more samples than the kernel takes terms at once.
#[test]
fn chunks_and_threads_leave_no_trace() {
    for rule in rules::NAMES {
        let (d, batch) = match rule {
            "bp" => (37, 30),
            "fa" => (32, 29),
            "dfa" | "dkp" => (50, 300),
            _ => (20, 31),
        };
        if learner(MlpSpec::resmlp(21, d, 2, 11), rule, Modifiers::default()).chunks_for(2) == 1 {
            // It takes a gradient of its own from the whole batch.
            assert!(rule.ends_with("bridge"), "{rule}");
            continue;
        }
        let after = |chunks: usize, threads: usize| {
            let net = MlpSpec::resmlp(21, d, 2, 11).build().expect("valid");
            let modifiers = Modifiers { penalty: 1e-3, ..Modifiers::default() };
            let mut learner = Learner::<f32, Mlp>::new(net, &rule.into(), modifiers, 3).expect("known");
            let mut stream = Stream::new(9, Purpose::Teacher);
            let x: Vec<f32> = (0..batch * 21).map(|_| stream.normal() as f32).collect();
            let labels: Vec<u8> = (0..batch).map(|_| stream.below(11) as u8).collect();
            let mut parts: Vec<_> = (0..chunks)
                .map(|i| {
                    let rows = batch * i / chunks..batch * (i + 1) / chunks;
                    let mut chunk = learner.chunk(rows.len());
                    chunk.x.copy_from_slice(&x[rows.start * 21..rows.end * 21]);
                    chunk.labels = labels[rows].to_vec();
                    chunk
                })
                .collect();
            for t in 1..=3 {
                parts.iter_mut().for_each(|chunk| {
                    learner.learn(chunk, batch, t);
                });
                learner.descend(t, ADAMW, &parts, threads).expect("finite gradients");
            }
            let own = learner.rule.saved().iter().flat_map(|saved| &saved.values);
            let bits: Vec<u32> = learner.params.iter().chain(own).map(|p| p.to_bits()).collect();
            (bits, rules::Tally::of(&parts).loss.to_bits())
        };
        let one = after(1, 1);
        for (chunks, threads) in [(1, 2), (2, 2), (3, 1), (4, 3), (7, 5)] {
            assert!(after(chunks, threads) == one, "{rule}: {chunks} chunks on {threads} threads");
        }
    }
}

/// A rule from outside the crate, with parameters of its own: its credit is p_L everywhere, and a learned vector descends the mean
/// of e_T. It shows that a rule which learns needs no change to the learner.
struct Outsider {
    own: Vec<Saved<f64>>,
}

impl Gives<f64, Mlp> for Outsider {
    fn give(&self, batch: &BatchView<'_, f64, Mlp>, given: Given<'_, f64>) {
        assert_eq!(batch.tape.logits().len(), batch.e.len());
        given.credit.iter_mut().for_each(|credit| credit.copy_from_slice(batch.p_last));
        if let Some(gradient) = given.gradient {
            tensor::col_sums(&[batch.e], 1.0 / batch.samples as f64, &mut gradient.values);
        }
    }
    fn own_parameters(&self) -> usize {
        self.own[0].values.len()
    }
}

impl Rule<f64, Mlp> for Outsider {
    fn credit(&self) -> Credit<'_, f64, Mlp> {
        Credit::Given(self)
    }
    fn saved(&self) -> &[Saved<f64>] {
        &self.own
    }
    fn after_step(&mut self, step: &mut AfterStep<'_, f64, Mlp>) {
        let steps = self.own[0].values.iter_mut().zip(&step.gradient.values);
        steps.for_each(|(v, g)| *v -= step.optimiser.lr * g);
    }
}

#[test]
fn a_rule_may_learn_without_touching_the_learner() {
    let net = MlpSpec::resmlp(5, 8, 2, 4).build().expect("valid");
    let own = vec![Saved { name: "rule.mean".into(), shape: vec![4], values: vec![0.0; 4], fixed: false }];
    let params = net.initial(5);
    let mut learner = Learner::with(net, params, Box::new(Outsider { own }), Modifiers::default());
    let mut chunk = learner.chunk(6);
    (chunk.x, chunk.labels) = fill(&learner, 6);
    learner.forward(&mut chunk);
    let mut expected = vec![0.0; 4];
    tensor::col_sums(&[chunk.error()], -ADAMW.lr / 6.0, &mut expected);
    train(&mut learner, ADAMW, 1, 3);
    assert!(relative(&learner.rule.saved()[0].values, &expected) < 1e-12);
}

/// A rule whose gradient is a sum over samples: one matrix B that meets e_T, and descends the mean of h_L e_Tᵀ over the batch as a
/// head's weight does. It keeps its threads.
struct Projection {
    own: Vec<Saved<f32>>,
    classes: usize,
}

impl Gives<f32, Mlp> for Projection {
    fn give(&self, batch: &BatchView<'_, f32, Mlp>, given: Given<'_, f32>) {
        let rows = batch.labels.len();
        let width = batch.p_last.len() / rows;
        let feedback = tensor::Panels::new(&self.own[0].values, width, self.classes);
        for credit in given.credit {
            let e = Mat::new(batch.e, rows, self.classes);
            matmul(credit, 1.0, e, tensor::Right::Transposed(feedback));
        }
    }
}

impl Rule<f32, Mlp> for Projection {
    fn credit(&self) -> Credit<'_, f32, Mlp> {
        Credit::Given(self)
    }
    fn saved(&self) -> &[Saved<f32>] {
        &self.own
    }
    fn learn(&mut self, batch: &Batch<'_, f32, Mlp>) {
        let samples: usize = batch.chunks.iter().map(|chunk| chunk.labels.len()).sum();
        assert!(batch.chunks.iter().all(|chunk| chunk.samples == samples));
        let width = batch.chunks[0].p_last.len() / batch.chunks[0].labels.len();
        let blocks = batch.chunks[0].net.shape().blocks;
        let hidden = |chunk: &BatchView<'_, f32, Mlp>| chunk.tape.hidden(blocks).to_vec();
        let hidden: Vec<Vec<f32>> = batch.chunks.iter().map(hidden).collect();
        let left: Vec<_> = hidden.iter().map(|h| Mat::new(h, h.len() / width, width).t()).collect();
        let right = |chunk: &BatchView<'_, f32, Mlp>| chunk.labels.len();
        let right: Vec<_> = batch
            .chunks
            .iter()
            .map(|chunk| tensor::Right::Mat(Mat::new(chunk.e, right(chunk), self.classes)))
            .collect();
        let [values, first, second] = &mut self.own[..] else { unreachable!("three tensors") };
        let sink = tensor::GradientSink::Descend {
            params: &mut values.values,
            first: &mut first.values,
            second: &mut second.values,
            step: batch.optimiser.step(batch.t),
        };
        let scale = 1.0 / samples as f32;
        let mut gradient = tensor::WeightGradient { rows: width, cols: self.classes, scale, sink };
        tensor::product(&left, &right, &mut gradient);
    }
}

/// The seam for rules that learn by a sum over samples: as many chunks as threads, and the same bytes whatever their number.
#[test]
fn a_gradient_that_is_a_sum_over_samples_keeps_its_threads() {
    let (d, classes, batch) = (24, 11, 130);
    let mut stream = Stream::new(9, Purpose::Teacher);
    let x: Vec<f32> = (0..batch * 21).map(|_| stream.normal() as f32).collect();
    let labels: Vec<u8> = (0..batch).map(|_| stream.below(classes as u64) as u8).collect();
    let start: Vec<f32> = (0..d * classes).map(|_| stream.normal() as f32).collect();
    let after = |chunks: usize| {
        let net = MlpSpec::resmlp(21, d, 2, classes).build().expect("valid");
        let own = [start.clone(), vec![0.0; start.len()], vec![0.0; start.len()]];
        let saved = |values: Vec<f32>| Saved {
            name: "rule.feedback".into(),
            shape: vec![d, classes],
            values,
            fixed: false,
        };
        let rule = Projection { own: own.map(saved).into(), classes };
        let params = net.initial(5);
        let mut learner = Learner::with(net, params, Box::new(rule), Modifiers::default());
        assert_eq!(learner.chunks_for(chunks), chunks);
        let share = |i: usize| batch * i / chunks..batch * (i + 1) / chunks;
        let part = |i: usize| {
            let rows = share(i);
            let mut chunk = learner.chunk(rows.len());
            chunk.x.copy_from_slice(&x[rows.start * 21..rows.end * 21]);
            chunk.labels = labels[rows].to_vec();
            chunk
        };
        let mut parts: Vec<_> = (0..chunks).map(part).collect();
        for t in 1..=3 {
            parts.iter_mut().for_each(|chunk| learner.learn(chunk, batch, t));
            learner.descend(t, ADAMW, &parts, chunks).expect("finite gradients");
        }
        let own = learner.rule.saved().iter().flat_map(|saved| saved.values.clone());
        learner.params.iter().copied().chain(own).map(f32::to_bits).collect::<Vec<u32>>()
    };
    let one = after(1);
    assert!(one[one.len() - 3 * start.len()..].iter().zip(&start).any(|(now, was)| *now != was.to_bits()));
    for chunks in [2, 3, 4, 7] {
        assert!(after(chunks) == one, "{chunks} chunks");
    }
}

/// Counts how often it is asked, and says something at its block inputs and of itself each time.
struct Counted(std::sync::Arc<std::sync::atomic::AtomicUsize>);

impl Gives<f64, Mlp> for Counted {
    fn give(&self, batch: &BatchView<'_, f64, Mlp>, given: Given<'_, f64>) {
        let asked = 1 + self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        given.credit.iter_mut().for_each(|credit| credit.copy_from_slice(batch.p_last));
        if let Some(report) = given.report {
            report.at_input = Some(given.credit.to_vec());
            report.notes.push(("asked", asked as f64));
        }
    }
}

impl Rule<f64, Mlp> for Counted {
    fn credit(&self) -> Credit<'_, f64, Mlp> {
        Credit::Given(self)
    }
}

/// Credit, the credit at the input and the notes come from one computation, in measuring as in training: what relaxes does so once.
#[test]
fn a_rule_is_asked_once_for_all_that_it_gives() {
    let net = MlpSpec::resmlp(5, 8, 2, 4).build().expect("valid");
    let asked = std::sync::Arc::default();
    let params = net.initial(5);
    let rule = Box::new(Counted(std::sync::Arc::clone(&asked)));
    let learner = Learner::with(net, params, rule, Modifiers::default());
    let mut chunk = learner.chunk(6);
    (chunk.x, chunk.labels) = fill(&learner, 6);
    let seen = signals(&learner, &mut chunk, 6);
    assert_eq!(
        (seen.report.at_input.as_ref(), &seen.report.notes[..]),
        (Some(&seen.credit), &[("asked", 1.0)][..])
    );
    learner.learn(&mut chunk, 6, 1);
    assert_eq!(asked.load(std::sync::atomic::Ordering::Relaxed), 2);
}
