//! The learning rules by name, in the order of tables and legends, each with its title and the way of its credit.
//!
//! The list is open for reading: a record may name a rule that is not on it. Such a rule keeps its name for a title and
//! comes after the listed ones; it only cannot be trained.

use crate::route::{Carrier, Predicted, Route, Source};

/// Hands the list to a macro. The crate `rules` makes its table from the same lines, so that names, titles and order are
/// written here alone.
#[macro_export]
macro_rules! with_rules {
    ($make:ident) => {
        $make! {
            bp: "BP", Route::Chain(Carrier::Weights);
            fa: "FA", Route::Chain(Carrier::Fixed);
            dfa: "DFA", Route::Direct(Source::Error, Carrier::Fixed);
            ep: "EP", Route::Nudge;
            state_bridge: "State bridge", Route::Net(Predicted::State);
            credit_bridge: "Credit bridge", Route::Net(Predicted::Loss);
            sign_symmetry: "Sign symmetry", Route::Chain(Carrier::Signs);
            kolen_pollack: "Kolen–Pollack", Route::Chain(Carrier::Learned);
            dkp: "Direct Kolen–Pollack", Route::Direct(Source::Error, Carrier::Learned);
            drtp: "DRTP", Route::Direct(Source::Label, Carrier::Fixed);
            node_perturbation: "Node perturbation", Route::Noise;
        }
    };
}

/// A listed rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name in recipes and records.
    pub name: &'static str,
    /// Its name in figures.
    pub title: &'static str,
    /// How its credit comes to the units.
    pub route: Route,
}

macro_rules! list {
    ($($name:ident: $title:literal, $route:expr;)*) => {
        /// The listed rules, in the order of tables and legends.
        pub const RULES: &[Rule] = &[$(Rule { name: stringify!($name), title: $title, route: $route }),*];
    };
}
with_rules!(list);

/// Sorts rules into the order of tables and legends; rules that are not listed follow by name.
///
/// ```
/// let mut rules = ["my_rule", "drtp", "another", "bp"];
/// rules.sort_by_key(|rule| record::rules::place(rule));
/// assert_eq!(rules, ["bp", "drtp", "another", "my_rule"]);
/// ```
pub fn place(rule: &str) -> (usize, &str) {
    (RULES.iter().position(|listed| listed.name == rule).unwrap_or(RULES.len()), rule)
}

/// The name of a rule in figures: its title, or the name itself where it is not listed.
pub fn title(rule: &str) -> &str {
    RULES.iter().find(|listed| listed.name == rule).map_or(rule, |listed| listed.title)
}

/// How the credit of a rule comes to the units.
pub fn route(rule: &str) -> Route {
    RULES.iter().find(|listed| listed.name == rule).map_or(Route::Own, |listed| listed.route)
}

/// Whether a rule is listed.
pub fn is_listed(rule: &str) -> bool {
    RULES.iter().any(|listed| listed.name == rule)
}
