//! The table of rules. Names, titles and order come from [`record::rules`]; the module of each rule defines the rest.

use crate::definition::Definition;
use crate::foreign::Foreign;
use crate::{Error, Rule, RuleKey, RuleSpec};
use nn::{Net, Network};
use tensor::Float;

/// The table's entry for a rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RuleInfo {
    /// Name in recipes and records.
    pub name: &'static str,
    /// Name in figures.
    pub title: &'static str,
    /// Its credit as an equation, line by line.
    pub equation: &'static str,
    /// What the symbols are and where the rule comes from.
    pub about: &'static str,
    /// Its keys.
    pub keys: &'static [RuleKey],
}

const COUNT: usize = record::rules::RULES.len();

macro_rules! table {
    ($($rule:ident: $title:literal, $route:expr;)*) => {
        /// The names of the rules, in the order of tables and legends.
        pub const NAMES: [&str; COUNT] = [$(stringify!($rule)),*];

        /// The rules that can be trained, in the order of tables and legends.
        pub const TABLE: [RuleInfo; COUNT] = [$(RuleInfo {
            name: stringify!($rule),
            title: $title,
            equation: crate::$rule::definition::<f32, Net>().equation,
            about: crate::$rule::definition::<f32, Net>().about,
            keys: crate::$rule::definition::<f32, Net>().keys,
        }),*];

        /// The definition of a rule, if the name is known.
        pub(crate) fn definition<T: Float, N: Network<T>>(name: &str) -> Option<Definition<T, N>> {
            match name {
                $(stringify!($rule) => Some(crate::$rule::definition()),)*
                _ => None,
            }
        }
    };
}
record::with_rules!(table);

/// The table's entry for a rule, if the name is known.
pub(crate) fn info(name: &str) -> Option<&'static RuleInfo> {
    const ALL: &[RuleInfo] = &TABLE;
    ALL.iter().find(|info| info.name == name)
}

/// Builds a rule for a network with these parameters. Its random numbers come from the seed's own stream.
///
/// ```
/// use nn::Network;
/// let net = nn::MlpSpec::resmlp(8, 16, 2, 3).build()?;
/// let params: Vec<f32> = net.initial(42);
/// let rule = rules::build(&"dfa".into(), &net, &params, 42)?;
/// assert_eq!(rule.saved().len(), 2, "one feedback matrix per block");
/// assert!(rules::build(&"dfaa".into(), &net, &params, 42).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn build<T: Float, N: Network<T>>(
    spec: &RuleSpec,
    net: &N,
    params: &[T],
    seed: u64,
) -> Result<Box<dyn Rule<T, N>>, Error> {
    check(spec, net)?;
    match (spec.foreign(), definition(&spec.name)) {
        (Some(foreign), _) => foreign.build(spec, net, params, seed),
        (None, Some(definition)) => Ok((definition.build)(spec, net, params, seed)),
        (None, None) => Err(Error::Unknown { name: spec.name.clone() }),
    }
}

/// Whether a rule can train a network.
pub fn check<T: Float, N: Network<T>>(rule: &RuleSpec, net: &N) -> Result<(), Error> {
    let name = || rule.name.clone();
    let unfit = match rule.foreign() {
        Some(foreign) => {
            foreign.is_version_of(rule)?;
            Foreign::unfit(net)
        }
        None => {
            let definition = definition(&rule.name).ok_or_else(|| Error::Unknown { name: name() })?;
            (definition.unfit)(net)
        }
    };
    unfit.map_or(Ok(()), |why| Err(Error::Unfit { rule: name(), why }))
}

/// Number of values in a rule's own tensors, without drawing them; 0 for an unknown name.
pub fn saved_values<T: Float, N: Network<T>>(spec: &RuleSpec, net: &N) -> usize {
    definition::<T, N>(&spec.name).map_or(0, |definition| (definition.saved_values)(spec, net))
}

/// Estimated multiply-adds of a rule per sample and step, on top of the network's own. `inner` is the forward cost of the
/// blocks.
pub fn work<T: Float, N: Network<T>>(spec: &RuleSpec, net: &N, inner: f64) -> f64 {
    definition::<T, N>(&spec.name).map_or(0.0, |definition| (definition.work)(spec, net, inner))
}

/// Whether a rule's credit contains noise that is drawn anew for each batch.
pub fn draws_anew<T: Float, N: Network<T>>(spec: &RuleSpec) -> bool {
    definition::<T, N>(&spec.name).is_some_and(|definition| definition.draws_anew)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn definitions_say_what_is_drawn() {
        for blocks in [0, 3] {
            let net = nn::MlpSpec::resmlp(5, 4, blocks, 3).build().expect("valid");
            let params: Vec<f32> = net.initial(1);
            for name in NAMES {
                let rule = build(&name.into(), &net, &params, 1).expect("known");
                let drawn: usize = rule.saved().iter().map(|saved| saved.values.len()).sum();
                assert_eq!(saved_values::<f32, _>(&name.into(), &net), drawn, "{name}");
                assert_eq!(draws_anew::<f32, nn::Mlp>(&name.into()), rule.fresh_draw(0).is_some(), "{name}");
            }
        }
    }

    #[test]
    fn keys_admit_their_defaults_and_are_the_same_for_every_rule_that_has_them() {
        let mut known = BTreeMap::new();
        for (rule, key) in TABLE.iter().flat_map(|info| info.keys.iter().map(|key| (info.name, key))) {
            assert!(key.name.starts_with("rule."), "{}", key.name);
            assert!(key.admits(key.default), "{rule}: {}", key.name);
            let first = *known.entry(key.name).or_insert(key);
            assert_eq!((first.kind, first.help), (key.kind, key.help), "{rule}: {}", key.name);
        }
    }
}
