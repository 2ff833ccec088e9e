//! Fits labels into a width.

use super::line::TextLine;
use super::source::{Span, append, push_text};
use super::style::TextStyle;
use super::{Problem, Typesetter};

/// A word may be broken after these.
const BREAKS: [char; 3] = ['-', '_', '/'];

impl Typesetter {
    /// Breaks lines so that none is wider than `width`, unless not even `…` fits.
    pub(super) fn wrapped(
        &self,
        lines: &[Vec<Span>],
        style: &TextStyle,
        width: f64,
    ) -> Result<Vec<TextLine>, Problem> {
        let mut out = Vec::new();
        for line in lines {
            let mut current: Vec<Span> = Vec::new();
            for word in words(line) {
                if self.joins(&mut current, &word, " ", style, width)? {
                    continue;
                }
                let whole = self.line(&word, style)?.width <= width;
                let pieces = if whole { vec![word] } else { fragments(&word) };
                for (i, piece) in pieces.iter().enumerate() {
                    let between = if i == 0 { " " } else { "" };
                    if !self.joins(&mut current, piece, between, style, width)? {
                        if !current.is_empty() {
                            out.push(self.shortened(&current, style, width)?);
                        }
                        current.clone_from(piece);
                    }
                }
            }
            out.push(self.shortened(&current, style, width)?);
        }
        Ok(out)
    }

    /// Adds a piece to a line if both fit together.
    fn joins(
        &self,
        line: &mut Vec<Span>,
        piece: &[Span],
        between: &str,
        style: &TextStyle,
        width: f64,
    ) -> Result<bool, Problem> {
        if line.is_empty() {
            return Ok(false);
        }
        let mut longer = line.clone();
        push_text(&mut longer, between.to_owned());
        append(&mut longer, piece);
        let fits = self.line(&longer, style)?.width <= width;
        if fits {
            *line = longer;
        }
        Ok(fits)
    }

    /// One line, cut at its end if wider than `width`.
    pub(super) fn shortened(
        &self,
        parts: &[Span],
        style: &TextStyle,
        width: f64,
    ) -> Result<TextLine, Problem> {
        let line = self.line(parts, style)?;
        if line.width <= width {
            return Ok(line);
        }
        let atoms = atoms(parts);
        // Bisects for the longest beginning that fits.
        let mut fits = 0;
        let mut exceeds = atoms.len();
        while exceeds - fits > 1 {
            let middle = (fits + exceeds) / 2;
            if self.line(&beginning(&atoms[..middle]), style)?.width <= width {
                fits = middle;
            } else {
                exceeds = middle;
            }
        }
        self.line(&beginning(&atoms[..fits]), style)
    }
}

/// The parts of a line between its spaces.
fn words(line: &[Span]) -> Vec<Vec<Span>> {
    let mut words = vec![Vec::new()];
    for part in line {
        match part {
            Span::Text(text) => {
                for (i, word) in text.split(' ').enumerate() {
                    if i > 0 {
                        words.push(Vec::new());
                    }
                    if let Some(last) = words.last_mut() {
                        push_text(last, word.to_owned());
                    }
                }
            }
            Span::Math(_) => words.last_mut().into_iter().for_each(|last| last.push(part.clone())),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The pieces between which a word may be broken.
fn fragments(word: &[Span]) -> Vec<Vec<Span>> {
    let mut pieces: Vec<Vec<Span>> = Vec::new();
    let mut broken = true;
    for part in word {
        let stretches = match part {
            Span::Text(text) => text.split_inclusive(BREAKS).map(|s| Span::Text(s.to_owned())).collect(),
            Span::Math(_) => vec![part.clone()],
        };
        for stretch in stretches {
            let breaks = matches!(&stretch, Span::Text(text) if text.ends_with(BREAKS));
            match pieces.last_mut().filter(|_| !broken) {
                Some(piece) => append(piece, &[stretch]),
                None => pieces.push(vec![stretch]),
            }
            broken = breaks;
        }
    }
    pieces
}

/// The smallest units that may be cut off: a character with its combining marks, or a whole formula.
fn atoms(parts: &[Span]) -> Vec<Span> {
    let mut atoms = Vec::new();
    for part in parts {
        let Span::Text(text) = part else {
            atoms.push(part.clone());
            continue;
        };
        for c in text.chars() {
            match atoms.last_mut() {
                Some(Span::Text(before)) if ('\u{300}'..='\u{36f}').contains(&c) => before.push(c),
                _ => atoms.push(Span::Text(c.to_string())),
            }
        }
    }
    atoms
}

/// The atoms and `…`, without a space between them.
fn beginning(atoms: &[Span]) -> Vec<Span> {
    let spaces = atoms.iter().rev().take_while(|atom| **atom == Span::Text(" ".to_owned())).count();
    let mut parts = Vec::new();
    append(&mut parts, &atoms[..atoms.len() - spaces]);
    push_text(&mut parts, "…".to_owned());
    parts
}
