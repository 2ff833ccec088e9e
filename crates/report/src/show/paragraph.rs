//! Paragraphs.

/// What fits the usual terminal.
pub const WIDTH: usize = 79;

/// Breaks a paragraph so that it fits the usual terminal; lines after the first are indented.
pub fn wrap(text: &str, indent: usize) -> String {
    hanging(text, 0, indent)
}

/// The same with every line indented.
pub fn indented(text: &str, indent: usize) -> String {
    hanging(text, indent, indent)
}

/// The same with the first line indented by `first` and the others by `indent`.
pub fn hanging(text: &str, first: usize, indent: usize) -> String {
    let mut out = " ".repeat(first);
    let mut column = first;
    let mut begun = false;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if begun && column + 1 + length > WIDTH {
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            column = indent;
        } else if begun {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
        begun = true;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_too_long_and_no_word_is_lost() {
        let text = "a bb ccc dddd ".repeat(40);
        for (shown, indent) in [(wrap(&text, 4), 4), (indented(&text, 6), 6)] {
            assert!(shown.lines().all(|line| line.chars().count() <= WIDTH));
            assert!(shown.lines().skip(1).all(|line| line.starts_with(&" ".repeat(indent))));
            assert!(shown.split_whitespace().eq(text.split_whitespace()));
        }
        assert_eq!(indented("word", 2), "  word");
        assert_eq!(wrap("", 2), "");
    }
}
