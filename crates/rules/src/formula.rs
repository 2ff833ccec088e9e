//! How a rule's credit follows from weights and saved tensors. This is a statement, not an implementation: an audit recomputes
//! the credit with its own code. A rule with one of these formulas can be recomputed without any change to the audit.

/// The formula of a rule's credit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formula {
    /// p_L, carried down by the exact transport.
    Gradient {
        /// Whether the gradient of the penalty comes down with it, where there is a penalty.
        penalised: bool,
    },
    /// p_L, over the samples of the batch where it is averaged, then `feedback.l` times the credit above.
    Chain {
        /// Whether p_L is divided by the size of the batch.
        averaged: bool,
    },
    /// `feedback.l` times a signal from the output, and the embedding is given what block 0 is.
    Direct(Projected),
    /// p_L, carried down through blocks whose weight matrices are replaced.
    Replaced(Replacement),
    /// The gradient of a function of each state, computed by the net `rule.net`; the embedding gets the credit of block 0.
    Bridge(Bridged, Condition),
}

/// What direct feedback projects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Projected {
    /// e_T.
    Error,
    /// −onehot(y).
    Target,
}

/// What replaces a weight matrix W.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// mean|W|·sign(W).
    Signs,
    /// W plus the saved tensor `rule.difference.` of the same name.
    Differences,
}

/// What a bridge net computes from a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bridged {
    /// A prediction of h_L, in units of `rule.scale`; credit is the gradient of its loss.
    State,
    /// A value; credit is its gradient. While `rule.warm` is above 0, direct feedback of the error replaces it.
    Value,
}

/// The condition of a bridge net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// e_T, one value per class.
    Error,
    /// p_L / RMS(p_L), as long as the state.
    Gradient,
}
