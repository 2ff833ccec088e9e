//! Checks a formula before its layout, which silently accepts some mistakes.

use super::Problem;
use ratex_types::color::Color;

/// How deep groups may be nested; a little below the layout's own limit.
const DEEPEST: usize = 20;

/// Commands that define others, load files, make links or number equations, between spaces.
const UNFIT: &str = " ce char def edef expandafter futurelet gdef global href html@mathml htmlClass htmlData htmlId \
    htmlStyle includegraphics let long newcommand nonumber notag providecommand pu renewcommand tag url verb xdef ";

/// Commands that take a colour, and how many.
const COLOURS: &[(&str, usize)] = &[("color", 1), ("textcolor", 1), ("colorbox", 1), ("fcolorbox", 2)];

/// Refuses what the layout would misread.
pub(super) fn check(formula: &str) -> Result<(), Problem> {
    let mut rest = formula;
    let mut braces = 0_usize;
    let mut pairs = 0_usize;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '%' => return Err(Problem::Percent),
            '{' => braces += 1,
            '}' => braces = braces.checked_sub(1).ok_or_else(|| Problem::Braces(formula.to_owned()))?,
            '\\' => {
                let command = command(rest);
                rest = &rest[command.len()..];
                if UNFIT.split(' ').any(|unfit| !unfit.is_empty() && unfit == command) {
                    return Err(Problem::Unfit(command.to_owned()));
                }
                match command {
                    "left" | "begin" => pairs += 1,
                    "right" | "end" => pairs = pairs.saturating_sub(1),
                    _ => {}
                }
                if let Some(&(_, count)) = COLOURS.iter().find(|(name, _)| *name == command) {
                    colours(rest, count)?;
                }
            }
            _ => {}
        }
        if braces + pairs > DEEPEST {
            return Err(Problem::Deep(DEEPEST));
        }
    }
    if braces == 0 { Ok(()) } else { Err(Problem::Braces(formula.to_owned())) }
}

/// The name of the command whose backslash was just read: letters, or one other character.
fn command(rest: &str) -> &str {
    let letters = rest.find(|c: char| !c.is_ascii_alphabetic() && c != '@').unwrap_or(rest.len());
    let one = rest.chars().next().map_or(0, char::len_utf8);
    &rest[..letters.max(one)]
}

/// Whether the next groups name colours, after an optional model such as `[RGB]`.
fn colours(rest: &str, count: usize) -> Result<(), Problem> {
    let mut rest = rest.trim_start();
    let mut model = "";
    if let Some(end) = rest.strip_prefix('[').and_then(|inner| inner.find(']')) {
        (model, rest) = rest.split_at(end + 2);
    }
    for _ in 0..count {
        rest = rest.trim_start();
        let group = rest.strip_prefix('{').and_then(|inner| inner.find('}').map(|end| &inner[..end]));
        let name = group.ok_or_else(|| Problem::Colour(rest.chars().take(12).collect()))?;
        if Color::parse(&format!("{model}{}", name.trim())).is_none() {
            return Err(Problem::Colour(format!("{model}{name}")));
        }
        rest = &rest[name.len() + 2..];
    }
    Ok(())
}
