//! Paragraphs.

/// Breaks a paragraph so that it fits the usual terminal; lines after the first are indented.
pub(crate) fn wrap(text: &str, indent: usize) -> String {
    const WIDTH: usize = 79;
    let (mut out, mut column) = (String::new(), 0);
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            column = indent;
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    out
}
