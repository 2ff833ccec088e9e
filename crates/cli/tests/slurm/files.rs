//! The files that a sweep may leave behind: those in the table of docs/cluster.md.

use std::path::Path;

const PAGE: &str = include_str!("../../../../docs/cluster.md");

/// The names in the page's table of files. A word in capitals or an ellipsis stands for anything, `N` for a number.
pub(crate) fn listed() -> Vec<String> {
    let table = PAGE.split("\n## Files\n").nth(1).expect("a section on files");
    let table = table.split("\n## ").next().expect("a section");
    let names: Vec<String> = table
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next().map(str::to_owned))
        .collect();
    assert!(names.len() > 5, "{names:?}");
    names
}

/// Every file below a folder is one of the listed ones.
pub(crate) fn check(folder: &Path, listed: &[String]) {
    for file in below(folder, "") {
        // A partial file of a process that was killed stays until its run is opened again on the same host.
        let name = file.rsplit('/').next().unwrap_or_default();
        let partial = name.starts_with('.') && name.ends_with(".partial");
        assert!(
            partial || listed.iter().any(|pattern| fits(pattern, &file)),
            "{}: {file} is not listed",
            folder.display()
        );
    }
}

fn below(folder: &Path, prefix: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            found.extend(below(&entry.path(), &format!("{name}/")));
        } else {
            found.push(name);
        }
    }
    found
}

/// Whether a file's name is of the form of a pattern, folder by folder.
fn fits(pattern: &str, file: &str) -> bool {
    let (pattern, file): (Vec<&str>, Vec<&str>) = (pattern.split('/').collect(), file.split('/').collect());
    pattern.len() == file.len() && pattern.iter().zip(file).all(|(pattern, name)| fits_name(pattern, name))
}

fn fits_name(pattern: &str, name: &str) -> bool {
    let open = |c: char| c.is_ascii_uppercase() || c == '…';
    let Some(start) = pattern.find(open) else { return pattern == name };
    let Some(rest) = name.strip_prefix(&pattern[..start]) else { return false };
    // Several placeholders in a row, with their dots and hyphens, stand for one piece of any text.
    let end = pattern
        .rfind(open)
        .map_or(start, |last| last + pattern[last..].chars().next().map_or(1, char::len_utf8));
    let Some(piece) = rest.strip_suffix(&pattern[end..]) else { return false };
    let number = &pattern[start..end] == "N";
    !piece.is_empty() && (!number || piece.bytes().all(|b| b.is_ascii_digit()))
}

#[test]
fn patterns() {
    for (pattern, name, fit) in [
        ("manifest.json", "manifest.json", true),
        ("manifest.json", "manifest.json.old", false),
        ("shards/N.txt", "shards/12.txt", true),
        ("shards/N.txt", "shards/x.txt", false),
        ("N.sh", "shards/1.sh", false),
        ("attempts/RUN/HOST.PID.TOKEN-I.start.json", "attempts/bp-s1/n1.77.ab-0.start.json", true),
        ("attempts/RUN/….beat.json", "attempts/bp-s1/n1.77.ab-0.start.json", false),
    ] {
        assert_eq!(fits(pattern, name), fit, "{pattern} {name}");
    }
}
