//! Whether something was found that must not be, for scripts and continuous integration.

use super::warning_words::message;
use super::words::{self, null_kind, numbers};
use crate::show;
use protocol::accuses;
use record::Measured;
use record::audit::{Audit, AuditSet, CheckId, Consistency, Outcome, Place, Quantity, Standing, UnitAudit};

/// What must not be found. Frozen baselines are not held to anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FailOn {
    /// What credit is compared with is not the gradient.
    Reference,
    /// A block multiplies the hidden norm too much.
    D1,
    /// The gradient at the top is too small to be compared with.
    D2,
    /// Trained blocks are worth no more than frozen ones.
    D3,
    /// All batches give the same gradient.
    Direction,
    /// Credit is not the one that weights and feedback give.
    Consistency,
    /// A cosine does not exist.
    Undefined,
    /// A cosine is unreliable.
    Unreliable,
    /// A cosine or ρ is worse than chance.
    BelowNull,
    /// A cosine or ρ is no better than chance.
    WithinNull,
    /// No credit arrives at a unit.
    Dead,
    /// Something of a unit is infinite or not a number.
    Broken,
    /// Credit points away from the gradient, more than chance would.
    Misleading,
    /// D1, D2 or D3 could not be assessed.
    NotAssessed,
}

impl FailOn {
    /// All of them by name, in order.
    pub const NAMED: [(&str, Self); 14] = [
        ("reference", Self::Reference),
        ("D1", Self::D1),
        ("D2", Self::D2),
        ("D3", Self::D3),
        ("direction", Self::Direction),
        ("consistency", Self::Consistency),
        ("undefined", Self::Undefined),
        ("unreliable", Self::Unreliable),
        ("below-null", Self::BelowNull),
        ("within-null", Self::WithinNull),
        ("dead", Self::Dead),
        ("broken", Self::Broken),
        ("misleading", Self::Misleading),
        ("not-assessed", Self::NotAssessed),
    ];
}

/// What a run answers to the question whether it is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It is there.
    Found(String),
    /// Unknown.
    Open(String),
}

/// Everything that speaks against the runs of a set, or leaves the question open.
pub fn answers(set: &AuditSet, on: FailOn) -> Vec<Answer> {
    set.audits.iter().filter(|audit| !audit.subject.is_frozen()).flat_map(|audit| of(audit, on)).collect()
}

fn of(audit: &Audit, on: FailOn) -> Vec<Answer> {
    match on {
        FailOn::Reference => {
            let accusing = audit.warnings.iter().filter(|warning| accuses(warning));
            accusing.map(|warning| found(audit, &message(warning))).collect()
        }
        FailOn::D1 => of_check(audit, CheckId::D1),
        FailOn::D2 => of_check(audit, CheckId::D2),
        FailOn::D3 => of_check(audit, CheckId::D3),
        FailOn::Direction => of_check(audit, CheckId::Direction),
        FailOn::Consistency => of_consistency(audit),
        FailOn::Undefined => of_units(audit, |unit| match unit.here.as_ref().map(|here| here.cosine) {
            Some(Measured::Undefined { why }) => Some(format!("cosine undefined: {}", why.words())),
            // What holds an infinity may still have a cosine over its other samples.
            _ => standing(unit, Standing::Broken),
        }),
        FailOn::Unreliable => of_units(audit, |unit| match unit.here.as_ref()?.cosine {
            Measured::Unreliable { value, why } => {
                Some(format!("cosine {} unreliable: {}", show::signed(value), why.words()))
            }
            _ => None,
        }),
        FailOn::BelowNull => of_nulls(audit, |place| place == Place::Below),
        FailOn::WithinNull => of_nulls(audit, |place| place != Place::Above),
        FailOn::Dead => of_units(audit, |unit| standing(unit, Standing::Dead)),
        FailOn::Broken => of_units(audit, |unit| standing(unit, Standing::Broken)),
        FailOn::Misleading => of_units(audit, |unit| standing(unit, Standing::Misleading)),
        FailOn::NotAssessed => {
            let open = [CheckId::D1, CheckId::D2, CheckId::D3].into_iter().flat_map(|id| of_check(audit, id));
            let found = open.filter_map(|answer| match answer {
                Answer::Open(words) => Some(Answer::Found(words)),
                Answer::Found(_) => None,
            });
            found.collect()
        }
    }
}

fn found(audit: &Audit, words: &str) -> Answer {
    Answer::Found(format!("{}: {words}", audit.subject.id()))
}

fn open(audit: &Audit, words: &str) -> Vec<Answer> {
    vec![Answer::Open(format!("{}: {words}", audit.subject.id()))]
}

fn of_check(audit: &Audit, id: CheckId) -> Vec<Answer> {
    let Some(check) = audit.checks.iter().find(|check| check.check == id) else {
        return open(audit, &format!("{} was not assessed", id.name()));
    };
    match &check.outcome {
        Outcome::Passes => Vec::new(),
        Outcome::Fires => {
            let since =
                check.first_fired.map_or_else(String::new, |epoch| format!(", first at epoch {epoch}"));
            vec![found(audit, &format!("{} fires: {}{since}", id.name(), numbers(check)))]
        }
        Outcome::NotAssessed { why } => open(audit, &format!("{} not assessed: {why}", id.name())),
    }
}

/// The findings say more than the check; where there are none, the check speaks.
fn of_consistency(audit: &Audit) -> Vec<Answer> {
    match &audit.consistency {
        Consistency::Differs { findings } if !findings.is_empty() => {
            let each = findings.iter().map(|finding| {
                let by = finding
                    .difference
                    .map_or_else(String::new, |x| format!(" (relative difference {})", show::scientific(x)));
                found(audit, &format!("consistency: {}: {}{by}", finding.unit, finding.fault.words()))
            });
            each.collect()
        }
        Consistency::NotAssessed { why } => open(audit, &format!("consistency not assessed: {why}")),
        _ => of_check(audit, CheckId::Consistency),
    }
}

fn of_units(audit: &Audit, bad: fn(&UnitAudit) -> Option<String>) -> Vec<Answer> {
    let each = audit.units.iter().filter_map(|unit| Some((unit, bad(unit)?)));
    each.map(|(unit, words)| found(audit, &format!("{}: {words}", unit.unit))).collect()
}

fn standing(unit: &UnitAudit, bad: Standing) -> Option<String> {
    let words = || format!("{}: {}", words::standing(bad).1, words::standing_sentence(bad));
    (unit.standing == bad).then(words)
}

fn of_nulls(audit: &Audit, bad: fn(Place) -> bool) -> Vec<Answer> {
    let nulls = || {
        let of_unit = |unit: &UnitAudit| unit.here.clone().map(|evidence| evidence.nulls);
        let each = audit.units.iter().filter_map(move |unit| Some((unit.unit, of_unit(unit)?)));
        each.flat_map(|(unit, nulls)| nulls.into_iter().map(move |null| (unit, null)))
            .filter(|(_, null)| null.of != Quantity::Nudge)
    };
    if nulls().next().is_none() {
        return open(audit, "no null applies or none was drawn, so nothing was compared with chance");
    }
    let each = nulls().filter(|(_, null)| bad(null.place)).map(|(unit, null)| {
        let side = if null.place == Place::Below { "below" } else { "within" };
        found(
            audit,
            &format!(
                "{unit}: {} {} is {side} chance, {} to {} ({})",
                null.of.name(),
                show::signed(null.value),
                show::signed(null.low),
                show::signed(null.high),
                null_kind(null.kind)
            ),
        )
    });
    each.collect()
}
