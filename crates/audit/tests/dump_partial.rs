//! Dumps with parts missing or not finite: judged as far as they go, and what is wrong is named.

mod dump_common;

use audit::dump::DumpOptions;
use dump_common::network::*;
use record::audit::{Audit, CheckId, Consistency, Standing, Warning};
use record::{Measured, Why};

const PARTS: [&[&str]; 6] = [&["h."], &["p."], &["a."], &["labels"], &["logits"], &["head", "out_ln"]];

/// An audit that was written and read again says the same.
fn survives_json(audit: &Audit) {
    let text = serde_json::to_string(audit).unwrap();
    let again: Audit = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&again).unwrap(), text);
}

#[test]
fn every_subset_is_judged_as_far_as_it_goes() {
    let all = network();
    let options = DumpOptions { frozen: Some(0.1), ..quick() };
    for kept in 0..64u32 {
        let has = |part: usize| kept >> part & 1 == 1;
        let left_out: Vec<&str> = PARTS
            .iter()
            .enumerate()
            .filter(|(part, _)| !has(*part))
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        let [h, p, a, labels, logits, head] = [0, 1, 2, 3, 4, 5].map(has);
        let judged = judge_all(&[lacking(&all, &left_out)], &options);
        if !h && !p {
            assert!(judged.unwrap_err().to_string().contains("neither hidden states"));
            continue;
        }
        let audit = judged.unwrap();
        survives_json(&audit);
        let context = format!("without {left_out:?}: {audit:#?}");
        let loss = h && labels && head;
        let output = labels && (logits || loss);
        assert_eq!(assessed(&audit, CheckId::D1), h, "{context}");
        assert_eq!(assessed(&audit, CheckId::D2), p || loss, "{context}");
        assert_eq!(assessed(&audit, CheckId::D3), output, "{context}");
        assert!(!assessed(&audit, CheckId::Direction), "40 samples are too few");
        assert!(matches!(audit.consistency, Consistency::NotAssessed { .. }));
        assert_eq!((audit.error.is_some(), audit.accuracy.is_some()), (output, output), "{context}");
        assert!(audit.states.iter().all(|state| state.hidden.is_some() == h), "{context}");
        let gradients: Vec<bool> = audit.states.iter().map(|state| state.gradient.is_some()).collect();
        assert_eq!(gradients, [p, p, p, p || loss], "{context}");
        assert_eq!(audit.units.len(), if a { 4 } else { 0 }, "{context}");
        for (index, unit) in audit.units.iter().enumerate() {
            let last = index == 3;
            assert!(unit.credit.is_some());
            assert_eq!(unit.here.is_some(), p || (last && loss), "{context}");
            assert_eq!(unit.at_input.is_some(), p && index > 0, "{context}");
            assert_eq!(unit.standing == Standing::CannotBeJudged, unit.here.is_none(), "{context}");
            let here = unit.here.as_ref();
            assert_eq!(here.is_some_and(|e| e.rho.is_some()), last && loss, "{context}");
            assert_eq!(here.map_or(0, |e| e.nudges.len()), if last && loss { 3 } else { 0 }, "{context}");
        }
        let measured = (audit.settings.directions, audit.settings.etas.len());
        assert_eq!(measured, if a && loss { (4, 3) } else { (0, 0) }, "{context}");
        assert_eq!(audit.settings.draws, if a && (p || loss) { 5 } else { 0 }, "{context}");
        // One warning for all that is missing; logits cost nothing where the head gives them.
        let missing: Vec<_> =
            audit.warnings.iter().filter(|warning| matches!(warning, Warning::Missing { .. })).collect();
        let whole = h && p && a && labels && head;
        assert_eq!(missing.len(), usize::from(!whole), "{context}");
        if let Some(Warning::Missing { tensors, .. }) = missing.first() {
            for (part, name) in
                [(h, "h.*"), (p, "p.* or g.*"), (a, "a.embed"), (labels, "labels"), (head, "head.weight")]
            {
                assert_eq!(tensors.iter().any(|tensor| tensor == name), !part, "{name}: {context}");
            }
        }
    }
}

#[test]
fn a_sentence_says_what_is_missing() {
    let message = |starts: &[&str]| {
        let audit = judge(&lacking(&network(), starts), &quick());
        let found = audit.warnings.iter().find(|warning| matches!(warning, Warning::Missing { .. }));
        found.map(report::audit::message).unwrap_or_default()
    };
    assert_eq!(message(&["logits"]), "");
    assert_eq!(
        message(&["a.embed"]),
        "a.embed not in the dump, so nothing is said about the embedding's credit"
    );
    assert_eq!(
        message(&["p.", "head", "out_ln"]),
        "p.* or g.*, head.weight not in the dump, so nothing is said about the reference (D2), cosines and rho and nudge at \
         h_L"
    );
}

#[test]
fn what_is_not_finite_is_named_with_its_layer() {
    let all = network();
    let tensors = all.iter().filter(|array| array.descr == "<f8");
    for (name, rows) in tensors.map(|array| (array.name.as_str(), array.shape[0])) {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let audit = judge(&changed(&all, name, |values| values[3] = bad), &quick());
            survives_json(&audit);
            let context = format!("{name} {bad}: {audit:#?}");
            let said = audit.warnings.iter().find_map(|warning| match warning {
                Warning::NotFinite { tensors } => Some(tensors.clone()),
                _ => None,
            });
            assert_eq!(said, Some(vec![format!("{name} (1 of {rows} rows)")]), "{context}");
            for (index, unit) in audit.units.iter().enumerate() {
                let credit = index.checked_sub(1).map_or("a.embed".to_owned(), |block| format!("a.{block}"));
                let own = [format!("h.{index}"), format!("p.{index}"), credit.clone()];
                let broken = own.iter().any(|own| own == name);
                assert_eq!(unit.standing == Standing::Broken, broken, "{context}");
                assert_eq!(unit.notes.iter().any(|note| note.contains(name)), broken, "{context}");
                let not_finite = Measured::Undefined { why: Why::NotFinite };
                let here = unit.here.as_ref().unwrap();
                assert_eq!(here.cosine == not_finite, broken && !name.starts_with('h'), "{context}");
                if let Some(paper) = &unit.at_input {
                    let touched = name == format!("p.{}", index - 1) || name == credit;
                    assert_eq!(paper.cosine == not_finite, touched, "{context}");
                }
            }
            // A NaN never passes for health.
            if name.starts_with("h.") && bad.is_nan() {
                assert!(check(&audit, CheckId::D1).fires(), "{context}");
            }
            if name == "p.3" && bad.is_nan() {
                assert!(check(&audit, CheckId::D2).fires(), "{context}");
            }
        }
    }
}
