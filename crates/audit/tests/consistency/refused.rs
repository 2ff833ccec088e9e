//! What cannot be compared says why, and never panics.

use crate::kinds::{RULES, SIZES, networks};
use crate::run::Run;
use audit::consistency::{PlainNetwork, PlainTensor, Recorded, compare};
use record::audit::Consistency;
use rules::RuleSpec;
use std::collections::BTreeMap;

fn run(rule: &'static str) -> Run {
    Run::new(networks(2)[0].clone(), rule, 0.0, SIZES, 41)
}

fn refused(outcome: Consistency, words: &str) {
    let Consistency::NotAssessed { why } = &outcome else { panic!("{words}: {outcome:?}") };
    assert!(why.contains(words), "{words}: {why}");
}

/// Whether the credit follows from the tensor: a bridge also saves what it learns by, and what it has warmed up with.
fn enters(rule: &str, name: &str) -> bool {
    match name {
        // Moments and slow copies are of learning, not of credit.
        _ if ["rule.first", "rule.second", "rule.slow"].iter().any(|of| name.starts_with(of)) => false,
        "rule.net" => rule != "credit_bridge warm",
        _ => !(name.starts_with("feedback.") && rule.starts_with("credit_bridge")) || rule.ends_with("warm"),
    }
}

/// Every tensor of every rule: gone, of another shape, of too few values, with a value that is no number.
#[test]
fn a_tensor_that_does_not_fit_is_named() {
    for rule in RULES {
        let run = run(rule);
        let whole = run.tensors();
        let credit = run.healthy();
        for name in whole.keys().filter(|name| enters(rule, name)) {
            let with = |change: &dyn Fn(&mut PlainTensor)| {
                let mut tensors = whole.clone();
                tensors.get_mut(name).into_iter().for_each(change);
                refused(run.compare_with(&tensors, &credit), "`");
                run.compare_with(&tensors, &credit)
            };
            let mut without = whole.clone();
            without.remove(name);
            refused(run.compare_with(&without, &credit), &format!("`{name}` is missing"));
            refused(with(&|t| t.shape.push(1)), &format!("`{name}` has shape"));
            // The shape of the embedding's or the head's weight says what all others should have.
            with(&|t| t.shape[0] += 1);
            with(&|t| t.shape[0] = 0);
            with(&|t| t.shape.clear());
            refused(with(&|t| t.values.truncate(t.values.len() - 1)), &format!("`{name}` has"));
            refused(with(&|t| t.values[0] = f64::NAN), &format!("`{name}` contains"));
        }
        refused(run.compare_with(&BTreeMap::new(), &credit), "` is missing");
    }
}

#[test]
fn a_record_that_does_not_fit_its_network_says_so() {
    let run = run("fa");
    let tensors = run.tensors();
    let credit = run.healthy();
    let whole = || Recorded {
        rule: "fa",
        penalty: 0.0,
        formula: RuleSpec::from("fa").formula(),
        net: run.net.clone(),
        tensors: &tensors,
        x: &run.x,
        labels: &run.labels,
        batch: run.batch,
        credit: &credit,
    };
    assert!(matches!(compare(&whole()), Consistency::Agrees { .. }));
    let refuse = |recorded: Recorded<'_>, words: &str| refused(compare(&recorded), words);
    let known = |rule: &str| RULES.iter().any(|known| known.split(' ').next() == Some(rule));
    for rule in rules::NAMES.into_iter().filter(|rule| !known(rule)) {
        let formula = RuleSpec::from(rule).formula();
        refuse(Recorded { rule, formula, ..whole() }, &format!("no plain path for the rule {rule}"));
    }
    for name in ["vit", "resnet"] {
        let net = PlainNetwork::Other { name: name.into() };
        refuse(Recorded { net, ..whole() }, &format!("no plain path for the network {name}"));
    }
    let blocks = 3;
    let deeper = PlainNetwork::Resmlp { blocks, out_ln: true, skip: true };
    refuse(Recorded { net: deeper, ..whole() }, "`blocks.2.ln.weight` is missing");
    let alpha = PlainNetwork::Student { blocks: 2, alpha: f64::NAN, skip: true };
    refuse(Recorded { net: alpha, ..whole() }, "alpha is NaN");
    let formula = RuleSpec::from("bp").formula();
    refuse(Recorded { formula, penalty: f64::INFINITY, ..whole() }, "the penalty is inf");
    refuse(Recorded { batch: 0, ..whole() }, "averages over has no samples");
    refuse(Recorded { x: &[], labels: &[], ..whole() }, "no samples");
    refuse(Recorded { x: &run.x[1..], ..whole() }, "6 samples of 7 inputs have 41 values");
    refuse(Recorded { labels: &[0, 1, 2, 9, 0, 1], ..whole() }, "label 9, but there are 5 classes");
    let mut x = run.x.clone();
    x[3] = f32::NAN;
    refuse(Recorded { x: &x, ..whole() }, "the inputs contain infinite values");
    refuse(Recorded { credit: &credit[1..], ..whole() }, "credit of 2 units was recorded");
    let short = [credit[0].clone(), credit[1][1..].to_vec(), credit[2].clone()];
    refuse(Recorded { credit: &short, ..whole() }, "the credit of block 0 has 71 values, not 72");
}

/// Weights that are finite one by one and give states that are not.
#[test]
fn states_out_of_range_are_not_assessed() {
    // Targets alone need no states.
    for rule in RULES.into_iter().filter(|rule| *rule != "drtp") {
        let run = run(rule);
        let mut tensors = run.tensors();
        let credit = run.healthy();
        for name in ["embed.weight", "blocks.0.w2.weight", "out_head.weight"] {
            tensors.get_mut(name).expect("there").values.fill(1e300);
        }
        assert!(matches!(run.compare_with(&tensors, &credit), Consistency::NotAssessed { .. }), "{rule}");
    }
    // In f32 a LayerNorm of states beyond 1e19 divides by infinity: no credit arrives, and no rule is to blame.
    let mut run = run("bp");
    run.scale("blocks.1.w2.weight", 1e21);
    let credit = run.healthy();
    assert!(credit[2].iter().all(|a| *a == 0.0));
    refused(run.compare(&credit), "block 1");
}
