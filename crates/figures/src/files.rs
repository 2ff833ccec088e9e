//! The files of a figure: the picture in each format, and its values as CSV.

use crate::caption::Caption;
use crate::catalogue::Drawing;
use crate::output::{self, Metadata, OutputError};
use crate::plot::{DrawError, Style};
use crate::text::Typesetter;
use std::fmt;
use std::str::FromStr;

/// A picture format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Format {
    Pdf,
    Png,
    Svg,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::Pdf, Self::Png, Self::Svg];
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pdf => "pdf",
            Self::Png => "png",
            Self::Svg => "svg",
        })
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let name = text.trim().to_lowercase();
        let found = Self::ALL.into_iter().find(|format| format.to_string() == name);
        found.ok_or_else(|| format!("`{text}` is not a format; choose pdf, png or svg"))
    }
}

/// A file to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "`bytes` says it")]
pub struct File {
    /// Without a folder.
    pub name: String,
    pub bytes: Vec<u8>,
}

/// Why the files of a figure cannot be made.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
#[expect(missing_docs, reason = "the errors say it")]
pub enum FileError {
    Draw(#[from] DrawError),
    Output(#[from] OutputError),
}

/// Makes the files of a figure. The same drawing always gives the same bytes.
pub fn files(
    name: &str,
    drawing: &Drawing,
    formats: &[Format],
    style: &Style,
    dpi: f64,
    setter: &Typesetter,
) -> Result<Vec<File>, FileError> {
    let scene = drawing.figure.draw(style, setter)?;
    let caption = Caption::of(&drawing.figure);
    let description = format!("{}\nAll values are in {name}.csv.", caption.description());
    let metadata = Metadata {
        title: name.to_owned(),
        description: description.clone(),
        sources: drawing.sources.clone(),
        creator: creator(),
    };
    let mut files = Vec::new();
    for format in formats {
        let bytes = match format {
            Format::Pdf => output::pdf(&scene, &metadata)?,
            Format::Png => output::png(&scene, dpi, &metadata)?,
            Format::Svg => output::svg(&scene, &metadata)?.into_bytes(),
        };
        files.push(File { name: format!("{name}.{format}"), bytes });
    }
    if style.bare {
        let records = match drawing.sources.len() {
            1 => "1 record".to_owned(),
            count => format!("{count} records"),
        };
        let source = format!("Drawn by {} from {records}, listed in {name}.csv.", creator());
        let head = format!("Caption of {name}: \\input{{{name}}} below \\includegraphics{{{name}}}.");
        let comments: Vec<String> = std::iter::once(head)
            .chain(drawing.sources.iter().map(|line| format!("source: {line}")))
            .collect();
        files.push(File { name: format!("{name}.tex"), bytes: caption.tex(&source, &comments).into_bytes() });
        files.push(File { name: format!("{name}.txt"), bytes: (description + "\n").into_bytes() });
    }
    let mut comments = vec![format!("figure: {name}"), format!("creator: {}", creator())];
    comments.extend(drawing.sources.iter().map(|source| format!("source: {source}")));
    comments.extend(drawing.notes.iter().map(|note| format!("note: {note}")));
    comments.extend(drawing.figure.header());
    files.push(File { name: format!("{name}.csv"), bytes: drawing.figure.table(&comments).into_bytes() });
    Ok(files)
}

/// A matplotlib script that redraws a figure from its CSV, as a start for what no option does.
pub fn script(name: &str) -> File {
    // Between double quotes and in a docstring, these would end the text.
    let quoted = name.replace(['\\', '"', '{', '}'], "_");
    let text = include_str!("redraw.py").replace("NAME", &quoted);
    File { name: format!("{name}.py"), bytes: text.into_bytes() }
}

fn creator() -> String {
    format!("Creditscope {}", env!("CARGO_PKG_VERSION"))
}
