//! A user's own file as `data.name`: where it is, and what of its path identifies a run.

use super::expand::Choice;
use data::DataSpec;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use toml::Value;

/// The key of the data set.
pub(super) const DATA: &str = "data.name";

/// The choice with the path made absolute: the run's own recipe must lead to the file from any folder.
pub(super) fn placed(choice: &Choice) -> Choice {
    let mut choice = choice.clone();
    if let Some(word) = choice.get_mut(DATA)
        && let Some(path) = file(word)
        && let Ok(path) = std::path::absolute(path)
        && let Some(path) = path.to_str()
    {
        *word = path.into();
    }
    choice
}

/// The default number of samples to measure on knows no user's file: there may be fewer.
pub(super) fn bounded(choice: &mut Choice, test: usize) {
    if let Some(Value::Integer(samples)) = choice.get_mut("eval.samples") {
        *samples = (*samples).min(i64::try_from(test).unwrap_or(i64::MAX));
    }
}

/// The value of a key without the folder of a user's file.
pub(super) fn without_folder(key: &str, value: Value) -> Value {
    let name = |path: &Path| path.file_name()?.to_str().map(Value::from);
    match file(&value) {
        Some(path) if key == DATA => name(path).unwrap_or(value),
        _ => value,
    }
}

/// The file that a record's recipe names as its data, if it is a user's own.
pub(crate) fn of_record(recipe: &BTreeMap<String, Value>) -> Option<PathBuf> {
    recipe.get(DATA).and_then(file).map(Path::to_owned)
}

fn file(value: &Value) -> Option<&Path> {
    value.as_str().filter(|word| DataSpec::is_file(word)).map(Path::new)
}
