//! Figures that a file describes: what is drawn of which runs, and what is refused with which words.

#[path = "layout/made/mod.rs"]
mod made;

use figures::catalogue::{Composition, Drawing, FIGURES, Request, SHIPPED};
use figures::plot::{Element, Style};
use figures::text::Typesetter;
use figures::{Format, Records};
use made::{Plan, normalised, records};

const PLAN: Plan = Plan { rules: 3, seeds: 2, epochs: 12, blocks: 3, long: false, broken: false };

fn drawn_from(records: Records, text: &str) -> Result<Drawing, String> {
    let composition = Composition::parse("mine", text, "mine.toml").map_err(|e| e.to_string())?;
    composition.draw(&Request { records, ..Request::default() }).map_err(|e| e.to_string())
}

fn drawn(text: &str) -> Drawing {
    drawn_from(records(PLAN), text).unwrap_or_else(|e| panic!("{text}\n{e}"))
}

/// Rows of the table as cells by the names of columns.
fn rows(drawing: &Drawing, wanted: &[(&str, &str)], shown: &[&str]) -> Vec<Vec<String>> {
    let table = drawing.figure.table(&[]);
    // Cells in quotes hold commas.
    let cells = |line: &str| -> Vec<String> {
        let parts = line.split('"').enumerate();
        let kept: String = parts
            .map(|(i, part)| if i % 2 == 1 { part.replace(',', ";") } else { part.to_owned() })
            .collect();
        kept.split(',').map(str::to_owned).collect()
    };
    let mut lines = table.lines().map(cells);
    let head = lines.next().expect("a head");
    let column = |name: &&str| head.iter().position(|column| column == name).expect("a column");
    let is_wanted = |row: &Vec<String>| wanted.iter().all(|(name, value)| row[column(name)] == *value);
    let kept = lines.filter(is_wanted);
    kept.map(|row| shown.iter().map(|name| row[column(name)].clone()).collect()).collect()
}

#[test]
fn every_shipped_file_is_a_figure_of_the_list() {
    for (name, text) in SHIPPED {
        Composition::parse(name, text, name).unwrap_or_else(|e| panic!("{e}"));
        assert!(FIGURES.iter().any(|entry| entry.name == *name), "{name}");
    }
    assert_eq!(SHIPPED.len(), 6);
}

#[test]
fn a_heat_map_has_a_cell_for_every_epoch_and_unit_of_every_rule() {
    let drawing = drawn("[[panel]]\nkind = 'heat'\nx = 'epoch'\ny = 'cosine'\nper = 'rule'");
    assert_eq!(drawing.figure.panels.len(), PLAN.rules);
    let cells = rows(&drawing, &[("rule", "dfa"), ("kind", "cell")], &["unit", "x", "remark"]);
    let units = PLAN.blocks + 1;
    assert_eq!(cells.len(), units * (PLAN.epochs as usize + 1));
    // In the made records every fifth unit, counted from the rule's number, is unreliable; dfa is the second rule.
    let doubtful: Vec<_> = cells.iter().filter(|cell| cell[2] == "unreliable").collect();
    assert!(
        doubtful.len() == PLAN.epochs as usize + 1 && doubtful.iter().all(|cell| cell[0] == "block 1"),
        "{doubtful:?}"
    );
}

#[test]
fn what_is_undefined_has_no_value_in_a_heat_map() {
    let text = "[[panel]]\nkind = 'heat'\ny = 'cosine'\nper = 'rule'";
    let drawing = drawn_from(records(Plan { broken: true, ..PLAN }), text).expect("drawn");
    let cells = rows(&drawing, &[("rule", "dfa"), ("unit", "block 2")], &["y", "remark"]);
    assert!(!cells.is_empty() && cells.iter().all(|cell| *cell == ["", "undefined"]), "{cells:?}");
}

#[test]
fn several_seeds_become_one_value_as_the_file_says() {
    let value = |aggregate: &str| -> Vec<f64> {
        let text =
            format!("[[panel]]\ny = 'test_accuracy'\naggregate = '{aggregate}'\nwhere = {{ rule = 'dfa' }}");
        let found = rows(&drawn(&text), &[("kind", "line"), ("x", "12")], &["y"]);
        found.iter().map(|row| row[0].parse().expect("a number")).collect()
    };
    let seeds = value("seeds");
    let [least, most] = [seeds[0].min(seeds[1]), seeds[0].max(seeds[1])];
    assert_eq!((value("min"), value("max")), (vec![least], vec![most]));
    let middle = (least + most) / 2.0;
    assert!((value("mean")[0] - middle).abs() < 1e-12 && (value("median")[0] - middle).abs() < 1e-12);
}

#[test]
fn one_layer_of_a_series_is_the_same_as_that_line_among_all() {
    let last = drawn("[[panel]]\ny = 'cosine[-1]'\nwhere = { rule = 'dfa' }");
    let all = drawn("[[panel]]\ny = 'cosine'\ngroup = 'layer'\nwhere = { rule = 'dfa' }");
    let of =
        |drawing: &Drawing| rows(drawing, &[("kind", "line"), ("unit", "block 2")], &["x", "y", "remark"]);
    assert!(!of(&last).is_empty());
    assert_eq!(of(&last), of(&all));
}

#[test]
fn keys_of_recipes_lie_along_the_axis_and_tell_lines_apart() {
    let text = "where = { 'optim.clip' = 1 }\n[[panel]]\nkind = 'bars'\nx = 'rule'\ny = 'test_accuracy'\ngroup = 'rule.normalise'";
    let drawing = drawn_from(normalised(PLAN), text).expect("drawn");
    let labels = |e: &Element| matches!(e, Element::Bars(bars) if bars.name.starts_with("normalise"));
    assert!(drawing.figure.panels[0].elements.iter().all(labels));
    let count = rows(&drawing, &[("kind", "bar")], &["label"]).len();
    assert_eq!(count, PLAN.rules * record::normalise::NAMES.len());
    // Without a name for what they differ in, they would be one bar.
    let blurred =
        text.replace("group = 'rule.normalise'", "where = { 'rule.normalise' = ['none', 'batch'] }");
    let refusal = drawn_from(normalised(PLAN), &blurred).unwrap_err();
    assert!(refusal.contains("mine.toml:2") && refusal.contains("differ in `rule.normalise`"), "{refusal}");
}

#[test]
fn a_scatter_plot_has_errors_along_both_axes() {
    let drawing = drawn("[[panel]]\nkind = 'scatter'\nx = 'gamma'\ny = 'test_accuracy'");
    let points =
        rows(&drawing, &[("kind", "point")], &["x", "x_low", "x_high", "y", "low", "high", "spread"]);
    assert_eq!(points.len(), PLAN.rules);
    for point in points {
        let n: Vec<f64> = point[..6].iter().map(|cell| cell.parse().expect("a number")).collect();
        assert!(n[1] < n[0] && n[0] < n[2] && n[4] < n[3] && n[3] < n[5] && point[6] == "sd", "{point:?}");
    }
}

#[test]
fn mistakes_are_named_with_their_line_and_what_was_meant() {
    let refused = |text: &str, words: &[&str]| {
        let said = drawn_from(records(PLAN), text).expect_err(text);
        for word in words {
            assert!(said.contains(word), "`{word}` is not in: {said}");
        }
    };
    refused("", &["mine.toml:1", "[[panel]]"]);
    refused("colums = 2\n[[panel]]\ny = 'cosine'", &["mine.toml:1", "`colums`", "did you mean `columns`?"]);
    refused("[[panel]]\n\nky = 1", &["mine.toml:3", "`ky`"]);
    refused("[[panel]]\nx = 'layer'\ny = 'cosin'", &["mine.toml:1", "`cosin`", "did you mean `cosine`?"]);
    refused("[[panel]]\ny = 'hidden[-1]'\nkind = 'lines'", &["mine.toml:3", "did you mean \"line\"?"]);
    refused(
        "[[panel]]\ny = 'hidden[-1]'\ngroup = 'optim.clp'",
        &["`optim.clp`", "did you mean `optim.clip`?"],
    );
    refused("[[panel]]\ny = 'cosine'", &["a value for each layer", "cosine[-1]"]);
    refused("[[panel]]\ny = 'test_accuracy'\nx = 'layer'", &["one number"]);
    refused("[[panel]]\ny = 'test_accuracy'\nrange = [1, 0]", &["mine.toml:3", "the smaller first"]);
    refused("[[panel]]\ny = 3", &["mine.toml:2", "`y` takes a text"]);
    refused("[[panel]]\ny = 'cosine'\nkind = 'heat'", &["differ in rule", "`per`"]);
    refused("[[panel]]\ny = 'test_accuracy'\nwhere = 3", &["mine.toml:3", "where = {"]);
    refused("panel = 3", &["mine.toml:1", "[[panel]]"]);
    refused("[[panel]]\ny = 'train_loss'\nwhere = { rule = 'nobody' }", &["needs runs with `train_loss`"]);
}

#[test]
fn the_same_file_and_records_give_the_same_bytes() {
    let style = Style::paper();
    let setter = Typesetter::new(&style.family).expect("a bundled family");
    let (_, text) = SHIPPED.iter().find(|(name, _)| *name == "layers").expect("a file");
    let files = || figures::files("mine", &drawn(text), &Format::ALL, &style, 100.0, &setter).expect("drawn");
    assert!(files() == files());
}
