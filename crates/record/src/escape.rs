//! Text from outside made safe to show: on a terminal, in XML, in Markdown, in CSV.
//!
//! A stranger's record, recipe or file name may hold codes that move the cursor, recolour the screen or turn the reading
//! direction, and so put words on the screen that nobody said. Records and recipes lose them at the door ([`json`],
//! [`toml`]), names of files where they are printed ([`path`]).

use std::borrow::Cow;
use std::path::Path;

/// Whether a character changes how others are shown instead of being shown itself.
fn is_hidden(c: char) -> bool {
    let turns =
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || turns || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}')
}

/// A character in a form that can be seen: `␛` for escape, `\u{202e}` for what has no picture.
fn picture(c: char) -> String {
    let picture = match u32::from(c) {
        code @ 0..0x20 => char::from_u32(0x2400 + code),
        0x7f => Some('␡'),
        _ => None,
    };
    picture.map_or_else(|| format!("\\u{{{:x}}}", u32::from(c)), String::from)
}

fn visible_but(text: &str, keep: impl Fn(char) -> bool) -> Cow<'_, str> {
    let hides = |c: char| is_hidden(c) && !keep(c);
    if !text.contains(hides) {
        return text.into();
    }
    text.chars().map(|c| if hides(c) { picture(c) } else { c.to_string() }).collect::<String>().into()
}

/// Text on one line with every character visible.
///
/// ```
/// assert_eq!(record::escape::visible("dfa\x1b[2J\n✓ PASS"), "dfa␛[2J␊✓ PASS");
/// assert_eq!(record::escape::visible("a\u{202e}b\u{9b}c"), "a\\u{202e}b\\u{9b}c");
/// ```
pub fn visible(text: &str) -> Cow<'_, str> {
    visible_but(text, |_| false)
}

/// The same for text of several lines, which it stays.
///
/// ```
/// assert_eq!(record::escape::lines("one\n\ttwo\r\x07"), "one\n\ttwo␍␇");
/// ```
pub fn lines(text: &str) -> Cow<'_, str> {
    visible_but(text, |c| matches!(c, '\n' | '\t'))
}

/// The name of a file, visible.
///
/// ```
/// assert_eq!(record::escape::path("runs/a\nb".as_ref()), "runs/a␊b");
/// ```
pub fn path(path: &Path) -> String {
    visible(&path.to_string_lossy()).into_owned()
}

/// The text of a JSON file with every character of its strings visible. Nothing else changes, so that places in the text stay
/// what they are for people.
///
/// ```
/// assert_eq!(record::escape::json(r#"{"id": "a\u001b[1m\n\"\\n\u00e9"}"#), r#"{"id": "a␛[1m␊\"\\n\u00e9"}"#);
/// ```
pub fn json(text: &str) -> Cow<'_, str> {
    // The backslash of a picture needs one of its own.
    let in_json = |c: char| picture(c).replace('\\', "\\\\");
    // Blanks between values; within strings JSON has escapes for them.
    let blank = |c: char| matches!(c, '\n' | '\t' | '\r');
    if !text.contains(|c: char| c == '\\' || (is_hidden(c) && !blank(c))) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            if is_hidden(c) && !blank(c) {
                out.push_str(&in_json(c));
            } else {
                out.push(c);
            }
            continue;
        }
        let hex = || rest.as_str().strip_prefix('u').and_then(|code| code.get(..4));
        let code = hex().and_then(|code| u32::from_str_radix(code, 16).ok()).and_then(char::from_u32);
        let short = [('b', '\x08'), ('f', '\x0c'), ('n', '\n'), ('r', '\r'), ('t', '\t')];
        let next = rest.as_str().chars().next();
        let short = short.iter().find(|(name, _)| next == Some(*name)).map(|(_, c)| *c);
        match code.filter(|c| is_hidden(*c)).map(|c| (c, 5)).or_else(|| short.map(|c| (c, 1))) {
            Some((hidden, length)) => {
                out.push_str(&in_json(hidden));
                rest.by_ref().take(length).for_each(drop);
            }
            // The character after a backslash is not the start of another escape.
            None => out.extend(['\\'].into_iter().chain(rest.next())),
        }
    }
    out.into()
}

/// A TOML file with every character of its names and words visible; the error too.
///
/// ```
/// let table = record::escape::toml("name = \"a\\u001b[1m\"").unwrap();
/// assert_eq!(table["name"].as_str(), Some("a␛[1m"));
/// assert!(record::escape::toml("name = \x1b[1m").unwrap_err().contains("␛[1m"));
/// ```
pub fn toml(text: &str) -> Result<::toml::Table, String> {
    let table: ::toml::Table =
        text.parse().map_err(|e: ::toml::de::Error| lines(&e.to_string()).into_owned())?;
    Ok(table.into_iter().map(|(key, value)| (visible(&key).into_owned(), toml_value(value))).collect())
}

/// A TOML value, the same way.
pub fn toml_value(value: ::toml::Value) -> ::toml::Value {
    use ::toml::Value;
    match value {
        Value::String(words) => Value::String(visible(&words).into_owned()),
        Value::Array(values) => Value::Array(values.into_iter().map(toml_value).collect()),
        Value::Table(table) => Value::Table(
            table.into_iter().map(|(key, value)| (visible(&key).into_owned(), toml_value(value))).collect(),
        ),
        other => other,
    }
}

/// Text for between the tags or the quotes of XML. What XML cannot hold becomes visible.
///
/// ```
/// assert_eq!(record::escape::xml("‖h‖ < \"1\"\u{1}"), "‖h‖ &lt; &quot;1&quot;␁");
/// ```
pub fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in lines(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ => out.push(c),
        }
    }
    out
}

/// Text for Markdown, which passes HTML through, so that whose page shows it would carry out what a stranger wrote.
///
/// ```
/// assert_eq!(record::escape::markdown("a < b & <script>"), "a &lt; b &amp; &lt;script&gt;");
/// ```
pub fn markdown(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A cell of CSV: in quotes where RFC 4180 wants them, and where it holds a `#`, which many readers take for the start of
/// a comment. Words that a spreadsheet would take for a formula begin with an apostrophe; numbers are left alone.
///
/// ```
/// assert_eq!(record::escape::csv("dfa"), "dfa");
/// assert_eq!(record::escape::csv("a, \"b\""), "\"a, \"\"b\"\"\"");
/// assert_eq!(record::escape::csv("DFA #1"), "\"DFA #1\"");
/// assert_eq!(record::escape::csv("=1+cmd|' /C calc'!A0"), "'=1+cmd|' /C calc'!A0");
/// assert_eq!(record::escape::csv("-1.5e-3"), "-1.5e-3");
/// ```
pub fn csv(cell: &str) -> String {
    let cell = visible(cell);
    let formula = cell.starts_with(['=', '@', '+', '-']) && cell.parse::<f64>().is_err();
    let cell = if formula { format!("'{cell}").into() } else { cell };
    if cell.contains([',', '"', '#']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.into_owned()
    }
}
