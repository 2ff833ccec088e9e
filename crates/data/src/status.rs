//! Which data sets are available.

use std::path::PathBuf;

use serde::Serialize;

use crate::presence::{Presence, locate};
use crate::{DataSpec, Folder, catalogue};

/// A data set and whether it can be used now.
#[derive(Clone, Debug, Serialize)]
pub struct Status {
    /// Its name in recipes.
    pub name: &'static str,
    /// One line about it.
    pub title: String,
    /// Whom to cite; none for generated data.
    pub citation: Option<&'static str>,
    /// The terms under which its authors publish it.
    pub licence: Option<&'static str>,
    /// Whether it is available.
    pub state: State,
}

/// Whether a data set is available.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum State {
    /// Inside the program.
    BuiltIn,
    /// On disk; every file that training needs has the right length.
    Present {
        /// The layout found.
        layout: &'static str,
        /// Its folder.
        folder: PathBuf,
    },
    /// On disk in part.
    Incomplete {
        /// The layout found.
        layout: &'static str,
        /// Its folder.
        folder: PathBuf,
        /// What is wrong, file by file.
        problems: Vec<String>,
    },
    /// Not on disk.
    Absent,
}

/// Every data set, in the order of [`DataSpec::NAMES`].
pub fn list(folder: &Folder) -> Vec<Status> {
    let generated = |name, title: &str| Status {
        name,
        title: title.to_owned(),
        citation: None,
        licence: None,
        state: State::BuiltIn,
    };
    let digits = Status {
        citation: Some(
            "E. Alpaydin, C. Kaynak, Optical Recognition of Handwritten Digits, UCI Machine Learning Repository, \
             1998, doi 10.24432/C50P49",
        ),
        licence: Some("CC BY 4.0"),
        ..generated("digits", "Optical digits: 1,797 handwritten digits, 8×8, 10 classes")
    };
    let teacher = generated("teacher", "Teacher-student: Gaussian inputs labelled by a random network");
    let lq = generated("lq", "Linear-quadratic system: Gaussian starts, targets and noise, no labels");
    let on_disk = catalogue::ALL.into_iter().map(|entry| status(entry, folder));
    let all: Vec<Status> = [digits, teacher, lq].into_iter().chain(on_disk).collect();
    debug_assert!(all.iter().map(|status| status.name).eq(DataSpec::NAMES));
    all
}

fn status(entry: &'static catalogue::CatalogueEntry, folder: &Folder) -> Status {
    let state = match locate(entry, folder) {
        Presence::Complete(found) => {
            State::Present { layout: found.layout.format.name(), folder: found.folder }
        }
        Presence::Incomplete(found, problems) => State::Incomplete {
            layout: found.layout.format.name(),
            folder: found.folder,
            problems: problems.iter().map(ToString::to_string).collect(),
        },
        Presence::Absent => State::Absent,
    };
    Status {
        name: entry.name,
        title: format!(
            "{}: {} + {} images, {}×{}, {} classes",
            entry.title, entry.train, entry.test, entry.shape.height, entry.shape.width, entry.classes
        ),
        citation: Some(entry.citation),
        licence: Some(entry.licence),
        state,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_folder_has_the_built_in_sets_alone() {
        let dir = tempfile::tempdir().unwrap();
        let all = list(&Folder::at(dir.path()));
        assert!(all.iter().map(|status| status.name).eq(DataSpec::NAMES));
        assert!(all[..3].iter().all(|s| s.state == State::BuiltIn));
        assert!(all[3..].iter().all(|s| s.state == State::Absent && s.citation.is_some()));
    }

    #[test]
    fn a_short_and_a_missing_file_are_distinguished() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("cifar-10-batches-bin");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("data_batch_1.bin"), b"short").unwrap();
        let State::Incomplete { layout, problems, .. } = &list(&Folder::at(dir.path()))[3].state else {
            panic!("not incomplete")
        };
        assert_eq!(*layout, "binary");
        assert_eq!(problems[0], "data_batch_1.bin has 5 bytes where 30730000 are expected");
        assert_eq!(problems[5], "test_batch.bin is missing");
    }
}
