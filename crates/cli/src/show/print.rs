//! Standard output and standard error, which may be closed or full.

use crate::failure::Failure;
use record::escape::lines;
use report::show::CODES;
use std::cell::RefCell;
use std::io::Write;

/// Prints a line to standard error, with control characters made visible. If it was closed, the error is ignored, so that
/// training continues.
macro_rules! complain {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        let words = format!($($words)*);
        let _ = writeln!(std::io::stderr(), "{}", record::escape::lines(&words));
    }};
}
pub(crate) use complain;

thread_local! {
    /// Why something could not be printed since [`printed`] was last asked.
    static UNPRINTED: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Prints to standard output, with control characters made visible but for our own colours. A closed pipe, as `head` leaves, is
/// no fault; a full disk is, which [`printed`] reports.
pub(crate) fn print(text: &str) {
    let mut stdout = std::io::stdout();
    if let Err(e) = stdout.write_all(safe(text).as_bytes()).and_then(|()| stdout.flush())
        && e.kind() != std::io::ErrorKind::BrokenPipe
    {
        UNPRINTED.with_borrow_mut(|unprinted| *unprinted = Some(e.to_string()));
    }
}

/// The text with the codes of our own colours, and no others. Lines may end as those of CSV do.
fn safe(text: &str) -> String {
    text.split("\r\n").map(safe_part).collect::<Vec<_>>().join("\r\n")
}

fn safe_part(text: &str) -> String {
    let mut pieces = text.split('\x1b');
    let mut safe = lines(pieces.next().unwrap_or_default()).into_owned();
    for piece in pieces {
        let own = CODES.iter().any(|code| piece.strip_prefix('[').is_some_and(|rest| rest.starts_with(code)));
        safe.push(if own { '\x1b' } else { '␛' });
        safe.push_str(&lines(piece));
    }
    safe
}

/// Whether all that was to be printed was.
pub(crate) fn printed() -> Result<(), Failure> {
    match UNPRINTED.take() {
        None => Ok(()),
        Some(e) => Err(Failure::Input(format!("cannot write to standard output: {e}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::safe;
    use report::show::{Colour, Text, Tone};

    #[test]
    fn only_our_own_colours_reach_the_terminal() {
        let all = [Tone::Good, Tone::Bad, Tone::Open, Tone::Faint, Tone::Strong, Tone::Plain];
        for tone in all {
            let text = Text::toned(tone, "PASS").painted(Colour::On);
            assert_eq!(safe(&text), text);
        }
        assert_eq!(safe("a\x1b[2J\x1b]0;title\x07\x1b[8mb\tc\n\x1b"), "a␛[2J␛]0;title␇␛[8mb\tc\n␛");
        assert_eq!(safe("a,b\r\nc\rd\r\n"), "a,b\r\nc␍d\r\n");
    }
}
