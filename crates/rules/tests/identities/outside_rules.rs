//! Rules from outside the crate: they learn, keep their threads and report, without a change to the learner.

use crate::made::{ADAMW, fill, relative, train};
use nn::{Architecture, Mlp, MlpSpec, Network, Tape};
use rules::{
    AfterStep, Batch, BatchView, Credit, Given, Gives, Learner, Modifiers, Normalise, Rule, Saved, signals,
};
use tensor::random::{Purpose, Stream};
use tensor::{Mat, matmul};

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
    let mut learner =
        Learner::with(net, params, Box::new(Outsider { own }), Normalise::Sample, Modifiers::default());
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
    let d = 24;
    let classes = 11;
    let batch = 130;
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
        let mut learner = Learner::with(net, params, Box::new(rule), Normalise::Sample, Modifiers::default());
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

/// Counts its calls, and reports credit at the block inputs and a note each time.
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

/// Credit, credit at the input and notes come from one computation, in measurements as in training: a rule relaxes only once.
#[test]
fn a_rule_is_asked_once_for_all_that_it_gives() {
    let net = MlpSpec::resmlp(5, 8, 2, 4).build().expect("valid");
    let asked = std::sync::Arc::default();
    let params = net.initial(5);
    let rule = Box::new(Counted(std::sync::Arc::clone(&asked)));
    let learner = Learner::with(net, params, rule, Normalise::Sample, Modifiers::default());
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
