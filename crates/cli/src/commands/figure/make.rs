//! Figures into files, and what there is to say about them.

use super::asked::Asked;
use super::prepared::{Prepared, words};
use super::write;
use crate::failure::Failure;
use crate::remedy::with_flags;
use crate::show;
use figures::catalogue::choose::LEFT_OUT;
use figures::{CatalogueError, File, Format};
use std::path::PathBuf;

/// Which files are made of a figure, and where they go.
pub(super) struct Press {
    pub(super) formats: Vec<Format>,
    pub(super) dpi: f64,
    pub(super) out: PathBuf,
    /// Whether files are compared in place of written.
    pub(super) check: bool,
    /// Whether a script that redraws the figure stands beside its values.
    pub(super) python: bool,
}

/// What came out.
#[derive(Default)]
pub(super) struct Made {
    /// Figures with the endings of their files and what is to be known about each.
    pub(super) drawn: Vec<(String, Vec<String>, Vec<String>)>,
    /// Why others were not drawn.
    pub(super) skipped: Vec<String>,
    /// What went wrong with others.
    pub(super) failed: Vec<String>,
    /// Files on disk that are not as they would be written.
    pub(super) differences: Vec<String>,
}

impl Press {
    /// Makes the files of each figure. One for which the records hold nothing, or that an option does not fit, is passed over if
    /// `lenient`.
    pub(super) fn make(
        &self,
        figures: &[Asked],
        prepared: &Prepared,
        lenient: bool,
        made: &mut Made,
    ) -> Result<(), Failure> {
        let Prepared { request, style, setter } = prepared;
        for figure in figures {
            let name = figure.name();
            let drawing = match figure.draw(request) {
                Ok(drawing) => drawing,
                Err(e) => {
                    let (why, may_be_passed_over) = match &e {
                        CatalogueError::Nothing { remedy, .. } => (with_flags(&e, *remedy), true),
                        CatalogueError::Option(refusal) => (format!("{name}: {}", words(refusal)), true),
                        _ => (format!("{name}: {e}"), false),
                    };
                    let reasons =
                        if lenient && may_be_passed_over { &mut made.skipped } else { &mut made.failed };
                    reasons.push(why);
                    continue;
                }
            };
            let style = request.options.sized(style, &drawing.figure);
            let files = figures::files(name, &drawing, &self.formats, &style, self.dpi, setter);
            let files: Vec<File> = match files {
                Ok(files) => files.into_iter().chain(self.python.then(|| figures::script(name))).collect(),
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
            let ending =
                |file: &File| file.name.strip_prefix(name).map(|end| end.trim_start_matches('.').to_owned());
            made.drawn.push((name.to_owned(), files.iter().filter_map(ending).collect(), drawing.notes));
        }
        Ok(())
    }

    /// A line for each figure: its files, and indented what is missing in it.
    pub(super) fn summary(&self, made: &Made) -> String {
        let mut text = String::new();
        for (name, endings, notes) in &made.drawn {
            text.push_str(&format!("{}.{{{}}}\n", self.out.join(name).display(), endings.join(",")));
            for note in notes.iter().filter(|note| !note.starts_with(LEFT_OUT)) {
                text.push_str(&format!("{}\n", show::hanging(note, 2, 4)));
            }
        }
        let notes = made.drawn.iter().flat_map(|(.., notes)| notes);
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
