//! Γ, the mean cosine over units, never without how many units it is a mean of.

use super::section::Section;
use super::words::spread;
use crate::page::Line;
use record::audit::{Audit, GammaMean};

type Convention = (&'static str, fn(&Audit) -> GammaMean);

/// Where credit acts, and at the input of blocks.
const CONVENTIONS: [Convention; 2] =
    [("", |audit| audit.gamma.here), ("at the input of blocks ", |audit| audit.gamma.at_input)];

/// One line, or two where unreliable cosines are asked for as well; nothing where there is no cosine at all.
pub(super) fn gamma(section: &Section<'_>, include_unreliable: bool) -> Vec<Line> {
    let known = |mean: fn(&Audit) -> GammaMean| section.audits.iter().any(|audit| mean(audit).of > 0);
    let reliable = CONVENTIONS.into_iter().filter(|&(_, mean)| known(mean)).map(|(name, mean)| {
        let value = spread(&section.values(|audit| mean(audit).defined)).unwrap_or_else(|| "–".to_owned());
        format!("{name}{value} ({})", counts(section, mean))
    });
    let reliable: Vec<String> = reliable.collect();
    if reliable.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![Line::new(None, format!("Γ of {}: {}", section.name(), reliable.join("; ")))];
    if include_unreliable {
        let all = CONVENTIONS.into_iter().filter_map(|(name, mean)| {
            Some(format!("{name}{}", spread(&section.values(|audit| mean(audit).all))?))
        });
        let all = all.collect::<Vec<_>>().join("; ");
        lines.push(Line::new(None, format!("Γ with unreliable cosines, as usually published: {all}")));
    }
    lines
}

/// `1 of 5 units`, or each seed's where they differ.
fn counts(section: &Section<'_>, mean: fn(&Audit) -> GammaMean) -> String {
    let gammas = section.audits.iter().map(|audit| mean(audit));
    let mut counts: Vec<String> = gammas.map(|gamma| format!("{} of {}", gamma.units, gamma.of)).collect();
    if counts.iter().all(|count| count == &counts[0]) {
        counts.truncate(1);
    }
    format!("{} units", counts.join(", "))
}
