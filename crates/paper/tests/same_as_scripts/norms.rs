//! The figures of norms and gradients: every line of a script is a line of ours, and what it types is published.

use crate::plotted::{axes, list, numbers, plotted, points, same, same_line};
use crate::table::{Ours, ours};
use paper::published::published;
use serde_json::Value;
use std::path::Path;

/// The one line of ours, in a panel whose name holds `panel`, that is the script's; its name holds `name`.
fn find(ours: &Ours, panel: &str, name: &str, line: &Value) {
    let wanted = points(line);
    let all = ours.lines(None);
    let found: Vec<_> = all.iter().filter(|(_, data)| same_line(&wanted, data)).map(|(key, _)| key).collect();
    let [(in_panel, series)] = found.as_slice() else {
        panic!("{} lines of ours are the script's {name} ({panel}): {found:?}", found.len())
    };
    assert!(in_panel.contains(panel), "{name} stands in {in_panel}, not in {panel}");
    assert!(series.contains(name), "the script's {name} is called {series}");
}

pub(crate) fn crossarch(tree: &Path) {
    let ours = ours("crossarch", Some(tree));
    let all = axes(&plotted("fig3b_crossarch.py", tree), "fig3b_crossarch_3row.png");
    assert_eq!(all.len(), 9);
    for ax in &all {
        let cell = numbers(&ax["cell"]);
        let row = ["ViT-Mini", "ResMLP no-LN", "StudentNet"][cell[0] as usize];
        let column = ["hidden norm", "gradient norm", "accuracy"][cell[1] as usize];
        let lines = list(&ax["lines"]);
        assert_eq!(lines.len(), 3);
        for (line, rule) in lines.iter().zip(["BP", "FA", "DFA"]) {
            find(&ours, &format!("{row}: {column}"), rule, line);
        }
    }
    assert_eq!(ours.lines(None).len(), 27);
}

/// Panel (a), which alone is drawn from files.
pub(crate) fn penalty(tree: &Path) {
    let ours = ours("penalty-rescue", Some(tree));
    let all = axes(&plotted("fig4_penalty_rescue.py", tree), "fig4_penalty_rescue.pdf");
    let twin = all.iter().find(|ax| ax["twin_of"] == 0).unwrap();
    for (ax, quantity) in [(&all[0], "h_L"), (twin, "g_")] {
        let lines = list(&ax["lines"]);
        assert_eq!(lines.len(), 2);
        lines.iter().for_each(|line| find(&ours, "trajectory", quantity, line));
    }
    typed_bars(&all);
}

/// Panels (b) and (c) are typed into the script, and stand among the published values.
fn typed_bars(all: &[Value]) {
    let heights = |ax: &Value| -> Vec<Vec<f64>> {
        list(&ax["bars"]).iter().map(|bars| numbers(&bars["height"])).collect()
    };
    let alignment = &published().penalty.alignment.rows;
    let cosines: Vec<f64> = alignment.iter().map(|row| row.cosine.mean).collect();
    assert_eq!(heights(&all[1]), [cosines, alignment.iter().map(|row| row.rho.mean).collect()]);
    let capacity = &published().penalty.capacity.rows;
    let without: Vec<f64> = capacity.iter().map(|row| row.without.mean).collect();
    assert_eq!(heights(&all[2]), [without, capacity.iter().map(|row| row.with.mean).collect()]);
}

pub(crate) fn sweep(tree: &Path) {
    let ours = ours("lambda-sweep", Some(tree));
    let all = axes(&plotted("temporal_penalty_vs_vanilla.py", tree), "figure_penalty_lambda_sweep.png");
    assert_eq!(all.len(), 3);
    for (ax, panel) in all.iter().zip(["states", "gradients", "accuracy"]) {
        for line in list(&ax["lines"]) {
            let label = line["label"].as_str().unwrap();
            let name = match label.split_once("1e-") {
                Some((_, exponent)) => format!("10^{{-{exponent}}}"),
                None => "DFA".to_owned(),
            };
            find(&ours, panel, &name, line);
        }
    }
    // Reference lines are typed into the script; ours are drawn where the records put them. The floor is stated for 128
    // samples and the files' norms for 1024, which the script does not tell apart.
    let typed: Vec<f64> =
        all.iter().flat_map(|ax| list(&ax["references"])).map(|line| line["at"].as_f64().unwrap()).collect();
    let values = &published().sweep;
    assert_eq!(typed, [values.hidden_bp, values.floor, values.frozen, values.threshold_as_drawn]);
    let floors: Vec<f64> = ours.of_kind("gradients", "guide").map(|row| row.y).collect();
    assert!(floors.len() == 1 && same(floors[0], values.floor * 128.0 / 1024.0, 1e-12), "{floors:?}");
}

/// All of this figure is typed into its script: our table of published values holds the same.
pub(crate) fn hero() {
    let ours = ours("audit-hero", None);
    let empty = tempfile::tempdir().unwrap();
    let all = axes(&plotted("fig1_audit_hero.py", empty.path()), "fig1_audit_hero.png");
    for (ax, panel) in all[1..].iter().zip(["cosine", "gradient"]) {
        assert_eq!(list(&ax["lines"]).len(), published().hero.rows.len());
        for line in list(&ax["lines"]) {
            find(&ours, panel, &format!("{} (publ.)", line["label"].as_str().unwrap()), line);
        }
    }
    let spots: Vec<(f64, f64)> = list(&all[0]["points"]).iter().flat_map(points).collect();
    let in_table: Vec<(f64, f64)> =
        ours.of_kind("pair", "point").map(|row| (row.x.parse().unwrap(), row.y)).collect();
    assert!(same_line(&spots, &in_table), "{spots:?} {in_table:?}");
}
