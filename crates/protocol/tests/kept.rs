//! Kept audits are judged anew from their evidence, on the records in `docs/results`.

use protocol::{THRESHOLDS, confirm_log, inert, judge_again, kept_audit, nudge_effect};
use record::Run;
use record::audit::{Audit, Moved, Standing};
use std::path::{Path, PathBuf};

fn results() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/results")
}

fn run(id: &str) -> Run {
    Run::read(&results().join(id)).unwrap_or_else(|e| panic!("{id}: {e}"))
}

/// What the longest nudge of the true gradient at the last block takes from the loss, as a share of it.
fn share(id: &str) -> f64 {
    let run = run(id);
    let audit = run.audit().expect("readable").expect("kept");
    let here = audit.units.last().and_then(|unit| unit.here.clone()).expect("measured");
    let effect = nudge_effect(&here, run.last().expect("an epoch").test.loss).expect("a nudge");
    assert_eq!((effect.moved, effect.step), (Moved::State, 0.1));
    -effect.share
}

/// At η = .01 the shares were 7e-3, 2e-4, 1.7e-5 and 8e-9; so small a step acts in proportion to its length.
#[test]
fn a_step_of_the_state_does_less_the_further_the_stream_has_grown() {
    for seed in [42, 123, 456] {
        let ids = ["unclipped/main/bp", "penalty/dfa-pen0.01", "unclipped/main/fa", "unclipped/main/dfa"];
        let shares = ids.map(|id| share(&format!("{id}-s{seed}")));
        assert!(shares.is_sorted_by(|a, b| a > b), "seed {seed}: {shares:?}");
        for (found, expected) in shares.iter().zip([7e-2, 2e-3, 1.7e-4, 8e-8]) {
            assert!((found / expected).log10().abs() < 1.0, "seed {seed}: {shares:?}");
        }
    }
}

#[test]
fn words_come_from_the_evidence_and_verdicts_stay() {
    let run = run("unclipped/main/dfa-s42");
    let stored = run.audit().expect("readable").expect("kept");
    let judged = kept_audit(&run).expect("readable").expect("kept");
    assert_eq!((&judged.verdict, &judged.checks), (&stored.verdict, &stored.checks));
    assert!(judged.units.iter().all(|unit| unit.here.as_ref().expect("measured").cosine.defined().is_some()));
    assert_eq!(judged.gamma.here.units, 5, "all count in the mean");
    assert_eq!(judged.gamma.here.all, stored.gamma.here.all);
    assert_eq!(judged.units[1].standing, Standing::Useful);
    let inert = |unit: usize| inert(judged.units[unit].effect, &THRESHOLDS);
    assert_eq!([1, 2, 3, 4].map(inert), [Some(true); 4]);
    // Whatever word a file holds, the evidence decides.
    let mut other = stored;
    other.units.iter_mut().for_each(|unit| unit.standing = Standing::Broken);
    assert_eq!(judge_again(other, run.last().map(|last| last.test.loss)), judged);
}

/// A logged cosine is in f32; f64 of an audit of the same epoch confirms a reference below the floor, and nothing else does.
#[test]
fn logged_cosines_count_where_an_audit_confirms_them() {
    let run = run("unclipped/main/dfa-s42");
    let judged = kept_audit(&run).expect("readable").expect("kept");
    let logged = &run.last().expect("an epoch").evaluation;
    let defined = |e: &record::Evaluation| {
        [e.cosine(), e.cosine_at_input()].map(|list| list.iter().filter(|c| c.defined().is_some()).count())
    };
    // Only the gradient at h_0, which the embedding and block 0 see, is above the floor.
    assert_eq!(defined(logged), [1, 1]);
    let mut confirmed = logged.clone();
    confirm_log(&mut confirmed, &[]);
    assert_eq!(&confirmed, logged);
    // The first two units alone, then all of them.
    confirm_log(&mut confirmed, &judged.units[..2]);
    assert_eq!(defined(&confirmed), [2, 1]);
    confirm_log(&mut confirmed, &judged.units);
    assert_eq!(defined(&confirmed), [5, 4]);
}

/// A file that is read and written again is the same, to the byte.
#[test]
fn what_was_not_measured_is_not_written() {
    let path = results().join("unclipped/main/dfa-s42/audit.json");
    // Older files call it `paper`.
    let text = std::fs::read_to_string(&path).expect("readable").replace("\"paper\"", "\"at_input\"");
    let audit = Audit::read_file(&path).expect("an audit");
    assert_eq!(serde_json::to_string_pretty(&audit).expect("plain data") + "\n", text);
}
