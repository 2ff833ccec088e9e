//! Compares what the paper's scripts read with the files in the folder.

use super::scripts::{SCRIPTS, Script};
use super::{Gap, Missing, ScriptNeeds};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What each script misses in the folder. `gaps` says why some keys are absent, `written` which files are new.
pub(super) fn check(out: &Path, gaps: &[Gap], written: &BTreeSet<&str>) -> Vec<ScriptNeeds> {
    let needs = |script: &Script| {
        let mut contents = BTreeMap::new();
        let mut missing = Vec::new();
        for reads in script.reads {
            match load(&out.join(reads.file)) {
                Ok(content) => {
                    missing.extend(absent_keys(reads.file, reads.must, reads.may, &content, gaps));
                    contents.insert(reads.file, content);
                }
                Err(why) => {
                    let file = reads.file.to_owned();
                    missing.push(Missing { file, key: None, required: reads.required, why });
                }
            }
        }
        if script.stacked {
            missing.extend(unequal(script, &contents));
        }
        let older = contents.keys().filter(|file| !written.contains(*file));
        let older = older.map(|file| (*file).to_owned()).collect();
        ScriptNeeds { script: script.name, missing, older, typed_in: script.typed_in }
    };
    SCRIPTS.iter().map(needs).collect()
}

/// Whether some script stops, or draws something wrong, without this key of this file.
pub(super) fn needed(file: &str, key: &str) -> bool {
    let reads = SCRIPTS.iter().flat_map(|script| script.reads).filter(|reads| reads.file == file);
    let mut must = reads.flat_map(|reads| reads.must).flat_map(|path| expand(path));
    must.any(|path| path.strip_prefix(key).is_some_and(|below| below.starts_with('/')))
}

fn load(path: &Path) -> Result<Value, String> {
    match record::bounded::utf8(path, record::bounded::RECORD) {
        Ok(text) => serde_json::from_str(&text).map_err(|e| format!("it is not JSON: {e}")),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            Err("no run that belongs in it was given".to_owned())
        }
        Err(e) => Err(format!("it cannot be read: {e}")),
    }
}

fn absent_keys(file: &str, must: &[&str], may: &[&str], content: &Value, gaps: &[Gap]) -> Vec<Missing> {
    let find = |keys: &[&str]| -> BTreeSet<String> {
        keys.iter().flat_map(|key| expand(key)).filter_map(|key| absent(content, &key, "")).collect()
    };
    let must = find(must);
    let may = find(may);
    let all = must.iter().map(|key| (key, true)).chain(may.difference(&must).map(|key| (key, false)));
    let missing = all.map(|(key, required)| {
        let gap = gaps.iter().find(|gap| gap.file == file && gap.key.starts_with(key.as_str()));
        let why = gap.map_or("it is not in the file".to_owned(), |gap| gap.why.clone());
        Missing { file: file.to_owned(), key: Some(key.clone()), required, why }
    });
    missing.collect()
}

/// The keys that a pattern such as `a,b` means.
fn expand(key: &str) -> Vec<String> {
    key.split('/').fold(vec![String::new()], |paths, segment| {
        let longer =
            |path: &String| -> Vec<String> { segment.split(',').map(|name| join(path, name)).collect() };
        paths.iter().flat_map(longer).collect()
    })
}

/// The shortest prefix of `key` that is missing from `value`.
fn absent(value: &Value, key: &str, at: &str) -> Option<String> {
    let (segment, rest) = key.split_once('/').map_or((key, None), |(first, rest)| (first, Some(rest)));
    let below = |inner: &Value, at: String| absent(inner, rest?, &at);
    if segment == "*" {
        let Some(list) = value.as_array().filter(|list| !list.is_empty()) else {
            return Some(at.to_owned());
        };
        return list.iter().enumerate().find_map(|(i, inner)| below(inner, format!("{at}/{i}")));
    }
    let inner = segment.split('|').find_map(|name| match value {
        Value::Array(list) => name.parse().ok().and_then(|i: usize| list.get(i)),
        _ => value.get(name).filter(|inner| !inner.is_null()),
    });
    match inner {
        Some(inner) => below(inner, join(at, segment)),
        None => Some(join(at, segment)),
    }
}

/// Curves that a script stacks over its files, one file per seed, and that are shorter than those of another seed.
fn unequal(script: &Script, contents: &BTreeMap<&str, Value>) -> Vec<Missing> {
    // By key below the seed: length, file and full key.
    let mut lengths: BTreeMap<String, Vec<(usize, &str, String)>> = BTreeMap::new();
    for reads in script.reads {
        for key in reads.must.iter().flat_map(|key| expand(key)) {
            let Some((list, below)) =
                key.strip_suffix("/*").and_then(|list| Some((list, list.split_once('/')?.1)))
            else {
                continue;
            };
            let start = contents.get(reads.file);
            let found =
                start.and_then(|start| list.split('/').try_fold(start, |value, part| value.get(part)));
            if let Some(found) = found.and_then(Value::as_array) {
                let entry = (found.len(), reads.file, list.to_owned());
                lengths.entry(below.to_owned()).or_default().push(entry);
            }
        }
    }
    let mut missing = Vec::new();
    for lists in lengths.into_values() {
        let longest = lists.iter().map(|(length, ..)| *length).max().unwrap_or(0);
        for (length, file, key) in lists.into_iter().filter(|(length, ..)| *length < longest) {
            let why =
                format!("it has {length} epochs where another seed has {longest}, and they are stacked");
            missing.push(Missing { file: file.to_owned(), key: Some(key), required: true, why });
        }
    }
    missing
}

fn join(at: &str, name: &str) -> String {
    if at.is_empty() { name.to_owned() } else { format!("{at}/{name}") }
}
