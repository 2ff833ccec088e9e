//! The typefaces of a figure.

use super::{TextError, bundled, face::Face};
use record::bounded;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

/// A typeface for text. Formulas are always in New Computer Modern Math.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Family {
    /// The typeface of TeX.
    #[default]
    NewComputerModern,
    /// Libertinus Serif.
    Libertinus,
    /// Computer Modern Sans, for slides.
    Sans,
    /// A file of the user; bold and italic are files of like names beside it, or the same.
    File(PathBuf),
    /// Files of the user: regular, bold and, if there is one, italic.
    Files(Vec<PathBuf>),
}

impl Family {
    /// The names that [`Self::from_str`] accepts.
    pub const NAMES: [&str; 3] = ["new-computer-modern", "libertinus", "sans"];

    /// Files of the user: regular, bold, italic.
    pub(crate) fn of_files(files: &[String]) -> Self {
        Self::Files(files.iter().map(PathBuf::from).collect())
    }

    /// Its regular, bold and italic faces.
    pub(super) fn faces(&self) -> Result<[Arc<Face>; 3], TextError> {
        Ok(match self {
            Self::NewComputerModern => {
                ["NewCMMath-Book", "NewCM10-Bold", "NewCM10-Italic"].map(bundled::face)
            }
            Self::Libertinus => ["LibertinusSerif-Regular", "LibertinusSerif-Bold", "LibertinusSerif-Italic"]
                .map(bundled::face),
            Self::Sans => ["SansSerif-Regular", "SansSerif-Bold", "SansSerif-Italic"].map(bundled::face),
            Self::File(path) => {
                let regular = Arc::new(read(path)?);
                let other = |weight| match beside(path, weight) {
                    Some(path) => read(&path).map(Arc::new),
                    None => Ok(regular.clone()),
                };
                [regular.clone(), other(Weight::Bold)?, other(Weight::Italic)?]
            }
            Self::Files(paths) => {
                let faces: Vec<Arc<Face>> =
                    paths.iter().map(|path| read(path).map(Arc::new)).collect::<Result<_, _>>()?;
                let face = |i: usize| faces.get(i).or(faces.first()).cloned();
                let missing = || TextError::Family { name: String::new() };
                let regular = face(0).ok_or_else(missing)?;
                [regular.clone(), face(1).unwrap_or(regular.clone()), face(2).unwrap_or(regular)]
            }
        })
    }
}

impl FromStr for Family {
    type Err = TextError;

    fn from_str(name: &str) -> Result<Self, TextError> {
        let path = Path::new(name);
        let is_file = path
            .extension()
            .is_some_and(|end| end.eq_ignore_ascii_case("ttf") || end.eq_ignore_ascii_case("otf"));
        match name {
            "new-computer-modern" => Ok(Self::NewComputerModern),
            "libertinus" => Ok(Self::Libertinus),
            "sans" => Ok(Self::Sans),
            _ if is_file => Ok(Self::File(path.to_owned())),
            _ => Err(TextError::Family { name: name.to_owned() }),
        }
    }
}

#[derive(Clone, Copy)]
enum Weight {
    Bold,
    Italic,
}

/// The bold or italic file beside a regular one, by the ways in which such files are named.
fn beside(path: &Path, weight: Weight) -> Option<PathBuf> {
    let stem = path.file_stem()?.to_str()?;
    let ending = path.extension()?.to_str()?;
    let (word, letters) = match weight {
        Weight::Bold => ("Bold", "bd"),
        Weight::Italic => ("Italic", "i"),
    };
    let lower = word.to_lowercase();
    let mut names = vec![format!("{stem}-{word}"), format!("{stem}{word}"), format!("{stem}-{lower}")];
    for (regular, other) in [("Regular", word), ("regular", &lower), ("Roman", word), ("Book", word)] {
        names.extend(stem.strip_suffix(regular).map(|start| format!("{start}{other}")));
    }
    names.push(format!("{stem}{letters}"));
    let files = names.into_iter().map(|name| path.with_file_name(format!("{name}.{ending}")));
    files.filter(|file| file.is_file()).next()
}

fn read(path: &Path) -> Result<Face, TextError> {
    let refuse = |problem: String| TextError::Font { path: path.to_owned(), problem };
    let data =
        bounded::bytes(path, bounded::FONT).map_err(|error| refuse(format!("cannot be read: {error}")))?;
    // No bundled face has such a name.
    let name = format!("file-{}", path.file_stem().unwrap_or_default().to_string_lossy());
    Face::new(&name, Arc::new(data))
        .ok_or_else(|| refuse("is not a font with outlines: give a .ttf or .otf file".to_owned()))
}
