//! The files of an audit, read back.

use super::sample::{sample, set as grouped};
use super::{View, viewed};
use crate::audit::{csv, junit};
use record::Measured;
use record::audit::{Audit, CheckId};

/// Reads RFC 4180, written apart from what writes it.
fn records(text: &str) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let mut row = Vec::new();
    let mut cell = String::new();
    let mut inside = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if inside && chars.peek() == Some(&'"') => cell.extend(chars.next()),
            '"' => inside = !inside,
            ',' if !inside => row.push(std::mem::take(&mut cell)),
            '\n' if !inside => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            '\r' if !inside => {}
            c => cell.push(c),
        }
    }
    assert!(cell.is_empty() && row.is_empty() && !inside, "the file ends with a row");
    rows
}

#[test]
fn the_csv_reads_back_as_the_numbers_of_the_set() {
    let set = sample();
    let rows = records(&csv::text(&[("", &set)]));
    assert!(rows.iter().all(|row| row.len() == 13));
    assert_eq!(rows[0][..3], ["run", "group", "rule"]);
    let value = |run: &str, unit: &str, convention: &str, quantity: &str| {
        let at = [(0, run), (5, unit), (6, convention), (7, quantity)];
        let found: Vec<_> = rows.iter().filter(|row| at.iter().all(|&(c, word)| row[c] == word)).collect();
        assert!(found.len() <= 1, "{run} {unit} {convention} {quantity} occurs twice");
        found.first().map(|row| (row[8].clone(), row[9].clone(), row[10].clone()))
    };
    for audit in &set.audits {
        let id = audit.subject.id();
        let number = |x: Option<f64>| x.map(|x| x.to_bits());
        let read = |unit: &str, quantity: &str| {
            number(value(id, unit, "here", quantity).and_then(|(x, ..)| x.parse::<f64>().ok()))
        };
        let run = value(id, "", "", "accuracy").and_then(|(x, ..)| x.parse().ok());
        assert_eq!(number(run), number(audit.accuracy));
        for (unit, state) in audit.units.iter().zip(&audit.states) {
            let name = unit.unit.to_string();
            assert_eq!(read(&name, "hidden"), number(state.hidden));
            assert_eq!(read(&name, "gradient"), number(state.gradient));
            assert_eq!(read(&name, "credit"), number(unit.credit));
            let Some(here) = &unit.here else { continue };
            let (cosine, state, why) = value(id, &name, "here", "cosine").expect("a cosine");
            assert_eq!(number(cosine.parse().ok()), number(here.cosine.value()));
            let expected = match here.cosine {
                Measured::Defined { .. } => "defined",
                Measured::Unreliable { .. } => "unreliable",
                Measured::Undefined { .. } => "undefined",
            };
            assert_eq!(
                (state.as_str(), why.as_str()),
                (expected, here.cosine.why().map_or("", |w| w.words()))
            );
            for nudge in &here.nudges {
                assert_eq!(read(&name, &format!("nudge@{}", nudge.eta)), number(nudge.change.value()));
            }
        }
    }
    assert_eq!(value("epoch9, \"b\" <1>.npz", "block 1", "here", "credit").expect("a row").0, "inf");
    assert_eq!(value("dfa-s42", "embed", "here", "null_place_cosine@fresh_feedback").expect("a row").0, "1");
    let empty: Vec<_> = rows.iter().filter(|row| row[11].is_empty()).map(|row| row[7].as_str()).collect();
    assert!(empty.contains(&"accuracy") && empty.contains(&"gain") && empty.contains(&"D3"));
    assert!(!empty.contains(&"error") && !empty.contains(&"D1") && !empty.contains(&"cosine"));
    assert_eq!(value("fa-s42", "", "", "D3").expect("a row").2, "not assessed: no frozen baseline");
}

#[test]
fn sizes_stand_with_their_unit_though_the_embedding_is_missing() {
    let mut set = grouped(vec![sample().audits.swap_remove(3)]);
    let whole = viewed(&set, &View { layers: true, ..View::default() });
    set.audits[0].units.remove(0);
    let text = viewed(&set, &View { layers: true, ..View::default() });
    let rows = |text: &str, name: &str| -> Vec<String> {
        let rows = text.lines().filter(|line| line.starts_with(name));
        rows.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    };
    for block in ["block 0", "block 3"] {
        assert_eq!(rows(&text, block), rows(&whole, block));
    }
    assert_eq!(rows(&text, "h_0"), ["h_0 8.90 1.6e-4", "h_0 0.19"], "sizes, and their product: {text}");
    assert!(rows(&text, "h_4").is_empty(), "{text}");
    let rows = records(&csv::text(&[("", &set)]));
    for (unit, state) in [("h_0", 0), ("block 0", 1), ("block 3", 4)] {
        let row = rows.iter().find(|row| row[5] == unit && row[7] == "hidden").expect("a row");
        assert_eq!(row[8].parse().ok(), set.audits[0].states[state].hidden, "{unit}");
    }
}

#[test]
fn the_junit_file_is_well_formed_and_counts_right() {
    let set = sample();
    let xml = junit::text(&[("", &set)]);
    insta::assert_snapshot!("junit", junit::text(&[("", &grouped(set.audits[5..7].to_vec()))]));
    let failures = xml.matches("<failure ").count();
    let fired = |audit: &&Audit| {
        let checks = audit.checks.iter().filter(|check| check.fires() && check.check != CheckId::Direction);
        let units = audit.units.iter().filter(|unit| {
            use record::audit::Standing::{Broken, Dead, Misleading};
            matches!(unit.standing, Misleading | Dead | Broken)
        });
        checks.count() + units.count()
    };
    let judged = || set.audits.iter().filter(|audit| !audit.subject.is_frozen());
    assert_eq!(failures, judged().map(|audit| fired(&audit)).sum::<usize>());
    assert!(xml.contains(&format!("failures=\"{failures}\"")) && !xml.contains("frozen-s"));
    // Every element that opens closes, in order, and no bare character of markup is left.
    let mut open = Vec::new();
    for tag in xml.split('<').skip(2).map(|part| part.split('>').next().expect("a tag")) {
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None if tag.ends_with('/') => {}
            None => open.push(tag.split(' ').next().expect("a name")),
        }
    }
    assert!(open.is_empty(), "{open:?}");
    assert!(xml.contains("epoch9, &quot;b&quot; &lt;1&gt;.npz"));
}

#[test]
fn sets_side_by_side_keep_their_names_in_every_file() {
    let set = grouped(vec![sample().audits.swap_remove(3)]);
    let both = [("net.blocks = 2", &set), ("net.blocks = 4, \"odd\"", &set)];
    let rows = records(&csv::text(&both));
    let of = |name: &str| rows.iter().filter(|row| row[12] == name).count();
    assert_eq!(of(both[0].0), of(both[1].0));
    assert_eq!(of(both[0].0) + of(both[1].0) + 1, rows.len());
    let xml = junit::text(&both);
    assert!(xml.contains("dfa-s42 (net.blocks = 2)") && xml.contains("4, &quot;odd&quot;)"), "{xml}");
}
