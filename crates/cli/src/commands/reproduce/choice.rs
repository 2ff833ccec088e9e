//! Which of a study's runs to train, for an evening in place of a week.

use crate::failure::Failure;
use lab::RunSpec;
use paper::study::Study;

/// Seeds and rules that were named; where none was, all are meant.
pub(super) struct Choice<'a> {
    pub(super) seeds: &'a [u64],
    pub(super) rules: &'a [String],
}

impl Choice<'_> {
    /// Whether this run is asked for.
    pub(super) fn takes(&self, spec: &RunSpec) -> bool {
        (self.seeds.is_empty() || self.seeds.contains(&spec.seed))
            && (self.rules.is_empty() || self.rules.contains(&spec.rule.name))
    }

    /// Refuses a seed or a rule of which these studies have no run: a slip would train nothing, and say nothing.
    pub(super) fn check(&self, studies: &[&Study], quick: bool) -> Result<(), Failure> {
        let mut seeds = Vec::new();
        let mut rules = Vec::new();
        for study in studies {
            for spec in study.recipe(quick)?.runs()? {
                add(&mut seeds, spec.seed.to_string());
                add(&mut rules, spec.rule.name);
            }
        }
        let names: Vec<&str> = studies.iter().map(|study| study.name).collect();
        let asked: Vec<String> = self.seeds.iter().map(u64::to_string).collect();
        for (flag, asked, there) in [("--seeds", asked.as_slice(), seeds), ("--rules", self.rules, rules)] {
            if let Some(value) = asked.iter().find(|value| !there.contains(value)) {
                let names = names.join(", ");
                let there = there.join(", ");
                return Err(Failure::Input(format!(
                    "{flag} {value}: no run of {names} has it; they have {there}"
                )));
            }
        }
        Ok(())
    }
}

fn add(values: &mut Vec<String>, value: String) {
    if !values.contains(&value) {
        values.push(value);
    }
}
