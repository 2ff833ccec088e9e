//! Words, symbols and small numbers that several parts of an audit's text share.

use crate::show;
use protocol::{Statistics, statistics};
use record::audit::{Audit, CheckId, CheckResult, NullKind, Outcome, Quantity, Standing, Verdict};

/// A verdict in a symbol: `?` where nothing fired, but something could not be looked at.
pub(super) fn verdict_symbol(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Pass { open } if open.is_empty() => "✓",
        Verdict::Pass { .. } => "?",
        Verdict::Fail { .. } => "✗",
        Verdict::NotAssessed => "–",
    }
}

/// An outcome in a symbol.
pub(super) fn outcome_symbol(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Passes => "✓",
        Outcome::Fires => "✗",
        Outcome::NotAssessed { .. } => "?",
    }
}

/// A standing in a symbol and a word or two.
pub(super) fn standing(standing: Standing) -> (&'static str, &'static str) {
    match standing {
        Standing::Useful => ("✓", "useful"),
        Standing::Mixed => ("?", "mixed"),
        Standing::Chance => ("·", "chance"),
        Standing::Misleading => ("✗", "misleading"),
        Standing::Unconfirmed => ("?", "unconfirmed"),
        Standing::CannotBeJudged => ("?", "cannot judge"),
        Standing::Dead => ("✗", "dead"),
        Standing::Broken => ("✗", "broken"),
    }
}

/// The same as a sentence without its end.
pub(super) fn standing_sentence(standing: Standing) -> &'static str {
    match standing {
        Standing::Useful => "its cosine beats chance, and so does all that was measured beside it",
        Standing::Mixed => "some of its evidence beats chance, some does not",
        Standing::Chance => "none of its evidence beats chance",
        Standing::Misleading => "its credit points away from the gradient, more than chance would",
        Standing::Unconfirmed => "only the cosine speaks for it: nothing beside it was held against chance",
        Standing::CannotBeJudged => "the gradient means nothing here, so nothing can be said",
        Standing::Dead => "no credit arrives",
        Standing::Broken => "something is infinite or not a number",
    }
}

/// What a check measures, beside its name.
pub(super) fn statistic_name(check: CheckId) -> &'static str {
    match check {
        CheckId::D1 => "growth",
        CheckId::D2 => "‖g_L‖",
        CheckId::Direction => "mean pairwise cosine",
        CheckId::D3 => "gain",
        CheckId::Consistency => "largest relative difference of credit",
    }
}

/// The statistic of a check as people read it; a gain is in points.
pub(super) fn statistic(check: CheckId, x: f64) -> String {
    match check {
        CheckId::D3 => points(x),
        CheckId::Direction => show::signed(x),
        _ => show::scientific(x),
    }
}

/// Where a check fires, as the side on which it does not: `≤ 50`.
pub(super) fn limit(check: CheckId, threshold: f64) -> String {
    match check {
        CheckId::D3 => format!("≥ {} pt", points(threshold)),
        CheckId::D2 => format!("≥ {}", show::scientific(threshold)),
        _ => format!("≤ {}", statistic(check, threshold)),
    }
}

/// A check with its number and its limit: `growth 6.5e4, limit ≤ 50`.
pub(super) fn numbers(check: &CheckResult) -> String {
    let limit = limit(check.check, check.threshold);
    let name = statistic_name(check.check);
    match check.statistic {
        Some(x) => {
            let unit = if check.check == CheckId::D3 { " pt" } else { "" };
            format!("{name} {}{unit}, limit {limit}", statistic(check.check, x))
        }
        None => format!("{name} unknown, limit {limit}"),
    }
}

/// `+12.0`: a share in points. What rounds to zero has no sign.
pub(super) fn points(share: f64) -> String {
    let text = format!("{:+.1}", 100.0 * share);
    if text == "-0.0" { "+0.0".to_owned() } else { text }
}

/// `-1.2e-2`: a change of the loss, whose sign is what matters.
pub(super) fn change(x: f64) -> String {
    if x.is_finite() { format!("{x:+.1e}") } else { show::scientific(x) }
}

/// Which chance.
pub(super) fn null_kind(kind: NullKind) -> &'static str {
    match kind {
        NullKind::FreshFeedback => "fresh feedback",
        NullKind::PermutedLabels => "permuted labels",
        NullKind::ShuffledSamples => "shuffled samples",
        NullKind::TurnedFeatures => "turned features",
    }
}

/// Of what.
pub(super) fn quantity(of: Quantity) -> &'static str {
    match of {
        Quantity::Cosine => "cosine",
        Quantity::Rho => "rho",
        Quantity::Nudge => "nudge",
    }
}

/// `.551 ±.011`, or without deviation where there is one value.
pub(super) fn spread(values: &[f64]) -> Option<String> {
    statistics(values.iter().copied()).map(|Statistics { mean, sd, .. }| match sd {
        Some(sd) => format!("{} ±{}", show::signed(mean), show::share(sd)),
        None => show::signed(mean),
    })
}

/// How a member of a group is called beside the others: by its seed.
pub(super) fn label(audit: &Audit) -> String {
    audit.subject.seed().map_or_else(|| audit.subject.id().to_owned(), |seed| format!("seed {seed}"))
}

/// `seeds 42, 123`, or nothing where it is all of them or there is only one.
pub(super) fn which(some: &[&Audit], all: usize) -> String {
    let names = || some.iter().map(|audit| audit.subject.seed().map(|seed| seed.to_string()));
    let names: Option<Vec<String>> = names().collect();
    match names {
        _ if some.len() == all => String::new(),
        Some(names) if names.len() == 1 => format!("seed {}", names[0]),
        Some(names) => format!("seeds {}", names.join(", ")),
        None => some.iter().map(|audit| audit.subject.id()).collect::<Vec<_>>().join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_read_well() {
        assert_eq!([0.12, -0.0712, -0.0001].map(points), ["+12.0", "-7.1", "+0.0"]);
        assert_eq!([-0.0123, 4e-5].map(change), ["-1.2e-2", "+4.0e-5"]);
        assert_eq!(spread(&[0.5, 0.6]).as_deref(), Some(".550 ±.071"));
        assert_eq!(spread(&[0.5]).as_deref(), Some(".500"));
        assert_eq!(spread(&[]), None);
        assert_eq!(limit(CheckId::D2, 1e-7), "≥ 1e-7");
        assert_eq!(limit(CheckId::D3, 0.02), "≥ +2.0 pt");
    }
}
