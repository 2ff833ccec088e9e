//! A run as the training loop has it: an f32 learner, a batch, and the credit that its step uses.

use crate::kinds::{RULES, SIZES, Sizes, net_spec, networks, rule_spec};
use audit::consistency::{PlainNetwork, PlainTensor, Recorded, compare};
use nn::{Architecture, Mlp, Network, Tape};
use record::audit::Consistency;
use rules::{BatchView, Credit, Given, Learner, Modifiers};
use std::collections::BTreeMap;
use tensor::random::{Purpose, Stream};
use tensor::{Mat, add_scaled, matmul};

pub(crate) struct Run {
    /// One of [`RULES`].
    pub(crate) rule: &'static str,
    pub(crate) learner: Learner<f32, Mlp>,
    pub(crate) net: PlainNetwork,
    pub(crate) x: Vec<f32>,
    pub(crate) labels: Vec<u8>,
    /// More than the samples looked at, as with a batch in chunks.
    pub(crate) batch: usize,
}

impl Run {
    pub(crate) fn new(net: PlainNetwork, rule: &'static str, penalty: f64, sizes: Sizes, seed: u64) -> Self {
        let mlp = net_spec(&net, sizes).build().expect("valid sizes");
        let modifiers = Modifiers { penalty, ..Modifiers::default() };
        let mut learner = Learner::new(mlp, &rule_spec(rule), modifiers, seed).expect("a known rule");
        let mut stream = Stream::new(seed, Purpose::Teacher);
        // Off the initial values, so that biases of 0 and gains of 1 hide nothing.
        learner.params.iter_mut().for_each(|p| *p += 0.1 * stream.normal() as f32);
        let mut other = Stream::new(seed, Purpose::Audit);
        for saved in learner.rule.saved_mut() {
            match saved.name.as_str() {
                "rule.net" => saved.values.iter_mut().for_each(|w| *w += 0.1 * other.normal() as f32),
                "rule.scale" => saved.values[0] = 1.7,
                _ => {}
            }
        }
        let x = (0..sizes.rows * sizes.inputs).map(|_| stream.normal() as f32).collect();
        let labels = (0..sizes.rows).map(|_| stream.below(sizes.classes as u64) as u8).collect();
        let mut run = Self { rule, learner, net, x, labels, batch: sizes.rows + 3 };
        run.refresh();
        run
    }

    /// Lets the rule follow weights or saved tensors that were changed.
    pub(crate) fn refresh(&mut self) {
        self.learner.rule.refresh(&self.learner.net, &self.learner.params);
    }

    /// Multiplies every tensor whose name ends so.
    pub(crate) fn scale(&mut self, ending: &str, factor: f32) {
        for tensor in self.learner.net.layout().tensors() {
            if tensor.name.ends_with(ending) {
                self.learner.params[tensor.range.clone()].iter_mut().for_each(|p| *p *= factor);
            }
        }
        self.refresh();
    }

    /// Takes the classes that the network finds likeliest for the true ones.
    pub(crate) fn label_by_logits(&mut self) {
        let classes = self.learner.net.shape().classes;
        let best = |z: &[f32]| (0..classes).max_by(|&a, &b| z[a].total_cmp(&z[b])).expect("classes") as u8;
        self.labels = self.tape().logits().chunks_exact(classes).map(best).collect();
    }

    pub(crate) fn blocks(&self) -> usize {
        self.learner.net.shape().blocks
    }

    /// The forward pass of training.
    pub(crate) fn tape(&self) -> <Mlp as Network<f32>>::Tape {
        let rows = self.labels.len();
        let mut tape = Network::<f32>::tape(&self.learner.net, rows);
        self.learner.net.forward(&self.learner.params, &self.x, rows, &mut tape);
        tape
    }

    /// The credit of each unit as [`Learner::learn`] hands it on, `plant` having its way with each in the chain.
    pub(crate) fn credit(&self, mut plant: impl FnMut(usize, &mut Vec<f32>)) -> Vec<Vec<f32>> {
        let Learner { net, params, rule, modifiers, .. } = &self.learner;
        let shape = net.shape();
        let rows = self.labels.len();
        let mut tape = self.tape();
        let mut losses = vec![0.0; rows];
        let (e, logits) = tape.error_mut();
        tensor::softmax_cross_entropy(logits, &self.labels, e, &mut losses);
        let d = shape.width;
        let labels = &self.labels;
        let samples = self.batch;
        let mut p_last = vec![0.0; rows * d];
        net.head_vjp(params, &mut tape, &mut p_last);
        let own = if let Credit::Given(rule) = rule.credit() {
            let x = &self.x;
            let tape = &tape;
            let p_last = &p_last;
            let losses = &losses;
            let mut all = vec![vec![0.0; rows * d]; shape.blocks + 1];
            let batch = BatchView { net, params, x, tape, labels, losses, e: tape.error(), p_last, samples };
            rule.give(&batch, Given { credit: &mut all, gradient: None, report: None });
            Some(all)
        } else {
            None
        };
        let mut above = own.as_ref().map_or(p_last, |own| own[shape.blocks].clone());
        plant(shape.blocks, &mut above);
        let mut credit = vec![above];
        for l in (0..shape.blocks).rev() {
            let above = &credit[credit.len() - 1];
            let mut below = vec![0.0; above.len()];
            match (rule.credit(), &own) {
                (Credit::Given(_), Some(_)) if self.rule == "fa" => {
                    let feedback = Mat::new(&rule.saved()[l].values, d, d).t();
                    matmul(&mut below, 1.0, Mat::new(above, rows, d), feedback);
                }
                // The embedding is given what block 0 is.
                (Credit::Given(_), Some(own)) => below.clone_from(if l == 0 { above } else { &own[l] }),
                (credit, _) => {
                    let (signal, branch) = tape.signal_mut(l + 1);
                    signal.copy_from_slice(above);
                    let weights = if let Credit::Through(weights) = credit {
                        weights
                    } else {
                        // The penalty is part of the gradient that is passed on, and of no other credit.
                        add_scaled(signal, (2.0 * modifiers.penalty) as f32, branch);
                        params
                    };
                    net.branch_vjp(weights, l, &mut tape, Some(&mut below));
                    if net.skip(l) {
                        add_scaled(&mut below, 1.0, above);
                    }
                }
            }
            plant(l, &mut below);
            credit.push(below);
        }
        credit.reverse();
        credit
    }

    pub(crate) fn healthy(&self) -> Vec<Vec<f32>> {
        self.credit(|_, _| {})
    }

    /// Weights and feedback as a checkpoint has them.
    pub(crate) fn tensors(&self) -> BTreeMap<String, PlainTensor> {
        let wide = |values: &[f32]| values.iter().map(|&x| f64::from(x)).collect();
        let layout = self.learner.net.layout();
        let weights = layout.tensors().iter().map(|t| {
            let values = wide(&t.to_torch(&self.learner.params));
            (t.name.clone(), PlainTensor { shape: t.shape.clone(), values })
        });
        let feedback = self.learner.rule.saved().iter().map(|saved| {
            (saved.name.clone(), PlainTensor { shape: saved.shape.clone(), values: wide(&saved.values) })
        });
        weights.chain(feedback).collect()
    }

    pub(crate) fn compare(&self, credit: &[Vec<f32>]) -> Consistency {
        self.compare_with(&self.tensors(), credit)
    }

    pub(crate) fn compare_with(
        &self,
        tensors: &BTreeMap<String, PlainTensor>,
        credit: &[Vec<f32>],
    ) -> Consistency {
        compare(&Recorded {
            rule: self.rule.split(' ').next().expect("a name"),
            penalty: self.learner.modifiers.penalty,
            formula: rule_spec(self.rule).formula(),
            net: self.net.clone(),
            tensors,
            x: &self.x,
            labels: &self.labels,
            batch: self.batch,
            credit,
        })
    }
}

/// Every network of up to four blocks, rule and penalty.
pub(crate) fn each(mut of: impl FnMut(Run, &str)) {
    for blocks in 0..=4 {
        for net in networks(blocks) {
            for rule in RULES {
                for penalty in [0.0, 0.05] {
                    let case = format!("{rule}, penalty {penalty}, {net:?}");
                    of(Run::new(net.clone(), rule, penalty, SIZES, 11), &case);
                }
            }
        }
    }
}
