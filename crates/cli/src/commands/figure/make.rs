//! Figures into files, and what there is to say about them.

use super::asked::Asked;
use super::write;
use crate::failure::Failure;
use crate::remedy::with_flags;
use crate::show;
use figures::catalogue::choose::LEFT_OUT;
use figures::{CatalogueError, Format, Request, Style, Typesetter};
use std::path::PathBuf;

/// Where files go and how they look.
pub(super) struct Press {
    pub(super) style: Style,
    pub(super) setter: Typesetter,
    pub(super) formats: Vec<Format>,
    pub(super) dpi: f64,
    pub(super) out: PathBuf,
    /// Whether files are compared in place of written.
    pub(super) check: bool,
    /// Whether a script that redraws the figure stands beside its values.
    pub(super) python: bool,
    /// Whether the width is that of the command line, whatever the files of figures ask for.
    pub(super) fixed: bool,
}

/// What came out.
#[derive(Default)]
pub(super) struct Made {
    /// Figures with what is to be known about each.
    pub(super) drawn: Vec<(String, Vec<String>)>,
    /// Why others were not drawn.
    pub(super) skipped: Vec<String>,
    /// What went wrong with others.
    pub(super) failed: Vec<String>,
    /// Files on disk that are not as they would be written.
    pub(super) differences: Vec<String>,
}

impl Press {
    /// Makes the files of each figure. One for which the records hold nothing is passed over if `lenient`.
    pub(super) fn make(&self, figures: &[Asked], request: &Request, lenient: bool) -> Result<Made, Failure> {
        let mut made = Made::default();
        for figure in figures {
            let name = figure.name();
            let drawing = match figure.draw(request) {
                Ok(drawing) => drawing,
                Err(e @ CatalogueError::Nothing { remedy, .. }) => {
                    let why = with_flags(&e, remedy);
                    let reasons = if lenient { &mut made.skipped } else { &mut made.failed };
                    reasons.push(why);
                    continue;
                }
                Err(e) => {
                    made.failed.push(format!("{name}: {e}"));
                    continue;
                }
            };
            let inches = figure.width().filter(|_| !self.fixed);
            let share = if self.fixed { 1.0 } else { drawing.figure.share };
            let style = Style {
                width: inches.map_or(share * self.style.width, |inches| 72.0 * inches),
                ..self.style.clone()
            };
            let files = figures::files(name, &drawing, &self.formats, &style, self.dpi, &self.setter);
            let files = match files {
                Ok(files) => {
                    files.into_iter().chain(self.python.then(|| figures::script(name))).collect::<Vec<_>>()
                }
                Err(e) => {
                    made.failed.push(format!("{name}: {e}"));
                    continue;
                }
            };
            if self.check {
                made.differences.extend(write::differences(&files, &self.out)?);
            } else {
                write::write(&files, &self.out)?;
            }
            made.drawn.push((name.to_owned(), drawing.notes));
        }
        Ok(made)
    }

    /// A line for each figure: its files, and indented what is missing in it.
    pub(super) fn summary(&self, made: &Made) -> String {
        let mut endings: Vec<String> = self.formats.iter().map(ToString::to_string).collect();
        endings.push("csv".to_owned());
        endings.extend(self.python.then(|| "py".to_owned()));
        let mut text = String::new();
        for (name, notes) in &made.drawn {
            text.push_str(&format!("{}.{{{}}}\n", self.out.join(name).display(), endings.join(",")));
            for note in notes.iter().filter(|note| !note.starts_with(LEFT_OUT)) {
                text.push_str(&format!("{}\n", show::hanging(note, 2, 4)));
            }
        }
        let notes = made.drawn.iter().flat_map(|(_, notes)| notes);
        let mut settings: Vec<&str> = notes.filter_map(|note| note.strip_prefix(LEFT_OUT)).collect();
        settings.sort_unstable();
        settings.dedup();
        if !settings.is_empty() {
            let figures = if made.drawn.len() == 1 { "it" } else { "some of them" };
            text.push_str(&format!("\nOther settings, left out of {figures}:\n"));
            for setting in settings {
                text.push_str(&format!("{}\n", show::hanging(setting, 2, 4)));
            }
        }
        if !made.skipped.is_empty() {
            text.push_str("\nNot drawn:\n");
            for reason in &made.skipped {
                text.push_str(&format!("{}\n", show::hanging(reason, 2, 4)));
            }
        }
        text
    }
}
