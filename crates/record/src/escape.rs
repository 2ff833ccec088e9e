//! Text escaped for XML and for CSV.

/// Text for between the tags or the quotes of XML. What XML cannot hold becomes U+FFFD.
///
/// ```
/// assert_eq!(record::escape::xml("‖h‖ < \"1\"\u{1}"), "‖h‖ &lt; &quot;1&quot;\u{fffd}");
/// ```
pub fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ if c.is_control() => out.push('\u{fffd}'),
            _ => out.push(c),
        }
    }
    out
}

/// A cell of CSV: in quotes where RFC 4180 wants them, and where it holds a `#`, which many readers take for the start of
/// a comment.
///
/// ```
/// assert_eq!(record::escape::csv("dfa"), "dfa");
/// assert_eq!(record::escape::csv("a, \"b\""), "\"a, \"\"b\"\"\"");
/// assert_eq!(record::escape::csv("DFA #1"), "\"DFA #1\"");
/// ```
pub fn csv(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r', '#']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}
