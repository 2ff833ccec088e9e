//! What the evidence about one unit's credit adds up to, and where it disagrees with itself.

use crate::THRESHOLDS;
use record::audit::{Evidence, Place, Quantity, Standing, Thresholds};
use record::{Measured, Why};

/// The standing of a unit, and in words what does not fit together.
///
/// Cosine, ρ and nudge are independent measurements. Each speaks for the credit where it beats every null that applies; a
/// nudge must also lower the loss. They agree, or the disagreement is said. Credit that beats chance is detectable; to be useful it
/// must also be large enough to matter.
pub fn standing(evidence: &Evidence, limits: &Thresholds) -> (Standing, Vec<String>) {
    match evidence.cosine {
        Measured::Undefined { why: Why::CreditVanished } => return (Standing::Dead, Vec::new()),
        Measured::Undefined { why: Why::NotFinite } => return (Standing::Broken, Vec::new()),
        Measured::Unreliable { why: Why::NotTheGradient, .. } => {
            return (Standing::ReferenceNotGradient, Vec::new());
        }
        Measured::Undefined { .. }
        | Measured::Unreliable {
            why:
                Why::ReferenceBelowFloor | Why::PrecisionsDisagree | Why::SameNumbers | Why::ReferenceDoubtful,
            ..
        } => return (Standing::CannotBeJudged, without_a_cosine(evidence)),
        _ => {}
    }
    // With an estimate there is no nudge of the gradient to hold the credit's against, nor chance for the cosine: it decides only
    // where all of its interval is too small to matter.
    if evidence.estimate.is_some_and(|estimate| estimate.high >= least_useful(limits)) {
        return (Standing::CannotBeJudged, without_a_cosine(evidence));
    }
    if evidence.nulls.is_empty() {
        return (Standing::Unconfirmed, Vec::new());
    }
    let voices: Vec<Voice> = [Quantity::Cosine, Quantity::Rho, Quantity::Nudge]
        .into_iter()
        .filter_map(|quantity| Voice::of(evidence, quantity))
        .collect();
    // One measurement is not enough: a cosine that beats chance needs ρ or a nudge as well.
    let standing = if voices.iter().all(|voice| voice.speaks == Chance::Beats) {
        match voices.len() {
            1 => Standing::Unconfirmed,
            _ if matters(evidence, limits) => Standing::Useful,
            _ => Standing::Detectable,
        }
    } else if voices.iter().any(|voice| voice.speaks == Chance::Beats) {
        Standing::Mixed
    } else if voices.iter().any(|voice| voice.speaks == Chance::Worse) {
        Standing::Misleading
    } else {
        Standing::Chance
    };
    let notes = if standing == Standing::Mixed { disagreement(evidence, &voices) } else { Vec::new() };
    (standing, notes)
}

/// Whether credit is large enough to be called useful: its cosine, and its nudge as a share of the gradient's own.
fn matters(evidence: &Evidence, limits: &Thresholds) -> bool {
    let least = least_useful(limits);
    let middle = evidence.nudges.len().checked_sub(1).and_then(|last| evidence.nudges.get(last / 2));
    let share = middle.and_then(|nudge| Some(nudge.change.value()? / nudge.gradient.value()?));
    evidence.cosine.value() >= Some(least) && share >= Some(least)
}

/// The least cosine, and the least share of the gradient's own nudge, that is called useful.
fn least_useful(limits: &Thresholds) -> f64 {
    limits.useful.or(THRESHOLDS.useful).unwrap_or(0.0)
}

/// How a measured value compares with chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chance {
    /// Better than every draw.
    Beats,
    /// Among the draws of some null.
    Within,
    /// Worse than every draw.
    Worse,
}

/// How a quantity compares with every null that applies: it beats chance where it beats them all, and is worse where it is worse
/// than all. A nudge is good where it lowers the loss. None where no null applies.
pub fn against_chance(evidence: &Evidence, of: Quantity) -> Option<Chance> {
    let nulls = || evidence.nulls.iter().filter(|null| null.of == of);
    nulls().next()?;
    // A nudge that lowers the loss is negative, so its good side is below the band.
    let (good, bad) = match of {
        Quantity::Nudge => (Place::Below, Place::Above),
        Quantity::Cosine | Quantity::Rho => (Place::Above, Place::Below),
    };
    // Raising the loss less than chance does is still raising it.
    let helps = of != Quantity::Nudge || nulls().all(|null| null.value < 0.0);
    Some(if helps && nulls().all(|null| null.place == good) {
        Chance::Beats
    } else if nulls().all(|null| null.place == bad) {
        Chance::Worse
    } else {
        Chance::Within
    })
}

/// What one measurement says.
struct Voice {
    of: Quantity,
    speaks: Chance,
}

impl Voice {
    /// None where no null was drawn for the quantity.
    fn of(evidence: &Evidence, of: Quantity) -> Option<Self> {
        Some(Self { of, speaks: against_chance(evidence, of)? })
    }

    fn words(&self, evidence: &Evidence) -> String {
        let value = evidence.nulls.iter().find(|null| null.of == self.of).map_or(f64::NAN, |null| null.value);
        let name = match self.of {
            Quantity::Cosine => format!("the cosine ({value:.2})"),
            Quantity::Rho => format!("rho ({value:.2})"),
            Quantity::Nudge if value < 0.0 => format!("the nudge (it lowers the loss by {:.1e})", -value),
            Quantity::Nudge => format!("the nudge (it raises the loss by {value:.1e})"),
        };
        let verb = match self.speaks {
            Chance::Beats => "beats chance",
            Chance::Within => "does not beat chance",
            Chance::Worse => "is worse than chance",
        };
        format!("{name} {verb}")
    }
}

/// Which measurements speak for the credit, and which do not.
fn disagreement(evidence: &Evidence, voices: &[Voice]) -> Vec<String> {
    let (good, rest): (Vec<&Voice>, Vec<&Voice>) =
        voices.iter().partition(|voice| voice.speaks == Chance::Beats);
    let list = |voices: &[&Voice]| {
        voices.iter().map(|voice| voice.words(evidence)).collect::<Vec<_>>().join(" and ")
    };
    vec![format!("{}, but {}", list(&good), list(&rest))]
}

/// Where the cosine is not reliable, ρ and nudge, which need no reference, are worth a word.
fn without_a_cosine(evidence: &Evidence) -> Vec<String> {
    let mut notes = Vec::new();
    for of in [Quantity::Rho, Quantity::Nudge] {
        if let Some(voice) = Voice::of(evidence, of).filter(|voice| voice.speaks != Chance::Within) {
            let words = voice.words(evidence);
            notes.push(format!("{words}, though the cosine is not reliable"));
        }
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::audit::{Estimate, Nudge, Null, NullKind};

    /// A value against draws from −.02 to .03.
    fn null(of: Quantity, value: f64) -> Null {
        let low = -0.02;
        let high = 0.03;
        let place = match value {
            _ if value < low => Place::Below,
            _ if value > high => Place::Above,
            _ => Place::Inside,
        };
        Null { kind: NullKind::FreshFeedback, of, draws: 20, samples: 128, value, low, high, place }
    }

    fn evidence(cosine: f64, rho: f64, nudge: f64) -> Evidence {
        let nulls =
            vec![null(Quantity::Cosine, cosine), null(Quantity::Rho, rho), null(Quantity::Nudge, nudge)];
        let cosine = Measured::Defined { value: cosine };
        let gradient = Measured::Defined { value: -1.0 };
        let nudges = vec![Nudge { eta: 0.01, change: Measured::Defined { value: nudge }, gradient }];
        Evidence { cosine, estimate: None, spread: None, torch: None, rho: None, nudges, nulls }
    }

    fn standing(evidence: &Evidence) -> (Standing, Vec<String>) {
        super::standing(evidence, &THRESHOLDS)
    }

    /// The smallest that are called useful, and what is just below them.
    #[test]
    fn what_beats_chance_is_useful_only_where_it_is_large() {
        let of = |cosine: f64, nudge: f64| standing(&evidence(cosine, 0.4, nudge)).0;
        assert_eq!(of(0.1, -0.1), Standing::Useful);
        assert_eq!(of(0.099, -0.1), Standing::Detectable);
        assert_eq!(of(0.1, -0.099), Standing::Detectable);
        let bare = Evidence { nudges: vec![], ..evidence(0.4, 0.4, -0.5) };
        assert_eq!(standing(&bare).0, Standing::Detectable, "without a nudge nothing says that it matters");
        let strict = Thresholds { useful: Some(0.5), ..THRESHOLDS };
        assert_eq!(super::standing(&evidence(0.4, 0.4, -0.5), &strict).0, Standing::Detectable);
    }

    #[test]
    fn agreement_has_a_word_and_disagreement_a_sentence() {
        assert_eq!(standing(&evidence(0.4, 0.4, -0.5)), (Standing::Useful, vec![]));
        assert_eq!(standing(&evidence(0.0, 0.0, 0.0)), (Standing::Chance, vec![]));
        assert_eq!(standing(&evidence(-0.4, -0.4, 0.5)), (Standing::Misleading, vec![]));
        let (mixed, notes) = standing(&evidence(0.9, 0.9, 0.001));
        assert_eq!(mixed, Standing::Mixed);
        assert_eq!(
            notes,
            [
                "the cosine (0.90) beats chance and rho (0.90) beats chance, but the nudge (it raises the loss by 1.0e-3) does \
              not beat chance"
            ]
        );
    }

    /// A nudge below its band that still raises the loss does not help.
    #[test]
    fn a_nudge_must_lower_the_loss() {
        let mut raised = evidence(0.9, 0.9, -0.5);
        raised.nulls[2] = Null { value: 0.2, low: 0.3, high: 0.4, place: Place::Below, ..raised.nulls[2] };
        assert_eq!(standing(&raised).0, Standing::Mixed);
    }

    /// Chance is not drawn for it, and what the gradient's own nudge is worth is not known.
    #[test]
    fn an_estimate_decides_only_where_all_of_its_interval_is_small() {
        let why = Why::ReferenceEstimated;
        let of = |low: f64, high: f64, rho: f64| {
            let mut seen = evidence(0.0, rho, if rho > 0.0 { -0.5 } else { 0.0 });
            seen.cosine = Measured::Unreliable { value: 0.5 * (low + high), why };
            seen.estimate = Some(Estimate { low, high, directions: 32 });
            seen.nudges.iter_mut().for_each(|nudge| nudge.gradient = Measured::Undefined { why });
            seen.nulls.retain(|null| null.of != Quantity::Cosine);
            standing(&seen).0
        };
        assert_eq!(of(0.09, 0.2, 0.4), Standing::CannotBeJudged);
        assert_eq!(of(-1.0, 1.0, 0.4), Standing::CannotBeJudged);
        assert_eq!(of(0.1, 0.2, 0.4), Standing::CannotBeJudged, "large, but perhaps of no use");
        assert_eq!(of(0.01, 0.05, 0.4), Standing::Detectable);
        assert_eq!(of(-0.01, 0.01, 0.0), Standing::Chance);
    }

    #[test]
    fn what_cannot_be_judged_is_not_judged() {
        let with = |cosine: Measured| Evidence { cosine, ..evidence(0.4, 0.4, -0.5) };
        let of = |cosine: Measured| standing(&with(cosine)).0;
        assert_eq!(of(Measured::Undefined { why: Why::CreditVanished }), Standing::Dead);
        assert_eq!(of(Measured::Undefined { why: Why::NotFinite }), Standing::Broken);
        assert_eq!(of(Measured::Undefined { why: Why::ReferenceVanished }), Standing::CannotBeJudged);
        let why = Why::PrecisionsDisagree;
        assert_eq!(of(Measured::Unreliable { value: 0.3, why }), Standing::CannotBeJudged);
        let (judged, notes) =
            standing(&with(Measured::Unreliable { value: 0.3, why: Why::ReferenceBelowFloor }));
        assert_eq!(judged, Standing::CannotBeJudged);
        assert_eq!(notes.len(), 2, "rho and nudge each have a word: {notes:?}");
        let bare = Evidence { nulls: vec![], ..evidence(0.4, 0.4, -0.5) };
        assert_eq!(standing(&bare).0, Standing::Unconfirmed);
        let mut cosine_alone = evidence(0.4, 0.4, -0.5);
        cosine_alone.nulls.truncate(1);
        assert_eq!(standing(&cosine_alone).0, Standing::Unconfirmed);
    }
}
