//! Whether standard output takes colour. What is coloured, and how, is `report`'s to say.

use report::show::Colour;
use std::io::IsTerminal;

/// Colour on a terminal, unless NO_COLOR is set to something (no-color.org) or the terminal says that it is a dumb one.
pub(crate) fn of_stdout() -> Colour {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let dumb = set("TERM").is_none_or(|term| term == "dumb");
    if set("NO_COLOR").is_none() && !dumb && std::io::stdout().is_terminal() {
        Colour::On
    } else {
        Colour::Off
    }
}
