//! Which runs an export leaves out, and what the report says about them.

use crate::made::{cifar, export_of, run, with};
use paper::files::{Results, Snapshot, read};
use record::{Run, Status};
use std::path::Path;

const EVOLUTION: &str = "results/snapshot_evolution_v2/snapshot_evolution_s42.json";
const RESULTS: &str = "results/cifar10/results_cifar10.json";

fn dfa_layers(out: &Path) -> usize {
    let file: Snapshot = read(&out.join(EVOLUTION)).unwrap().content;
    file.dfa_log.unwrap()[0].hidden().len()
}

/// Whether the report says of `run` something with all of these words.
fn says(report: &[(String, String)], run: &Run, words: &[&str]) -> bool {
    report.iter().any(|(id, why)| *id == run.record.id && words.iter().all(|word| why.contains(word)))
}

#[test]
fn modified_rules_stay_out() {
    let plain = || cifar("dfa", (256, 4), 42, 1);
    let runs = [
        with(plain(), "rule.frozen", true),
        with(plain(), "rule.shallow", true),
        with(plain(), "rule.random_targets", true),
        with(plain(), "rule.trainable_last", 0),
        with(plain(), "rule.trainable_last", 3),
        with(plain(), "net.skip", false),
    ];
    let keys = [
        "rule.frozen",
        "rule.shallow",
        "rule.random_targets",
        "rule.trainable_last",
        "rule.trainable_last",
        "net.skip",
    ];
    let (_, report) = export_of(&runs);
    assert!(report.written.is_empty());
    assert_eq!(report.left_out.len(), runs.len());
    for (run, key) in runs.iter().zip(keys) {
        assert!(says(&report.left_out, run, &[key]), "{key} in {report:?}");
    }
    // Training the last four of four blocks is the plain rule, to the byte.
    let (_, report) = export_of(&[with(plain(), "rule.trainable_last", 4)]);
    assert_eq!((report.written.len(), report.left_out.len()), (2, 0));
}

#[test]
fn what_the_paper_does_not_have_stays_out() {
    let mut without = cifar("bp", (256, 4), 42, 1);
    without.recipe.remove("net.d");
    let mut odd = with(cifar("bp", (256, 4), 42, 1), "net.out_ln", "yes");
    odd.record.id = "odd".into();
    let cases = [
        (run("bp", "digits", "resmlp", (64, 4), 42, 1), "digits"),
        (run("bp", "teacher", "resmlp", (64, 4), 42, 1), "resmlp"),
        (cifar("drtp", (256, 4), 42, 1), "drtp"),
        (with(cifar("bp", (256, 4), 42, 1), "rule.penalty", 0.01), "penalty"),
        (with(with(cifar("dfa", (256, 4), 42, 1), "rule.penalty", 0.01), "net.out_ln", false), "penalty"),
        (with(cifar("dfa", (256, 1), 42, 1), "rule.penalty", 0.01), "h_2"),
        (cifar("dfa", (256, 4), 42, 0), "no trained epoch"),
        (without, "`net.d`"),
        (odd, "`net.out_ln = \"yes\"`"),
    ];
    for (run, word) in cases {
        let (_, report) = export_of(std::slice::from_ref(&run));
        assert!(report.written.is_empty());
        assert!(says(&report.left_out, &run, &[word]), "{word} in {report:?}");
    }
}

#[test]
fn each_figure_has_its_size() {
    let [main, deep, wide] = [(256, 4), (512, 12), (512, 4)].map(|size| cifar("dfa", size, 42, 1));
    let (out, report) = export_of(&[wide.clone(), main.clone(), deep.clone()]);
    assert_eq!(dfa_layers(out.path()), 5, "the paper's snapshots have four blocks");
    let Results(seeds) = read(&out.path().join(RESULTS)).unwrap().content;
    let cosine = seeds["42"]["dfa"].diagnostics.as_ref().unwrap().bp_cosine.as_ref().unwrap().len();
    assert_eq!(cosine, 12, "the paper's curves are of twelve blocks");
    assert_eq!(report.left_out.len(), 4);
    assert!(says(&report.left_out, &main, &[RESULTS, "d=256 L=4", "d=512 L=12"]));
    assert!(says(&report.left_out, &deep, &[EVOLUTION, "d=512 L=12", "d=256 L=4"]));
    assert!(says(&report.left_out, &wide, &[RESULTS]) && says(&report.left_out, &wide, &[EVOLUTION]));

    // Without the paper's size the largest: most weights in the blocks.
    let (out, _) = export_of(&[cifar("dfa", (128, 6), 42, 1), cifar("dfa", (256, 2), 42, 1)]);
    assert_eq!(dfa_layers(out.path()), 3);
}

#[test]
fn what_is_drawn_together_has_one_size() {
    // Seeds are averaged, so seed 123 cannot stand in with another size.
    let small = cifar("bp", (256, 4), 123, 1);
    let (out, report) = export_of(&[cifar("bp", (512, 12), 42, 1), small.clone()]);
    assert!(!out.path().join("results/cifar10_seed123/results_cifar10.json").exists());
    assert!(says(&report.left_out, &small, &["cifar10_seed123"]));
    // The penalised run is drawn beside the vanilla one.
    let penalised = with(cifar("dfa", (512, 12), 42, 1), "rule.penalty", 0.01);
    let (_, report) = export_of(&[cifar("dfa", (256, 4), 42, 1), penalised.clone()]);
    assert!(says(&report.left_out, &penalised, &["dfa_pen_lam0.01_s42.json", "d=256 L=4"]));
    let (out, report) = export_of(&[penalised]);
    assert!(report.left_out.is_empty());
    assert!(out.path().join("results/dfa_residual_penalty/dfa_pen_lam0.01_s42.json").is_file());
}

/// A script that averages seeds stops where one is missing: three seeds of another size go before one of the paper's.
#[test]
fn the_size_with_most_of_what_a_script_needs_goes_first() {
    let all = |rules: &[&str], size, seeds: &[u64]| -> Vec<Run> {
        let of = |&seed| rules.iter().map(move |rule| cifar(rule, size, seed, 1));
        seeds.iter().flat_map(of).collect()
    };
    let main = (256, 4);
    let deep = (512, 12);
    let [small, large] = [main, deep].map(|size| all(&["bp", "dfa"], size, &[42, 123, 456]));
    let (out, report) = export_of(&[&small[..], &large[..2]].concat());
    for folder in ["cifar10", "cifar10_seed123", "cifar10_seed456"] {
        assert!(out.path().join(format!("results/{folder}/results_cifar10.json")).is_file(), "{folder}");
    }
    assert!(says(&report.left_out, &large[0], &[RESULTS, "d=512 L=12", "d=256 L=4"]));
    // As soon as the paper's size has as many it is written, and what no script reads, or is not finished, counts for nothing.
    let mut unfinished = all(&["state_bridge"], main, &[42]);
    unfinished[0].record.status = Status::Interrupted;
    let more =
        [all(&["fa"], main, &[42, 123, 456]), all(&["bp", "dfa"], main, &[1, 2, 3]), unfinished].concat();
    let (_, report) = export_of(&[small.clone(), more, large].concat());
    assert!(says(&report.left_out, &small[2], &["cifar10_seed123", "d=256 L=4", "d=512 L=12"]));
}

#[test]
fn students_compete_by_what_the_name_leaves_open() {
    let student =
        |rule, d, alpha: f64| with(run(rule, "teacher", "student", (d, 4), 42, 1), "net.alpha", alpha);
    // α is in the name of one file and not in that of the other.
    let runs = [
        student("fa", 128, 0.5),
        student("fa", 128, 1.0),
        student("dfa", 128, 0.5),
        student("dfa", 256, 0.5),
    ];
    let (_, report) = export_of(&runs);
    assert_eq!(report.written.len(), 2);
    assert_eq!(report.left_out.len(), 2);
    assert!(says(&report.left_out, &runs[0], &["α=0.5", "α=1"]));
    assert!(says(&report.left_out, &runs[3], &["d=256", "d=128"]));
    // .2 and .25 have one name; whichever is given first, the α that the name says is written.
    for order in [[0.2, 0.25], [0.25, 0.2]] {
        let (_, report) = export_of(&order.map(|alpha| student("dfa", 128, alpha)));
        assert!(says(&report.left_out, &student("dfa", 128, 0.25), &["α=0.25", "α=0.2 "]));
    }
}

#[test]
fn of_equal_runs_the_one_further_along() {
    let whole = cifar("dfa", (256, 4), 42, 2);
    let mut longer = with(cifar("dfa", (256, 4), 42, 5), "optim.lr", 0.1);
    longer.record.status = Status::Interrupted;
    let (out, report) = export_of(&[longer.clone(), whole.clone()]);
    let file: Snapshot = read(&out.path().join(EVOLUTION)).unwrap().content;
    assert_eq!(file.dfa_log.unwrap().len(), 2, "finished goes before longer");
    assert!(says(&report.left_out, &longer, &[EVOLUTION, &whole.record.id, "optim.lr"]));
    longer.record.status = Status::Finished;
    let (_, report) = export_of(&[whole.clone(), longer]);
    assert!(says(&report.left_out, &whole, &[EVOLUTION]), "{report:?}");

    // Two runs of one name are told apart by their folders.
    let mut copy = whole.clone();
    copy.path = "elsewhere/copy".into();
    let (_, report) = export_of(&[whole.clone(), copy]);
    assert_eq!(report.left_out.len(), 2);
    assert!(
        report.left_out.iter().all(|(name, why)| {
            *name == whole.path.display().to_string() && why.contains("elsewhere/copy")
        })
    );
}
