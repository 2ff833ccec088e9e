//! What is here and what is missing.

use std::path::PathBuf;

use serde::Serialize;

use crate::locate::{Presence, locate};
use crate::{DataSpec, Folder, catalogue};

/// A data set and whether it can be used now.
#[derive(Clone, Debug, Serialize)]
pub struct Status {
    /// Its name in recipes.
    pub name: &'static str,
    /// What it is, in a line.
    pub title: String,
    /// Whom to cite; none for data that the program makes itself.
    pub citation: Option<&'static str>,
    /// The terms under which its authors publish it.
    pub licence: Option<&'static str>,
    /// Where it stands.
    pub state: State,
}

/// Where a data set stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum State {
    /// Inside the program.
    BuiltIn,
    /// On disk, every needed file of the right length.
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
        /// What is wrong, one file each.
        problems: Vec<String>,
    },
    /// Not on disk.
    Absent,
}

/// Every data set, in the order of [`DataSpec::NAMES`].
pub fn list(folder: &Folder) -> Vec<Status> {
    let digits = Status {
        name: "digits",
        title: "Optical digits: 1,797 handwritten digits, 8×8, 10 classes".to_owned(),
        citation: Some(
            "E. Alpaydin, C. Kaynak, Optical Recognition of Handwritten Digits, UCI Machine Learning Repository, \
             1998, doi 10.24432/C50P49",
        ),
        licence: Some("CC BY 4.0"),
        state: State::BuiltIn,
    };
    let teacher = Status {
        name: "teacher",
        title: "Teacher-student: Gaussian inputs labelled by a random network".to_owned(),
        citation: None,
        licence: None,
        state: State::BuiltIn,
    };
    let lq = Status {
        name: "lq",
        title: "Linear-quadratic system: Gaussian starts, targets and noise, no labels".to_owned(),
        citation: None,
        licence: None,
        state: State::BuiltIn,
    };
    let on_disk = catalogue::ALL.into_iter().map(|entry| status(entry, folder));
    let all: Vec<Status> = [digits, teacher, lq].into_iter().chain(on_disk).collect();
    debug_assert!(all.iter().map(|status| status.name).eq(DataSpec::NAMES));
    all
}

fn status(entry: &'static catalogue::Entry, folder: &Folder) -> Status {
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
    fn a_cut_and_a_missing_file_are_told_apart() {
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
