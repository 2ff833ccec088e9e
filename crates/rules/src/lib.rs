//! Learning rules: one folder a rule, each saying what credit every unit receives.
//!
//! All rules share everything else. With its input h_l held constant, block l descends ⟨f_l(h_l), â_l⟩ and the
//! embedding ⟨h_0, â_embed⟩, summed over features and averaged over the batch; head and last LayerNorm always get
//! their exact gradient. So a rule is only its credit, and backpropagation is the rule whose credit is the
//! per-sample gradient. See [`Rule`] for what a new one has to write, and `build.rs` for where to list it.

mod bp;
mod bridge;
mod build;
mod credit_bridge;
mod dfa;
mod direct;
mod drtp;
mod ep;
mod fa;
mod feedback;
mod kolen_pollack;
mod learner;
mod modifiers;
mod rule;
mod share;
mod sign_symmetry;
mod signals;
mod state_bridge;
mod tally;

pub use bp::Bp;
pub use bridge::{BridgeSpec, Condition};
pub use build::{NAMES, RuleSpec, build, check, saved_values, work};
pub use credit_bridge::CreditBridge;
pub use dfa::Dfa;
pub use drtp::Drtp;
pub use ep::{Ep, EpSpec};
pub use fa::Fa;
pub use feedback::{Saved, gaussian};
pub use kolen_pollack::KolenPollack;
pub use learner::{Chunk, Learner};
pub use modifiers::Modifiers;
pub use rule::{AfterStep, Lesson, Rule, Seen, Transport};
pub use sign_symmetry::SignSymmetry;
pub use signals::{Signals, credits, credits_paper, notes, signals};
pub use state_bridge::StateBridge;
pub use tally::Tally;

/// What can be wrong with the choice of a rule.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// No rule has that name.
    #[error("no rule is called `{name}`: choose one of {}", NAMES.join(", "))]
    Unknown {
        /// The name that was asked for.
        name: String,
    },
    /// A rule that does not fit the network.
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
