//! The letters that the parts of a figure go by.

use super::figure::Figure;

/// The letter of the diagram and of each panel.
pub(crate) struct Letters {
    pub(crate) diagram: Option<char>,
    pub(crate) panels: Vec<Option<char>>,
}

impl Figure {
    /// The letters of its titles, such as `(B)`; where no title has one, A, B, … in the order of the parts.
    pub(crate) fn letters(&self) -> Letters {
        let of = |title: &Option<String>| title.as_deref().and_then(letter);
        let diagram = self.diagram.as_ref().and_then(|diagram| of(&diagram.title));
        let panels: Vec<Option<char>> = self.panels.iter().map(|panel| of(&panel.title)).collect();
        if diagram.is_some() || panels.iter().any(Option::is_some) {
            return Letters { diagram, panels };
        }
        let mut alphabet = 'A'..='Z';
        let diagram = self.diagram.as_ref().and_then(|_| alphabet.next());
        let panels = self.panels.iter().map(|panel| if panel.is_blank() { None } else { alphabet.next() });
        Letters { diagram, panels: panels.collect() }
    }

    /// Without titles, boxes, remarks and foot: what stays is what axes, legends and the letters of its parts say.
    pub(crate) fn bare(&self) -> Self {
        let letters = self.letters();
        let mut figure = self.clone();
        (figure.title, figure.foot) = (None, None);
        let parts = letters.panels.iter().flatten().count() + letters.diagram.iter().count();
        let heading = |letter: Option<char>| letter.filter(|_| parts > 1).map(|letter| format!("({letter})"));
        if let Some(diagram) = &mut figure.diagram {
            diagram.title = heading(letters.diagram);
            diagram.key.clear();
        }
        for (panel, letter) in figure.panels.iter_mut().zip(letters.panels) {
            (panel.title, panel.caption) = (heading(letter), None);
            panel.elements.retain(|element| !matches!(element, super::Element::Callout(_)));
        }
        figure
    }
}

/// The letter that a title begins with.
fn letter(title: &str) -> Option<char> {
    let mut rest = title.strip_prefix('(')?.chars();
    let letter = rest.next().filter(|c| c.is_ascii_alphabetic())?;
    (rest.next() == Some(')')).then_some(letter)
}

/// A title without its letter.
pub(crate) fn without_letter(title: &str) -> &str {
    match letter(title) {
        Some(_) => title[3..].trim_start(),
        None => title,
    }
}
