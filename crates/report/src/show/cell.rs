//! Cells that are wider than their column: broken at blanks, and names at their joints.

use super::Text;

/// The names of rows are not broken into shorter pieces for the sake of a wide column.
pub(super) const LEAST_NAME: usize = 24;

/// A cell in lines of at most `width`; one that fits keeps its tones. A word that no line can hold goes on in the next, indented.
pub(super) fn broken(cell: Text, width: usize) -> Vec<Text> {
    if cell.width() <= width {
        return vec![cell];
    }
    let length = |text: &str| text.chars().count();
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in cell.plain().split_whitespace() {
        let gap = usize::from(!line.is_empty());
        if length(&line) + gap + length(word) > width && length(word) <= width {
            lines.push(std::mem::take(&mut line));
        } else if gap > 0 {
            line.push(' ');
        }
        let mut rest = word;
        while length(&line) + length(rest) > width {
            let (head, tail) = rest.split_at(joint(rest, width.saturating_sub(length(&line))));
            lines.push(std::mem::replace(&mut line, "  ".to_owned()) + head);
            rest = tail;
        }
        line.push_str(rest);
    }
    lines.push(line);
    lines.into_iter().map(Text::from).collect()
}

/// Where a word is best cut so that at most `room` characters stay: after a joint of a name, if it has one there.
fn joint(word: &str, room: usize) -> usize {
    let end = word.char_indices().nth(room).map_or(word.len(), |(at, _)| at);
    word[..end].rfind(['-', '/', '_', ',']).map_or(end, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use crate::show::{Symbol, Table, Text, WIDTH};

    #[test]
    fn a_name_that_leaves_no_room_for_a_column_is_cut_at_its_joints() {
        let long = "mechanism/credit_bridge-pen0.01-w2_std0.01-skip-clip0.0-epochs30-s456";
        let mut table = Table::new(&["run", "started"], 2);
        table.row(vec![Text::from(Symbol::Open).then(format!(" {long}")), "2 days ago".into()]);
        let text = table.text();
        let rows: Vec<&str> = text.lines().skip(2).collect();
        let begins = "? mechanism/credit_bridge-pen0.01-w2_std0.01-skip-clip0.0-epochs30-";
        assert_eq!(rows, [format!("{begins}  2 days ago").as_str(), "  s456"], "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
    }

    #[test]
    fn what_has_no_end_fits_and_loses_nothing() {
        let endless = "x".repeat(200);
        let mut table = Table::new(&["run", "started", "words"], 3);
        table.row(vec!["bp", "now", &endless]);
        table.row(vec![&endless, "now", &"é".repeat(100)]);
        let text = table.text();
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        let parts = text.split("\n\n").count();
        assert_eq!(text.matches('x').count(), 200 + parts * 200, "{text}");
        assert_eq!(text.matches('é').count(), 100, "{text}");
    }
}
