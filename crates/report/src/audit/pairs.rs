//! Groups against each other, seed by seed: every difference, their mean and deviation, and no test of three values.

use super::words::{change, points};
use crate::page::{Block, Line};
use crate::show::{self, Table};
use record::audit::{AuditSet, Pair};

/// More seeds than this are listed in lines in place of columns.
const COLUMNS: usize = 5;

pub(super) fn pairs(set: &AuditSet) -> Block {
    let mut seeds: Vec<u64> = Vec::new();
    for &seed in set.pairs.iter().flat_map(|pair| &pair.seeds) {
        if !seeds.contains(&seed) {
            seeds.push(seed);
        }
    }
    if seeds.len() <= COLUMNS {
        Block::Table(columns(&set.pairs, &seeds))
    } else {
        Block::Lines(set.pairs.iter().map(|pair| Line::new(None, line(pair))).collect())
    }
}

fn columns(pairs: &[Pair], seeds: &[u64]) -> Table {
    let names: Vec<String> = seeds.iter().map(|seed| format!("seed {seed}")).collect();
    let mut heading = vec!["difference", "of"];
    heading.extend(names.iter().map(String::as_str));
    heading.push("mean ± sd");
    let mut table = Table::new(&heading, 2);
    for pair in pairs {
        let mut row = vec![format!("{} − {}", pair.a, pair.b), name(&pair.of)];
        row.extend(seeds.iter().map(|seed| {
            let place = pair.seeds.iter().position(|other| other == seed);
            place.and_then(|i| pair.differences.get(i)).map_or_else(String::new, |&x| write(&pair.of, x))
        }));
        row.push(mean(pair));
        table.row(row);
    }
    table
}

fn line(pair: &Pair) -> String {
    let each = pair.seeds.iter().zip(&pair.differences);
    let each: Vec<String> = each.map(|(seed, &x)| format!("{} ({seed})", write(&pair.of, x))).collect();
    format!("{} − {}, {}: {}; mean {}", pair.a, pair.b, name(&pair.of), each.join(", "), mean(pair))
}

fn mean(pair: &Pair) -> String {
    let deviation = |sd: f64| format!(" ±{}", write(&pair.of, sd).trim_start_matches('+'));
    write(&pair.of, pair.mean) + &pair.sd.map_or_else(String::new, deviation)
}

/// The quantity with its unit.
fn name(of: &str) -> String {
    match of {
        "accuracy" | "gain" => format!("{of}, points"),
        "gradient" => "‖g_L‖".to_owned(),
        "gamma" => "Γ".to_owned(),
        other => other.to_owned(),
    }
}

fn write(of: &str, x: f64) -> String {
    match of {
        "accuracy" | "gain" => points(x),
        "gamma" => {
            let text = show::signed(x);
            if text.starts_with('-') { text } else { format!("+{text}") }
        }
        _ => change(x),
    }
}
