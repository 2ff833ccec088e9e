//! A rule's credit and the true gradient that it replaces, for comparison, without training.

use crate::{Chunk, Credit, Given, Learner, Report, Rule, carry_down};
use nn::{Network, Tape};
use tensor::Float;

/// Signals at h_0 … h_L for one chunk of samples.
///
/// Entry l of each acts at h_l: entry 0 belongs to the embedding, entry l+1 to block l. So a_l in the paper's convention is
/// `credit[l + 1]`.
#[derive(Clone, Debug, Default)]
pub struct Signals<T> {
    /// p_l: the gradient of each sample's own cross-entropy at its h_l.
    pub p: Vec<Vec<T>>,
    /// The rule's raw credit, without penalty.
    pub credit: Vec<Vec<T>>,
    /// What the rule reports besides its credit.
    pub report: Report<T>,
}

/// Runs a chunk forward and computes both signals at every layer, with N = `samples` for rules that average over the batch.
///
/// ```
/// use rules::{Learner, Modifiers, signals};
/// let net = nn::MlpSpec::resmlp(3, 8, 2, 4).build()?;
/// let learner = Learner::<f64, _>::new(net, &"bp".into(), Modifiers::default(), 1)?;
/// let mut chunk = learner.chunk(2);
/// chunk.x.fill(0.5);
/// chunk.labels = vec![0, 3];
/// let seen = signals(&learner, &mut chunk, 2);
/// assert_eq!(seen.credit, seen.p, "backpropagation's credit is the gradient");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn signals<T: Float, N: Network<T>>(
    learner: &Learner<T, N>,
    chunk: &mut Chunk<T, N>,
    samples: usize,
) -> Signals<T> {
    learner.forward(chunk);
    let p_last = at_the_top(learner, chunk);
    let p = carry_down(&learner.net, &learner.params, &mut chunk.tape, p_last);
    let mut report = Report::default();
    let credit = given(&*learner.rule, learner, chunk, &p, samples, Some(&mut report));
    Signals { p, credit, report }
}

/// The credit that a rule would give a chunk after its forward pass, if its labels were these. True labels give its credit,
/// permuted ones a null.
pub fn credits<T: Float, N: Network<T>>(
    rule: &dyn Rule<T, N>,
    learner: &Learner<T, N>,
    chunk: &mut Chunk<T, N>,
    labels: &[u8],
    samples: usize,
) -> Vec<Vec<T>> {
    let true_labels = std::mem::replace(&mut chunk.labels, labels.to_vec());
    learner.net.loss(&mut chunk.tape, labels, &mut chunk.losses[..labels.len()]);
    let p_last = at_the_top(learner, chunk);
    let p = match rule.credit() {
        Credit::Exact => carry_down(&learner.net, &learner.params, &mut chunk.tape, p_last),
        Credit::Through(_) | Credit::Given(_) => vec![p_last],
    };
    let credit = given(rule, learner, chunk, &p, samples, None);
    chunk.labels = true_labels;
    credit
}

/// p_L for the error on the tape.
fn at_the_top<T: Float, N: Network<T>>(learner: &Learner<T, N>, chunk: &mut Chunk<T, N>) -> Vec<T> {
    let net = &learner.net;
    let mut p_last = vec![T::ZERO; chunk.tape.rows() * net.state(net.shape().blocks).width()];
    net.head_vjp(&learner.params, &mut chunk.tape, &mut p_last);
    p_last
}

/// The credit of every unit, given p: all of p for exact transport, otherwise p_L in the last entry.
fn given<T: Float, N: Network<T>>(
    rule: &dyn Rule<T, N>,
    learner: &Learner<T, N>,
    chunk: &mut Chunk<T, N>,
    p: &[Vec<T>],
    samples: usize,
    report: Option<&mut Report<T>>,
) -> Vec<Vec<T>> {
    let Learner { net, params, .. } = learner;
    let p_last = &p[p.len() - 1];
    match rule.credit() {
        Credit::Exact => p.to_vec(),
        Credit::Through(weights) => carry_down(net, weights, &mut chunk.tape, p_last.clone()),
        Credit::Given(rule) => {
            let rows = chunk.tape.rows();
            let zeros = |l: usize| vec![T::ZERO; rows * net.state(l).width()];
            let mut credit: Vec<Vec<T>> = (0..=net.shape().blocks).map(zeros).collect();
            let view = chunk.view(net, params, p_last, samples);
            rule.give(&view, Given { credit: &mut credit, gradient: None, report });
            credit
        }
    }
}
