//! Parses the source of a label into text and formulas.

use super::Problem;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Span {
    /// Without its escapes.
    Text(String),
    /// Without its dollar signs.
    Math(String),
}

/// Longer labels are mistakes.
const LONGEST: usize = 2000;

/// Characters that a backslash escapes.
const ESCAPED: &str = "$\\%#&_{}";

/// The label source of plain text: special characters are escaped, line breaks and control characters become spaces.
pub fn escape(plain: &str) -> String {
    let mut source = String::with_capacity(plain.len());
    for c in plain.chars() {
        match c {
            '$' | '\\' => source.extend(['\\', c]),
            _ if c.is_control() => source.push(' '),
            _ => source.push(c),
        }
    }
    source
}

/// The lines of a label.
pub(super) fn lines(source: &str) -> Result<Vec<Vec<Span>>, Problem> {
    let length = source.chars().count();
    if length > LONGEST {
        return Err(Problem::Long { length, most: LONGEST });
    }
    if let Some(c) = source.chars().find(|&c| c.is_control() && c != '\n') {
        return Err(Problem::Control(c));
    }
    source.split('\n').map(parts).collect()
}

fn parts(line: &str) -> Result<Vec<Span>, Problem> {
    let mut parts = Vec::new();
    let mut rest = line.chars();
    let mut text = String::new();
    while let Some(c) = rest.next() {
        match c {
            '\\' => text.push(escaped(&mut rest)?),
            '$' => {
                push_text(&mut parts, std::mem::take(&mut text));
                parts.push(Span::Math(formula(&mut rest)?));
            }
            _ => text.push(c),
        }
    }
    push_text(&mut parts, text);
    Ok(parts)
}

fn escaped(rest: &mut std::str::Chars) -> Result<char, Problem> {
    match rest.clone().next().filter(|&c| ESCAPED.contains(c)) {
        Some(c) => {
            rest.next();
            Ok(c)
        }
        None => {
            let word: String = rest.clone().take_while(char::is_ascii_alphabetic).collect();
            let command = if word.is_empty() { rest.clone().take(1).collect() } else { word };
            Err(Problem::Outside(command))
        }
    }
}

fn formula(rest: &mut std::str::Chars) -> Result<String, Problem> {
    let mut formula = String::new();
    while let Some(c) = rest.next() {
        match c {
            '$' => return Ok(formula),
            '\\' => formula.extend(std::iter::once(c).chain(rest.next())),
            _ => formula.push(c),
        }
    }
    Err(Problem::Dollar)
}

/// Adds text, merging it with text before it.
pub(super) fn push_text(parts: &mut Vec<Span>, text: String) {
    match parts.last_mut() {
        _ if text.is_empty() => {}
        Some(Span::Text(before)) => before.push_str(&text),
        _ => parts.push(Span::Text(text)),
    }
}

pub(super) fn append(parts: &mut Vec<Span>, more: &[Span]) {
    for part in more {
        match part {
            Span::Text(text) => push_text(parts, text.clone()),
            Span::Math(_) => parts.push(part.clone()),
        }
    }
}
