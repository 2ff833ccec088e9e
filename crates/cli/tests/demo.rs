//! The demo's task was chosen so that the protocol can speak. This holds it to that, over its three seeds, from the
//! records that the program leaves.

mod common;

use common::{creditscope, text};
use record::Run;
use std::path::Path;

struct Last {
    accuracy: f64,
    growth: f64,
    gradient: f64,
    error: f64,
}

fn last(folder: &Path, id: &str) -> Last {
    let run = Run::read(&folder.join(id)).expect("a run");
    assert!(run.key("train.epochs").is_some());
    let epoch = run.last().expect("an epoch").clone();
    let e = &epoch.evaluation;
    Last {
        accuracy: epoch.test.accuracy,
        growth: e.growth,
        gradient: e.gradient().last().expect("a layer") / 128.0,
        error: e.error,
    }
}

#[test]
fn the_demo_shows_what_it_is_there_to_show() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("demo");
    let output = creditscope(&["demo", "--out", &out.display().to_string()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    for seed in [42, 123, 456] {
        let bp = last(&out, &format!("bp-s{seed}"));
        let baseline = last(&out, &format!("bp-frozen-s{seed}"));
        let dfa = last(&out, &format!("dfa-s{seed}"));
        // bp passes D1, D2 and D3, each by a factor or points to spare.
        assert!(bp.growth < 15.0, "growth {}", bp.growth);
        assert!(bp.gradient > 1e-5 && bp.error > 0.1, "‖g_L‖ {}, ‖e_T‖ {}", bp.gradient, bp.error);
        assert!(bp.accuracy - baseline.accuracy >= 0.05, "{} over {}", bp.accuracy, baseline.accuracy);
        // dfa fires D1.
        assert!(dfa.growth > 150.0, "growth {}", dfa.growth);
        let run = Run::read(&out.join(format!("dfa-s{seed}"))).expect("a run");
        let steps = 12_800_u64.div_ceil(128) * run.last().expect("an epoch").epoch;
        assert!(steps >= 1000, "{steps} steps");
    }
    let said = text(&output.stdout);
    for words in ["bp passes:", "dfa fails D1", "frozen", "growth", "cosine", &out.display().to_string()] {
        assert!(said.contains(words), "{words} is missing in\n{said}");
    }

    // What the README shows is what is printed. Digits may differ between processors, so its verdicts and headings count.
    let readme =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md")).expect("a README");
    let heading = |line: &&str| line.starts_with("rule ") && line.contains("growth") && !line.contains('.');
    let mut told: Vec<&str> = said.lines().filter(heading).collect();
    let end = |line: &str| line.find("PASS").map(|at| at + "PASS".len()).or(line.find(')').map(|at| at + 1));
    let rows = said.lines().filter(|line| line.contains(" PASS ") || line.contains(" FAIL("));
    told.extend(rows.map(|row| &row[..end(row).expect("a verdict")]));
    assert_eq!(told.len(), 4, "a heading and three rules: {told:?}");
    for part in told {
        assert!(readme.contains(part), "the README does not show `{part}`");
    }

    // A second call finds everything done, says so, and shows the same.
    let again = creditscope(&["demo", "--out", &out.display().to_string()]);
    assert!(again.status.success());
    assert!(text(&again.stdout).replace('\n', " ").contains("18 of them are there from before"));
    let shown = |bytes: &[u8]| {
        let text = text(bytes);
        let (_, rest) = text.split_once("rule ").expect("a table");
        rest.lines().filter(|line| !line.starts_with("Done in")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(shown(&output.stdout), shown(&again.stdout));
}
