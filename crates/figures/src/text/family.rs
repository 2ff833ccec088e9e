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
    /// A file of the user, whose one face is also used for bold and italic.
    File(PathBuf),
}

impl Family {
    /// The names that [`Self::from_str`] accepts.
    pub const NAMES: [&str; 3] = ["new-computer-modern", "libertinus", "sans"];

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
                let face = Arc::new(read(path)?);
                [face.clone(), face.clone(), face]
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

fn read(path: &Path) -> Result<Face, TextError> {
    let refuse = |problem: String| TextError::Font { path: path.to_owned(), problem };
    let data =
        bounded::bytes(path, bounded::FONT).map_err(|error| refuse(format!("cannot be read: {error}")))?;
    // No bundled face has such a name.
    let name = format!("file-{}", path.file_stem().unwrap_or_default().to_string_lossy());
    Face::new(&name, Arc::new(data))
        .ok_or_else(|| refuse("is not a font with outlines: give a .ttf or .otf file".to_owned()))
}
