//! The whole text, from the verdicts down to the legend.

use super::View;
use super::checks::{checks, ratio};
use super::detail::detail;
use super::gamma::gamma;
use super::headline::{baselines, headline};
use super::layers::layers;
use super::legend::Legend;
use super::notes::notes;
use super::pairs::pairs;
use super::section::Section;
use super::warnings::warnings;
use crate::show;
use record::audit::{Audit, AuditSet};

/// What a person at a terminal reads, without colour.
pub fn text(set: &AuditSet, view: &View) -> String {
    let mut legend = Legend::default();
    let (mut judged, mut frozen) = (Section::of(set, false), Section::of(set, true));
    // Whoever asks for baselines alone wants to see them.
    if judged.is_empty() {
        std::mem::swap(&mut judged, &mut frozen);
    }
    let mut text = headline(&judged, &mut legend) + &baselines(&frozen);
    for section in &judged {
        text.push_str(&group(section, view, &mut legend));
    }
    for (title, part) in [("differences, seed by seed", pairs(set)), ("before you quote this", warnings(set))]
    {
        if !part.is_empty() {
            text.push_str(&format!("\n{}\n{part}", rule(title)));
        }
    }
    let legend = legend.text();
    if legend.is_empty() { text } else { format!("{text}\n{}\n{legend}", rule("marks")) }
}

/// `── dfa, 3 seeds ─────`, as wide as the text.
fn rule(words: &str) -> String {
    let line = show::WIDTH.saturating_sub(words.chars().count() + 4).max(2);
    format!("── {words} {}", "─".repeat(line))
}

fn group(section: &Section<'_>, view: &View, legend: &mut Legend) -> String {
    let facts = [checks(section, legend), ratio(section)].concat();
    let tables = if view.layers {
        let each = section.audits.iter().map(|&audit| {
            let title =
                if section.audits.len() == 1 { String::new() } else { format!("{}\n", audit.subject.id()) };
            format!("{title}{}{}", layers(&[audit], view, legend), detail(audit, legend))
        });
        each.collect::<Vec<_>>().join("\n")
    } else {
        layers(&section.audits, view, legend)
    };
    let rest = [gamma(section, view.include_unreliable), notes(section)].concat();
    let parts = [facts, tables, rest].into_iter().filter(|part| !part.is_empty());
    format!("\n{}\n{}", rule(&title(section)), parts.collect::<Vec<_>>().join("\n"))
}

/// Its name, and over what it was measured.
fn title(section: &Section<'_>) -> String {
    let mut words = vec![section.name().to_owned()];
    if section.audits.len() > 1 {
        words.push(format!("{} seeds", section.audits.len()));
    }
    let common = |value: fn(&Audit) -> Option<u64>| {
        let first = section.audits.first().and_then(|audit| value(audit));
        first.filter(|_| section.audits.iter().all(|audit| value(audit) == first))
    };
    words.extend(common(|audit| audit.epoch).map(|epoch| format!("epoch {epoch}")));
    words.extend(common(|audit| Some(audit.samples)).map(|n| format!("{} samples", show::count(n))));
    words.join(", ")
}
