//! The letters that the parts of a figure go by.

use super::figure::Figure;

/// The letter of the diagram and of each panel.
pub(crate) struct Letters {
    pub(crate) diagram: Option<char>,
    pub(crate) panels: Vec<Option<char>>,
}

impl Letters {
    /// How many parts have one.
    pub(crate) fn count(&self) -> usize {
        self.panels.iter().flatten().count() + usize::from(self.diagram.is_some())
    }
}

impl Figure {
    /// The letters that stand on it; where none does, those in the order of its parts.
    pub(crate) fn letters(&self) -> Letters {
        let diagram = self.diagram.as_ref().and_then(|diagram| diagram.letter);
        let panels: Vec<Option<char>> = self.panels.iter().map(|panel| panel.letter).collect();
        if diagram.is_some() || panels.iter().any(Option::is_some) {
            return Letters { diagram, panels };
        }
        let mut alphabet = 'a'..='z';
        let diagram = self.diagram.as_ref().and_then(|_| alphabet.next());
        let panels = self.panels.iter().map(|panel| if panel.is_blank() { None } else { alphabet.next() });
        Letters { diagram, panels: panels.collect() }
    }

    /// Without titles, boxes and foot: what stays is what axes, legends and the letters of its parts say.
    pub(crate) fn bare(&self) -> Self {
        let letters = self.letters();
        let shown = |letter: Option<char>| letter.filter(|_| letters.count() > 1);
        let mut figure = self.clone();
        (figure.title, figure.foot) = (None, None);
        if let Some(diagram) = &mut figure.diagram {
            (diagram.title, diagram.letter) = (None, shown(letters.diagram));
            diagram.key.clear();
        }
        for (panel, letter) in figure.panels.iter_mut().zip(&letters.panels) {
            (panel.title, panel.caption, panel.letter) = (None, None, shown(*letter));
        }
        figure
    }
}
