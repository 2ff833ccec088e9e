//! Faults that do not show in the credit: changed feedback, and parameters that never moved.

use record::Unit;
use record::audit::{Consistency, Fault, Finding, Site};

/// What is known about the steps of one unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitSteps {
    /// The unit.
    pub unit: Unit,
    /// Whether the recipe trains it.
    pub trained: bool,
    /// Whether any step was taken at a learning rate above 0.
    pub stepped: bool,
    /// Whether all its parameters still have their initial bits.
    pub unchanged: bool,
}

/// Whether fixed feedback stayed as it was drawn: `epochs` are the hashes of the log, `saved` that of the checkpoint,
/// `of_seed` that of the seed's draw.
///
/// Not for rules that train their feedback. A change that does not show between two epochs of the log shows as
/// feedback that is not the seed's.
///
/// ```
/// use audit::consistency::feedback_finding;
/// use record::audit::Fault;
/// let log = |hashes: &[&str]| (1..).zip(hashes.iter().map(|h| h.to_string())).collect::<Vec<(u64, String)>>();
/// assert_eq!(feedback_finding(&log(&["a", "a"]), "a", "a"), None);
/// let fault = feedback_finding(&log(&["a", "b"]), "b", "a").unwrap().fault;
/// assert_eq!(fault, Fault::FeedbackChanged { from: 1, to: 2 });
/// assert_eq!(feedback_finding(&log(&["b", "b"]), "b", "a").unwrap().fault, Fault::FeedbackNotOfSeed);
/// ```
pub fn feedback_finding(epochs: &[(u64, String)], saved: &str, of_seed: &str) -> Option<Finding> {
    let mut epochs: Vec<&(u64, String)> = epochs.iter().collect();
    epochs.sort_by_key(|(epoch, _)| *epoch);
    let finding = |fault| Some(Finding { unit: Site::Feedback, fault, difference: None });
    if let Some(pair) = epochs.windows(2).find(|pair| pair[0].1 != pair[1].1) {
        return finding(Fault::FeedbackChanged { from: pair[0].0, to: pair[1].0 });
    }
    let all = epochs.iter().map(|(_, hash)| hash.as_str()).chain([saved]);
    if all.into_iter().any(|hash| hash != of_seed) { finding(Fault::FeedbackNotOfSeed) } else { None }
}

/// Units that the recipe trains and steps were taken for, but that have not changed in any bit.
pub fn never_stepped(units: &[UnitSteps]) -> Vec<Finding> {
    let still = |unit: &&UnitSteps| unit.trained && unit.stepped && unit.unchanged;
    let finding =
        |unit: &UnitSteps| Finding { unit: unit.unit.into(), fault: Fault::NeverStepped, difference: None };
    units.iter().filter(still).map(finding).collect()
}

/// Combines the comparison of credit with other findings: any finding makes it differ.
pub fn together(compare: Consistency, more: Vec<Finding>) -> Consistency {
    match compare {
        compare if more.is_empty() => compare,
        Consistency::Differs { findings } => {
            Consistency::Differs { findings: by_gravity(findings.into_iter().chain(more).collect()) }
        }
        Consistency::Agrees { .. } | Consistency::NotAssessed { .. } => {
            Consistency::Differs { findings: by_gravity(more) }
        }
    }
}

/// If the credit of all `reached` units with feedback is unexplained, and there are at least two, the feedback as a whole
/// is different.
pub(super) fn as_one(findings: Vec<Finding>, reached: usize) -> Vec<Finding> {
    let all = findings.iter().all(|finding| finding.fault == Fault::Unexplained);
    if reached < 2 || findings.len() != reached || !all {
        return findings;
    }
    let difference = findings.iter().filter_map(|finding| finding.difference).reduce(f64::max);
    vec![Finding { unit: Site::Feedback, fault: Fault::FeedbackNotSaved, difference }]
}

/// Gravest first, and units in their order among equals.
pub(super) fn by_gravity(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.sort_by_key(|finding| rank(&finding.fault));
    findings
}

/// What affects all units comes first, then what makes a unit unlearn, then what keeps it from learning.
fn rank(fault: &Fault) -> u8 {
    match fault {
        Fault::FeedbackChanged { .. } => 0,
        Fault::FeedbackNotOfSeed | Fault::FeedbackNotSaved => 1,
        Fault::SignFlipped => 2,
        Fault::NeverStepped => 3,
        Fault::Zeroed => 4,
        Fault::SamplesShuffled => 5,
        Fault::OtherUnitsCredit { .. } => 6,
        Fault::OtherFeedback { .. } => 7,
        Fault::FeedbackTransposed => 8,
        Fault::Unexplained => 9,
    }
}
