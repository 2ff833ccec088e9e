//! The script of the page, which is complete without it: read-outs, filters, comparisons, heat maps, news of a server.

use std::sync::LazyLock;

const SOURCE: &str = concat!(
    include_str!("script/base.js"),
    include_str!("script/state.js"),
    include_str!("script/records.js"),
    include_str!("script/marks.js"),
    include_str!("script/figures.js"),
    include_str!("script/runs.js"),
    include_str!("script/charts.js"),
    include_str!("script/compare.js"),
    include_str!("script/live.js"),
    include_str!("script/start.js"),
);

/// As pages carry it: without comments, indentation, ends of lines that go on and blanks around arrows, which are for readers of the
/// source.
pub(super) static SCRIPT: LazyLock<String> = LazyLock::new(|| {
    let lines = SOURCE.lines().map(str::trim_start);
    let is_code = |line: &&str| !line.is_empty() && !line.starts_with("//") && !line.starts_with("/**");
    let end = |line: &str| if line.ends_with([';', ',', '{', '(', '[']) { "" } else { "\n" };
    let code: String = lines.filter(is_code).flat_map(|line| [line, end(line)]).collect();
    code.replace(" => ", "=>")
});

#[cfg(test)]
mod tests {
    use super::{SCRIPT, SOURCE};

    #[test]
    fn every_page_can_be_sent_by_mail() {
        assert!(SCRIPT.len() <= 30_000, "{} bytes", SCRIPT.len());
    }

    /// Or the page would carry something else than the source says.
    #[test]
    fn comments_are_lines_of_their_own() {
        for line in SOURCE.lines().map(str::trim) {
            assert!(!line.starts_with("/**") || line.ends_with("*/"), "{line}");
            assert!(!line.starts_with('*') && !line.contains(" // ") && !line.starts_with("/* "), "{line}");
        }
        assert_eq!(SOURCE.matches("</").count(), 0, "it would end the element");
    }
}
