//! The figures that only the paper has.

mod claims;
mod crossarch;
mod lambda_sweep;
mod penalty_rescue;

use figures::Entry;

/// The figures that only the paper has, in the order in which `all` draws them.
pub const FIGURES: [Entry; 3] = [
    Entry {
        name: "crossarch",
        about: "states, gradients and accuracy over epochs, one row per network",
        needs: "runs of vit, of resmlp with out_ln = false, of student",
        draw: crossarch::draw,
    },
    Entry {
        name: "penalty-rescue",
        about: "what a penalty on the blocks' output does to states, credit and accuracy",
        needs: "audited runs of dfa and bp with and without rule.penalty, and dfa with rule.frozen",
        draw: penalty_rescue::draw,
    },
    Entry {
        name: "lambda-sweep",
        about: "states, gradients and accuracy of dfa over epochs, for each penalty",
        needs: "runs of dfa with and without rule.penalty; bp and dfa with rule.frozen as references",
        draw: lambda_sweep::draw,
    },
];

/// Every figure of the program, in the order in which `all` draws them: the paper's own follow the first.
pub fn all_figures() -> impl Iterator<Item = &'static Entry> {
    let (first, others) = figures::FIGURES.split_at(1);
    first.iter().chain(&FIGURES).chain(others)
}
