//! Learning rules: one folder a rule, each saying what credit every unit receives.
//!
//! All rules share everything else. With its input h_l held constant, block l descends ⟨f_l(h_l), â_l⟩ and the
//! embedding ⟨h_0, â_embed⟩, summed over features and averaged over the batch; head and last LayerNorm always get
//! their exact gradient. So a rule is only its credit, and backpropagation is the rule whose credit is the
//! per-sample gradient. See [`Rule`] for what a new one has to write, and [`build`] for where to list it.

mod bp;
mod dfa;
mod fa;
mod feedback;
mod learner;
mod modifiers;
mod rule;
mod share;
mod signals;

pub use bp::Bp;
pub use dfa::Dfa;
pub use fa::Fa;
pub use feedback::{Saved, gaussian};
pub use learner::{Chunk, Learner, Tally};
pub use modifiers::Modifiers;
pub use rule::{AfterStep, Rule, Seen, Transport};
pub use signals::{Signals, credits, signals};

use nn::{Network, Shape};
use tensor::Float;

/// What can be wrong with the choice of a rule.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// No rule has that name.
    #[error("no rule is called `{name}`: choose one of {}", NAMES.join(", "))]
    Unknown {
        /// The name that was asked for.
        name: String,
    },
    /// A modifier that does not fit the network, or two that contradict each other.
    #[error("{0}")]
    Modifier(String),
}

/// The rules, by name, in the order in which tables list them.
pub const NAMES: [&str; 3] = ["bp", "fa", "dfa"];

/// The rule called `name` for a network of this shape, its feedback drawn from the seed's own stream.
///
/// ```
/// let net = nn::MlpSpec::resmlp(8, 16, 2, 3).build()?;
/// let rule = rules::build::<f32, nn::Mlp>("dfa", nn::Network::<f32>::shape(&net), 42)?;
/// assert_eq!(rule.saved().len(), 2, "one feedback matrix a block");
/// assert!(rules::build::<f32, nn::Mlp>("dfaa", nn::Network::<f32>::shape(&net), 42).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn build<T: Float, N: Network<T>>(
    name: &str,
    shape: Shape,
    seed: u64,
) -> Result<Box<dyn Rule<T, N>>, Error> {
    match name {
        "bp" => Ok(Box::new(Bp)),
        "fa" => Ok(Box::new(Fa::new(shape, seed))),
        "dfa" => Ok(Box::new(Dfa::new(shape, seed))),
        _ => Err(Error::Unknown { name: name.to_owned() }),
    }
}

/// How many values a rule's own tensors hold, without drawing them; 0 for a name that is no rule.
pub fn saved_values(name: &str, shape: Shape) -> usize {
    match name {
        "fa" => Fa::<f32>::matrices(shape).iter().product(),
        "dfa" => Dfa::<f32>::matrices(shape).iter().product(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn saved_values_are_those_that_are_drawn() {
        for blocks in [0, 3] {
            let shape = nn::Shape { inputs: 5, width: 4, blocks, classes: 3 };
            for name in super::NAMES {
                let rule = super::build::<f32, nn::Mlp>(name, shape, 1).expect("known");
                let drawn: usize = rule.saved().iter().map(|saved| saved.values.len()).sum();
                assert_eq!(super::saved_values(name, shape), drawn, "{name}");
            }
        }
    }
}
