//! Small pieces of HTML.

use record::escape::xml;

/// A heading of a section, and the section around what follows.
pub(super) fn section(id: &str, heading: &str, content: &str) -> String {
    if content.is_empty() {
        return String::new();
    }
    format!("<section id=\"{id}\">\n<h2>{}</h2>\n{content}</section>\n", xml(heading))
}

/// Names and what there is to say about them.
pub(super) fn definitions<'a>(pairs: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let pair = |(name, words): (&str, String)| {
        format!("<div><dt>{}</dt><dd>{}</dd></div>\n", xml(name), code(&xml(&words)))
    };
    let pairs: String = pairs.into_iter().map(pair).collect();
    if pairs.is_empty() { pairs } else { format!("<dl>\n{pairs}</dl>\n") }
}

/// What stands between backticks, as code.
fn code(html: &str) -> String {
    let mut parts = html.split('`');
    let mut out = parts.next().unwrap_or_default().to_owned();
    while let Some(part) = parts.next() {
        match parts.next() {
            Some(rest) => out.push_str(&format!("<code>{part}</code>{rest}")),
            None => out.push_str(&format!("`{part}")),
        }
    }
    out
}

/// Sentences as a list.
pub(super) fn list(class: &str, lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let items: String = lines.iter().map(|line| format!("<li>{}</li>\n", xml(line))).collect();
    format!("<ul class=\"{class}\">\n{items}</ul>\n")
}

#[cfg(test)]
mod tests {
    use super::code;

    #[test]
    fn only_pairs_of_backticks_are_code() {
        assert_eq!(code("a `b` c"), "a <code>b</code> c");
        assert_eq!(code("a ` b"), "a ` b");
        assert_eq!(code("`a` ` b"), "<code>a</code> ` b");
        assert_eq!(code("plain"), "plain");
    }
}
