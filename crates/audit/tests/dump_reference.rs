//! Whether what credit is compared with is the gradient: loss changes, heads, credit that is the reference itself.

mod dump_common;

use audit::dump::{self, DumpOptions};
use dump_common::network::*;
use dump_common::{Array, file, integers, npz};
use record::audit::{Audit, NullKind, Standing, UnitAudit, Verdict, Warning};
use record::{Measured, Why};
use tensor::random::{Purpose, Stream};

const DIRECTIONS: usize = 16;

fn named<'a>(arrays: &'a [Array], name: &str) -> &'a Array {
    arrays.iter().find(|array| array.name == name).unwrap_or_else(|| panic!("{name}"))
}

/// Directions at a state, and the changes ⟨p, v⟩ of each sample's loss along them.
fn changes_along(arrays: &[Array], l: usize, round: fn(f64) -> f64) -> Vec<Array> {
    let p = named(arrays, &format!("p.{l}"));
    let [samples, width] = p.shape[..] else { panic!("{:?}", p.shape) };
    let p = values(p);
    let mut stream = Stream::at(5, Purpose::Audit, 0, l as u64);
    let v: Vec<f64> = (0..DIRECTIONS * width).map(|_| stream.normal()).collect();
    let change = |p: &[f64], v: &[f64]| round(p.iter().zip(v).map(|(p, v)| p * v).sum());
    let changes: Vec<f64> =
        p.chunks_exact(width).flat_map(|p| v.chunks_exact(width).map(move |v| change(p, v))).collect();
    vec![
        doubles(&format!("v.{l}"), &[DIRECTIONS, width], &v),
        doubles(&format!("dl.{l}"), &[samples, DIRECTIONS], &changes),
    ]
}

/// The network with the loss changes of its true gradient at these states.
fn measured_at(states: &[usize], round: fn(f64) -> f64) -> Vec<Array> {
    let mut arrays = network();
    let added: Vec<Array> = states.iter().flat_map(|&l| changes_along(&arrays, l, round)).collect();
    arrays.extend(added);
    arrays
}

/// The tensor with its features in another order: as long as before, and unrelated.
fn turned(arrays: &[Array], name: &str) -> Vec<Array> {
    let width = named(arrays, name).shape[1];
    changed(arrays, name, |all| all.chunks_exact_mut(width).for_each(|row| row.rotate_left(1)))
}

fn last_state(arrays: &[Array]) -> usize {
    (0..).take_while(|l| arrays.iter().any(|array| array.name == format!("h.{l}"))).count() - 1
}

fn standings(audit: &Audit) -> Vec<Standing> {
    audit.units.iter().map(|unit| unit.standing).collect()
}

fn cosine_of(unit: &UnitAudit) -> Measured {
    unit.here.as_ref().unwrap().cosine
}

fn accusations(audit: &Audit) -> usize {
    audit.warnings.iter().filter(|warning| protocol::accuses(warning)).count()
}

#[test]
fn loss_changes_confirm_a_gradient_and_give_rho_at_their_states() {
    let last = last_state(&network());
    let audit = judge(&measured_at(&(0..=last).collect::<Vec<_>>(), |x| x), &quick());
    assert_eq!(accusations(&audit), 0, "{:?}", audit.warnings);
    for (state, unit) in audit.states.iter().zip(&audit.units) {
        let test = state.reference.unwrap();
        assert!((test.rho - 1.0).abs() < 1e-9 && test.error < 1e-6, "{test:?}");
        let rho = unit.here.as_ref().unwrap().rho.unwrap();
        assert!(rho.gradient.defined().unwrap() > 0.999, "{rho:?}");
    }
    // ρ of the credit at h_0 is Pearson's r of what it predicts with what the loss does.
    let arrays = measured_at(&[0], |x| x);
    let (a, v, dl) = (named(&arrays, "a.embed"), named(&arrays, "v.0"), named(&arrays, "dl.0"));
    let width = a.shape[1];
    let (a, v, dl) = (values(a), values(v), values(dl));
    let predicted: Vec<f64> = a
        .chunks_exact(width)
        .flat_map(|a| v.chunks_exact(width).map(move |v| a.iter().zip(v).map(|(a, v)| a * v).sum::<f64>()))
        .collect();
    let mean = |x: &[f64]| x.iter().sum::<f64>() / x.len() as f64;
    let (mx, my) = (mean(&predicted), mean(&dl));
    let of = |x: &[f64], m: f64, y: &[f64], n: f64| -> f64 {
        x.iter().zip(y).map(|(x, y)| (x - m) * (y - n)).sum()
    };
    let expected =
        of(&predicted, mx, &dl, my) / (of(&predicted, mx, &predicted, mx) * of(&dl, my, &dl, my)).sqrt();
    let found = unit(&judge(&arrays, &quick()), "embed").here.clone().unwrap().rho.unwrap();
    assert!((found.value.defined().unwrap() - expected).abs() < 1e-9, "{found:?}, {expected}");
}

#[test]
fn a_reference_that_loss_changes_contradict_is_named_and_nothing_is_certified() {
    let arrays = turned(&measured_at(&[0, 1], |x| x), "p.1");
    let audit = judge(&arrays, &DumpOptions { accuracy: Some(0.9), frozen: Some(0.1), ..quick() });
    let Some(Warning::ReferenceContradicted { states, rho }) =
        audit.warnings.iter().find(|warning| protocol::accuses(warning))
    else {
        panic!("{:?}", audit.warnings)
    };
    assert_eq!((states.as_slice(), *rho < 0.9), (&[1][..], true));
    assert_eq!(audit.verdict, Verdict::NotAssessed);
    // h_0 is confirmed, h_1 contradicted, the others come from the same backward pass and nothing speaks for them.
    let found = standings(&audit);
    assert_eq!(found[1], Standing::ReferenceNotGradient);
    assert!(cosine_of(&audit.units[0]).defined().is_some());
    assert_eq!(cosine_of(&audit.units[1]).why(), Some(Why::NotTheGradient));
    assert_eq!(cosine_of(&audit.units[2]).why(), Some(Why::ReferenceDoubtful));
    // Γ is of what is left.
    assert_eq!(audit.gamma.here.units, 1);
}

#[test]
fn a_last_gradient_that_the_head_contradicts_is_not_the_gradient() {
    let network = network();
    let last = format!("p.{}", last_state(&network));
    let audit = judge(&turned(&network, &last), &quick());
    assert_eq!(accusations(&audit), 1, "{:?}", audit.warnings);
    assert_eq!(*standings(&audit).last().unwrap(), Standing::ReferenceNotGradient);
    assert_eq!(audit.verdict, Verdict::NotAssessed);
    assert!(!assessed(&audit, record::audit::CheckId::D2));
    // A wrong size alone is no accusation: the directions are right.
    let long = judge(&scaled(&network, "p.", 1e6), &quick());
    assert_eq!(accusations(&long), 0, "{:?}", long.warnings);
}

#[test]
fn another_loss_than_cross_entropy_is_not_accused_if_loss_changes_confirm_it() {
    let network = network();
    let last = last_state(&network);
    let mut arrays = turned(&network, &format!("p.{last}"));
    let added = changes_along(&arrays, last, |x| x);
    arrays.extend(added);
    let audit = judge(&arrays, &quick());
    assert_eq!(accusations(&audit), 0, "{:?}", audit.warnings);
    assert!(audit.warnings.iter().any(|warning| matches!(warning, Warning::LossDiffers { .. })));
    let here = audit.units.last().unwrap().here.as_ref().unwrap();
    assert!(here.nudges.is_empty() && here.rho.unwrap().gradient.defined().unwrap() > 0.999);
}

/// The network with its own gradient for credit.
fn backpropagation(mut arrays: Vec<Array>) -> Vec<Array> {
    let last = last_state(&arrays);
    let credit = (0..=last).map(|l| {
        let name = if l == 0 { "a.embed".to_owned() } else { format!("a.{}", l - 1) };
        Array { name, ..named(&arrays, &format!("p.{l}")).clone() }
    });
    let credit: Vec<Array> = credit.collect();
    arrays = lacking(&arrays, &["a."]);
    arrays.extend(credit);
    arrays
}

#[test]
fn credit_that_is_the_reference_itself_is_no_pass_unless_something_shows_that_it_is_the_gradient() {
    let options = DumpOptions { accuracy: Some(0.9), frozen: Some(0.1), ..quick() };
    let same = backpropagation(network());
    let audit = judge(&same, &options);
    assert!(audit.warnings.contains(&Warning::NothingCompared), "{:?}", audit.warnings);
    assert_eq!(audit.verdict, Verdict::NotAssessed);
    let below = audit.units.len() - 1;
    assert!(audit.units[..below].iter().all(|unit| cosine_of(unit).why() == Some(Why::SameNumbers)));
    assert_eq!(audit.units[below].standing, Standing::Useful, "the head shows it there");
    // As many times as large is still the same.
    let long = judge(&scaled(&same, "a.", 3.0), &options);
    assert_eq!(long.verdict, Verdict::NotAssessed);
    // It says that it is backpropagation, or loss changes show that the reference is the gradient.
    let mut stated = same.clone();
    stated.push(text("rule", "bp"));
    let last = last_state(&network());
    let confirmed = backpropagation(measured_at(&(0..=last).collect::<Vec<_>>(), |x| x));
    for arrays in [stated, confirmed] {
        let audit = judge(&arrays, &options);
        assert_eq!(audit.verdict.words(), "PASS", "{:?}", audit.warnings);
        assert!(!audit.warnings.contains(&Warning::NothingCompared));
    }
    // Credit of another rule is compared.
    assert!(!judge(&network(), &options).warnings.contains(&Warning::NothingCompared));
}

#[test]
fn loss_changes_that_rounding_has_eaten_accuse_nobody() {
    let coarse = |x: f64| (x / 10.0).round() * 10.0;
    let audit = judge(&measured_at(&[1], coarse), &quick());
    assert_eq!(accusations(&audit), 0, "{:?}", audit.warnings);
    let still = audit.states[1].reference.is_none();
    assert!(
        still
            && unit(&audit, "block 0")
                .here
                .as_ref()
                .unwrap()
                .rho
                .is_none_or(|rho| rho.value.defined().is_none())
    );
    // Coarse, but not all zero.
    let steps = |x: f64| (x / 0.05).round() * 0.05 + if x.to_bits().is_multiple_of(3) { 0.4 } else { 0.0 };
    let audit = judge(&measured_at(&[1], steps), &quick());
    assert_eq!(accusations(&audit), 0, "{:?}", audit.warnings);
}

/// With every sample a second time: one network has too few to tell.
fn twice(arrays: Vec<Array>) -> Vec<Array> {
    let samples = named(&arrays, "labels").shape[0];
    let of_network = |name: &str| name.starts_with("head") || name.starts_with("out_ln");
    let again = |array: Array| match of_network(&array.name) {
        true => array,
        false => {
            let shape = [&[2 * samples], &array.shape[1..]].concat();
            Array { shape, bytes: array.bytes.repeat(2), ..array }
        }
    };
    arrays.into_iter().map(again).collect()
}

#[test]
fn direct_feedback_is_recognised_and_chance_is_other_feedback() {
    let network = twice(network());
    let logits = values(named(&network, "logits"));
    let labels: Vec<i64> = named(&network, "labels")
        .bytes
        .chunks_exact(8)
        .map(|x| i64::from_le_bytes(x.try_into().unwrap()))
        .collect();
    let classes = logits.len() / labels.len();
    assert!(labels.len() >= 10 * classes, "{} samples of {classes} classes", labels.len());
    let mut stream = Stream::new(9, Purpose::Audit);
    let width = named(&network, "a.0").shape[1];
    let feedback: Vec<f64> = (0..classes * width).map(|_| stream.normal()).collect();
    let credit: Vec<f64> = logits
        .chunks_exact(classes)
        .zip(&labels)
        .flat_map(|(z, &label)| {
            let total: f64 = z.iter().map(|z| z.exp()).sum();
            let e: Vec<f64> =
                (0..classes).map(|c| z[c].exp() / total - f64::from(u8::from(c as i64 == label))).collect();
            let feedback = &feedback;
            (0..width)
                .map(move |j| (0..classes).map(|c| e[c] * feedback[c * width + j]).sum::<f64>())
                .collect::<Vec<f64>>()
        })
        .collect();
    let arrays = changed(&network, "a.0", |all| all.copy_from_slice(&credit));
    let audit = judge(&arrays, &quick());
    let units = audit.warnings.iter().find_map(|warning| match warning {
        Warning::DirectFeedback { units } => Some(units.clone()),
        _ => None,
    });
    // The network's own a.1 is e through a matrix too; a.embed and a.2 have a share of the gradient in them.
    let both = [record::Unit::Block(0), record::Unit::Block(1)];
    assert_eq!(units.expect("direct feedback"), both);
    let kinds = |name: &str| -> Vec<NullKind> {
        unit(&audit, name).here.as_ref().unwrap().nulls.iter().map(|null| null.kind).collect()
    };
    assert!(kinds("block 0").contains(&NullKind::FreshFeedback));
    assert!(!kinds("block 0").contains(&NullKind::TurnedFeatures));
    assert!(
        kinds("embed").contains(&NullKind::TurnedFeatures)
            && !kinds("embed").contains(&NullKind::FreshFeedback)
    );
}

#[test]
fn dumps_that_name_rule_and_seed_stand_side_by_side() {
    let run = |rule: &str, seed: i64, epoch: u64| {
        let mut arrays = at_epoch(network(), Some(epoch));
        arrays.extend([text("rule", rule), integers("seed", &[seed])]);
        file("dump.npz", &npz(&arrays))
    };
    let files = [run("fa", 1, 3), run("dfa", 1, 3), run("fa", 1, 5), run("fa", 2, 5)];
    let paths: Vec<_> = files.iter().map(|(_, path)| path.clone()).collect();
    let audits = dump::judge_files(&paths, &quick()).unwrap();
    let said: Vec<_> = audits.iter().map(|a| (a.subject.rule(), a.subject.seed(), a.epoch)).collect();
    let expected =
        [(Some("fa"), Some(1), Some(5)), (Some("dfa"), Some(1), Some(3)), (Some("fa"), Some(2), Some(5))];
    assert_eq!(said, expected);
    let set = protocol::set(audits);
    let groups: Vec<(&str, usize)> =
        set.groups.iter().map(|group| (group.name.as_str(), group.members.len())).collect();
    assert_eq!(groups, [("fa", 2), ("dfa", 1)]);
    let one = DumpOptions { accuracy: Some(0.5), ..quick() };
    let refusal = dump::judge_files(&paths, &one).unwrap_err().to_string();
    assert!(refusal.contains("several runs") && refusal.contains("`accuracy`"), "{refusal}");
}
