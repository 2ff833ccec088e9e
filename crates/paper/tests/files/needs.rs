//! What the report says about each script of the paper.

use crate::made::{cifar, export_of, run, script_of, with};
use paper::export;

#[test]
fn scripts_say_what_they_miss() {
    let (_, report) = export_of(&[]);
    let names: Vec<_> = report.missing.iter().map(|needs| (needs.script, needs.can_run())).collect();
    let expected = [
        ("fig1_audit_hero.py", true),
        ("fig3b_crossarch.py", false),
        ("fig4_penalty_rescue.py", false),
        ("temporal_penalty_vs_vanilla.py", false),
        ("cifar_plots.py", false),
    ];
    assert_eq!(names, expected);
    assert!(script_of(&report, "fig1_audit_hero.py").to_string().contains("typed into the script"));
    assert_eq!(script_of(&report, "fig3b_crossarch.py").missing.len(), 6);

    // With one block there is no ‖g_2‖ in the vanilla log, which only one of the two scripts reads.
    let (_, report) = export_of(&[cifar("dfa", (256, 1), 42, 1)]);
    let temporal = script_of(&report, "temporal_penalty_vs_vanilla.py");
    let missing: Vec<_> = temporal.missing.iter().map(|m| (m.key.as_deref(), m.required)).collect();
    assert_eq!(
        missing,
        [(Some("dfa_log/0/bp_grad_norms_per_sample_med/2"), true), (None, false), (None, false)]
    );
    assert!(temporal.to_string().starts_with("temporal_penalty_vs_vanilla.py: cannot run\n"), "{temporal}");

    let fa_only = with(run("fa", "teacher", "student", (128, 4), 42, 1), "net.alpha", 1.0);
    let (_, report) = export_of(&[fa_only]);
    assert_eq!(script_of(&report, "fig3b_crossarch.py").missing.len(), 5);
}

#[test]
fn seeds_of_different_length_cannot_be_stacked() {
    let (_, report) = export_of(&[
        cifar("bp", (256, 4), 42, 3),
        cifar("bp", (256, 4), 123, 2),
        // Not read by the script, so its length is nobody's business.
        cifar("fa", (256, 4), 42, 1),
        cifar("fa", (256, 4), 123, 2),
    ]);
    let missing = &script_of(&report, "cifar_plots.py").missing;
    let short: Vec<_> =
        missing.iter().filter(|m| m.why.contains("stacked")).map(|m| m.key.as_deref().unwrap()).collect();
    assert_eq!(short, ["123/bp/log/test_acc", "123/bp/log/train_acc"]);
}

#[test]
fn files_from_before_are_named() {
    let (out, report) = export_of(&[cifar("dfa", (256, 4), 42, 1)]);
    assert!(script_of(&report, "fig4_penalty_rescue.py").older.is_empty());
    let report = export(&[with(cifar("dfa", (256, 4), 42, 1), "rule.penalty", 0.01)], out.path()).unwrap();
    let fig4 = script_of(&report, "fig4_penalty_rescue.py");
    assert!(fig4.can_run());
    assert_eq!(fig4.older, ["results/snapshot_evolution_v2/snapshot_evolution_s42.json"]);
}

#[test]
fn an_empty_log_is_a_missing_one() {
    let out = tempfile::tempdir().unwrap();
    let folder = out.path().join("results/snapshot_no_outln_v1");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("snapshot_noLN_s42.json"), r#"{"bp_log": [], "dfa_log": null}"#).unwrap();
    std::fs::write(folder.join("snapshot_fa_canonical_noln_s42.json"), "half a fi").unwrap();
    let report = export(&[], out.path()).unwrap();
    let missing = &script_of(&report, "fig3b_crossarch.py").missing;
    let keys: Vec<_> = missing.iter().filter(|m| m.file.contains("noLN")).map(|m| m.key.as_deref()).collect();
    assert_eq!(keys, [Some("bp_log"), Some("dfa_log")]);
    assert!(missing.iter().any(|m| m.file.contains("noln") && m.why.contains("not JSON")), "{missing:?}");
}
