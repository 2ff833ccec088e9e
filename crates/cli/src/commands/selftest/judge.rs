//! Whether the audit of a run says what was planted in it, and nothing else.

use lab::selftest::{Case, Expected};
use record::audit::{Audit, AuditSet, Consistency, Finding, Standing};
use serde_json::{Value, json};

/// What the audit found of one run.
pub(super) struct Judged {
    /// Whether it is what was planted.
    pub(super) right: bool,
    /// In words.
    pub(super) found: String,
}

/// A broken run is judged right where the fault is named at its unit and nothing else is accused. A healthy one is where
/// nothing is accused, and under backpropagation every unit's credit is useful besides.
pub(super) fn judge(case: &Case, set: &AuditSet) -> Judged {
    let Some(audit) = set.audits.iter().find(|audit| audit.subject.id() == case.id) else {
        return Judged { right: false, found: "no audit".to_owned() };
    };
    let findings = match &audit.consistency {
        Consistency::Agrees { .. } => &[][..],
        Consistency::Differs { findings } => findings.as_slice(),
        Consistency::NotAssessed { why } => {
            return Judged { right: false, found: format!("not assessed: {why}") };
        }
    };
    let named = |Expected { unit, fault }: &Expected| {
        findings.iter().any(|finding| finding.unit == *unit && finding.fault == *fault)
    };
    let as_expected = findings.len() == case.expected.iter().len() && case.expected.iter().all(named);
    let healthy = case.planted.is_some() || case.rule != "bp" || all_useful(audit);
    let right = as_expected && healthy;
    Judged { right, found: words(audit, findings) }
}

fn all_useful(audit: &Audit) -> bool {
    audit.units.iter().all(|unit| unit.standing == Standing::Useful)
}

fn words(audit: &Audit, findings: &[Finding]) -> String {
    let listed: Vec<String> =
        findings.iter().map(|finding| format!("{}: {}", finding.unit, finding.fault.words())).collect();
    if !listed.is_empty() {
        return listed.join("; ");
    }
    let weak = audit.units.iter().filter(|unit| unit.standing != Standing::Useful);
    let weak: Vec<String> = weak.map(|unit| format!("{} {:?}", unit.unit, unit.standing)).collect();
    if weak.is_empty() { "nothing".to_owned() } else { format!("nothing; {}", weak.join(", ")) }
}

/// One JSON object for the whole test.
pub(super) fn json(cases: &[Case], judged: &[Judged]) -> String {
    let case = |(case, judged): (&Case, &Judged)| -> Value {
        json!({
            "run": case.id,
            "rule": case.rule,
            "planted": case.planted.map(|planted| planted.words()),
            "found": judged.found,
            "right": judged.right,
        })
    };
    let all: Vec<Value> = cases.iter().zip(judged).map(case).collect();
    format!("{}\n", json!({ "schema": "creditscope.selftest/1", "cases": all }))
}
