//! The credit that a rule gives and the gradient that it stands in for, side by side, without training on either.

use crate::{Chunk, Learner, Rule, Seen, Transport};
use nn::{Network, Tape};
use tensor::{Float, add_scaled};

/// Signals at h_0 … h_L for one chunk of samples.
///
/// Entry l of each is what acts at h_l: entry 0 belongs to the embedding, entry l+1 to block l. So a_l of the
/// paper's convention is `credit[l + 1]`.
#[derive(Clone, Debug, Default)]
pub struct Signals<T> {
    /// p_l: the gradient of each sample's own cross-entropy at its h_l.
    pub p: Vec<Vec<T>>,
    /// The rule's raw credit, without penalty.
    pub credit: Vec<Vec<T>>,
}

/// Runs a chunk forward and computes both signals at every layer, with N = `samples` for the rules that reduce by
/// the mean.
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
    let p = carried(learner, chunk, &learner.params);
    let credit = given(&*learner.rule, learner, chunk, &p, samples);
    Signals { credit, p }
}

/// The credit that a rule would give a chunk that has run forward if its labels were these: true labels give its credit,
/// permuted ones a null.
pub fn credits<T: Float, N: Network<T>>(
    rule: &dyn Rule<T, N>,
    learner: &Learner<T, N>,
    chunk: &mut Chunk<T, N>,
    labels: &[u8],
    samples: usize,
) -> Vec<Vec<T>> {
    let true_labels = std::mem::replace(&mut chunk.labels, labels.to_vec());
    learner.net.judge(&mut chunk.tape, labels, &mut chunk.losses[..labels.len()]);
    let p = match rule.transport() {
        Transport::Exact => carried(learner, chunk, &learner.params),
        _ => vec![at_the_top(learner, chunk)],
    };
    let credit = given(rule, learner, chunk, &p, samples);
    chunk.labels = true_labels;
    credit
}

/// What the source reports as credit, where that is not the credit that training uses; after [`signals`].
pub fn credits_paper<T: Float, N: Network<T>>(
    learner: &Learner<T, N>,
    chunk: &Chunk<T, N>,
    p_last: &[T],
    samples: usize,
) -> Option<Vec<Vec<T>>> {
    learner.rule.credit_paper(&seen(learner, chunk, p_last, samples))
}

/// What a rule says about itself on a chunk that [`signals`] has run.
pub fn notes<T: Float, N: Network<T>>(
    learner: &Learner<T, N>,
    chunk: &Chunk<T, N>,
    p_last: &[T],
    samples: usize,
) -> Vec<(&'static str, f64)> {
    learner.rule.notes(&seen(learner, chunk, p_last, samples))
}

fn seen<'a, T: Float, N: Network<T>>(
    learner: &'a Learner<T, N>,
    chunk: &'a Chunk<T, N>,
    p_last: &'a [T],
    samples: usize,
) -> Seen<'a, T, N> {
    let (net, params, tape, labels) = (&learner.net, &learner.params[..], &chunk.tape, &chunk.labels[..]);
    let x = &chunk.x[..labels.len() * net.shape().inputs];
    let losses = &chunk.losses[..labels.len()];
    Seen { net, params, x, tape, labels, losses, e: tape.error(), p_last, samples }
}

/// p_L for the error on the tape.
fn at_the_top<T: Float, N: Network<T>>(learner: &Learner<T, N>, chunk: &mut Chunk<T, N>) -> Vec<T> {
    let net = &learner.net;
    let mut p_last = vec![T::ZERO; chunk.tape.rows() * net.state(net.shape().blocks).width()];
    net.head_vjp(&learner.params, &mut chunk.tape, &mut p_last);
    p_last
}

/// p_L, and what becomes of it on its way down through blocks with these parameters; with the network's own that is
/// p_0 … p_L.
fn carried<T: Float, N: Network<T>>(
    learner: &Learner<T, N>,
    chunk: &mut Chunk<T, N>,
    params: &[T],
) -> Vec<Vec<T>> {
    let (net, rows) = (&learner.net, chunk.tape.rows());
    let blocks = net.shape().blocks;
    let mut p: Vec<Vec<T>> = (0..blocks).map(|l| vec![T::ZERO; rows * net.state(l).width()]).collect();
    p.push(at_the_top(learner, chunk));
    for l in (0..blocks).rev() {
        let (lower, upper) = p.split_at_mut(l + 1);
        chunk.tape.signal_mut(l + 1).0.copy_from_slice(&upper[0]);
        net.branch_vjp(params, l, &mut chunk.tape, Some(&mut lower[l]));
        if net.skip(l) {
            add_scaled(&mut lower[l], T::ONE, &upper[0]);
        }
    }
    p
}

/// The credit of every unit, given p: all of it for exact transport, else p_L in the last place.
fn given<T: Float, N: Network<T>>(
    rule: &dyn Rule<T, N>,
    learner: &Learner<T, N>,
    chunk: &mut Chunk<T, N>,
    p: &[Vec<T>],
    samples: usize,
) -> Vec<Vec<T>> {
    match rule.transport() {
        Transport::Exact => p.to_vec(),
        Transport::Through(weights) => carried(learner, chunk, weights),
        Transport::Own => {
            let (net, rows) = (&learner.net, chunk.tape.rows());
            let zeros = |l: usize| vec![T::ZERO; rows * net.state(l).width()];
            let mut credit: Vec<Vec<T>> = (0..=net.shape().blocks).map(zeros).collect();
            rule.credit(&seen(learner, chunk, &p[p.len() - 1], samples), &mut credit, None);
            credit
        }
    }
}
