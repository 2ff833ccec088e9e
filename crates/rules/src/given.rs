//! What a rule computes for some samples.

/// What [`Gives::give`](crate::Gives::give) fills in.
#[derive(Debug)]
pub struct Given<'a, T> {
    /// Entry l is the credit that acts at h_l: the embedding's for l = 0, otherwise that of block l−1. All entries are zero at
    /// the start.
    pub credit: &'a mut [Vec<T>],
    /// In training: the gradient of the rule's own parameters.
    pub gradient: Option<&'a mut RuleGradient<T>>,
    /// In a measurement: what the rule reports besides its credit.
    pub report: Option<&'a mut Report<T>>,
}

/// What a rule reports besides its credit.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<T> {
    /// The credit that is compared with the gradient at a block's input: entry l at h_l. `None` if it is the same as the credit
    /// of the block above h_l.
    pub at_input: Option<Vec<Vec<T>>>,
    /// Named numbers about the rule itself, as means over the samples, for the log of each epoch.
    pub notes: Vec<(&'static str, f64)>,
}

impl<T> Default for Report<T> {
    fn default() -> Self {
        Self { at_input: None, notes: Vec::new() }
    }
}

/// The gradient of a rule's own parameters on a batch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RuleGradient<T> {
    /// The current step, counted from 1, which seeds its random numbers.
    pub t: u64,
    /// The gradient, as long as the parameters.
    pub values: Vec<T>,
    /// A number that the rule keeps from the batch.
    pub observed: f64,
}
