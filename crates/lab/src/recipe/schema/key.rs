//! A key of a recipe: what it may hold, and what holds where it is silent.

/// What a key's value may be.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// One of these words.
    Word(&'static [&'static str]),
    /// A list of any of these words, which belongs to one run and multiplies nothing.
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

/// What holds where nothing is said.
#[derive(Clone, Copy, Debug)]
pub enum Preset {
    /// Always this, in TOML.
    Always(&'static str),
    /// Depends on the word that another key holds; a word that is not listed has no such key.
    By(&'static str, &'static [(&'static str, &'static str)]),
}

/// A key of a recipe.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Dotted name.
    pub name: &'static str,
    /// What it may hold.
    pub kind: Kind,
    /// What it holds where a recipe is silent. May change from one version of the program to the next.
    pub default: Preset,
    /// What the program did before the key existed. It holds for records that lack the key and is left out of the identity, so
    /// it never changes, even if the default does.
    pub neutral: Preset,
    /// Whether it steers training. The others steer what is measured, how runs are named or when one ends early.
    pub steers_training: bool,
    /// What it means, for the template.
    pub help: &'static str,
}

/// A key with the same default everywhere, which is also its neutral value.
pub(super) const fn key(name: &'static str, kind: Kind, default: &'static str, help: &'static str) -> Key {
    let default = Preset::Always(default);
    Key { name, kind, default, neutral: default, steers_training: true, help }
}

/// A key that applies beside some words of another key, with a default, which is also its neutral value, for each.
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
    /// The same key, as one that does not steer training.
    pub(super) const fn aside(self) -> Self {
        Self { steers_training: false, ..self }
    }

    /// Its first part, where it has two.
    pub(in crate::recipe) fn section(&self) -> Option<&'static str> {
        self.name.split_once('.').map(|(section, _)| section)
    }

    /// Its last part.
    pub(in crate::recipe) fn short(&self) -> &'static str {
        self.name.rsplit('.').next().unwrap_or(self.name)
    }
}
