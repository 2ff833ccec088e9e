//! The credit that a rule gives and the gradient that it stands in for, side by side, without training on either.

use crate::{Chunk, Learner, Seen, Transport};
use nn::Network;
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
/// let rule = rules::build("bp", nn::Network::<f64>::shape(&net), 1)?;
/// let learner = Learner::<f64, _>::new(net, rule, Modifiers::default(), 1);
/// let mut chunk = learner.viewing_chunk(2);
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
    let (net, params, shape) = (&learner.net, &learner.params, learner.net.shape());
    let (rows, blocks) = (chunk.labels.len(), shape.blocks);
    let n = rows * shape.width;
    let mut p = vec![vec![T::ZERO; n]; blocks + 1];
    let e = &chunk.e[..rows * shape.classes];
    net.head_vjp(params, &mut chunk.tape, e, None, &mut p[blocks]);
    for l in (0..blocks).rev() {
        let (lower, upper) = p.split_at_mut(l + 1);
        net.branch_vjp(params, l, &mut chunk.tape, &upper[0], None, Some(&mut lower[l]));
        if net.skip(l) {
            add_scaled(&mut lower[l], T::ONE, &upper[0]);
        }
    }
    if learner.rule.transport() == Transport::Exact {
        return Signals { credit: p.clone(), p };
    }
    let mut credit = vec![vec![T::ZERO; n]; blocks + 1];
    let labels = &chunk.labels;
    let seen = Seen { net, params, tape: &chunk.tape, labels, e, p_last: &p[blocks], samples };
    learner.rule.top(&seen, &mut credit[blocks]);
    for l in (0..blocks).rev() {
        let (lower, upper) = credit.split_at_mut(l + 1);
        learner.rule.below(l, &seen, &upper[0], &mut lower[l]);
    }
    Signals { p, credit }
}
