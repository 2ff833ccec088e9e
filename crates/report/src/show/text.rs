//! Words that know what they mean. Colour is chosen from the meaning when the text is printed, so no table has to know of
//! escape codes, and symbols carry the meaning alone where there is no colour.

/// What a piece of text says about the thing it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Nothing.
    Plain,
    /// It holds.
    Good,
    /// It does not.
    Bad,
    /// It could not be decided.
    Open,
    /// It is of no consequence.
    Faint,
    /// It is a title.
    Strong,
}

impl Tone {
    /// The class of HTML elements with this tone; empty for plain ones.
    pub fn class(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Good => "good",
            Self::Bad => "bad",
            Self::Open => "open",
            Self::Faint => "faint",
            Self::Strong => "strong",
        }
    }
}

/// Whether text is printed in colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// With ANSI escape codes.
    On,
    /// Plain.
    Off,
}

/// What follows `ESC [` in the codes that colours are made of.
pub const CODES: [&str; 6] = ["32m", "31m", "33m", "2m", "1m", "0m"];

impl Colour {
    fn paint(self, tone: Tone, words: &str) -> String {
        let [good, bad, open, faint, strong, end] = CODES;
        let code = match tone {
            Tone::Good => good,
            Tone::Bad => bad,
            Tone::Open => open,
            Tone::Faint => faint,
            Tone::Strong => strong,
            Tone::Plain => return words.to_owned(),
        };
        if self == Self::Off || words.is_empty() {
            return words.to_owned();
        }
        format!("\x1b[{code}{words}\x1b[{end}")
    }
}

/// A symbol for an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Symbol {
    /// It holds.
    Good,
    /// No better than chance.
    Chance,
    /// It could not be decided, or evidence disagrees.
    Open,
    /// It does not hold.
    Bad,
    /// There is nothing to decide.
    Absent,
}

impl Symbol {
    /// The symbol itself.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Good => "✓",
            Self::Chance => "·",
            Self::Open => "?",
            Self::Bad => "✗",
            Self::Absent => "–",
        }
    }

    /// What it says.
    pub fn tone(self) -> Tone {
        match self {
            Self::Good => Tone::Good,
            Self::Chance => Tone::Faint,
            Self::Open => Tone::Open,
            Self::Bad => Tone::Bad,
            Self::Absent => Tone::Plain,
        }
    }
}

/// A line of text in pieces, each with its meaning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text(Vec<(Tone, String)>);

impl Text {
    /// One piece.
    pub fn toned(tone: Tone, words: impl Into<String>) -> Self {
        Self(vec![(tone, words.into())])
    }

    /// This text and what follows it.
    #[must_use]
    pub fn then(mut self, next: impl Into<Self>) -> Self {
        self.0.extend(next.into().0);
        self
    }

    /// Columns that it takes.
    pub fn width(&self) -> usize {
        self.0.iter().map(|(_, words)| words.chars().count()).sum()
    }

    /// Whether there is nothing to see.
    pub fn is_blank(&self) -> bool {
        self.0.iter().all(|(_, words)| words.trim().is_empty())
    }

    /// The words alone.
    pub fn plain(&self) -> String {
        self.painted(Colour::Off)
    }

    /// What its first piece that says something says.
    pub fn tone(&self) -> Tone {
        self.0.iter().map(|(tone, _)| *tone).find(|tone| *tone != Tone::Plain).unwrap_or(Tone::Plain)
    }

    /// As a terminal shows it.
    pub fn painted(&self, colour: Colour) -> String {
        self.0.iter().map(|(tone, words)| colour.paint(*tone, words)).collect()
    }
}

impl From<String> for Text {
    fn from(words: String) -> Self {
        Self::toned(Tone::Plain, words)
    }
}

impl From<&str> for Text {
    fn from(words: &str) -> Self {
        words.to_owned().into()
    }
}

impl From<Symbol> for Text {
    fn from(symbol: Symbol) -> Self {
        Self::toned(symbol.tone(), symbol.sign())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symbol_has_the_colour_of_its_meaning_and_takes_one_column() {
        for symbol in [Symbol::Good, Symbol::Chance, Symbol::Open, Symbol::Bad, Symbol::Absent] {
            let text = Text::from(symbol).then(" dfa");
            assert_eq!((text.width(), text.plain()), (5, format!("{} dfa", symbol.sign())));
            let coloured = text.painted(Colour::On) != text.plain();
            assert_eq!(coloured, symbol != Symbol::Absent);
        }
        assert_eq!(Text::from(Symbol::Bad).painted(Colour::On), "\x1b[31m✗\x1b[0m");
    }
}
