//! The figures that any set of runs can want, in the order in which `all` draws them.

use super::composed::shipped;
use super::request::{CatalogueError, Drawing, Request};
use super::{
    architecture, audit_hero, cifar_state_vs_credit, dissociation, normalisation, nulls, series, verdicts,
};

/// A figure of the catalogue.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Its name, which its files carry too.
    pub name: &'static str,
    /// What it shows, in a few words.
    pub about: &'static str,
    /// What it is drawn from.
    pub needs: &'static str,
    /// Draws it.
    pub draw: fn(&Request) -> Result<Drawing, CatalogueError>,
}

/// Every figure.
pub const FIGURES: [Entry; 14] = [
    Entry {
        name: "audit-hero",
        about: "accuracy against mean cosine, then cosine and gradient layer by layer",
        needs: "runs of several rules; audits make its cosines exact",
        draw: audit_hero::draw,
    },
    Entry {
        name: "architecture",
        about: "the network, and where the credit of each unit comes from under each rule",
        needs: "runs of one network",
        draw: architecture::draw,
    },
    Entry {
        name: "alignment",
        about: "cosine of every unit's credit with the gradient over epochs, one panel per rule",
        needs: "runs of any rules",
        draw: |request| shipped("alignment", request),
    },
    Entry {
        name: "layers",
        about: "cosine of every unit's credit with the gradient over epochs as a heat map, one per rule",
        needs: "runs of any rules",
        draw: |request| shipped("layers", request),
    },
    Entry {
        name: "cifar-accuracy",
        about: "accuracy in training and on the test set over epochs",
        needs: "runs of several rules on one data set, of any name",
        draw: |request| shipped("cifar-accuracy", request),
    },
    Entry {
        name: "cifar-diagnostics",
        about: "cosine, rho and nudge of the credit at each block",
        needs: "audited runs of several rules",
        draw: |request| shipped("cifar-diagnostics", request),
    },
    Entry {
        name: "cifar-drift",
        about: "how far each block's first weight matrix went in training",
        needs: "finished runs of several rules",
        draw: |request| shipped("cifar-drift", request),
    },
    Entry {
        name: "cifar-state-vs-credit",
        about: "error of predicting the last state, with accuracies without backpropagation",
        needs: "runs of state_bridge and of other rules",
        draw: cifar_state_vs_credit::draw,
    },
    Entry {
        name: "cifar-summary",
        about: "test accuracy after the last epoch, one bar per rule",
        needs: "runs of several rules",
        draw: |request| shipped("cifar-summary", request),
    },
    Entry {
        name: "verdicts",
        about: "every check with its threshold, and how far each rule is from it",
        needs: "audited runs; logs with norms do for D1, D2 and D3",
        draw: verdicts::draw,
    },
    Entry {
        name: "nulls",
        about: "cosine and ρ of every unit against what chance gives",
        needs: "audits with nulls",
        draw: nulls::draw,
    },
    Entry {
        name: "dissociation",
        about: "where cosine ranks rules differently from accuracy, ρ and nudge",
        needs: "runs of several rules; audits for ρ and nudge",
        draw: dissociation::draw,
    },
    Entry {
        name: "normalisation",
        about: "how much of the growth is the rule, how much the normalisation of its credit",
        needs: "runs that differ in rule.normalise; in optim.clip too, if that is asked",
        draw: normalisation::draw,
    },
    Entry {
        name: "series",
        about: "every series of the log layer by layer; those that --series names over epochs too",
        needs: "runs of several rules",
        draw: series::draw,
    },
];

/// The figure of that name.
pub fn find(name: &str) -> Option<&'static Entry> {
    FIGURES.iter().find(|entry| entry.name == name)
}
