//! Words, symbols and small numbers that several parts of an audit's text share.

use crate::show::{self, Symbol};
use protocol::{Statistics, statistics};
use record::audit::{Audit, CheckId, CheckResult, NullKind, Outcome, Standing, Verdict};

/// A verdict in a symbol: `?` where nothing fired, but something could not be looked at.
pub(super) fn verdict_symbol(verdict: &Verdict) -> Symbol {
    match verdict {
        Verdict::Pass { open } if open.is_empty() => Symbol::Good,
        Verdict::Pass { .. } => Symbol::Open,
        Verdict::Fail { .. } => Symbol::Bad,
        Verdict::NotAssessed => Symbol::Absent,
    }
}

/// An outcome in a symbol.
pub(super) fn outcome_symbol(outcome: &Outcome) -> Symbol {
    match outcome {
        Outcome::Passes => Symbol::Good,
        Outcome::Fires => Symbol::Bad,
        Outcome::NotAssessed { .. } => Symbol::Open,
    }
}

/// A check of an audit.
pub(super) fn check(audit: &Audit, id: CheckId) -> Option<&CheckResult> {
    audit.checks.iter().find(|check| check.check == id)
}

/// A standing in a symbol and a word or two.
pub(super) fn standing(standing: Standing) -> (Symbol, &'static str) {
    match standing {
        Standing::ReferenceNotGradient => (Symbol::Bad, "reference not the gradient"),
        Standing::Useful => (Symbol::Good, "useful"),
        Standing::Detectable => (Symbol::Open, "detectable"),
        Standing::Mixed => (Symbol::Open, "mixed"),
        Standing::Chance => (Symbol::Chance, "chance"),
        Standing::Misleading => (Symbol::Bad, "misleading"),
        Standing::Unconfirmed => (Symbol::Open, "unconfirmed"),
        Standing::CannotBeJudged => (Symbol::Open, "cannot judge"),
        Standing::Dead => (Symbol::Bad, "dead"),
        Standing::Broken => (Symbol::Bad, "broken"),
    }
}

/// The same as a sentence without its end.
pub(super) fn standing_sentence(standing: Standing) -> &'static str {
    match standing {
        Standing::ReferenceNotGradient => {
            "what it was compared with is not the gradient of this forward pass"
        }
        Standing::Useful => {
            "its cosine and nudge are large and beat chance, and so does everything else that was measured"
        }
        Standing::Detectable => "its evidence beats chance, but its cosine or its nudge is small",
        Standing::Mixed => "some of its evidence beats chance, some does not",
        Standing::Chance => "none of its evidence beats chance",
        Standing::Misleading => "its credit points away from the gradient, more than chance would",
        Standing::Unconfirmed => "only its cosine was measured: nothing was compared with chance",
        Standing::CannotBeJudged => "its cosine does not exist, or the numbers behind it are not reliable",
        Standing::Dead => "no credit arrives",
        Standing::Broken => "something is infinite or not a number",
    }
}

/// What a check measures, shown next to its name.
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

/// Which chance, in words.
pub(super) fn null_kind(kind: NullKind) -> String {
    kind.name().replace('_', " ")
}

/// What is counted.
#[derive(Clone, Copy, Debug)]
pub(super) enum Noun {
    Samples,
    Seeds,
}

impl Noun {
    /// `1 seed`, `1,280 samples`.
    pub(super) fn count(self, n: u64) -> String {
        let word = match self {
            Self::Samples => "sample",
            Self::Seeds => "seed",
        };
        format!("{} {word}{}", show::count(n), if n == 1 { "" } else { "s" })
    }
}

/// `.551 ±.011`, or without deviation where there is one value.
pub(super) fn spread(values: &[f64]) -> Option<String> {
    statistics(values.iter().copied()).map(|Statistics { mean, sd, .. }| match sd {
        Some(sd) => format!("{} ±{}", show::signed(mean), show::share(sd)),
        None => show::signed(mean),
    })
}

/// The name of a member within its group: its seed.
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
        assert_eq!([Noun::Seeds.count(1), Noun::Samples.count(1280)], ["1 seed", "1,280 samples"]);
    }
}
