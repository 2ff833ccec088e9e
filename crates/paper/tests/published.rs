//! The published values: consistent with one another, drawn unchanged, and equal to those typed into the paper's scripts, if
//! a variable points to them.

use figures::catalogue::{Request, find};
use paper::published::{AlignmentRow, Value, for_figures, published};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Numbers that the data file holds twice, because the paper prints them twice.
#[test]
fn what_is_printed_twice_agrees() {
    let values = published();
    for row in &values.main.rows {
        for printed in [&row.hidden, &row.gradient].into_iter().flatten() {
            assert_eq!((printed.low, printed.high), range(&printed.text), "{}: {printed:?}", row.rule);
        }
    }
    for row in &values.hero.rows {
        // Γ is the mean of the cosines; the figure takes it from another table, so it agrees to two digits only.
        let mean = row.cosine.iter().sum::<f64>() / row.cosine.len() as f64;
        assert!((mean - row.gamma).abs() < 0.005, "{}: {mean} and {}", row.rule, row.gamma);
        let table =
            values.main.rows.iter().find(|main| main.rule == row.rule).expect("a row of the main table");
        assert!((table.accuracy.mean - row.accuracy).abs() < 0.0005, "{}", row.rule);
        // ‖g_L‖ of one seed and of three: the same to half its size.
        let gradient = table.gradient.as_ref().and_then(|printed| printed.high).expect("‖g_L‖");
        let last = row.gradient.last().expect("a gradient per state");
        assert!((last / gradient - 1.0).abs() < 0.5, "{}: {last} and {gradient}", row.rule);
        // BP's cosines are 1 by definition, and in no table.
        let tables =
            values.cosines.iter().filter(|table| table.rule == row.rule && table.source.contains("panel_b"));
        assert_eq!(
            tables.map(|table| &table.by_block).filter(|&c| *c == row.cosine).count(),
            usize::from(row.rule != "bp")
        );
    }
    assert_eq!(values.frozen.rows[0].accuracy.mean, values.sweep.frozen);
    assert_eq!(values.penalty.capacity.frozen, values.sweep.frozen);
    // The paper's line is not where its own rule puts it; we keep it as drawn.
    assert!((values.sweep.threshold_as_drawn - values.sweep.frozen - values.sweep.gain).abs() > 0.001);
}

/// The ends of a printed value: `~200`, `3–4e-4` (the exponent is of both), `≤ 4e-9`.
fn range(text: &str) -> (Option<f64>, Option<f64>) {
    let number = |text: &str| Some(text.parse().unwrap_or_else(|e| panic!("{text}: {e}")));
    if let Some(high) = text.strip_prefix("≤ ") {
        return (None, number(high));
    }
    let (low, high) = text.split_once('–').unwrap_or_else(|| {
        let text = text.trim_start_matches('~');
        (text, text)
    });
    let exponent = high.find('e').filter(|_| !low.contains('e')).map_or("", |at| &high[at..]);
    (number(&format!("{low}{exponent}")), number(high))
}

/// The figure's values as its script prints them, typed here once more; every one is marked as published.
#[test]
fn the_hero_draws_the_published_values() {
    let request = Request { published: Some(for_figures()), ..Request::default() };
    let drawing = (find("audit-hero").expect("a figure").draw)(&request).expect("a drawing");
    let table = drawing.figure.table(&[]);
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    let drawn = |panel: &str, kind: &str| -> Vec<(&str, f64, f64)> {
        let rows = rows.iter().filter(|row| row[0] == panel && row[2] == kind);
        rows.map(|row| (row[1], row[3].parse().expect("x"), row[4].parse().expect("y"))).collect()
    };
    let pairs = [("BP (publ.)", 1.0, 0.6147), ("FA (publ.)", 0.25, 0.401), ("DFA (publ.)", 0.1, 0.306)];
    assert_eq!(drawn("pair", "point"), pairs);
    let series = |lines: [(&'static str, &[f64]); 3]| -> Vec<(&str, f64, f64)> {
        let points = |(name, values): (&'static str, &[f64])| -> Vec<_> {
            values.iter().enumerate().map(|(l, &value)| (name, l as f64, value)).collect()
        };
        lines.into_iter().flat_map(points).collect()
    };
    let cosines = series([
        ("BP (publ.)", &[1.0, 1.0, 1.0, 1.0]),
        ("FA (publ.)", &[0.016, 0.072, -0.085, 0.997]),
        ("DFA (publ.)", &[0.400, 0.001, -0.0004, -0.002]),
    ]);
    assert_eq!(drawn("cosine", "line"), cosines);
    let gradients = series([
        ("BP (publ.)", &[4.40e-4, 4.71e-4, 4.79e-4, 4.53e-4, 3.70e-4]),
        ("FA (publ.)", &[1.79e-5, 1.21e-6, 8.85e-7, 8.89e-7, 8.89e-7]),
        ("DFA (publ.)", &[4.39e-7, 4.19e-9, 4.18e-9, 4.17e-9, 4.17e-9]),
    ]);
    assert_eq!(drawn("gradient", "line"), gradients);
}

/// A Python literal, as far as the scripts use them.
#[derive(Debug, PartialEq)]
enum Literal {
    Number(f64),
    Text(String),
    List(Vec<Literal>),
    Table(BTreeMap<String, Literal>),
}

impl Literal {
    /// The value assigned to a name at the start of a line.
    fn assigned(script: &str, name: &str) -> Self {
        let start = script.find(&format!("\n{name} = ")).unwrap_or_else(|| panic!("no {name} in the script"));
        let mut rest = &script[start + name.len() + 4..];
        Self::scan(&mut rest)
    }

    fn scan(rest: &mut &str) -> Self {
        skip(rest);
        match rest.chars().next().unwrap() {
            quote @ ('"' | '\'') => {
                let end = rest[1..].find(quote).unwrap();
                let text = rest[1..=end].to_owned();
                *rest = &rest[end + 2..];
                Self::Text(text)
            }
            '[' => Self::List(Self::items(rest, ']').into_iter().map(|(_, value)| value).collect()),
            '{' => {
                let items = Self::items(rest, '}').into_iter().map(|(key, value)| match key {
                    Some(Self::Text(key)) => (key, value),
                    other => panic!("a key that is no text: {other:?}"),
                });
                Self::Table(items.collect())
            }
            _ => {
                let end = rest.find([',', ']', '}', '\n', ' ', ')']).unwrap();
                let number = rest[..end].parse().unwrap_or_else(|e| panic!("{}: {e}", &rest[..end]));
                *rest = &rest[end..];
                Self::Number(number)
            }
        }
    }

    fn items(rest: &mut &str, close: char) -> Vec<(Option<Self>, Self)> {
        *rest = &rest[1..];
        let mut items = Vec::new();
        loop {
            skip(rest);
            if rest.starts_with(close) {
                *rest = &rest[1..];
                return items;
            }
            let mut item = (None, Self::scan(rest));
            skip(rest);
            if rest.starts_with(':') {
                *rest = &rest[1..];
                item = (Some(item.1), Self::scan(rest));
                skip(rest);
            }
            *rest = rest.strip_prefix(',').unwrap_or(rest);
            items.push(item);
        }
    }

    fn numbers(&self) -> Vec<f64> {
        match self {
            Self::Number(number) => vec![*number],
            Self::List(items) => items.iter().flat_map(Self::numbers).collect(),
            other => panic!("not numbers: {other:?}"),
        }
    }

    fn at(&self, key: &str) -> &Self {
        match self {
            Self::Table(table) => &table[key],
            other => panic!("no table: {other:?}"),
        }
    }
}

/// Passes over spaces and comments.
fn skip(rest: &mut &str) {
    loop {
        *rest = rest.trim_start();
        if !rest.starts_with('#') {
            return;
        }
        *rest = rest.find('\n').map_or("", |end| &rest[end..]);
    }
}

#[test]
fn the_scanner_reads_python() {
    let script = "x = 1\ntable = {  # a comment, with {brackets}\n'a': [+1.5, -2e-3,],\n\"b\": {\"c\": 3}}\n";
    let table = Literal::assigned(script, "table");
    assert_eq!(table.at("a").numbers(), [1.5, -2e-3]);
    assert_eq!(table.at("b").at("c").numbers(), [3.0]);
}

#[test]
fn the_scripts_type_the_same() {
    let Some(seeds) = std::env::var_os("CREDITSCOPE_SEEDS").map(PathBuf::from) else {
        println!("SKIP: CREDITSCOPE_SEEDS does not point to the folder of the paper's scripts");
        return;
    };
    let script = |name: &str| std::fs::read_to_string(seeds.join(name)).unwrap();
    let values = published();

    let hero = script("fig1_audit_hero.py");
    let panel = |letter: &str| Literal::assigned(&hero, &format!("panel_{letter}"));
    for row in &values.hero.rows {
        let name = row.rule.to_uppercase();
        assert_eq!(panel("a").at(&name).at("acc").numbers(), [row.accuracy]);
        assert_eq!(panel("a").at(&name).at("gamma").numbers(), [row.gamma]);
        assert_eq!(panel("b").at(&name).numbers(), row.cosine);
        assert_eq!(panel("c").at(&name).numbers(), row.gradient);
    }

    let rescue = script("fig4_penalty_rescue.py");
    let typed = |name: &str| Literal::assigned(&rescue, name).numbers();
    let rows = &values.penalty.alignment.rows;
    let means =
        |of: fn(&AlignmentRow) -> Value| -> Vec<f64> { rows.iter().map(|row| of(row).mean).collect() };
    // The script types 0 where it has no error.
    let errors = |of: fn(&AlignmentRow) -> Value| -> Vec<f64> {
        rows.iter().map(|row| of(row).sd.unwrap_or(0.0)).collect()
    };
    assert_eq!(typed("deep_cos"), means(|row| row.cosine));
    assert_eq!(typed("deep_rho"), means(|row| row.rho));
    assert_eq!(typed("cos_err"), errors(|row| row.cosine));
    assert_eq!(typed("rho_err"), errors(|row| row.rho));
    let capacity = &values.penalty.capacity;
    assert_eq!(typed("no_pen"), capacity.rows.iter().map(|row| row.without.mean).collect::<Vec<_>>());
    assert_eq!(typed("with_pen"), capacity.rows.iter().map(|row| row.with.mean).collect::<Vec<_>>());
    assert_eq!(typed("shallow"), [capacity.frozen]);

    // The lines are arguments of calls there, not assignments.
    let sweep = script("temporal_penalty_vs_vanilla.py");
    let mut lines = Vec::new();
    for call in sweep.split("axhline(").skip(1) {
        let mut rest = call;
        lines.extend(Literal::scan(&mut rest).numbers());
    }
    let Value { mean, .. } = values.frozen.rows[0].accuracy;
    assert_eq!(lines, [values.sweep.hidden_bp, values.sweep.floor, mean, values.sweep.threshold_as_drawn]);
}

/// A name that the user gives replaces the usual one everywhere, published values included.
#[test]
fn names_of_rules_are_those_of_the_user() {
    let names = [("bp".to_owned(), "Chain".to_owned())].into();
    let request = Request { published: Some(for_figures()), names, ..Request::default() };
    for entry in paper::all_figures() {
        let Ok(drawing) = (entry.draw)(&request) else { continue };
        let panels = &drawing.figure.panels;
        let words = panels.iter().flat_map(|panel| panel.title.iter().chain(&panel.caption));
        let text = format!("{}{}", drawing.figure.table(&[]), words.cloned().collect::<String>());
        assert!(text.contains("Chain"), "{}: {text}", entry.name);
        // The gradient of backpropagation is called so whatever the rule is.
        let text = text.replace("BP gradient", "");
        let alone = text.split(|c: char| !c.is_alphanumeric()).find(|word| *word == "BP");
        assert_eq!(alone, None, "{}: {text}", entry.name);
    }
}
