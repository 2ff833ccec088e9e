//! The warnings of an audit, by the names that they have in `audit.json`. What to do about each is said where pages say it.

use super::topic::{Topic, normal, read};
use crate::remedy::flag;
use record::Unit;
use record::audit::Warning;
use report::audit::advice;

pub(super) fn topics() -> Vec<Topic> {
    let mut topics = read(include_str!("pages/warnings.txt"));
    for warning in one_of_each() {
        let name = name(&warning);
        if let Some(topic) = topics.iter_mut().find(|topic| normal(topic.name) == name) {
            let (action, remedy) = advice(&warning);
            topic.action = action.to_owned();
            topic.key = remedy.map_or("", flag).to_owned();
        }
    }
    topics
}

/// Its name in `audit.json`.
pub(super) fn name(warning: &Warning) -> String {
    let json = serde_json::to_value(warning).unwrap_or_default();
    json["warning"].as_str().map(normal).unwrap_or_default()
}

/// The warnings that have a page of their own.
pub(super) fn one_of_each() -> [Warning; 29] {
    let none = String::new;
    [
        Warning::TooFewSamples { samples: 0, wanted: 0 },
        Warning::SamplesDiffer { samples: vec![] },
        Warning::OneSeed { groups: vec![] },
        Warning::SeedsDiffer { a: none(), b: none() },
        Warning::OneUnitDominates { unit: Unit::Embed, mean: 0.0, without: 0.0 },
        Warning::ReferenceUnreliable { units: 0, of: 0 },
        Warning::HalfPrecision { tensors: vec![] },
        Warning::SamplesAssumed { samples: 0 },
        Warning::Missing { tensors: vec![], unjudged: none() },
        Warning::ReferenceDiffers { cosine: 0.0, ratio: 0.0 },
        Warning::ReferenceContradicted { states: vec![], rho: 0.0 },
        Warning::LossDiffers { cosine: 0.0 },
        Warning::NothingCompared,
        Warning::LossChangesRounded { states: vec![] },
        Warning::GradientJumps { unit: Unit::Embed, factor: 0.0 },
        Warning::DirectFeedback { units: vec![] },
        Warning::LogOnly { why: none() },
        Warning::Elsewhere { by: none(), measured: false },
        Warning::Unfinished { epoch: 0, of: 0 },
        Warning::StepEnlarged { step: 0.0, asked: 0.0 },
        Warning::EvidenceDisagrees { units: vec![] },
        Warning::Ignored { tensors: vec![] },
        Warning::HeadDiffers { difference: 0.0 },
        Warning::ReductionDiffers { seems: 0, taken: 0 },
        Warning::AccuracyOfSamples { samples: 0 },
        Warning::RecipeChanged,
        Warning::TooFewDraws { draws: 0 },
        Warning::Stopped { reason: none() },
        Warning::MidEpoch { epoch: 0, step: 0 },
    ]
}
