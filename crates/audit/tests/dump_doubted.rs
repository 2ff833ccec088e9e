//! Gradients and heads that are not what their names say, and the ways in which a gradient may be reduced.

mod dump_common;

use audit::dump::{self, DumpOptions};
use dump_common::network::*;
use dump_common::{Array, file, safetensors};
use protocol::{THRESHOLDS, Thresholds};
use record::Remedy;
use record::audit::{Audit, CheckId, Outcome, Warning};

/// The same gradients, saved as those of a mean over `count` samples.
fn mean_over(count: f64) -> Vec<Array> {
    let renamed = |array: Array| Array { name: array.name.replace("p.", "g."), ..array };
    scaled(&network(), "p.", 1.0 / count).into_iter().map(renamed).collect()
}

/// Warnings about gradient and head.
fn doubts(audit: &Audit) -> Vec<&Warning> {
    let doubts = |warning: &&Warning| {
        matches!(
            warning,
            Warning::ReferenceDiffers { .. }
                | Warning::ReductionDiffers { .. }
                | Warning::HeadDiffers { .. }
                | Warning::SamplesAssumed { .. }
        )
    };
    audit.warnings.iter().filter(doubts).collect()
}

#[test]
fn gradients_of_a_mean_give_the_same_audit() {
    let own = judge(&network(), &quick());
    assert!(doubts(&own).is_empty(), "{:?}", own.warnings);
    let told = judge(&mean_over(128.0), &DumpOptions { mean_over: Some(128), ..quick() });
    let counted = judge(&mean_over(40.0), &quick());
    for audit in [&told, &counted] {
        // With head and labels the number of samples is seen to be right, and nothing was assumed.
        assert!(doubts(audit).is_empty(), "{:?}", audit.warnings);
        for (found, expected) in audit.states.iter().zip(&own.states) {
            assert!((found.gradient.unwrap() / expected.gradient.unwrap() - 1.0).abs() < 1e-12);
        }
        for (found, expected) in audit.units.iter().zip(&own.units) {
            let cosine =
                |unit: &record::audit::UnitAudit| unit.here.as_ref().unwrap().cosine.defined().unwrap();
            assert!((cosine(found) - cosine(expected)).abs() < 1e-12);
        }
    }
    let alone = judge(&lacking(&mean_over(40.0), &["head", "out_ln"]), &quick());
    assert_eq!(doubts(&alone), [&Warning::SamplesAssumed { samples: 40 }]);
}

#[test]
fn another_reduction_than_the_name_says_is_noticed() {
    let seen = |arrays: &[Array], mean_over: Option<u64>| {
        doubts(&judge(arrays, &DumpOptions { mean_over, ..quick() })).into_iter().cloned().collect::<Vec<_>>()
    };
    let differs = |seems, taken| vec![Warning::ReductionDiffers { seems, taken }];
    let network = network();
    // A mean over all rows, or over batches, saved as p.
    assert_eq!(seen(&scaled(&network, "p.", 1.0 / 40.0), None), differs(40, 1));
    assert_eq!(seen(&scaled(&network, "p.", 1.0 / 128.0), None), differs(128, 1));
    // A mean over batches of 8, where 40 is taken; and a sum saved as a mean.
    assert_eq!(seen(&mean_over(8.0), None), differs(8, 40));
    assert_eq!(seen(&mean_over(8.0), Some(16)), differs(8, 16));
    assert_eq!(seen(&mean_over(1.0), None), differs(1, 40));
    let message = report::audit::message(&differs(40, 1)[0]);
    assert!(message.contains("own loss") && message.contains("mean over 40 samples"), "{message}");
}

#[test]
fn a_reduction_that_makes_a_gradient_vanish_does_not_fail_a_run() {
    // Between ‖p_L‖/128 and the same of a mean over 40 samples.
    let limits = Thresholds { floor: 1e-3, ..THRESHOLDS };
    let options = DumpOptions { limits, ..quick() };
    let reduced = at_epoch(scaled(&network(), "p.", 1.0 / 40.0), Some(3));
    let audit = judge(&reduced, &options);
    let Outcome::NotAssessed { why } = &check(&audit, CheckId::D2).outcome else {
        panic!("{:?}", audit.checks)
    };
    assert!(why.contains("h_L"), "{why}");
    assert!(check(&judge(&network(), &options), CheckId::D2).outcome == Outcome::Passes);
    // Without a head this cannot be known.
    let alone = judge(&lacking(&reduced, &["head", "out_ln"]), &options);
    assert!(check(&alone, CheckId::D2).fires());
    assert_eq!(check(&alone, CheckId::D2).first_fired, Some(3));
    assert_eq!(check(&audit, CheckId::D2).first_fired, None);
}

#[test]
fn a_gradient_of_something_else_is_noticed() {
    let network = network();
    let audit = judge(&scaled(&network, "p.3", -1.0), &quick());
    let [Warning::ReferenceDiffers { cosine, ratio }] = doubts(&audit)[..] else {
        panic!("{:?}", audit.warnings)
    };
    assert!((cosine + 1.0).abs() < 1e-9 && (ratio - 1.0).abs() < 1e-9);
    let audit = judge(&scaled(&network, "p.3", 1.02), &quick());
    let [Warning::ReferenceDiffers { cosine, ratio }] = doubts(&audit)[..] else {
        panic!("{:?}", audit.warnings)
    };
    assert!((cosine - 1.0).abs() < 1e-9 && (ratio - 1.02).abs() < 1e-9);
    // Samples in another order.
    let audit = judge(&changed(&network, "p.3", |all| all.rotate_left(12)), &quick());
    assert!(matches!(doubts(&audit)[..], [Warning::ReferenceDiffers { .. }]), "{:?}", audit.warnings);
    let audit = judge(&scaled(&network, "p.3", 0.0), &quick());
    assert!(matches!(doubts(&audit)[..], [Warning::ReferenceDiffers { .. }]), "{:?}", audit.warnings);
}

#[test]
fn a_head_that_does_not_give_the_logits_is_left_aside() {
    let network = network();
    for wrong in [
        scaled(&network, "head.weight", 1.01),
        lacking(&network, &["out_ln"]),
        changed(&network, "h.3", |all| all.rotate_left(12)),
    ] {
        let audit = judge(&wrong, &quick());
        let [Warning::HeadDiffers { difference }] = doubts(&audit)[..] else {
            panic!("{:?}", audit.warnings)
        };
        assert!(*difference > 1e-3);
        let last = unit(&audit, "block 2").here.as_ref().unwrap();
        assert!(last.rho.is_none() && last.nudges.is_empty() && last.cosine.defined().is_some());
        assert_eq!(audit.settings.directions, 0);
        // Without logits to compare with, the gradient shows that something is wrong.
        let audit = judge(&lacking(&wrong, &["logits"]), &quick());
        assert_eq!(doubts(&audit).len(), 1, "{:?}", audit.warnings);
    }
    // What is added to all logits alike changes no loss.
    let shifted = changed(&network, "head.bias", |all| all.iter_mut().for_each(|b| *b += 3.0));
    assert!(doubts(&judge(&shifted, &quick())).is_empty());
}

#[test]
fn half_precision_is_no_reason_to_doubt_head_or_gradient() {
    let halved = |array: Array| {
        if array.descr != "<f8" {
            return array;
        }
        // The upper half of an f32, rounded.
        let bits = |x: f64| ((x as f32).to_bits().wrapping_add(0x8000) >> 16) as u16;
        let bytes = values(&array).into_iter().flat_map(|x| bits(x).to_le_bytes()).collect();
        Array { descr: "bf16", bytes, ..array }
    };
    let arrays: Vec<Array> = network().into_iter().map(halved).collect();
    let (_folder, path) = file("half.safetensors", &safetensors(&arrays));
    let audit = dump::judge_files(&[path], &quick()).unwrap().remove(0);
    assert!(doubts(&audit).is_empty(), "{:?}", audit.warnings);
    let named = audit.warnings.iter().find_map(|warning| match warning {
        Warning::HalfPrecision { tensors } => Some(tensors.len()),
        _ => None,
    });
    assert_eq!(named, Some(arrays.len() - 1), "all but the labels");
}

#[test]
fn options_that_do_not_fit_are_refused_in_words_with_a_typed_remedy() {
    let refused = |arrays: Vec<Array>, options: DumpOptions, remedy: Remedy, words: &str| {
        let refusal = judge_all(&[arrays], &options).unwrap_err();
        let said = refusal.to_string();
        assert!(said.contains(words) && !said.contains("--"), "{said}");
        assert_eq!(refusal.remedy(), Some(remedy), "{said}");
    };
    let of_mean = |count: u64| DumpOptions { mean_over: Some(count), ..quick() };
    refused(network(), of_mean(128), Remedy::OmitMeanOver, "each sample's own loss");
    refused(lacking(&network(), &["p."]), of_mean(128), Remedy::OmitMeanOver, "no gradients");
    refused(mean_over(40.0), of_mean(0), Remedy::GiveMeanOver, "in the mean is 0");
    for percent in [61.5, -0.1, f64::NAN] {
        let accuracy = DumpOptions { accuracy: Some(percent), ..quick() };
        refused(network(), accuracy, Remedy::GiveAccuracy, "the accuracy is ");
        let frozen = DumpOptions { frozen: Some(percent), ..quick() };
        refused(network(), frozen, Remedy::GiveFrozenAccuracy, "frozen blocks is ");
    }
    let (_folder, path) = file("dump.npz", b"");
    assert_eq!(dump::read(&path).unwrap_err().remedy(), None);
}
