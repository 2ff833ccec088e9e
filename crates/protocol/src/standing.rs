//! What the evidence about one unit's credit adds up to, and where it disagrees with itself.

use record::audit::{Evidence, Place, Quantity, Standing};
use record::{Measured, Why};

/// A cosine from which on one says in words that it looks good. No check depends on it.
const LOOKS_GOOD: f64 = 0.3;

/// The standing of a unit, and in words what does not fit together.
///
/// Cosine, ρ and nudge are independent measurements. Each speaks for the credit where it beats every null that applies; a
/// nudge must also lower the loss. They agree, or the disagreement is said.
pub fn standing(evidence: &Evidence) -> (Standing, Vec<String>) {
    match evidence.cosine {
        Measured::Undefined { why: Why::CreditVanished } => return (Standing::Dead, Vec::new()),
        Measured::Undefined { why: Why::NotFinite } => return (Standing::Broken, Vec::new()),
        Measured::Undefined { .. } | Measured::Unreliable { why: Why::ReferenceBelowFloor, .. } => {
            return (Standing::CannotBeJudged, beyond_the_floor(evidence));
        }
        Measured::Unreliable { why: Why::PrecisionsDisagree, .. } => {
            return (Standing::CannotBeJudged, Vec::new());
        }
        _ => {}
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
        if voices.len() > 1 { Standing::Useful } else { Standing::Unconfirmed }
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

/// Where the reference is too small to mean anything, a cosine that looks good, or a credit that still moves the loss, is
/// worth a word.
fn beyond_the_floor(evidence: &Evidence) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(value) = evidence.cosine.value().filter(|value| *value >= LOOKS_GOOD) {
        notes.push(format!("a cosine of {value:.2} looks good, but its reference is below the floor"));
    }
    for of in [Quantity::Rho, Quantity::Nudge] {
        if let Some(voice) = Voice::of(evidence, of).filter(|voice| voice.speaks != Chance::Within) {
            let words = voice.words(evidence);
            notes.push(format!("{words}, though the gradient is too small to be compared with"));
        }
    }
    let torch = evidence.torch.zip(evidence.cosine.value());
    if let Some((torch, exact)) = torch.filter(|(torch, exact)| (torch - exact).abs() > 0.01) {
        notes.push(format!("a cosine that clamps norms would show {torch:.2} in place of {exact:.2}"));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::audit::{Null, NullKind};

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
        Evidence { cosine, spread: None, torch: None, rho: None, nudges: Vec::new(), nulls }
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

    #[test]
    fn what_cannot_be_judged_is_not_judged() {
        let with = |cosine: Measured| Evidence { cosine, torch: Some(0.13), ..evidence(0.4, 0.4, -0.5) };
        let of = |cosine: Measured| standing(&with(cosine)).0;
        assert_eq!(of(Measured::Undefined { why: Why::CreditVanished }), Standing::Dead);
        assert_eq!(of(Measured::Undefined { why: Why::NotFinite }), Standing::Broken);
        assert_eq!(of(Measured::Undefined { why: Why::ReferenceVanished }), Standing::CannotBeJudged);
        let why = Why::PrecisionsDisagree;
        assert_eq!(of(Measured::Unreliable { value: 0.3, why }), Standing::CannotBeJudged);
        let (judged, notes) =
            standing(&with(Measured::Unreliable { value: 0.3, why: Why::ReferenceBelowFloor }));
        assert_eq!(judged, Standing::CannotBeJudged);
        assert_eq!(notes.len(), 4, "cosine, rho, nudge and clamping each have a word: {notes:?}");
        let bare = Evidence { nulls: vec![], ..evidence(0.4, 0.4, -0.5) };
        assert_eq!(standing(&bare).0, Standing::Unconfirmed);
        let mut cosine_alone = evidence(0.4, 0.4, -0.5);
        cosine_alone.nulls.truncate(1);
        assert_eq!(standing(&cosine_alone).0, Standing::Unconfirmed);
    }
}
