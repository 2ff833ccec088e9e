//! Which warnings an audit carries, and in which order pages list them. All are decided here, except those about the arrays of
//! a dump, which are decided where they are read.

use crate::gamma::dominated;
use crate::{DRAWS, SAMPLES, accuses};
use record::audit::{Audit, Group, Settings, Standing, UnitAudit, Warning};
use record::{Run, Status, Unit, Why};

/// The rank of a kind of warning: pages list the gravest first, which has the lowest.
pub fn rank(warning: &Warning) -> u8 {
    match warning {
        // Numbers of another recipe, or none at all.
        Warning::RecipeChanged | Warning::Stopped { .. } | Warning::NotFinite { .. } => 0,
        // Credit is compared with something that is not the gradient, or with itself.
        Warning::ReferenceContradicted { .. } | Warning::NothingCompared => 0,
        warning if accuses(warning) => 0,
        // Credit is compared with something doubtful.
        Warning::HeadDiffers { .. } | Warning::ReductionDiffers { .. } | Warning::ReferenceDiffers { .. } => {
            1
        }
        Warning::ReferenceUnreliable { .. } | Warning::HalfPrecision { .. } => 1,
        // Something was not judged, or not at its end.
        Warning::Missing { .. } | Warning::Ignored { .. } | Warning::LogOnly { .. } => 2,
        Warning::Elsewhere { .. } => 2,
        Warning::LossChangesRounded { .. } | Warning::LossDiffers { .. } => 2,
        Warning::Unfinished { .. } | Warning::MidEpoch { .. } => 2,
        // A number that can mislead.
        Warning::OneUnitDominates { .. }
        | Warning::EvidenceDisagrees { .. }
        | Warning::GradientJumps { .. } => 3,
        Warning::SamplesAssumed { .. }
        | Warning::AccuracyOfSamples { .. }
        | Warning::SamplesDiffer { .. } => 3,
        // Right, but uncertain.
        Warning::OneSeed { .. } | Warning::SeedsDiffer { .. } | Warning::TooFewSamples { .. } => 4,
        Warning::TooFewDraws { .. } | Warning::StepEnlarged { .. } | Warning::DirectFeedback { .. } => 4,
    }
}

/// Fewer samples than the protocol is stated for.
pub fn too_few_samples(samples: u64) -> Option<Warning> {
    (samples < SAMPLES).then_some(Warning::TooFewSamples { samples, wanted: SAMPLES })
}

/// About a measurement of a checkpoint that was saved `step` steps after `epoch`.
pub fn of_measurement(settings: &Settings, epoch: u64, step: u64) -> Vec<Warning> {
    let mid_epoch = (step > 0).then_some(Warning::MidEpoch { epoch, step });
    let draws = settings.draws;
    let too_few_draws = (1..DRAWS).contains(&draws).then_some(Warning::TooFewDraws { draws });
    too_few_samples(settings.samples).into_iter().chain(mid_epoch).chain(too_few_draws).collect()
}

/// Whether a warning is about a measurement, and so stays true for as long as the measurement is kept.
pub fn is_of_measurement(warning: &Warning) -> bool {
    matches!(warning, Warning::TooFewSamples { .. } | Warning::MidEpoch { .. } | Warning::TooFewDraws { .. })
}

/// About a run that has trained `epoch` of the epochs asked for; `recipe_hash` is that of its recipe file now.
pub fn of_run(run: &Run, recipe_hash: &str, epoch: u64, of: u64) -> Vec<Warning> {
    let status = &run.record.status;
    let changed = recipe_hash != run.record.provenance.recipe_hash;
    let short = *status == Status::Finished && epoch < of;
    let ended = match status {
        Status::Stopped { reason, .. } => Some(Warning::Stopped { reason: reason.clone() }),
        status if !status.is_complete() || short => Some(Warning::Unfinished { epoch, of }),
        _ => None,
    };
    changed.then_some(Warning::RecipeChanged).into_iter().chain(ended).collect()
}

/// About a run that another program trained; `measured` says whether the network itself was measured at its end.
pub fn of_elsewhere(run: &Run, measured: bool) -> Vec<Warning> {
    let Some(elsewhere) = &run.record.provenance.elsewhere else { return Vec::new() };
    let samples = run.last().filter(|_| elsewhere.accuracy_of_samples).map(|last| last.evaluation.samples);
    let accuracy = samples.map(|samples| Warning::AccuracyOfSamples { samples });
    let by = elsewhere.by.clone();
    [Warning::Elsewhere { by, measured }].into_iter().chain(accuracy).collect()
}

/// Whether a warning is one of [`of_units`], and so decided anew whenever units are.
pub fn is_of_units(warning: &Warning) -> bool {
    matches!(
        warning,
        Warning::StepEnlarged { .. }
            | Warning::ReferenceUnreliable { .. }
            | Warning::OneUnitDominates { .. }
            | Warning::EvidenceDisagrees { .. }
    )
}

/// About units: steps longer than `asked`, no reliable reference, a mean that one unit gives, evidence that disagrees.
pub fn of_units(units: &[UnitAudit], asked: f64) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let evidence = units.iter().flat_map(|unit| [&unit.here, &unit.at_input]).flatten();
    let enlarged = evidence.filter_map(|e| e.rho).filter(|rho| rho.enlarged).map(|rho| rho.step);
    if let Some(step) = enlarged.reduce(f64::max) {
        warnings.push(Warning::StepEnlarged { step, asked });
    }
    let unreliable = |unit: &&UnitAudit| {
        let why = unit.here.as_ref().and_then(|evidence| evidence.cosine.why());
        matches!(why, Some(Why::ReferenceBelowFloor | Why::PrecisionsDisagree))
    };
    let count = units.iter().filter(unreliable).count() as u64;
    if count > 0 {
        warnings.push(Warning::ReferenceUnreliable { units: count, of: units.len() as u64 });
    }
    warnings.extend(dominated(units));
    let mixed = units.iter().filter(|unit| unit.standing == Standing::Mixed);
    let mixed: Vec<Unit> = mixed.map(|unit| unit.unit).collect();
    if !mixed.is_empty() {
        warnings.push(Warning::EvidenceDisagrees { units: mixed });
    }
    warnings
}

/// About audits side by side.
pub(crate) fn of_set(audits: &[Audit], groups: &[Group]) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let mut samples: Vec<u64> = audits.iter().map(|audit| audit.samples).collect();
    samples.sort_unstable();
    samples.dedup();
    if samples.len() > 1 {
        warnings.push(Warning::SamplesDiffer { samples });
    }
    let runs = |group: &&Group| {
        group.seeds.iter().all(Option::is_some) && !audits[group.members[0]].subject.is_frozen()
    };
    let trained: Vec<&Group> = groups.iter().filter(runs).collect();
    let single = trained.iter().filter(|group| group.seeds.len() == 1).map(|group| group.name.clone());
    let single: Vec<String> = single.collect();
    if !single.is_empty() {
        warnings.push(Warning::OneSeed { groups: single });
    }
    for (i, a) in trained.iter().enumerate() {
        let others = trained[i + 1..].iter().filter(|b| a.seeds != b.seeds);
        warnings.extend(others.map(|b| Warning::SeedsDiffer { a: a.name.clone(), b: b.name.clone() }));
    }
    warnings
}
