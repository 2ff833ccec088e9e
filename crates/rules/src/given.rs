//! What a rule hands over for some samples.

/// What [`Gives::give`](crate::Gives::give) fills in.
#[derive(Debug)]
pub struct Given<'a, T> {
    /// Entry l takes the credit that acts at h_l: of the embedding for l = 0, of block l−1 above. All entries are zero before.
    pub credit: &'a mut [Vec<T>],
    /// In training: what the rule's own parameters learn from the batch.
    pub gradient: Option<&'a mut RuleGradient<T>>,
    /// In measuring: what the rule can say beside its credit.
    pub report: Option<&'a mut Report<T>>,
}

/// What a rule can say beside its credit.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<T> {
    /// The credit as it is compared with the gradient at a block's input: at h_l in entry l. `None` where it is the credit that the
    /// block above h_l is given.
    pub at_input: Option<Vec<Vec<T>>>,
    /// Numbers about the rule itself by name, as means over the samples: for the log of each epoch.
    pub notes: Vec<(&'static str, f64)>,
}

impl<T> Default for Report<T> {
    fn default() -> Self {
        Self { at_input: None, notes: Vec::new() }
    }
}

/// The gradient that a rule takes from a batch for parameters of its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RuleGradient<T> {
    /// The step under way, from 1, which places its random numbers.
    pub t: u64,
    /// The gradient, as long as the parameters.
    pub values: Vec<T>,
    /// A number that the rule wants to keep from the batch.
    pub observed: f64,
}
