//! Synthetic published values for tests of layout.

use figures::catalogue::{Published, PublishedAccuracies, PublishedRule};
use figures::reader::Setting;

pub(crate) fn published() -> Published {
    let rule = |(i, name): (usize, &str)| {
        let bad = i as f64;
        PublishedRule {
            rule: name.to_owned(),
            accuracy: 0.6 - 0.15 * bad,
            gamma: 1.0 - 0.45 * bad,
            cosine: (0..4).map(|l| 1.0 - 0.3 * bad - 0.1 * bad * f64::from(l)).collect(),
            gradient: (0..5).map(|l| 4e-4 * 10f64.powf(-bad * f64::from(l))).collect(),
        }
    };
    let accuracies = |blocks: u64, rules: &[&str]| PublishedAccuracies {
        blocks,
        rows: rules.iter().map(|rule| ((*rule).to_owned(), 0.3, (*rule != "bp").then_some(0.01))).collect(),
        source: format!("table of {blocks} blocks"),
        setting: format!("CIFAR-10, resmlp d=256 L={blocks}, 100 epochs, 3 seeds"),
    };
    Published {
        citation: "A. Author, \"A Study of 100% of the Rules\"".to_owned(),
        rules: ["bp", "fa", "dfa"].into_iter().enumerate().map(rule).collect(),
        sources: vec!["figure 1, panel a".to_owned(), "figure 1, panel b".to_owned()],
        setting: "CIFAR-10, resmlp d=256 L=4, seed 42".to_owned(),
        classes: 10,
        network: Setting { network: "resmlp".to_owned(), blocks: Some(4), ..Setting::default() },
        accuracies: vec![
            accuracies(4, &["bp", "fa", "ep", "dfa", "credit_bridge", "state_bridge"]),
            accuracies(24, &["bp", "dfa"]),
        ],
    }
}
