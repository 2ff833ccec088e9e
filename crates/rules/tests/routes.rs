//! The way of credit that `record` states for figures and words is the one that the rule's formula has.

use record::route::{Carrier, Predicted, Route, Source};
use rules::{Bridged, Formula, Projected, Replacement, RuleSpec, TABLE};

#[test]
fn every_rule_goes_the_way_of_its_formula() {
    for info in &TABLE {
        let route = record::rules::route(info.name);
        assert_ne!(route, Route::Own, "{}", info.name);
        // `dkp` projects the error like `dfa`, through matrices that learn.
        let expected = match RuleSpec::from(info.name).formula() {
            Some(Formula::Gradient { .. }) => Route::Chain(Carrier::Weights),
            Some(Formula::Chain { .. }) => Route::Chain(Carrier::Fixed),
            Some(Formula::Direct(Projected::Error)) if info.name == "dkp" => {
                Route::Direct(Source::Error, Carrier::Learned)
            }
            Some(Formula::Direct(Projected::Error)) => Route::Direct(Source::Error, Carrier::Fixed),
            Some(Formula::Direct(Projected::Target)) => Route::Direct(Source::Label, Carrier::Fixed),
            Some(Formula::Replaced(Replacement::Signs)) => Route::Chain(Carrier::Signs),
            Some(Formula::Replaced(Replacement::Differences)) => Route::Chain(Carrier::Learned),
            Some(Formula::Bridge(Bridged::State, _)) => Route::Net(Predicted::State),
            Some(Formula::Bridge(Bridged::Value, _)) => Route::Net(Predicted::Loss),
            // No formula: a nudge or noise.
            None => {
                assert!(matches!(route, Route::Nudge | Route::Noise), "{}", info.name);
                continue;
            }
        };
        assert_eq!(route, expected, "{}", info.name);
    }
}

/// The words of a rule's equation bear out what its way says of the embedding.
#[test]
fn the_embedding_shares_the_credit_of_block_0_where_the_equation_says_so() {
    for info in &TABLE {
        let shares = record::rules::route(info.name).to(record::Unit::Embed, 3) == "credit of block 0";
        assert_eq!(shares, info.equation.contains("a_embed = a_0"), "{}", info.name);
    }
}
