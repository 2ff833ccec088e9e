//! Where the runs of a sweep come from: the text of a recipe and what was changed about it.

use lab::{Error, Plan, Recipe};
use serde::{Deserialize, Serialize};

/// A recipe as it was given. A worker expands it again and checks that it gives the planned runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The recipe's text; in the file a list of its lines, which a person can read.
    #[serde(with = "lines")]
    pub text: String,
    /// The file's name, for messages.
    pub origin: String,
    /// Name of the recipe if it has none of its own.
    pub name: String,
    /// Overridden keys, as `key=value`.
    pub assignments: Vec<String>,
}

impl Source {
    /// The recipe.
    pub fn recipe(&self) -> Result<Recipe, Error> {
        let mut recipe = Recipe::parse(&self.text, &self.origin)?;
        recipe.name_by_default(&self.name);
        self.assignments.iter().try_for_each(|assignment| recipe.set(assignment))?;
        Ok(recipe)
    }

    /// All its runs.
    pub fn plan(&self) -> Result<Plan, Error> {
        Plan::new(&self.recipe()?)
    }
}

/// A text as the list of its lines. Tabs, which would be shown and not obeyed when the file is read, become blanks.
mod lines {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
        text.lines().map(|line| line.replace('\t', " ")).collect::<Vec<_>>().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
        Ok(Vec::<String>::deserialize(deserializer)?.join("\n"))
    }
}
