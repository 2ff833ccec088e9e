//! Recorded credit against recomputed credit: the verdict.

use super::agreement::{Agreement, Expectations};
use super::arithmetic::Arithmetic;
use super::checked::CheckedRecord;
use super::findings::{as_one, by_gravity};
use super::hypotheses::explain;
use super::recorded::Recorded;
use super::replay::Replay;
use record::Unit;
use record::audit::{Consistency, Finding};

/// Recomputes the credit of every unit and compares: it agrees to 1e-4 of its norm (or to what f32 rounding allows, if
/// that is more), or each unit that differs is named with the likely fault.
///
/// What cannot be compared is not assessed, with the reason: another rule or network, a tensor that is missing or of
/// the wrong shape, values that are not finite, or a credit of which f32 keeps no digits (in a solved task, for example).
/// See the [module](super) for an example.
pub fn compare(recorded: &Recorded<'_>) -> Consistency {
    match CheckedRecord::read(recorded) {
        Ok(checked) => consistency(&checked),
        Err(why) => Consistency::NotAssessed { why },
    }
}

fn consistency(checked: &CheckedRecord<'_>) -> Consistency {
    let mut exact = Replay::new(checked, Arithmetic::exact());
    let mut expectations = Expectations::new(checked, &mut exact);
    let units = 0..=checked.top();
    if let Some(unit) = units.clone().find(|&unit| expectations.plain(unit).iter().any(|x| !x.is_finite())) {
        let unit = Unit::at(unit);
        return not_assessed(format!("the recomputed credit of {unit} is not finite: weights are too large"));
    }
    let agreements = |expectations: &Expectations| -> Vec<Agreement> {
        units.clone().map(|unit| expectations.agreement(checked, unit)).collect()
    };
    let mut found = agreements(&expectations);
    // Rounding is measured only if something differs: it costs as much as eight passes.
    if found.iter().any(|agreement| !matches!(agreement, Agreement::Sound(_))) {
        expectations.blur(checked, &exact);
        found = agreements(&expectations);
    }
    let finding = |(unit, agreement): (usize, &Agreement)| match *agreement {
        Agreement::Wrong(difference) => Some(Finding {
            unit: Unit::at(unit).into(),
            fault: explain(checked, &mut exact, &expectations, &found, unit),
            difference: Some(difference),
        }),
        _ => None,
    };
    let findings: Vec<Finding> = found.iter().enumerate().filter_map(finding).collect();
    if !findings.is_empty() {
        let fed = checked.path.fed(checked.top());
        return Consistency::Differs { findings: by_gravity(as_one(findings, fed)) };
    }
    let blurred = found.iter().enumerate().filter_map(|(unit, agreement)| match agreement {
        Agreement::Blurred(share) => Some((Unit::at(unit).to_string(), *share)),
        _ => None,
    });
    let (names, shares): (Vec<String>, Vec<f64>) = blurred.unzip();
    if !names.is_empty() {
        let share = shares.into_iter().fold(0.0, f64::max);
        return not_assessed(unclear(&names.join(", "), share));
    }
    let sound = |agreement: &Agreement| if let Agreement::Sound(x) = agreement { *x } else { 0.0 };
    Consistency::Agrees { worst: found.iter().map(sound).fold(0.0, f64::max) }
}

fn not_assessed(why: String) -> Consistency {
    Consistency::NotAssessed { why }
}

fn unclear(units: &str, share: f64) -> String {
    if share < 1.0 {
        format!("rounding in f32 alone may change the credit by {:.0} % at {units}", 100.0 * share)
    } else {
        format!("f32 keeps no digit of the credit at {units}: it is lost in rounding, or out of range")
    }
}
