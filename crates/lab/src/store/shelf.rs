//! Records of runs that need not be trained again.

use super::RecipeFile;
use crate::{Error, RunSpec};
use record::{RunRecord, Status};
use std::path::{Path, PathBuf};

/// Records of completed runs from any folder.
#[derive(Default)]
pub struct Shelf {
    found: Vec<Kept>,
}

struct Kept {
    record: RunRecord,
    recipe: RecipeFile,
    path: PathBuf,
}

impl Shelf {
    /// Searches folders; a missing folder counts as empty.
    pub fn look(folders: &[PathBuf]) -> Result<Self, Error> {
        let mut shelf = Self::default();
        for folder in folders.iter().filter(|folder| folder.is_dir()) {
            let runs = match record::find_runs(folder) {
                Err(record::Error::NoRuns { .. }) => continue,
                other => other?,
            };
            for path in runs {
                let record = RunRecord::read(&path)?;
                let recipe = RecipeFile::read(&path)?;
                // A run that stopped would stop again. A run whose recipe was changed later belongs to no study.
                let ended = record.status.is_complete() || matches!(record.status, Status::Stopped { .. });
                if let Some(recipe) = recipe.filter(|recipe| ended && recipe.is_of(&record)) {
                    shelf.found.push(Kept { record, recipe, path });
                }
            }
        }
        Ok(shelf)
    }

    /// A run with the requested training, on data with this hash, that has the requested length or stopped earlier. A run with
    /// the requested measurements too comes first.
    pub fn find(&self, spec: &RunSpec, data_hash: &str) -> Result<Option<&Path>, Error> {
        let mut found = None;
        for Kept { record, recipe, path } in &self.found {
            let from = &record.provenance;
            if from.data_hash != data_hash
                || recipe.difference(spec).is_some()
                || !recipe.is_enough(path, &record.status, spec)?
            {
                continue;
            }
            if from.recipe_hash == spec.recipe_hash {
                return Ok(Some(path));
            }
            found.get_or_insert(path.as_path());
        }
        Ok(found)
    }
}
