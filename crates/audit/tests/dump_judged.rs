//! Judged dumps against what NumPy measured on the same arrays, and against credit whose worth is known.

mod dump_common;

use audit::dump::{self, DumpOptions, HeadDownstream};
use audit::measurements::{Directions, Downstream, rho};
use dump_common::network::*;
use dump_common::{file, integers, safetensors};
use record::audit::{Audit, Evidence, NullKind, Place, Quantity, Standing, Subject, UnitAudit};
use serde_json::Value;
use tensor::random::{Purpose, Stream};

fn expected(precision: &str) -> Value {
    let text = std::fs::read_to_string(fixture_path("dump.json")).unwrap();
    serde_json::from_str::<Value>(&text).unwrap()[precision].take()
}

/// A list of the oracle against what was found, to 1e-9.
fn agree(found: impl IntoIterator<Item = f64>, expected: &Value, what: &str) {
    let found: Vec<f64> = found.into_iter().collect();
    let expected: Vec<f64> = match expected {
        Value::Array(list) => list.iter().map(|x| x.as_f64().unwrap()).collect(),
        one => vec![one.as_f64().unwrap()],
    };
    assert_eq!(found.len(), expected.len(), "{what}");
    for (found, expected) in found.iter().zip(&expected) {
        assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{what}: {found} for {expected}");
    }
}

#[test]
fn norms_and_cosines_are_those_of_numpy() {
    for precision in ["f32", "f64"] {
        let path = fixture_path(&format!("dump_{precision}.npz"));
        let (audit, oracle) =
            (dump::judge_files(&[path], &DumpOptions::default()).unwrap().remove(0), expected(precision));
        agree(audit.states.iter().map(|state| state.hidden.unwrap()), &oracle["hidden"], "hidden");
        agree(audit.states.iter().map(|state| state.gradient.unwrap()), &oracle["gradient"], "gradient");
        agree(audit.units.iter().map(|unit| unit.credit.unwrap()), &oracle["credit"], "credit");
        agree(audit.error, &oracle["error"], "error");
        let here: Vec<_> = audit.units.iter().map(|unit| unit.here.as_ref().unwrap()).collect();
        let paper: Vec<_> = audit.units.iter().filter_map(|unit| unit.at_input.as_ref()).collect();
        for (evidence, suffix) in [(&here, ""), (&paper, "_paper")] {
            let of = |name: &str| oracle[format!("{name}{suffix}")].clone();
            agree(evidence.iter().map(|e| e.cosine.defined().unwrap()), &of("cosine"), "cosine");
            agree(evidence.iter().map(|e| e.spread.unwrap()), &of("spread"), "spread");
            agree(evidence.iter().map(|e| e.torch.unwrap()), &of("torch"), "torch");
        }
        let hidden: Vec<f64> = audit.states.iter().map(|state| state.hidden.unwrap()).collect();
        assert_eq!(audit.checks[0].statistic, Some(protocol::growth(&hidden)));
        assert_eq!((audit.epoch, audit.samples, audit.settings.directions), (Some(7), 40, 32));
        let Subject::Dump { id, hashes, .. } = &audit.subject else { panic!("{:?}", audit.subject) };
        assert_eq!((id.as_str(), hashes.len()), (format!("dump_{precision}").as_str(), 1));
        assert_eq!(audit.verdict.words(), "PASS (D3 not assessed)");
        // Head and reference are those of the network, in either precision.
        let said: Vec<String> = audit.warnings.iter().map(report::audit::message).collect();
        assert_eq!(
            said,
            [
                "not read: directions",
                "40 samples were measured, the protocol is stated for 1280",
                "accuracy is that on the 40 samples that were measured",
                "one unit gives most of the mean cosine at the input of blocks: block 2 (0.27 with it, 0.04 without)"
            ]
        );
    }
}

/// The directions of the fixture: an uncompressed member of doubles, after the header of its `.npy`.
fn directions() -> Vec<f64> {
    let bytes = std::fs::read(fixture_path("dump_f64.npz")).unwrap();
    let after = |from: usize, word: &[u8]| {
        from + bytes[from..].windows(word.len()).position(|at| at == word).unwrap() + word.len()
    };
    let numpy = after(after(0, b"directions.npy"), b"\x93NUMPY");
    let header = usize::from(u16::from_le_bytes([bytes[numpy + 2], bytes[numpy + 3]]));
    let start = numpy + 4 + header;
    bytes[start..start + 8 * 40 * 8 * 12]
        .chunks_exact(8)
        .map(|x| f64::from_le_bytes(x.try_into().unwrap()))
        .collect()
}

#[test]
fn rho_through_the_dumped_head_is_that_of_numpy() {
    for precision in ["f32", "f64"] {
        let dump = dump::read(&fixture_path(&format!("dump_{precision}.npz"))).unwrap();
        let oracle = expected(precision);
        let h = &dump.hidden[3].values;
        let labels = dump.labels.as_ref().unwrap();
        let a = &dump.credit.blocks[2].values;
        let p = &dump.gradients.as_ref().unwrap().layers[3].values;
        let mut rest = HeadDownstream::new(dump.head.as_ref().unwrap());
        let mut losses = vec![0.0; 40];
        Downstream::losses(&mut rest, 3, h, labels, &mut losses);
        agree(losses, &oracle["loss"], "loss");
        let directions = Directions { vectors: &directions(), reach: 12 };
        let found = rho(&mut rest, 3, h, labels, a, p, directions, 1e-3);
        agree(found.value.defined(), &oracle["rho"], "rho");
        agree(found.gradient.defined(), &oracle["rho_gradient"], "rho of the gradient");
        assert_eq!((found.step, found.enlarged), (1e-3, false));
        // With its own directions the audit comes near: r of 1280 pairs has a standard error below (1 − r²)/√320.
        let path = fixture_path(&format!("dump_{precision}.npz"));
        let audit = dump::judge_files(&[path], &DumpOptions::default()).unwrap().remove(0);
        let last = unit(&audit, "block 2").here.as_ref().unwrap();
        let own = last.rho.unwrap();
        let value = oracle["rho"].as_f64().unwrap();
        assert!((own.value.defined().unwrap() - value).abs() < 5.0 * (1.0 - value * value) / 320f64.sqrt());
        assert!(own.gradient.defined().unwrap() > 0.999);
        assert_eq!(last.nudges.iter().map(|nudge| nudge.eta).collect::<Vec<_>>(), [0.003, 0.01, 0.1]);
        assert!(last.nudges.iter().all(|nudge| nudge.gradient.value() <= nudge.change.value()));
        assert!(last.nudges.iter().all(|nudge| nudge.change.defined().unwrap() < 0.0));
        assert!(audit.units[..3].iter().all(|unit| unit.here.as_ref().unwrap().rho.is_none()));
    }
}

fn standings(audit: &Audit) -> Vec<Standing> {
    audit.units.iter().map(|unit| unit.standing).collect()
}

/// The network with p, times a factor, as its credit.
fn with_credit(factor: f64) -> Vec<dump_common::Array> {
    let arrays = network();
    let p = |l: usize| values(arrays.iter().find(|array| array.name == format!("p.{l}")).unwrap());
    let names = ["a.embed", "a.0", "a.1", "a.2"];
    let mut dump = names.iter().enumerate().fold(arrays.clone(), |all, (l, name)| {
        changed(&all, name, |a| a.iter_mut().zip(p(l)).for_each(|(a, p)| *a = factor * p))
    });
    // Without this word, credit that is the reference is nothing compared.
    dump.push(text("rule", "bp"));
    dump
}

#[test]
fn credit_is_worth_what_it_is_worth() {
    let options = DumpOptions::default();
    let exact = judge(&with_credit(1e-12), &options);
    // Below the head there is only a cosine, which is not conclusive by itself.
    let alone = Standing::Unconfirmed;
    assert_eq!(standings(&exact), [alone, alone, alone, Standing::Useful]);
    assert_eq!(exact.gamma.here.units, 4);
    let held = |evidence: &Option<Evidence>| -> Vec<Quantity> {
        evidence.iter().flat_map(|e| &e.nulls).map(|null| null.of).collect()
    };
    for (index, unit) in exact.units.iter().enumerate() {
        let all = [Quantity::Cosine, Quantity::Rho, Quantity::Nudge];
        // Once for shuffled samples and once for turned features.
        assert_eq!(held(&unit.here), all[..if index == 3 { 3 } else { 1 }].repeat(2), "{unit:?}");
        assert_eq!(held(&unit.at_input), all[..usize::from(index > 0)].repeat(2), "{unit:?}");
    }
    let again = Audit { seconds: exact.seconds, ..judge(&with_credit(1e-12), &options) };
    assert_eq!(again.units, exact.units);
    assert!((exact.gamma.here.defined.unwrap() - 1.0).abs() < 1e-12);
    assert_eq!(standings(&judge(&with_credit(-1.0), &options)), [Standing::Misleading; 4]);
    assert_eq!(standings(&judge(&with_credit(0.0), &options)), [Standing::Dead; 4]);
    // Without draws there is nothing to hold a cosine against.
    let bare = DumpOptions { draws: 0, ..options };
    assert_eq!(standings(&judge(&with_credit(1.0), &bare)), [Standing::Unconfirmed; 4]);
}

/// Credit without any bond to its samples is itself a draw of the null: inside a band of 20 draws 19 times of 21.
#[test]
fn noise_falls_inside_its_band() {
    let n = 24;
    let width = 5;
    let blocks = 20;
    let mut stream = Stream::new(11, Purpose::Teacher);
    let mut inside = 0;
    let mut all = 0;
    for _ in 0..6 {
        let mut noise = |name: String| {
            let numbers: Vec<f64> = (0..n * width).map(|_| stream.normal()).collect();
            doubles(&name, &[n, width], &numbers)
        };
        let mut arrays: Vec<_> = (0..=blocks).map(|l| noise(format!("p.{l}"))).collect();
        arrays.extend((0..blocks).map(|l| noise(format!("a.{l}"))));
        for unit in judge(&arrays, &DumpOptions::default()).units {
            let null = unit.here.unwrap().nulls[0];
            assert_eq!((null.kind, null.of, null.draws), (NullKind::ShuffledSamples, Quantity::Cosine, 20));
            inside += usize::from(null.place == Place::Inside);
            all += 1;
        }
    }
    let rate = f64::from(inside as u32) / f64::from(all);
    let expected = 19.0 / 21.0;
    // The same orders serve all units, but credits and gradients are independent.
    let sd = (expected * (1.0 - expected) / f64::from(all)).sqrt();
    assert!((rate - expected).abs() < 3.0 * sd, "{inside} of {all}");
}

/// A fixed random matrix gives every sample credit of a common bias, which shuffled samples do not show: with many samples it
/// is outside their band. It is inside that of turned features at the stated rate, since its entries are exchangeable.
#[test]
fn random_feedback_is_chance_and_not_learning() {
    let n = 600;
    let width = 24;
    let classes = 5;
    let blocks = 12;
    let mut stream = Stream::new(13, Purpose::Teacher);
    let mut draw =
        |count: usize, shift: f64| (0..count).map(|_| shift + stream.normal()).collect::<Vec<f64>>();
    let mut turned = 0;
    let mut shuffled = 0;
    let mut all = 0;
    for _ in 0..4 {
        let error = draw(n * classes, 1.0);
        let product = |matrix: &[f64]| -> Vec<f64> {
            let row = |e: &[f64]| -> Vec<f64> {
                matrix.chunks_exact(classes).map(|b| b.iter().zip(e).map(|(b, e)| b * e).sum()).collect()
            };
            error.chunks_exact(classes).flat_map(row).collect()
        };
        let mut arrays = Vec::new();
        for l in 0..=blocks {
            arrays.push(doubles(&format!("p.{l}"), &[n, width], &product(&draw(width * classes, 0.0))));
        }
        for l in 0..blocks {
            arrays.push(doubles(&format!("a.{l}"), &[n, width], &product(&draw(width * classes, 0.0))));
        }
        for unit in judge(&arrays, &DumpOptions::default()).units {
            let nulls = unit.here.unwrap().nulls;
            let inside =
                |kind: NullKind| nulls.iter().any(|null| null.kind == kind && null.place == Place::Inside);
            turned += usize::from(inside(NullKind::TurnedFeatures));
            shuffled += usize::from(inside(NullKind::ShuffledSamples));
            all += 1;
        }
    }
    let rate = turned as f64 / all as f64;
    let expected = 19.0 / 21.0;
    let sd = (expected * (1.0 - expected) / all as f64).sqrt();
    assert!((rate - expected).abs() < 3.0 * sd, "{turned} of {all}");
    assert!(shuffled < all / 2, "shuffling alone would have called {} of {all} learning", all - shuffled);
}

#[test]
fn one_sample_is_judged_by_what_it_has() {
    let first = |array: dump_common::Array| {
        let rows = array.shape[0];
        let per_sample = rows == 40;
        let bytes =
            array.bytes[..if per_sample { array.bytes.len() / rows } else { array.bytes.len() }].to_vec();
        let shape = if per_sample { [&[1], &array.shape[1..]].concat() } else { array.shape };
        dump_common::Array { bytes, shape, ..array }
    };
    let arrays: Vec<_> = network().into_iter().map(first).collect();
    let audit = judge(&arrays, &DumpOptions::default());
    // A single sample cannot be shuffled, and has no spread; its credit can be turned.
    let kinds = |unit: &UnitAudit| -> Vec<NullKind> {
        unit.here.as_ref().unwrap().nulls.iter().map(|null| null.kind).collect()
    };
    assert!(audit.units.iter().all(|unit| kinds(unit).iter().all(|kind| *kind == NullKind::TurnedFeatures)));
    assert!(audit.units.iter().all(|unit| unit.here.as_ref().unwrap().spread.is_none()));
    assert!(unit(&audit, "block 2").here.as_ref().unwrap().rho.unwrap().gradient.defined().unwrap() > 0.999);
}

#[test]
fn more_classes_than_a_byte_can_count() {
    let n = 30;
    let classes = 300;
    let mut stream = Stream::new(12, Purpose::Teacher);
    let mut draw = |count: usize| (0..count).map(|_| stream.normal()).collect::<Vec<f64>>();
    let labels: Vec<i64> = (0..n).map(|i| (i * 37 + 256) % classes).collect();
    let arrays = vec![
        doubles("h.0", &[n as usize, 4], &draw(n as usize * 4)),
        doubles("a.embed", &[n as usize, 4], &draw(n as usize * 4)),
        doubles("head.weight", &[classes as usize, 4], &draw(classes as usize * 4)),
        integers("labels", &labels),
    ];
    let (_folder, path) = file("wide.safetensors", &safetensors(&arrays));
    let audit = dump::judge_files(&[path], &DumpOptions::default()).unwrap().remove(0);
    // The gradient comes from head and labels, and predicts the loss that the forward pass gives.
    let rho = unit(&audit, "embed").here.as_ref().unwrap().rho.unwrap();
    assert!(rho.gradient.defined().unwrap() > 0.999, "{rho:?}");
    assert!(rho.value.defined().unwrap().abs() < 0.5, "{rho:?}");
}
