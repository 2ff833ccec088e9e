//! JUnit's XML, which every continuous-integration server reads: one suite per run, one case per
//! check and unit. Frozen baselines are left out, since nothing is asked of them.

use super::reach;
use super::words::{change, numbers, standing, standing_sentence};
use crate::show;
use record::audit::{Audit, AuditSet, CheckId, CheckResult, Consistency, Outcome, Standing, UnitAudit};
use record::{Measured, escape};

/// How a case came out, with what there is to say.
enum Case {
    Passed(Option<String>),
    Failed { message: String, text: String },
    Skipped(String),
}

/// The report of several sets, each with a name of its own; a single one needs none.
pub fn text(sets: &[(&str, &AuditSet)]) -> String {
    let all = sets.iter().flat_map(|(sweep, set)| set.audits.iter().map(move |audit| (*sweep, audit)));
    let judged = || all.clone().filter(|(_, audit)| !audit.subject.is_frozen());
    let suites: Vec<Vec<(String, Case)>> = judged().map(|(_, audit)| cases(audit)).collect();
    let cases_of_all = suites.iter().flatten().map(|(_, case)| case);
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    text.push_str(&format!("<testsuites name=\"creditscope audit\"{}>\n", counts(cases_of_all)));
    for ((sweep, audit), cases) in judged().zip(&suites) {
        let id = audit.subject.id();
        let id = escaped(&if sweep.is_empty() { id.to_owned() } else { format!("{id} ({sweep})") });
        let counted = counts(cases.iter().map(|(_, case)| case));
        text.push_str(&format!("  <testsuite name=\"{id}\"{counted} time=\"{:.3}\">\n", audit.seconds));
        for (name, case) in cases {
            text.push_str(&format!(
                "    <testcase classname=\"{id}\" name=\"{}\"{}",
                escaped(name),
                element(case)
            ));
        }
        text.push_str("  </testsuite>\n");
    }
    text + "</testsuites>\n"
}

fn counts<'a>(cases: impl Iterator<Item = &'a Case>) -> String {
    let mut tests = 0;
    let mut failures = 0;
    let mut skipped = 0;
    for case in cases {
        tests += 1;
        failures += usize::from(matches!(case, Case::Failed { .. }));
        skipped += usize::from(matches!(case, Case::Skipped(_)));
    }
    format!(" tests=\"{tests}\" failures=\"{failures}\" skipped=\"{skipped}\"")
}

fn element(case: &Case) -> String {
    let inner = match case {
        Case::Passed(None) => return "/>\n".to_owned(),
        Case::Passed(Some(words)) => format!("<system-out>{}</system-out>", escaped(words)),
        Case::Failed { message, text } => {
            format!("<failure message=\"{}\">{}</failure>", escaped(message), escaped(text))
        }
        Case::Skipped(message) => format!("<skipped message=\"{}\"/>", escaped(message)),
    };
    format!(">\n      {inner}\n    </testcase>\n")
}

fn cases(audit: &Audit) -> Vec<(String, Case)> {
    let name = |check: CheckId| match check {
        CheckId::D1 | CheckId::D2 | CheckId::D3 => format!("{} {}", check.name(), check.title()),
        CheckId::Direction | CheckId::Consistency => check.title().to_owned(),
    };
    let checks = audit.checks.iter().map(|check| (name(check.check), of_check(audit, check)));
    checks
        .chain(audit.units.iter().map(|unit| (format!("credit of {}", unit.unit), of_unit(audit, unit))))
        .collect()
}

fn of_check(audit: &Audit, check: &CheckResult) -> Case {
    match &check.outcome {
        Outcome::Passes => Case::Passed(None),
        // A verdict that passes must not fail here.
        Outcome::Fires if check.advisory => {
            Case::Passed(Some(format!("advisory, fires: {}", numbers(check))))
        }
        Outcome::Fires => {
            let mut text =
                check.first_fired.map_or_else(String::new, |epoch| format!("first at epoch {epoch}. "));
            if let (Consistency::Differs { findings }, CheckId::Consistency) =
                (&audit.consistency, check.check)
            {
                let found =
                    findings.iter().map(|finding| format!("{}: {}. ", finding.unit, finding.fault.words()));
                text.extend(found);
            }
            Case::Failed { message: numbers(check), text: text.trim_end().to_owned() }
        }
        Outcome::NotAssessed { why } => Case::Skipped(format!("not assessed: {why}")),
    }
}

fn of_unit(audit: &Audit, unit: &UnitAudit) -> Case {
    let word = standing(unit.standing).1;
    let sentence = standing_sentence(unit.standing);
    let inert = reach::of_unit(audit, unit).filter(|(_, inert)| *inert);
    let inert = inert.map(|(effect, _)| {
        format!("inert: {} changes the loss by {} of it", reach::step(&effect), change(effect.share))
    });
    let words = || {
        let numbers = unit.here.as_ref().map(|evidence| format!("cosine {}", number(evidence.cosine)));
        let all = std::iter::once(sentence.to_owned()).chain(numbers).chain(inert.clone());
        let all = all.chain(unit.notes.iter().cloned());
        all.collect::<Vec<_>>().join("; ")
    };
    match unit.standing {
        Standing::Useful if inert.is_none() => Case::Passed(None),
        Standing::Useful
        | Standing::Detectable
        | Standing::Mixed
        | Standing::Chance
        | Standing::Unconfirmed => Case::Passed(Some(words())),
        Standing::CannotBeJudged => Case::Skipped(words()),
        Standing::ReferenceNotGradient | Standing::Misleading | Standing::Dead | Standing::Broken => {
            Case::Failed { message: format!("{word}: {sentence}"), text: words() }
        }
    }
}

/// `.37`, or why it is unreliable or undefined.
fn number(measured: Measured) -> String {
    match measured {
        Measured::Defined { value } => show::signed(value),
        Measured::Unreliable { value, why } => {
            format!("{}, unreliable: {}", show::signed(value), why.words())
        }
        Measured::Undefined { why } => format!("undefined: {}", why.words()),
    }
}

/// Text and attribute values on one line.
fn escaped(text: &str) -> String {
    escape::xml(&text.replace(['\n', '\t', '\r'], " "))
}
