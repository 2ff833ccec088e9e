//! `creditscope data verify`.

use crate::args::Verbosity;
use crate::failure::Failure;
use crate::show;
use data::{DataSpec, Error, FileCheck, Folder, Outcome, State};

pub(super) fn verify(
    name: Option<&str>,
    folder: &Folder,
    flag: &str,
    verbosity: Verbosity,
) -> Result<(), Failure> {
    let names = match name {
        Some(name) => {
            DataSpec::named(name)?;
            vec![name]
        }
        None => {
            let here = data::list(folder).into_iter().filter(|status| status.state != State::Absent);
            here.map(|status| status.name).collect()
        }
    };
    let mut bad = Vec::new();
    let mut files = 0;
    for name in names {
        let checks = match data::verify(name, folder) {
            Ok(checks) => checks,
            Err(missing @ Error::Missing { .. }) => {
                show::complain!("creditscope: {}", crate::remedy::for_data(&missing));
                return Err(Failure::DidNotHold);
            }
            Err(other) => return Err(other.into()),
        };
        if checks.is_empty() && verbosity > Verbosity::Quiet {
            show::print(&format!("{name}: {}\n", built_in(name)));
        }
        files += checks.len();
        for check in &checks {
            // Quiet is for what is well only.
            if verbosity > Verbosity::Quiet || !check.outcome.is_good() {
                show::print(&format!("{name}: {}\n", line(check)));
            }
        }
        if checks.iter().any(|check| !check.outcome.is_good()) {
            bad.push(name);
        }
    }
    if files == 0 && verbosity > Verbosity::Quiet {
        show::print(&format!("No files to check in {}.\n", folder.path().display()));
    }
    if bad.is_empty() {
        return Ok(());
    }
    for name in bad {
        show::complain!(
            "creditscope: {name} is not as published: remove the files marked WRONG, then fetch them again with \
             `creditscope data fetch {name}{flag}`"
        );
    }
    Err(Failure::DidNotHold)
}

/// What can be said of a data set without files.
fn built_in(name: &str) -> &'static str {
    match name {
        "digits" => {
            "inside the program, no file to check; the tests of the program compare its bytes with a SHA-256"
        }
        _ => "made by the program, no file to check",
    }
}

/// A file and what was found.
fn line(check: &FileCheck) -> String {
    let path = check.path.display();
    match &check.outcome {
        Outcome::Ok => format!("{path}: ok"),
        Outcome::Wrong { expected, found } => {
            format!("{path}: WRONG, expected MD5 {expected}, found {found}")
        }
        Outcome::WrongLength { expected, found } => {
            format!("{path}: WRONG, expected {expected} bytes, found {found}")
        }
        Outcome::Missing => format!("{path}: missing"),
        Outcome::Unpublished { found } => format!("{path}: no hash is published for it; its MD5 is {found}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_outcome_has_its_words() {
        let say = |outcome| line(&FileCheck { path: "data/x.bin".into(), outcome });
        assert_eq!(say(Outcome::Ok), "data/x.bin: ok");
        assert_eq!(say(Outcome::Missing), "data/x.bin: missing");
        assert_eq!(
            say(Outcome::WrongLength { expected: 7, found: 5 }),
            "data/x.bin: WRONG, expected 7 bytes, found 5"
        );
        let wrong = say(Outcome::Wrong { expected: "aa".to_owned(), found: "bb".to_owned() });
        assert_eq!(wrong, "data/x.bin: WRONG, expected MD5 aa, found bb");
        let unknown = say(Outcome::Unpublished { found: "cc".to_owned() });
        assert_eq!(unknown, "data/x.bin: no hash is published for it; its MD5 is cc");
    }
}
