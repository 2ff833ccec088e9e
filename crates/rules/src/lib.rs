//! Learning rules: one module per rule. Each defines the credit of every unit.
//!
//! Everything else is shared by all rules. With its input h_l held constant, block l descends ⟨f_l(h_l), â_l⟩ and the embedding
//! ⟨h_0, â_embed⟩, summed over features and averaged over the batch. Head and last LayerNorm always get their exact gradient.
//! So a rule is only its credit, and backpropagation is the rule whose credit is the per-sample gradient.
//!
//! A new rule needs a module with an implementation of [`Rule`] and a `definition`, and a line in [`record::rules`]. The table
//! ([`TABLE`]) and everything derived from it, such as the keys of recipes, then includes it.

mod batch;
mod bp;
mod bridge;
mod catalogue;
mod clip;
mod credit_bridge;
mod definition;
mod dfa;
mod direct;
mod dkp;
mod drtp;
mod ep;
mod fa;
mod feedback;
mod foreign;
mod formula;
mod given;
mod keys;
mod kolen_pollack;
mod learner;
mod modifiers;
mod node_perturbation;
mod normalise;
mod parameter_shares;
mod rule;
mod saved;
mod sign_symmetry;
mod signals;
mod spec;
mod state_bridge;
mod tally;
mod transport;

pub use batch::{Batch, BatchView};
pub use bp::Bp;
pub use catalogue::{NAMES, RuleInfo, TABLE, build, check, draws_anew, saved_values, work};
pub use clip::{BrokenGradient, Clip, ClipUnits};
pub use foreign::{
    Foreign, ForeignMaker, ForeignNet, ForeignRule, ForeignTensor, SOURCE, Seen, generation, register,
    registered,
};
pub use formula::{Bridged, Condition, Formula, Projected, Replacement};
pub use given::{Given, Report, RuleGradient};
pub use keys::{KeyKind, RuleKey, Value};
pub use learner::{Chunk, Learner};
pub use modifiers::Modifiers;
pub use normalise::Normalise;
pub use rule::{AfterStep, Credit, Gives, Rule};
pub use saved::Saved;
pub use signals::{Signals, credits, signals};
pub use spec::RuleSpec;
pub use tally::Tally;
pub use transport::carry_down;

/// Errors in the choice of a rule.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// An unknown rule.
    #[error("no rule is called `{name}`: choose one of {}", NAMES.join(", "))]
    Unknown {
        /// The requested name.
        name: String,
    },
    /// A key that the rule does not have, or a value that the key does not accept.
    #[error("`{rule}` has no key `{key}` that accepts {value}")]
    Setting {
        /// The rule.
        rule: String,
        /// The key.
        key: String,
        /// The value.
        value: String,
    },
    /// A foreign rule that cannot be registered.
    #[error("`{rule}` cannot be made a rule: {problem}")]
    Register {
        /// The rule.
        rule: String,
        /// What is wrong with it.
        problem: String,
    },
    /// What a foreign rule answered instead of its credit.
    #[error("`{rule}`: {message}")]
    Foreign {
        /// The rule.
        rule: String,
        /// Its words.
        message: String,
    },
    /// A rule that cannot train the network.
    #[error("`{rule}` cannot train this network: {why}")]
    Unfit {
        /// The rule.
        rule: String,
        /// Why not.
        why: &'static str,
    },
    /// A modifier that does not fit the network, or two that contradict each other.
    #[error("{0}")]
    Modifier(String),
}
