//! Parses the header of an `.npy` array, a Python literal.
//!
//! It is a dictionary with the keys `descr`, `fortran_order` and `shape`; nothing else is accepted.

/// A parsed header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NpyHeader {
    /// Type of the elements, such as `<f4`.
    pub(crate) descr: Descr,
    /// Whether the first index counts fastest.
    pub(crate) fortran: bool,
    /// Lengths of the dimensions.
    pub(crate) shape: Vec<usize>,
}

/// Type of the elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Descr {
    /// One type.
    Plain(String),
    /// Records with several fields.
    Fields,
}

impl NpyHeader {
    /// The header in this text, if it is one.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut words = HeaderParser { rest: text };
        let mut descr = None;
        let mut fortran = None;
        let mut shape = None;
        words.eat("{")?;
        while words.eat("}").is_none() {
            let key = words.string()?;
            words.eat(":")?;
            // A repeated key is refused: it would be ambiguous.
            match key {
                "descr" if descr.is_none() => descr = Some(words.descr()?),
                "fortran_order" if fortran.is_none() => fortran = Some(words.truth()?),
                "shape" if shape.is_none() => shape = Some(words.tuple()?),
                _ => return None,
            }
            if words.eat(",").is_none() {
                words.eat("}")?;
                break;
            }
        }
        words.rest.trim().is_empty().then_some(Self { descr: descr?, fortran: fortran?, shape: shape? })
    }
}

/// The text still to parse.
struct HeaderParser<'a> {
    rest: &'a str,
}

impl<'a> HeaderParser<'a> {
    /// Skips a word, if it is the next one.
    fn eat(&mut self, word: &str) -> Option<()> {
        self.rest = self.rest.trim_start().strip_prefix(word)?;
        Some(())
    }

    fn string(&mut self) -> Option<&'a str> {
        let quote = if self.eat("'").is_some() { '\'' } else { self.eat("\"").map(|()| '"')? };
        let (inside, rest) = self.rest.split_once(quote)?;
        self.rest = rest;
        Some(inside)
    }

    fn truth(&mut self) -> Option<bool> {
        if self.eat("True").is_some() { Some(true) } else { self.eat("False").map(|()| false) }
    }

    fn number(&mut self) -> Option<usize> {
        let text = self.rest.trim_start();
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (digits, rest) = text.split_at(end);
        self.rest = rest;
        digits.parse().ok()
    }

    fn tuple(&mut self) -> Option<Vec<usize>> {
        let mut numbers = Vec::new();
        self.eat("(")?;
        while self.eat(")").is_none() {
            numbers.push(self.number()?);
            if self.eat(",").is_none() {
                self.eat(")")?;
                break;
            }
        }
        Some(numbers)
    }

    /// A type in quotes, or a list of fields, whose end is found by counting brackets.
    fn descr(&mut self) -> Option<Descr> {
        if self.eat("[").is_none() {
            return self.string().map(|name| Descr::Plain(name.to_owned()));
        }
        let mut open = 1;
        while open > 0 {
            let bracket = self.rest.find(['[', ']'])?;
            open += if self.rest.as_bytes()[bracket] == b'[' { 1 } else { -1 };
            self.rest = &self.rest[bracket + 1..];
        }
        Some(Descr::Fields)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_that_numpy_writes_are_understood() {
        let header = |descr: &str, fortran, shape: &[usize]| {
            Some(NpyHeader { descr: Descr::Plain(descr.to_owned()), fortran, shape: shape.to_vec() })
        };
        let parse = NpyHeader::parse;
        assert_eq!(
            parse("{'descr': '<f4', 'fortran_order': False, 'shape': (40, 12), }      \n"),
            header("<f4", false, &[40, 12])
        );
        assert_eq!(parse("{'descr':'|b1','fortran_order':True,'shape':(3,)}"), header("|b1", true, &[3]));
        assert_eq!(
            parse("{\"shape\": (), \"descr\": \">i8\", \"fortran_order\": False}"),
            header(">i8", false, &[])
        );
        let fields =
            "{'descr': [('x', '<f4', (2,)), ('y', [('z', '<i2')])], 'fortran_order': False, 'shape': (3,), }";
        assert_eq!(parse(fields).unwrap().descr, Descr::Fields);
    }

    #[test]
    fn anything_else_is_no_header() {
        for text in [
            "",
            "{}",
            "{'descr': '<f4', 'fortran_order': False}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (-1, 2)}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999999,)}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'shape': (4,)}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)} and more",
            "{'descr': __import__('os'), 'fortran_order': False, 'shape': (3,)}",
            "{'descr': [[[[[[[, 'fortran_order': False, 'shape': (3,)}",
        ] {
            assert_eq!(NpyHeader::parse(text), None, "{text}");
        }
    }
}
