//! The five figures of `cifar_plots.py`. Its spreads are `np.std`, which divides by n; ours divide by n − 1.

use crate::plotted::{axes, list, numbers, plotted, points, same, same_line};
use crate::table::{Row, ours};
use serde_json::Value;
use std::path::Path;

/// The script's names of rules in our words.
fn rule(label: &str) -> String {
    label.replace(" B", " b")
}

/// n of the script's means: it reads three seeds.
const N: f64 = 3.0;

/// How our spread differs from the script's.
fn wider() -> f64 {
    (N / (N - 1.0)).sqrt()
}

pub(crate) fn all(tree: &Path) {
    let figures = plotted("cifar_plots.py", tree);
    assert_eq!(figures.len(), 5);
    accuracy(&axes(&figures, "cifar_accuracy.png"), tree);
    by_layer(
        "cifar-diagnostics",
        &["cosine", "rho", "nudge"],
        &axes(&figures, "cifar_diagnostics.png"),
        tree,
    );
    by_layer("cifar-drift", &["drift"], &axes(&figures, "cifar_feature_drift.png"), tree);
    state_vs_credit(&axes(&figures, "cifar_state_vs_credit.png"), tree);
    summary(&axes(&figures, "cifar_summary.png"), tree);
}

fn accuracy(all: &[Value], tree: &Path) {
    let ours = ours("cifar-accuracy", Some(tree));
    for (ax, panel) in all.iter().zip(["train", "test"]) {
        let lines = list(&ax["lines"]);
        let bands = list(&ax["bands"]);
        assert_eq!((lines.len(), bands.len(), ours.lines(Some(panel)).len()), (4, 4, 4));
        for (line, band) in lines.iter().zip(bands) {
            let name = rule(line["label"].as_str().unwrap());
            let found = &ours.lines(Some(panel))[&(panel.to_owned(), name.clone())];
            assert!(same_line(&points(line), found), "{panel}, {name}");
            let drawn: Vec<&Row> = ours.of_kind(panel, "band").filter(|row| row.series == name).collect();
            let lower = numbers(&band["lower"]);
            let upper = numbers(&band["upper"]);
            assert_eq!(drawn.len(), lower.len());
            for (row, (lower, upper)) in drawn.iter().zip(lower.iter().zip(&upper)) {
                let middle = (row.low + row.high) / 2.0;
                assert!(same(middle, (lower + upper) / 2.0, 1e-12), "{panel}, {name}, epoch {}", row.x);
                // The difference of numbers near .5 keeps less digits than they have.
                assert!(
                    same(row.high - row.low, (upper - lower) * wider(), 1e-9),
                    "{panel}, {name}, {}",
                    row.x
                );
            }
        }
    }
}

/// The script draws seed 42 alone; ours draws it among the others, or alone where it is.
fn by_layer(figure: &str, panels: &[&str], all: &[Value], tree: &Path) {
    let ours = ours(figure, Some(tree));
    assert_eq!(all.len(), panels.len());
    for (ax, panel) in all.iter().zip(panels) {
        let lines = list(&ax["lines"]);
        assert!(!lines.is_empty());
        for line in lines {
            let name = rule(line["label"].as_str().unwrap());
            let all = ours.lines(Some(panel));
            let of = |series: String| all.get(&((*panel).to_owned(), series));
            let found = of(format!("{name}, seed 42")).or_else(|| of(name.clone()));
            assert!(same_line(&points(line), found.unwrap()), "{figure}, {panel}, {name}");
        }
    }
}

fn state_vs_credit(all: &[Value], tree: &Path) {
    let ours = ours("cifar-state-vs-credit", Some(tree));
    let lines = list(&all[0]["lines"]);
    assert_eq!((lines.len(), ours.lines(Some("prediction")).len()), (3, 3));
    for line in lines {
        let seed = line["label"].as_str().unwrap().to_lowercase();
        let found = &ours.lines(Some("prediction"))[&("prediction".to_owned(), seed.clone())];
        assert!(same_line(&points(line), found), "{seed}");
    }
    bars("cifar-state-vs-credit", &all[1], tree);
}

fn summary(all: &[Value], tree: &Path) {
    bars("cifar-summary", &all[0], tree);
    let ours = ours("cifar-summary", Some(tree));
    let labels = list(&all[0]["x_ticks"]["labels"]);
    for (label, text) in labels.iter().zip(list(&all[0]["texts"])) {
        let bar = ours.bar(&rule(label.as_str().unwrap()));
        assert_eq!(bar.value.as_deref(), text["text"].as_str());
        assert_eq!(bar.points.len(), N as usize);
    }
}

fn bars(figure: &str, ax: &Value, tree: &Path) {
    let ours = ours(figure, Some(tree));
    let [bars] = list(&ax["bars"]) else { panic!("{figure}: bars of several calls") };
    let labels = list(&ax["x_ticks"]["labels"]);
    let heights = numbers(&bars["height"]);
    let errors = numbers(&bars["yerr"]);
    assert_eq!(ours.of_kind("accuracy", "bar").count(), labels.len());
    for ((label, height), error) in labels.iter().zip(heights).zip(errors) {
        let name = rule(label.as_str().unwrap());
        let row = ours.of_kind("accuracy", "bar").find(|row| row.series == name).unwrap();
        assert_eq!(row.x, name);
        assert!(same(row.y, height, 1e-12), "{figure}, {name}");
        assert!(same(row.high - row.low, 2.0 * error * wider(), 1e-9), "{figure}, {name}");
    }
}
