//! Sentences about a penalty, chosen by the values that the panels above them show.

/// Orders of magnitude that count as a change.
const CHANGE: f64 = 0.5;

/// What becomes of the last state: its norm without the penalty and with each.
pub(super) fn states(without: Option<f64>, with: &[f64]) -> Option<String> {
    let without = without?;
    let orders: Vec<f64> = with.iter().map(|norm| (without / norm).log10()).collect();
    let least = orders.iter().copied().reduce(f64::min)?;
    let most = orders.iter().copied().reduce(f64::max)?;
    let range = |low: f64, high: f64| {
        let [low, high] = [low, high].map(|v| format!("{v:.1}"));
        if low == high { low } else { format!("{low} to {high}") }
    };
    let what = "$\\|h_L\\|$";
    Some(if least > CHANGE {
        format!("The penalty lowers {what} by {} orders of magnitude", range(least, most))
    } else if most < -CHANGE {
        format!("The penalty raises {what} by {} orders of magnitude", range(-most, -least))
    } else if least >= -CHANGE && most <= CHANGE {
        format!("The penalty hardly changes {what}")
    } else {
        let most = most.max(-least);
        format!("Some penalties change {what} by up to {most:.1} orders of magnitude, others hardly")
    })
}

/// On which side of the floor the gradient ends, by the name of the condition.
pub(super) fn gradients(floor: f64, ends: &[(String, f64)]) -> Option<String> {
    let (below, above): (Vec<_>, Vec<_>) = ends.iter().partition(|(_, norm)| *norm < floor);
    Some(match (below.is_empty(), above.is_empty()) {
        (true, true) => return None,
        (true, false) => "The gradient ends above the D2 floor under all of them".to_owned(),
        (false, true) => "The gradient ends below the D2 floor under all of them".to_owned(),
        (false, false) => {
            format!("The gradient ends below the D2 floor: {}; above: {}", names(&below), names(&above))
        }
    })
}

/// Which conditions gain as much over frozen blocks as D3 asks for.
pub(super) fn gains(frozen: f64, least: f64, ends: &[(String, f64)]) -> Option<String> {
    let (enough, short): (Vec<_>, Vec<_>) = ends.iter().partition(|(_, accuracy)| accuracy - frozen >= least);
    let points = (1e4 * least).round() / 1e2;
    let bar = format!("{points} points over frozen blocks");
    Some(match (enough.is_empty(), short.is_empty()) {
        (true, true) => return None,
        (true, false) => format!("None gains {bar}"),
        (false, true) => format!("All gain {bar}"),
        (false, false) => format!("{bar} are gained by {}, not by {}", names(&enough), names(&short)),
    })
}

/// The accuracy of a rule without the penalty and with it.
pub(super) struct Pair {
    pub(super) name: String,
    pub(super) without: Option<f64>,
    pub(super) with: Option<f64>,
    /// ‖h_L‖ with the penalty.
    pub(super) state: Option<f64>,
}

impl Pair {
    /// Points that the penalty adds.
    fn change(&self) -> Option<f64> {
        Some(100.0 * (self.with? - self.without?))
    }

    fn words(&self) -> Option<String> {
        let change = self.change()?;
        Some(match change {
            _ if change.abs() < 0.05 => format!("changes nothing for {}", self.name),
            _ if change < 0.0 => format!("costs {} {:.1} points", self.name, -change),
            _ => format!("brings {} {change:.1} points", self.name),
        })
    }
}

/// What the penalty costs or brings, and what of the difference between the rules it leaves. States of like size leave the
/// difference to the credit.
pub(super) fn accuracies(bp: &Pair, other: &Pair) -> Option<String> {
    let changes: Vec<String> = [bp, other].iter().filter_map(|pair| pair.words()).collect();
    let change = (!changes.is_empty()).then(|| format!("The penalty {}", changes.join(" and ")));
    let gap = (|| {
        let gap = 100.0 * (bp.with? - other.with?);
        let ratio = (bp.state? / other.state?).log10().abs();
        let [ahead, behind] = if gap >= 0.0 { [&bp.name, &other.name] } else { [&other.name, &bp.name] };
        let words = format!("with it, {behind} is {:.1} points behind {ahead}", gap.abs());
        Some(if ratio < 1.0 { format!("{words} at states of like size: that gap is credit") } else { words })
    })();
    let sentence = [change, gap].into_iter().flatten().collect::<Vec<_>>().join("; ");
    (!sentence.is_empty()).then_some(sentence)
}

/// A mean over the deep blocks, and the range of draws of fresh feedback about it.
#[derive(Clone, Copy)]
pub(super) struct AgainstChance {
    /// `None` if it cannot be judged.
    pub(super) value: Option<f64>,
    pub(super) low: f64,
    pub(super) high: f64,
}

impl AgainstChance {
    fn words(self) -> &'static str {
        match self.value {
            None => "cannot be judged",
            Some(value) if value > self.high => "above every draw of fresh feedback",
            Some(value) if value < self.low => "below every draw of fresh feedback",
            Some(_) => "within what fresh feedback draws",
        }
    }
}

/// Where the two measures stand under the condition of that name.
pub(super) fn measures(name: &str, cosine: AgainstChance, rho: AgainstChance) -> String {
    let [a, b] = [cosine.words(), rho.words()];
    match (cosine.value, rho.value) {
        (None, None) => format!("At {name}, neither measure can be judged"),
        _ if a == b => format!("At {name}, both measures agree: {a}"),
        (Some(_), Some(_)) => format!("At {name}, the measures disagree: cosine {a}, $\\rho$ {b}"),
        _ => format!("At {name}: cosine {a}, $\\rho$ {b}"),
    }
}

fn names(ends: &[&(String, f64)]) -> String {
    ends.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_lowered_raised_or_left() {
        let words = |without, with: &[f64]| states(Some(without), with).unwrap();
        assert_eq!(words(1e7, &[1e4]), "The penalty lowers $\\|h_L\\|$ by 3.0 orders of magnitude");
        assert_eq!(words(1e4, &[1e7]), "The penalty raises $\\|h_L\\|$ by 3.0 orders of magnitude");
        assert!(words(1e7, &[1e4, 1e2]).contains("3.0 to 5.0"));
        assert!(words(1e4, &[1.2e4]).contains("hardly changes"));
        assert!(words(1e7, &[1e7, 1e5]).contains("up to 2.0 orders"));
        assert_eq!((states(None, &[1.0]), states(Some(1.0), &[])), (None, None));
    }

    fn named(a: f64, b: f64) -> [(String, f64); 2] {
        [("A".to_owned(), a), ("B".to_owned(), b)]
    }

    #[test]
    fn sides_swap_with_the_values() {
        let words = |a, b| gradients(1e-7, &named(a, b)).unwrap();
        assert_eq!(words(1e-8, 1e-6), "The gradient ends below the D2 floor: A; above: B");
        assert_eq!(words(1e-6, 1e-8), "The gradient ends below the D2 floor: B; above: A");
        assert!(words(1e-6, 1e-6).contains("above the D2 floor under all"));
        let words = |a, b| gains(0.34, 0.02, &named(a, b)).unwrap();
        assert_eq!(words(0.37, 0.35), "2 points over frozen blocks are gained by A, not by B");
        assert_eq!(words(0.35, 0.37), "2 points over frozen blocks are gained by B, not by A");
        assert_eq!(words(0.3, 0.3), "None gains 2 points over frozen blocks");
    }

    fn pair(name: &str, without: f64, with: f64, state: f64) -> Pair {
        Pair { name: name.to_owned(), without: Some(without), with: Some(with), state: Some(state) }
    }

    #[test]
    fn costs_and_gaps_follow_the_accuracies() {
        let words = |bp: [f64; 2], dfa: [f64; 2], state| {
            accuracies(&pair("BP", bp[0], bp[1], 100.0), &pair("DFA", dfa[0], dfa[1], state)).unwrap()
        };
        assert_eq!(
            words([0.6, 0.55], [0.3, 0.36], 120.0),
            "The penalty costs BP 5.0 points and brings DFA 6.0 points; with it, DFA is 19.0 points behind BP at states \
             of like size: that gap is credit"
        );
        let swapped = words([0.3, 0.36], [0.6, 0.55], 1e5);
        assert_eq!(
            swapped,
            "The penalty brings BP 6.0 points and costs DFA 5.0 points; with it, BP is 19.0 points behind DFA"
        );
        let alone = Pair { with: None, ..pair("DFA", 0.3, 0.0, 1.0) };
        assert_eq!(
            accuracies(&pair("BP", 0.6, 0.55, 1.0), &alone).unwrap(),
            "The penalty costs BP 5.0 points"
        );
    }

    #[test]
    fn measures_agree_only_if_both_say_the_same() {
        let at = |value| AgainstChance { value, low: -0.05, high: 0.05 };
        let words = |a, b| measures("it", at(a), at(b));
        assert_eq!(
            words(Some(0.2), Some(0.1)),
            "At it, both measures agree: above every draw of fresh feedback"
        );
        assert_eq!(
            words(Some(0.0), Some(0.01)),
            "At it, both measures agree: within what fresh feedback draws"
        );
        assert!(words(Some(0.2), Some(0.0)).contains("disagree: cosine above"));
        assert!(words(Some(0.0), Some(0.2)).contains("disagree: cosine within"));
        assert!(words(None, Some(0.2)).contains("cosine cannot be judged"));
        assert_eq!(words(None, None), "At it, neither measure can be judged");
    }
}
