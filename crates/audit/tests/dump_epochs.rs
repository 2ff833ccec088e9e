//! Several dumps as the epochs of one run.

mod dump_common;

use audit::dump::{self, DumpOptions};
use dump_common::Array;
use dump_common::network::*;
use record::audit::{Audit, CheckId, Subject, Warning};

/// The network without its head, its last state and its gradients scaled.
fn moment(state: f64, gradient: f64, epoch: Option<u64>) -> Vec<Array> {
    let bare = lacking(&network(), &["head", "out_ln"]);
    at_epoch(scaled(&scaled(&bare, "h.3", state), "p.", gradient), epoch)
}

fn first_fired(audit: &Audit) -> (Option<u64>, Option<u64>) {
    (check(audit, CheckId::D1).first_fired, check(audit, CheckId::D2).first_fired)
}

fn refused(dumps: &[Vec<Array>], words: &[&str]) {
    let message = judge_all(dumps, &quick()).unwrap_err().to_string();
    assert!(words.iter().all(|word| message.contains(word)), "{words:?} in: {message}");
}

#[test]
fn the_first_epoch_at_which_a_check_fired_is_told() {
    let run = |epochs: [Option<u64>; 4]| {
        let [a, b, c, d] = epochs;
        [moment(1.0, 1.0, a), moment(90.0, 1.0, b), moment(2.0, 1e-6, c), moment(95.0, 1.1e-6, d)]
    };
    let told = judge_all(&run([Some(5), Some(10), Some(20), Some(40)]), &quick()).unwrap();
    assert_eq!((told.epoch, first_fired(&told)), (Some(40), (Some(10), Some(20))));
    assert_eq!(told.verdict.words(), "FAIL(D1+D2)");
    let Subject::Dump { id, hashes, .. } = &told.subject else { panic!("{:?}", told.subject) };
    assert_eq!((id.as_str(), hashes.len()), ("dump", 4));
    let counted = judge_all(&run([None; 4]), &quick()).unwrap();
    assert_eq!((counted.epoch, first_fired(&counted)), (Some(4), (Some(2), Some(3))));
    // The last one is judged, whatever was before it.
    let mut recovered = run([None; 4]).to_vec();
    recovered.push(moment(1.0, 2.0, None));
    let audit = judge_all(&recovered, &quick()).unwrap();
    assert_eq!(
        (audit.verdict.words().as_str(), first_fired(&audit)),
        ("PASS (D3 not assessed)", (Some(2), Some(3)))
    );
}

#[test]
fn a_single_dump_has_a_history_where_it_knows_its_epoch() {
    let audit = judge(&moment(90.0, 1.0, Some(7)), &quick());
    assert_eq!((audit.epoch, first_fired(&audit)), (Some(7), (Some(7), None)));
    let audit = judge(&moment(90.0, 1.0, None), &quick());
    assert_eq!((audit.epoch, first_fired(&audit)), (None, (None, None)));
}

#[test]
fn what_is_not_one_run_in_order_is_refused() {
    let at = |epoch, state| moment(state, 1.0, epoch);
    refused(&[at(Some(3), 1.0), at(Some(2), 1.1)], &["epoch 2", "epoch 3", "order"]);
    refused(&[at(Some(3), 1.0), at(Some(3), 1.1)], &["epoch 3"]);
    refused(&[at(Some(3), 1.0), at(None, 1.1)], &["epoch 2 by its position", "all of them or in none"]);
    refused(&[at(None, 1.0), at(None, 1.0)], &["same file"]);
    let narrow: Vec<Array> = (0..4)
        .flat_map(|l| {
            [
                doubles(&format!("h.{l}"), &[40, 2], &[1.0; 80]),
                doubles(&format!("p.{l}"), &[40, 2], &[1.0; 80]),
            ]
        })
        .collect();
    refused(&[at(None, 1.0), narrow.clone()], &["2, 2, 2, 2", "12, 12, 12, 12"]);
    let shallow = lacking(&narrow, &["h.3", "p.3"]);
    refused(&[narrow, shallow], &["states are 2, 2, 2, those", "one run"]);
    assert!(dump::judge_files(&[], &quick()).unwrap_err().to_string().contains("no dump"));
}

#[test]
fn epochs_may_tell_different_things_over_different_samples() {
    let few: Vec<Array> =
        (0..4).map(|l| doubles(&format!("h.{l}"), &[3, 12], &[1.0 + l as f64; 36])).collect();
    let options = DumpOptions { accuracy: Some(0.7), frozen: Some(0.5), ..quick() };
    let audit = judge_all(&[few, moment(1.0, 1.0, None)], &options).unwrap();
    assert!(
        audit.warnings.contains(&Warning::SamplesDiffer { samples: vec![3, 40] }),
        "{:?}",
        audit.warnings
    );
    // An accuracy that is given is taken, and needs no warning.
    assert_eq!((audit.accuracy, audit.verdict.words().as_str()), (Some(0.7), "PASS"));
    assert!(!audit.warnings.iter().any(|warning| matches!(warning, Warning::AccuracyOfSamples { .. })));
}
