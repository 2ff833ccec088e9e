//! A key of a recipe: the values that it accepts and its default.

/// The values that a key accepts.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// One of these words.
    Word(&'static [&'static str]),
    /// One of these words, or the path of a file of arrays.
    WordOrFile(&'static [&'static str]),
    /// A list of any of these words; the list belongs to one run and is not expanded.
    Words(&'static [&'static str]),
    /// A whole number between two bounds, both included.
    Whole(i64, i64),
    /// A number between two bounds, both included.
    Real(f64, f64),
    /// true or false.
    Flag,
    /// A short name made of letters, digits, `-`, `_` and `.`.
    Name,
}

/// The value of a key that is not set.
#[derive(Clone, Copy, Debug)]
pub enum Preset {
    /// Always this value, in TOML.
    Always(&'static str),
    /// Depends on the value of another key. For values that are not listed, the key does not apply.
    By(&'static str, &'static [(&'static str, &'static str)]),
}

/// A key of a recipe.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Dotted name.
    pub name: &'static str,
    /// The values that it accepts.
    pub kind: Kind,
    /// Its value if the recipe does not set it. May change from one version of the program to the next.
    pub default: Preset,
    /// The program's behaviour before the key existed. It applies to records without the key and is left out of the identity,
    /// so it never changes, even if the default does.
    pub neutral: Preset,
    /// Whether it affects training. Other keys affect measurements, names of runs or early stopping.
    pub steers_training: bool,
    /// Its meaning, for the template.
    pub help: &'static str,
}

/// A key with the same default everywhere, which is also its neutral value.
pub(super) const fn key(name: &'static str, kind: Kind, default: &'static str, help: &'static str) -> Key {
    let default = Preset::Always(default);
    Key { name, kind, default, neutral: default, steers_training: true, help }
}

/// A key that applies to some values of another key. Its default for each value is also its neutral value.
pub(in crate::recipe) const fn by(
    name: &'static str,
    kind: Kind,
    selector: &'static str,
    values: &'static [(&'static str, &'static str)],
    help: &'static str,
) -> Key {
    let default = Preset::By(selector, values);
    Key { name, kind, default, neutral: default, steers_training: true, help }
}

impl Key {
    /// The same key, marked as not affecting training and so outside the identity of a run.
    pub(super) const fn outside_identity(self) -> Self {
        Self { steers_training: false, ..self }
    }

    /// Its section, if it has one.
    pub(in crate::recipe) fn section(&self) -> Option<&'static str> {
        self.name.split_once('.').map(|(section, _)| section)
    }

    /// Its name within the section.
    pub(in crate::recipe) fn short(&self) -> &'static str {
        self.name.rsplit('.').next().unwrap_or(self.name)
    }
}
