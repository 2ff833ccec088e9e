//! A figure in words: its caption, from the sentences that stand on the picture, and a description for readers who cannot
//! see it.

mod values;

use crate::plot::{Figure, Panel};
use crate::text::{latex, plain};

/// The sentences of a figure.
pub(crate) struct Caption<'a> {
    figure: &'a Figure,
    /// Label source, one for the figure, its diagram, each panel, and the foot.
    sentences: Vec<String>,
}

impl<'a> Caption<'a> {
    /// What stands on a figure in words.
    pub(crate) fn of(figure: &'a Figure) -> Self {
        let letters = figure.letters();
        let several = letters.count() > 1;
        let shown = |letter: Option<char>| letter.filter(|_| several);
        let mut sentences: Vec<String> = figure.title.iter().map(|title| sentence(title)).collect();
        if let Some(diagram) = &figure.diagram {
            let words = diagram.title.iter().chain([&diagram.key]);
            sentences.push(part(shown(letters.diagram), words.cloned()));
        }
        for (panel, letter) in figure.panels.iter().zip(letters.panels) {
            if !panel.is_blank() {
                sentences.push(part(shown(letter), words(panel)));
            }
        }
        sentences.extend(figure.foot.iter().map(|foot| sentence(foot)));
        sentences.retain(|sentence| !sentence.is_empty());
        Self { figure, sentences }
    }

    /// The caption as a file of LaTeX: `source` says where the values come from, `comments` in full.
    pub(crate) fn tex(&self, source: &str, comments: &[String]) -> String {
        let mut lines: Vec<String> =
            comments.iter().flat_map(|text| text.lines()).map(|line| format!("% {line}")).collect();
        lines.push("\\caption{%".to_owned());
        lines.extend(self.sentences.iter().map(|sentence| format!("  {}", latex(sentence))));
        lines.push(format!("  {}%\n}}", latex(&crate::text::escape(source))));
        lines.join("\n") + "\n"
    }

    /// What the figure shows, in plain characters: its sentences, then the main values of each panel.
    pub(crate) fn description(&self) -> String {
        let sentences = self.sentences.iter().map(|sentence| plain(sentence));
        let diagram = self.figure.description();
        let letters = self.figure.letters().panels;
        let panels = self.figure.panels.iter().zip(letters);
        let values = panels.filter_map(|(panel, letter)| values::of(panel, letter));
        sentences.chain(diagram).chain(values).collect::<Vec<_>>().join("\n")
    }
}

/// What a panel says: its title, or its name without one; its box; why it is empty.
fn words(panel: &Panel) -> impl Iterator<Item = String> + '_ {
    let title = panel.title.clone().unwrap_or_else(|| crate::text::escape(&panel.name));
    std::iter::once(title).chain(panel.caption.clone()).chain(panel.absent.clone())
}

/// The sentences of a part after its letter.
fn part(letter: Option<char>, sentences: impl IntoIterator<Item = String>) -> String {
    let letter = letter.map(|letter| format!("({letter})"));
    let words = sentences.into_iter().map(|words| sentence(&words)).filter(|words| !words.is_empty());
    let words: Vec<String> = letter.into_iter().chain(words).collect();
    words.join(" ")
}

/// Words that begin with a capital and end with a full stop.
fn sentence(words: &str) -> String {
    let words = words.replace('\n', " ");
    let words = words.trim();
    let mut rest = words.chars();
    let first = rest.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    let end = if words.is_empty() || words.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{end}", rest.as_str())
}
