//! Rules by name.

use crate::{
    Bp, BridgeSpec, CreditBridge, Dfa, Drtp, Ep, EpSpec, Error, Fa, KolenPollack, Rule, SignSymmetry,
    StateBridge, direct,
};
use nn::Network;
use tensor::Float;

/// The rules, by name, in the order in which tables list them.
pub const NAMES: [&str; 9] =
    ["bp", "fa", "dfa", "state_bridge", "credit_bridge", "ep", "sign_symmetry", "kolen_pollack", "drtp"];

/// A rule and the choices that some of them leave open.
///
/// ```
/// let spec = rules::RuleSpec { decay: 0.1, ..rules::RuleSpec::from("kolen_pollack") };
/// assert_eq!(spec.name, "kolen_pollack");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RuleSpec {
    /// Its name.
    pub name: String,
    /// Kolen–Pollack: decay of weights and feedback.
    pub decay: f64,
    /// The two bridges.
    pub bridge: BridgeSpec,
    /// Equilibrium propagation.
    pub ep: EpSpec,
}

impl From<&str> for RuleSpec {
    fn from(name: &str) -> Self {
        Self { name: name.to_owned(), decay: 0.15, bridge: BridgeSpec::default(), ep: EpSpec::default() }
    }
}

/// The rule for a network with these parameters, what is random in it drawn from the seed's own stream.
///
/// ```
/// use nn::Network;
/// let net = nn::MlpSpec::resmlp(8, 16, 2, 3).build()?;
/// let params: Vec<f32> = net.initial(42);
/// let rule = rules::build(&"dfa".into(), &net, &params, 42)?;
/// assert_eq!(rule.saved().len(), 2, "one feedback matrix a block");
/// assert!(rules::build(&"dfaa".into(), &net, &params, 42).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn build<T: Float, N: Network<T>>(
    spec: &RuleSpec,
    net: &N,
    params: &[T],
    seed: u64,
) -> Result<Box<dyn Rule<T, N>>, Error> {
    check(&spec.name, net)?;
    Ok(match spec.name.as_str() {
        "bp" => Box::new(Bp),
        "fa" => Box::new(Fa::new(net, seed)),
        "dfa" => Box::new(Dfa::new(net, seed)),
        "state_bridge" => Box::new(StateBridge::new(net, spec.bridge, seed)),
        "credit_bridge" => Box::new(CreditBridge::new(net, spec.bridge, seed)),
        "ep" => Box::new(Ep::new(spec.ep)),
        "sign_symmetry" => Box::new(SignSymmetry::new(net, params)),
        "kolen_pollack" => Box::new(KolenPollack::new(net, params, spec.decay, seed)),
        "drtp" => Box::new(Drtp::new(net, seed)),
        _ => return Err(Error::Unknown { name: spec.name.clone() }),
    })
}

/// Whether a rule can train a network.
pub fn check<T: Float, N: Network<T>>(rule: &str, net: &N) -> Result<(), Error> {
    let unfit = |why| Err(Error::Unfit { rule: rule.to_owned(), why });
    let one_size = (0..net.shape().blocks).all(|l| net.state(l) == net.state(l + 1));
    match rule {
        "state_bridge" | "credit_bridge" if !one_size => {
            unfit("its bridge net reads states of one size, and here they differ from stage to stage")
        }
        "dfa" | "drtp" if net.shape().blocks > 0 && net.state(0) != net.state(1) => {
            unfit("the embedding takes the credit of the first block, whose output is of another size")
        }
        "drtp" if !net.classifies() => unfit("it projects labels, and here are none"),
        "sign_symmetry" | "kolen_pollack"
            if net.shape().blocks > 0 && KolenPollack::<T>::values(net) == 0 =>
        {
            unfit("its feedback follows the weights of the blocks, and here they have none")
        }
        "ep" if net.couples_samples() => {
            unfit("its energy is a sample's own, and here a batch is normalised together")
        }
        name if !NAMES.contains(&name) => Err(Error::Unknown { name: rule.to_owned() }),
        _ => Ok(()),
    }
}

/// How many values a rule's own tensors hold, without drawing them; 0 for a name that is no rule.
pub fn saved_values<T: Float, N: Network<T>>(spec: &RuleSpec, net: &N) -> usize {
    let all = |sizes: Vec<(usize, usize)>| sizes.iter().map(|(rows, cols)| rows * cols).sum();
    match spec.name.as_str() {
        "fa" => all(Fa::<T>::sizes(net)),
        "dfa" | "drtp" => all(direct::sizes(net)),
        "state_bridge" => StateBridge::<T>::values(net, spec.bridge),
        "credit_bridge" => CreditBridge::<T>::values(net, spec.bridge),
        "kolen_pollack" => KolenPollack::<T>::values(net),
        _ => 0,
    }
}

/// Multiply-adds that a rule takes for one sample and step beyond those of the network, whose blocks take `inner` of them forward:
/// an estimate, for telling costs.
pub fn work<T: Float, N: Network<T>>(spec: &RuleSpec, net: &N, inner: f64) -> f64 {
    let blocks = net.shape().blocks as f64;
    let bridge = |outputs: f64| {
        let (width, reach) = (spec.bridge.width as f64, net.state(0).reached_features() as f64);
        width * (reach + width + outputs)
    };
    match spec.name.as_str() {
        "state_bridge" => 5.0 * blocks * bridge(net.state(0).reached_features() as f64),
        "credit_bridge" => (blocks * (spec.bridge.copies as f64 + 6.0) + 12.0) * bridge(1.0),
        // Four passes bring a nudge of the default size to rest: each goes up once, and down once for the slope and once for the
        // excess.
        "ep" => spec.ep.steps.min(4) as f64 * 3.0 * inner,
        "sign_symmetry" | "kolen_pollack" => inner,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use nn::Network;

    #[test]
    fn saved_values_are_those_that_are_drawn() {
        for blocks in [0, 3] {
            let net = nn::MlpSpec::resmlp(5, 4, blocks, 3).build().expect("valid");
            let params: Vec<f32> = net.initial(1);
            for name in super::NAMES {
                let rule = super::build(&name.into(), &net, &params, 1).expect("known");
                let drawn: usize = rule.saved().iter().map(|saved| saved.values.len()).sum();
                assert_eq!(super::saved_values::<f32, _>(&name.into(), &net), drawn, "{name}");
            }
        }
    }
}
