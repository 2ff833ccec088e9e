//! What an author decides is what comes out.

#[path = "../layout/examine.rs"]
mod examine;
#[path = "../layout/made/mod.rs"]
mod made;
#[path = "../layout/published.rs"]
mod published;

mod bare;
mod choice;
mod looks;
mod pages;

use figures::catalogue::{CatalogueError, Drawing, Request, find};
use figures::scene::{Role, Scene};
use figures::{Assignment, File, Format, Options, Style, Typesetter};
use made::{Plan, records};
use toml::Value;

pub(crate) const PLAN: Plan = Plan { rules: 3, seeds: 3, epochs: 12, blocks: 4, long: false, broken: false };

/// Options as flags give them: keys with text.
pub(crate) fn options(flags: &[(&str, &str)]) -> Options {
    let assignment = |&(key, text): &(&str, &str)| Assignment {
        place: format!("--{key} {text}"),
        key: key.to_owned(),
        value: if text == "true" { Value::Boolean(true) } else { Value::String(text.to_owned()) },
    };
    Options::of(&flags.iter().map(assignment).collect::<Vec<_>>()).expect("options")
}

/// A figure with its style and typesetter.
pub(crate) struct Made {
    pub(crate) drawing: Drawing,
    pub(crate) style: Style,
    pub(crate) setter: Typesetter,
}

impl Made {
    pub(crate) fn scene(&self) -> Scene {
        self.drawing.figure.draw(&self.style, &self.setter).expect("it can be drawn")
    }

    pub(crate) fn files(&self, formats: &[Format]) -> Vec<File> {
        figures::files("mine", &self.drawing, formats, &self.style, 100.0, &self.setter).expect("files")
    }

    pub(crate) fn text(&self, ending: &str, formats: &[Format]) -> String {
        let files = self.files(formats);
        let file =
            files.iter().find(|file| file.name == format!("mine.{ending}")).expect("a file of that kind");
        String::from_utf8(file.bytes.clone()).expect("text")
    }
}

/// A figure of made records with options, or why it is refused.
pub(crate) fn made(name: &str, flags: &[(&str, &str)]) -> Result<Made, String> {
    let options = options(flags);
    let style = options.style().map_err(|e| e.to_string())?;
    let setter = Typesetter::new(&style.family).map_err(|e| e.to_string())?;
    let request = Request { records: records(PLAN), ..Request::default() };
    let request = request.wanting(options, &setter).map_err(|e| e.to_string())?;
    let drawing = (find(name).expect("a figure").draw)(&request).and_then(|drawing| drawing.shaped(&request));
    let drawing = drawing.map_err(|e: CatalogueError| e.to_string())?;
    let style = request.options.sized(&style, &drawing.figure);
    Ok(Made { drawing, style, setter })
}

pub(crate) fn drawn(name: &str, flags: &[(&str, &str)]) -> Made {
    made(name, flags).unwrap_or_else(|e| panic!("{name} {flags:?}: {e}"))
}

/// The texts of a picture.
pub(crate) fn texts(scene: &Scene) -> Vec<String> {
    let text = |role: &Role| match role {
        Role::Text(text) => Some(text.clone()),
        _ => None,
    };
    scene.marks.iter().filter_map(|mark| text(&mark.role)).collect()
}
