//! Colour for those who can see it. Symbols carry the meaning alone, so that a pipe, a file and NO_COLOR lose nothing.

use std::io::IsTerminal;

/// Whether text is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colour {
    On,
    Off,
}

impl Colour {
    /// What standard output takes: colour on a terminal, unless NO_COLOR is set to something (no-color.org) or the
    /// terminal says that it is a dumb one.
    pub(crate) fn of_stdout() -> Self {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let dumb = set("TERM").is_none_or(|term| term == "dumb");
        if set("NO_COLOR").is_none() && !dumb && std::io::stdout().is_terminal() {
            Self::On
        } else {
            Self::Off
        }
    }

    /// The text with its symbols and the words of verdicts in colour. It is painted last, when every column has its
    /// width, so that no table has to know of escape codes.
    pub(crate) fn paint(self, text: &str) -> String {
        if self == Self::Off {
            return text.to_owned();
        }
        text.split_inclusive('\n').map(line).collect()
    }
}

const GREEN: &str = "\x1b[32m";
const RED: &str = "\x1b[31m";
const YELLOW: &str = "\x1b[33m";
const DIM: &str = "\x1b[2m";
const BOLD: &str = "\x1b[1m";
const PLAIN: &str = "\x1b[0m";

fn line(line: &str) -> String {
    // `── dfa ───`: the name stands out, the rules recede.
    if let Some(rest) = line.strip_prefix("── ")
        && let Some((words, rule)) = rest.split_once(" ─")
    {
        return format!("{DIM}──{PLAIN} {BOLD}{words}{PLAIN} {DIM}─{}{PLAIN}\n", rule.trim_end());
    }
    let mut out = String::new();
    let mut word = String::new();
    for c in line.chars() {
        if c.is_whitespace() {
            out.push_str(&paint_word(&std::mem::take(&mut word)));
            out.push(c);
        } else {
            word.push(c);
        }
    }
    out + &paint_word(&word)
}

/// A symbol or a verdict that stands alone; any other word, `–` within a file name say, stays as it is.
fn paint_word(word: &str) -> String {
    let code = match word {
        "✓" => GREEN,
        "✗" => RED,
        "?" => YELLOW,
        "·" => DIM,
        "PASS" => GREEN,
        _ if word.starts_with("FAIL(") => RED,
        _ if !word.is_empty() && word.chars().all(|c| c == '─') => DIM,
        _ => return word.to_owned(),
    };
    format!("{code}{word}{PLAIN}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_symbols_and_verdicts_are_painted_and_nothing_when_off() {
        let text = "── dfa, 3 seeds ──\n✗ FAIL(D1)  .41 ✓  what? a✓b\n────\n";
        assert_eq!(Colour::Off.paint(text), text);
        assert_eq!(
            Colour::On.paint(text),
            "\x1b[2m──\x1b[0m \x1b[1mdfa, 3 seeds\x1b[0m \x1b[2m──\x1b[0m\n\x1b[31m✗\x1b[0m \x1b[31mFAIL(D1)\x1b[0m  .41 \
             \x1b[32m✓\x1b[0m  what? a✓b\n\x1b[2m────\x1b[0m\n"
        );
    }

    #[test]
    fn taking_the_codes_away_gives_the_text_again() {
        let text = "── bp ──────\n✓ a – b · c ?\n\n  ✗\n";
        let codes = [GREEN, RED, YELLOW, DIM, BOLD, PLAIN];
        let plain = codes.iter().fold(Colour::On.paint(text), |text, code| text.replace(code, ""));
        assert_eq!(plain, text);
    }
}
