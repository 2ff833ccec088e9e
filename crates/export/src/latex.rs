//! A table of verdicts and accuracies in LaTeX, which needs no package but `booktabs`.

use protocol::{Statistics, statistics};
use record::audit::{Audit, AuditSet, CheckId, Group, Outcome, Verdict};
use report::show::{share, signed};

/// Audits under equal conditions.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// How the conditions differ from those of the other parts; empty if nothing but the network does.
    pub differs: &'a str,
    /// The network that all of them have.
    pub network: &'a str,
    /// The audits.
    pub set: &'a AuditSet,
}

const CHECKS: [CheckId; 3] = [CheckId::D1, CheckId::D2, CheckId::D3];
const HEADING: &str = "Network & Rule & Seeds & Accuracy & Frozen & D1 & D2 & D3 & Verdict";

/// The environment `tabular`, one row per group of seeds: mean ± sd of the accuracy, at how many seeds a check fires, the
/// verdict of most seeds. Frozen baselines are a column.
pub fn latex(parts: &[Part<'_>]) -> String {
    let program = concat!("Creditscope ", env!("CARGO_PKG_VERSION"));
    let mut text = format!(
        "% Made by {program}; needs \\usepackage{{booktabs}}. Accuracies: mean and standard deviation (n-1) over seeds.\n\
         \\begin{{tabular}}{{llrllllll}}\n\\toprule\n{HEADING} \\\\\n"
    );
    for part in parts {
        text.push_str("\\midrule\n");
        if !part.differs.is_empty() {
            text.push_str(&format!("\\multicolumn{{9}}{{l}}{{{}}} \\\\\n", escape(part.differs)));
        }
        part.set.groups.iter().filter_map(|group| row(part, group)).for_each(|row| text.push_str(&row));
    }
    text + "\\bottomrule\n\\end{tabular}\n"
}

/// The row of a group; none for frozen baselines.
fn row(part: &Part<'_>, group: &Group) -> Option<String> {
    let audits: Vec<&Audit> = group.members.iter().filter_map(|&index| part.set.audits.get(index)).collect();
    let first = audits.first().filter(|audit| !audit.subject.is_frozen())?;
    let mut cells = vec![
        escape(part.network),
        title(&group.name, first.subject.rule()),
        audits.len().to_string(),
        spread(audits.iter().filter_map(|audit| audit.accuracy)),
        spread(audits.iter().filter_map(|audit| audit.frozen)),
    ];
    cells.extend(CHECKS.map(|id| outcome(&audits, id)));
    cells.push(verdict(group));
    Some(cells.join(" & ") + " \\\\\n")
}

/// The title of the rule, then what sets the group apart from the plain rule.
fn title(group: &str, rule: Option<&str>) -> String {
    let Some((rule, rest)) = rule.and_then(|rule| Some((rule, group.strip_prefix(rule)?))) else {
        return escape(group);
    };
    let rest = rest.trim_start_matches('-');
    let title = escape(record::rules::title(rule));
    if rest.is_empty() { title } else { format!("{title}, {}", escape(rest)) }
}

/// `$.551 \pm .011$`, without deviation where there is one value.
fn spread(values: impl Iterator<Item = f64>) -> String {
    match statistics(values) {
        None => UNDEFINED.to_owned(),
        Some(Statistics { mean, .. }) if mean.is_nan() => UNDEFINED.to_owned(),
        Some(Statistics { mean, sd: Some(sd), .. }) => format!("${} \\pm {}$", signed(mean), share(sd)),
        Some(Statistics { mean, sd: None, .. }) => format!("${}$", signed(mean)),
    }
}

/// An en dash.
const UNDEFINED: &str = "--";

/// `passes`, `fires`, `fires 2/3`: at how many of the seeds. An en dash where it could be assessed at none.
fn outcome(audits: &[&Audit], id: CheckId) -> String {
    let count = |wanted: fn(&Outcome) -> bool| {
        let checks = audits.iter().flat_map(|audit| &audit.checks).filter(|check| check.check == id);
        checks.filter(|check| wanted(&check.outcome)).count()
    };
    let fires = count(|outcome| *outcome == Outcome::Fires);
    let passes = count(|outcome| *outcome == Outcome::Passes);
    let (word, seeds) = if fires > 0 { ("fires", fires) } else { ("passes", passes) };
    match seeds {
        0 => UNDEFINED.to_owned(),
        all if all == audits.len() => word.to_owned(),
        some => format!("{word} {some}/{}", audits.len()),
    }
}

/// `PASS`, `FAIL(D1+D2)`, with how many seeds say so where not all do.
fn verdict(group: &Group) -> String {
    let words = match &group.verdict {
        Verdict::NotAssessed => UNDEFINED.to_owned(),
        verdict => escape(&verdict.words()),
    };
    let all = group.verdicts.len() as u64;
    if group.agree == all { words } else { format!("{words} {}/{all}", group.agree) }
}

/// Text that LaTeX sets as it is written. Of what pdfLaTeX has no letter for, the code point is set.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in record::escape::visible(text).chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '{' | '}' | '$' | '&' | '#' | '_' | '%' => out.extend(['\\', c]),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' | '>' | '|' => out.push_str(&format!("${c}$")),
            '"' => out.push_str("{}''"),
            // Two of these in a row would be set as one dash, one quotation mark, a letter of Spanish.
            '-' | '\'' | '`' => out.extend(['{', '}', c]),
            // At the start of a row they would belong to the end of the row before.
            '[' | '*' => out.extend(['{', c, '}']),
            '–' => out.push_str("--"),
            c if c.is_ascii() || ('\u{c0}'..='\u{ff}').contains(&c) => out.push(c),
            c => out.push_str(&format!("U+{:04X}", u32::from(c))),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{escape, title};

    #[test]
    fn a_stranger_s_words_are_set_and_not_carried_out() {
        assert_eq!(escape(r"\input{x}"), r"\textbackslash{}input\{x\}");
        assert_eq!(escape("50 % & #1_$a$"), r"50 \% \& \#1\_\$a\$");
        assert_eq!(escape("~^<>|"), r"\textasciitilde{}\textasciicircum{}$<$$>$$|$");
        assert_eq!(escape("a--b"), "a{}-{}-b");
        assert_eq!(escape("[2cm]*"), "{[}2cm]{*}");
        assert_eq!(escape("é λ\n"), "é U+03BBU+240A");
    }

    #[test]
    fn a_group_has_the_title_of_its_rule() {
        assert_eq!(title("dfa", Some("dfa")), "DFA");
        assert_eq!(title("kolen_pollack-pen0.01", Some("kolen_pollack")), "Kolen--Pollack, pen0.01");
        assert_eq!(title("my_rule", Some("my_rule")), r"my\_rule");
        assert_eq!(title("dump", None), "dump");
    }
}
