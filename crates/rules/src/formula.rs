//! How the credit of a rule follows from weights and saved tensors, stated and not computed: an audit recomputes it by code of
//! its own. A rule whose formula is one of these can be recomputed without a word in the audit.

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
    /// The gradient of what the net `rule.net` makes of each state, and the embedding is given what block 0 is.
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

/// What stands in for a weight matrix W.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// mean|W|·sign(W).
    Signs,
    /// W plus the saved `rule.difference.` of the same name.
    Differences,
}

/// What a bridge's net makes of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bridged {
    /// A prediction of h_L, in units of `rule.scale`; its loss is differentiated.
    State,
    /// A value, which is differentiated itself. While `rule.warm` is above 0, direct feedback of the error stands in.
    Value,
}

/// What a bridge's net is told beside the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// e_T, one value per class.
    Error,
    /// p_L / RMS(p_L), as long as the state.
    Gradient,
}
