//! Files that the command line names.

use crate::failure::Failure;
use crate::show;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Standard output by its usual name.
pub(crate) fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// Whether every file can be written where it is asked for, each behind its flag. Measuring takes its time, so this is asked
/// before. `json` says that standard output is taken.
pub(crate) fn can_be_written<'a>(
    files: impl IntoIterator<Item = (&'static str, &'a Path)>,
    json: bool,
    inputs: &[PathBuf],
) -> Result<(), Failure> {
    let refuse = |words: String| Err(Failure::Input(words));
    let mut taken: Vec<(&str, PathBuf)> = Vec::new();
    for (flag, path) in files {
        if let Some((other, _)) = taken.iter().find(|(_, other)| *other == place(path)) {
            return refuse(format!("{other} and {flag} both name {}: name two files", path.display()));
        }
        taken.push((flag, place(path)));
        if is_stdout(path) {
            if json {
                return refuse(format!("{flag} - and --json both want standard output: name a file for one"));
            }
            continue;
        }
        let name = path.display();
        let place = place(path);
        if !folder(&place).is_dir() {
            let folder = folder(&place).display().to_string();
            return refuse(format!("cannot write {name}: there is no folder {folder}; create it first"));
        }
        if place.is_dir() {
            return refuse(format!("cannot write {name}: it is a folder; name a file in it"));
        }
        // No table may replace a file of a run directory.
        let own = place.file_name().is_some_and(|name| record::Run::FILES.iter().any(|own| name == *own));
        if own && place.exists() {
            return refuse(format!("cannot write {name}: it belongs to a run; name another file"));
        }
        if inputs.iter().any(|input| self::place(input) == place) {
            return refuse(format!("cannot write {name}: it is what is to be read; name another file"));
        }
    }
    Ok(())
}

/// Writes a file, whole or not at all. What is no ordinary file, such as a device or a pipe, is written into: a new file
/// in its place would destroy it.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    if is_stdout(path) {
        show::print(text);
        return Ok(());
    }
    let special = path.metadata().is_ok_and(|meta| !meta.is_file());
    let (written, remedy) = if special {
        let open = OpenOptions::new().write(true).open(path);
        (open.and_then(|mut file| file.write_all(text.as_bytes())), "name an ordinary file")
    } else {
        let written = match record::durable::write(&place(path), text.as_bytes()) {
            Err(record::Error::Io { source, .. }) => Err(source),
            other => {
                other?;
                Ok(())
            }
        };
        (written, "name a file in a folder that you may write to")
    };
    written.map_err(|error| Failure::Input(failed(path, &error, remedy)))
}

fn failed(path: &Path, error: &io::Error, remedy: &str) -> String {
    let remedy = match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "free some space, and try again",
        _ => remedy,
    };
    format!("cannot write {}: {error}: {remedy}", path.display())
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Where a path leads: links are followed, also to a file that is not there yet.
fn place(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    // As many links as the kernel follows.
    for _ in 0..40 {
        if let Ok(whole) = path.canonicalize() {
            return whole;
        }
        let Ok(target) = fs::read_link(&path) else { break };
        path = folder(&path).join(target);
    }
    match (folder(&path).canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Output;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        output: Output,
    }

    fn refused(args: &[&str], inputs: &[PathBuf]) -> Option<String> {
        let line = Line::try_parse_from(std::iter::once("audit").chain(args.iter().copied()));
        let output = line.unwrap_or_else(|e| panic!("{e}")).output;
        can_be_written(output.files(), output.json, inputs).err()?.message()
    }

    #[test]
    fn what_would_be_lost_or_mixed_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name).to_str().expect("a name").to_owned();
        let csv = at("a.csv");
        let run = at("run.json");
        let says = |args: &[&str], words: &str| {
            let said = refused(args, &[PathBuf::from(at("dump.npz"))]);
            assert!(said.as_ref().is_some_and(|said| said.contains(words)), "{args:?}: {said:?}");
        };
        assert_eq!(refused(&["--csv", &csv, "--junit", &at("a.xml")], &[]), None);
        assert_eq!(refused(&["--csv", &run], &[]), None, "there is no such run");
        fs::write(&run, "{}").expect("a file");
        says(&["--csv", &run], "it belongs to a run");
        says(&["--csv", &csv, "--junit", &at("./a.csv")], "name two files");
        says(&["--csv", "-", "--junit", "-"], "name two files");
        says(&["--junit", "-", "--json"], "both want standard output");
        says(&["--csv", &at("")], "it is a folder");
        says(&["--csv", &at("none/a.csv")], "there is no folder");
        says(&["--csv", &at("dump.npz")], "what is to be read");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_leads_to_its_file_and_a_device_stays_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let link = folder.path().join("link");
        let target = folder.path().join("target");
        std::os::unix::fs::symlink("target", &link).expect("a link");
        for words in ["once", "again"] {
            write(&link, words).expect("written");
            assert!(link.is_symlink());
            assert_eq!(fs::read_to_string(&target).expect("a file"), words);
        }
        assert!(write(Path::new("/dev/null"), "gone").is_ok());
        assert!(!Path::new("/dev/null").metadata().expect("a device").is_file());
        let full = Path::new("/dev/full");
        if full.metadata().is_ok_and(|meta| !meta.is_file()) {
            let said = write(full, "much").expect_err("full").message().expect("words");
            assert!(said.contains("free some space"), "{said}");
        }
    }
}
