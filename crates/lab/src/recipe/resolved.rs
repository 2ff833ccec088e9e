//! The resolved recipe of a single run: every key that applies, in one fixed form, and its hash.

use super::expand::Choice;
use super::schema::Schema;
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// TOML text with every key written out, and its SHA-256.
pub(super) fn resolved(schema: &Schema, choice: &Choice) -> (String, String) {
    let mut plain = String::new();
    let mut tables = String::new();
    let mut section = "";
    for (key, value) in schema.keys().iter().filter_map(|key| choice.get(key.name).map(|value| (key, value)))
    {
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
        .expect("writing to a string cannot fail");
    }
    let text = plain + &tables;
    let hash = hex(&Sha256::digest(text.as_bytes()));
    (text, hash)
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
