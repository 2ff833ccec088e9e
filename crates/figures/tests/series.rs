//! What the figure of series shows of the logs, and what it says about what it does not show.

#[path = "layout/made/mod.rs"]
mod made;

use figures::catalogue::{Drawing, Request, find};
use made::{Plan, records};

const PLAN: Plan = Plan { rules: 3, seeds: 2, epochs: 12, blocks: 4, long: false, broken: false };

fn drawn(plan: Plan, series: &[&str]) -> Drawing {
    let series = series.iter().map(|&name| name.to_owned()).collect();
    let request = Request { records: records(plan), series, ..Request::default() };
    (find("series").expect("it is listed").draw)(&request).expect("the logs hold them")
}

/// Rows of the table whose panel and series are these: kind, x, y, remark.
fn rows(drawing: &Drawing, panel: &str, series: &str) -> Vec<[String; 4]> {
    let table = drawing.figure.table(&[]);
    let cells = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    let all = table.lines().map(cells).filter(|cells| cells[0] == panel && cells[1] == series);
    all.map(|cells| [2, 3, 4, 7].map(|i| cells[i].clone())).collect()
}

#[test]
fn without_names_every_series_is_shown_by_layer_known_ones_first() {
    let drawing = drawn(PLAN, &[]);
    let names: Vec<&str> = drawing.figure.panels.iter().map(|panel| panel.name.as_str()).collect();
    let series = ["hidden", "gradient", "cosine", "cosine_at_input", "of_a_newer_program"];
    assert_eq!(names, series.map(|name| format!("{name}: by layer")));
    assert!(drawing.figure.panels[0].y.is_log() && !drawing.figure.panels[2].y.is_log());
    // The program has no words for the last one.
    let last = &drawing.figure.panels[4];
    assert_eq!(last.y.label.as_deref(), Some("of_a_newer_program"));
    assert_eq!(rows(&drawing, "of_a_newer_program: by layer", "BP")[0], ["line", "embed", "0.5", ""]);
    let table = drawing.figure.table(&[]);
    assert!(
        !table.lines().skip(1).any(|row| row.contains("frozen") || row.contains(",true,")),
        "frozen runs are left out"
    );
}

#[test]
fn both_kinds_of_panel_show_the_same_mean_at_the_end() {
    let drawing = drawn(PLAN, &["cosine", "hidden"]);
    for (series, place, x) in [("cosine", "block 2", "2"), ("hidden", "h_3", "3")] {
        let by_layer = rows(&drawing, &format!("{series}: by layer"), "DFA");
        let over_epochs = rows(&drawing, &format!("{series}: {place}"), "DFA");
        let here: Vec<_> = by_layer.iter().filter(|row| row[1] == x).collect();
        let end: Vec<_> = over_epochs.iter().filter(|row| row[0] == "line" && row[1] == "12").collect();
        assert_eq!((here.len(), end.len()), (1, 1));
        assert_eq!((&here[0][2], &here[0][3]), (&end[0][2], &end[0][3]), "{series}");
    }
}

#[test]
fn layers_that_are_left_out_are_named() {
    let drawing = drawn(Plan { blocks: 8, ..PLAN }, &["cosine"]);
    let shown = ["by layer", "embed", "block 1", "block 3", "block 5", "block 7"];
    let panels: Vec<&str> = drawing.figure.panels.iter().map(|panel| panel.name.as_str()).collect();
    assert_eq!(panels, shown.map(|place| format!("cosine: {place}")));
    let note = "cosine: not shown over epochs: block 0, block 2, block 4, block 6";
    assert!(drawing.notes.iter().any(|found| found == note), "{:?}", drawing.notes);
}

#[test]
fn undefined_values_are_gaps_and_named() {
    // Unit 4 of bp, unit 3 of dfa and unit 2 of the third rule are undefined throughout.
    let drawing = drawn(Plan { broken: true, ..PLAN }, &["cosine"]);
    let note = "cosine of dfa is undefined at block 2: a number is infinite or not a number";
    assert!(drawing.notes.iter().any(|found| found == note), "{:?}", drawing.notes);
    for panel in ["cosine: by layer", "cosine: block 2"] {
        let rows = rows(&drawing, panel, "DFA");
        let gaps = rows.iter().filter(|row| row[0] == "line" && row[2].is_empty()).count();
        assert_eq!(gaps, if panel.ends_with("layer") { 1 } else { 13 }, "{panel}: {rows:?}");
        assert!(rows.iter().all(|row| row[0] == "line" || panel.ends_with("layer")), "no band over a gap");
    }
}
