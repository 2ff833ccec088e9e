//! Evidence that disagrees and credit that is not what it should be, in words. What several seeds have in common is
//! said once.

use super::cells::disagreements;
use super::layers::here;
use super::place;
use super::section::Section;
use super::words::which;
use crate::show;
use record::audit::{Audit, Consistency};

/// A sentence and the audits that it holds for.
type Said<'a> = Vec<(String, Vec<&'a Audit>)>;

fn say<'a>(said: &mut Said<'a>, words: String, audit: &'a Audit) {
    match said.iter_mut().find(|(other, _)| *other == words) {
        Some((_, audits)) => audits.push(audit),
        None => said.push((words, vec![audit])),
    }
}

/// A line each, `symbol unit: words (seeds 42, 123)`.
pub(super) fn notes(section: &Section<'_>) -> String {
    let (mut faults, mut said) = (Said::new(), Said::new());
    for &audit in &section.audits {
        if let Consistency::Differs { findings } = &audit.consistency {
            for finding in findings {
                say(&mut faults, format!("{}: {}", finding.unit, finding.fault.words()), audit);
            }
        }
        for unit in &audit.units {
            for note in &unit.notes {
                say(&mut said, format!("{}: {note}", unit.unit), audit);
            }
        }
    }
    let line = |symbol: &str, words: &str, audits: &[&Audit]| {
        let which = which(audits, section.audits.len());
        let which = if which.is_empty() { which } else { format!(" ({which})") };
        format!("{}\n", show::wrap(&format!("{symbol} {words}{which}"), 2))
    };
    let faults = faults.iter().map(|(words, audits)| line("✗", words, audits));
    let said = said.iter().map(|(words, audits)| line("?", words, audits));
    let seeds = between_seeds(section).into_iter().map(|words| line("?", &words, &section.audits));
    faults.chain(said).chain(seeds).collect()
}

fn between_seeds(section: &Section<'_>) -> Vec<String> {
    let states = section.audits.iter().map(|audit| place::states(audit)).max().unwrap_or(0);
    let each = (0..states).flat_map(|state| {
        let name = place::name_at(&section.audits, state);
        let words = disagreements(&here(&section.audits, state));
        words.into_iter().map(move |words| format!("{name}: {words}"))
    });
    if section.audits.len() > 1 { each.collect() } else { Vec::new() }
}
