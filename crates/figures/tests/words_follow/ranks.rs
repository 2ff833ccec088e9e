//! Captions of `dissociation` and titles of `nulls`.

use crate::drawn::{captions, draw, panel};
use crate::made::{Made, bad, good};
use figures::catalogue::Drawing;
use figures::plot::Element;

#[test]
fn ranks_follow_the_values() {
    // By the cosine Beta is better, by everything else Alpha.
    let whole = Made { cosine: [Some(0.8); 3], ..bad() };
    let opposite = captions(&draw("dissociation", &good(), &whole));
    let measures = ["accuracy", "$\\rho$", "nudge"];
    for (caption, measure) in opposite.iter().zip(measures) {
        let start = format!("Cosine and {measure} rank Alpha and Beta differently");
        assert_eq!(*caption, start);
    }
    let swapped = captions(&draw("dissociation", &whole, &good()));
    for (caption, measure) in swapped.iter().zip(measures) {
        let start = format!("Cosine and {measure} rank Alpha and Beta differently");
        assert_eq!(*caption, start);
    }
    // A mean over some units is not comparable with one over all.
    for caption in captions(&draw("dissociation", &good(), &bad())) {
        assert!(caption.contains("nothing to rank") && caption.contains("Beta (2 of 3 units)"), "{caption}");
    }
    // With a cosine below the other's the ranks agree.
    let humble = Made { cosine: [Some(0.1); 3], ..bad() };
    for (caption, measure) in captions(&draw("dissociation", &good(), &humble)).iter().zip(measures) {
        assert_eq!(*caption, format!("Cosine and {measure} rank Alpha and Beta the same way"));
    }
    // A nudge that lowers the loss more is better, though the number is smaller.
    let nudged = captions(&draw("dissociation", &good(), &Made { nudge: -2e-3, ..humble }));
    assert_eq!(nudged[1], "Cosine and $\\rho$ rank Alpha and Beta the same way");
    assert_eq!(nudged[2], "Cosine and nudge rank Alpha and Beta differently");
}

#[test]
fn a_line_joins_exactly_the_pairs_of_opposite_order() {
    let lines = |drawing: &Drawing| -> Vec<usize> {
        let is_line = |e: &&Element| matches!(e, Element::Line(_));
        drawing.figure.panels.iter().map(|panel| panel.elements.iter().filter(is_line).count()).collect()
    };
    let whole = Made { cosine: [Some(0.8); 3], ..bad() };
    assert_eq!(lines(&draw("dissociation", &good(), &whole)), [1, 1, 1]);
    assert_eq!(lines(&draw("dissociation", &good(), &bad())), [0, 0, 0]);
    let humble = Made { cosine: [Some(0.1); 3], accuracy: 0.6, ..bad() };
    assert_eq!(lines(&draw("dissociation", &good(), &humble)), [1, 0, 0]);
}

#[test]
fn units_that_beat_chance_are_counted() {
    let title = |fa: &Made, rule: &str| {
        panel(&draw("nulls", fa, &bad()), &format!("{rule}: cosine")).title.clone().unwrap()
    };
    assert_eq!(title(&good(), "fa"), "Cosine: 3 of 3 beat chance");
    assert_eq!(title(&good(), "dfa"), "Cosine: 2 of 3 beat chance, 1 unreliable");
    let weak = Made { cosine: [Some(0.5), Some(0.03), Some(0.02)], ..good() };
    assert_eq!(title(&weak, "fa"), "Cosine: 1 of 3 beats chance");
}
