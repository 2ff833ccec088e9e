//! The resolved recipe of a single run: every key that applies, in one fixed form, and its hash.

use super::expand::Choice;
use super::schema::KEYS;
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// TOML text with every key written out, and its SHA-256.
pub(super) fn resolved(choice: &Choice) -> (String, String) {
    let mut text = String::new();
    let (mut tables, mut plain) = (String::new(), String::new());
    let mut section = "";
    for (key, value) in KEYS.iter().filter_map(|key| choice.get(key.name).map(|value| (key, value))) {
        match key.name.split_once('.') {
            None => writeln!(plain, "{} = {value}", key.name),
            Some((group, name)) => {
                if group != section {
                    section = group;
                    tables.push_str(&format!("\n[{group}]\n"));
                }
                writeln!(tables, "{name} = {value}")
            }
        }
        .expect("a string takes all that is written to it");
    }
    text.push_str(&plain);
    text.push_str(&tables);
    let hash = hex(&Sha256::digest(text.as_bytes()));
    (text, hash)
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
