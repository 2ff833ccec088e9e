//! The published values: whole, consistent with one another, and equal to what the source's scripts type, where a
//! variable points to the scripts.

use figures::published::{Value, published};
use std::collections::BTreeMap;
use std::path::PathBuf;

#[test]
fn every_table_is_whole() {
    let values = published();
    let rules = |rows: Vec<&String>| rows.into_iter().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(
        rules(values.main.rows.iter().map(|row| &row.rule).collect()),
        "bp fa ep dfa credit_bridge state_bridge"
    );
    assert_eq!(
        rules(values.deep.rows.iter().map(|row| &row.rule).collect()),
        "bp dfa credit_bridge state_bridge"
    );
    assert_eq!(rules(values.lq.rows.iter().map(|row| &row.rule).collect()), "dfa state_bridge credit_bridge");
    for row in &values.main.rows {
        assert!(row.accuracy.sd.is_some() && row.gradient.is_some(), "{}", row.rule);
        for printed in [&row.hidden, &row.gradient].into_iter().flatten() {
            assert!(printed.low.unwrap_or(0.0) <= printed.high.unwrap(), "{printed:?}");
        }
    }
    for row in &values.hero.rows {
        assert_eq!((row.cosine.len(), row.gradient.len()), (4, 5), "{}", row.rule);
        // Γ is the mean of the cosines; the figure takes it from another table, so it agrees to two digits only.
        let mean = row.cosine.iter().sum::<f64>() / 4.0;
        assert!((mean - row.gamma).abs() < 0.005, "{}: {mean} and {}", row.rule, row.gamma);
    }
    // The line of the source is not where its own rule puts it, and that is kept.
    assert!((values.sweep.frozen + values.sweep.gain - 0.369).abs() < 1e-12);
    assert_ne!(values.sweep.threshold_as_drawn, values.sweep.frozen + values.sweep.gain);
    assert_eq!(values.frozen.rows[0].accuracy.mean, values.sweep.frozen);
    assert_eq!(values.null.cosine.mean, values.penalty.alignment.rows[3].cosine.mean);
    // Later text beside the figure's values.
    assert_eq!(values.penalty.alignment.rows[2].cosine.text, Some(0.151));
    assert_eq!(values.penalty.capacity.rows[0].with.text, Some(0.532));
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
        println!("SKIP: CREDITSCOPE_SEEDS does not point to the folder of the source's scripts");
        return;
    };
    let script = |name: &str| std::fs::read_to_string(seeds.join(name)).unwrap();
    let values = published();

    let hero = script("fig1_audit_hero.py");
    let panel = |letter: &str| Literal::assigned(&hero, &format!("panel_{letter}"));
    for row in &values.hero.rows {
        let name = row.rule.to_uppercase();
        let (a, b, c) = (panel("a"), panel("b"), panel("c"));
        assert_eq!(a.at(&name).at("acc").numbers(), [row.accuracy]);
        assert_eq!(a.at(&name).at("gamma").numbers(), [row.gamma]);
        assert_eq!(b.at(&name).numbers(), row.cosine);
        assert_eq!(c.at(&name).numbers(), row.gradient);
    }

    let rescue = script("fig4_penalty_rescue.py");
    let typed = |name: &str| Literal::assigned(&rescue, name).numbers();
    let rows = &values.penalty.alignment.rows;
    let means = |of: fn(&figures::published::AlignmentRow) -> Value| -> Vec<f64> {
        rows.iter().map(|row| of(row).mean).collect()
    };
    // The script types 0 where it has no error.
    let errors = |of: fn(&figures::published::AlignmentRow) -> Value| -> Vec<f64> {
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
