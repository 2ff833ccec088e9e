//! The credit that a rule gives and the gradient that it stands in for, side by side, without training on either.

use crate::{Chunk, Learner, Rule, Seen, Transport};
use nn::{Network, Tape};
use tensor::{Float, add_scaled, softmax_cross_entropy};

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
/// let rule = rules::build("bp", nn::Network::<f64>::shape(&net), 1)?;
/// let learner = Learner::<f64, _>::new(net, rule, Modifiers::default(), 1);
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
    let (net, params) = (&learner.net, &learner.params);
    let p = gradients(net, params, &mut chunk.tape);
    let credit = credits_below(&*learner.rule, net, params, &chunk.tape, &chunk.labels, &p, samples);
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
    let (net, params) = (&learner.net, &learner.params);
    let mut losses = vec![T::ZERO; labels.len()];
    let (e, logits) = chunk.tape.error_mut();
    softmax_cross_entropy(logits, labels, e, &mut losses);
    let p = match rule.transport() {
        Transport::Exact => gradients(net, params, &mut chunk.tape),
        Transport::Own => {
            let mut p_last = vec![T::ZERO; labels.len() * net.shape().width];
            net.head_vjp(params, &mut chunk.tape, &mut p_last);
            vec![p_last]
        }
    };
    credits_below(rule, net, params, &chunk.tape, labels, &p, samples)
}

/// p_0 … p_L for the error on the tape.
fn gradients<T: Float, N: Network<T>>(net: &N, params: &[T], tape: &mut N::Tape) -> Vec<Vec<T>> {
    let blocks = net.shape().blocks;
    let mut p = vec![vec![T::ZERO; tape.rows() * net.shape().width]; blocks + 1];
    net.head_vjp(params, tape, &mut p[blocks]);
    for l in (0..blocks).rev() {
        let (lower, upper) = p.split_at_mut(l + 1);
        tape.signal_mut(l + 1).0.copy_from_slice(&upper[0]);
        net.branch_vjp(params, l, tape, Some(&mut lower[l]));
        if net.skip(l) {
            add_scaled(&mut lower[l], T::ONE, &upper[0]);
        }
    }
    p
}

/// The credit of every unit, given p: all of it for exact transport, else p_L in the last place.
fn credits_below<T: Float, N: Network<T>>(
    rule: &dyn Rule<T, N>,
    net: &N,
    params: &[T],
    tape: &N::Tape,
    labels: &[u8],
    p: &[Vec<T>],
    samples: usize,
) -> Vec<Vec<T>> {
    if rule.transport() == Transport::Exact {
        return p.to_vec();
    }
    let blocks = net.shape().blocks;
    let p_last = &p[p.len() - 1];
    let mut credit = vec![vec![T::ZERO; p_last.len()]; blocks + 1];
    let seen = Seen { net, params, tape, labels, e: tape.error(), p_last, samples };
    rule.top(&seen, &mut credit[blocks]);
    for l in (0..blocks).rev() {
        let (lower, upper) = credit.split_at_mut(l + 1);
        rule.below(l, &seen, &upper[0], &mut lower[l]);
    }
    credit
}
