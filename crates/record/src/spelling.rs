//! The name that a misspelt word probably means.

/// The name closest to `word`, if it takes at most `most` insertions, deletions, replacements or swaps of letters.
///
/// ```
/// assert_eq!(record::nearest("blokcs", ["blocks", "batch"], 2), Some("blocks"));
/// assert_eq!(record::nearest("width", ["blocks", "batch"], 2), None);
/// ```
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>, most: usize) -> Option<&'a str> {
    let distance = |name: &&str| strsim::damerau_levenshtein(name, word);
    names.into_iter().min_by_key(distance).filter(|name| distance(name) <= most)
}
