//! The last column: what the checks come to for each rule.

use super::{Row, between_rows, remark, rules};
use crate::catalogue::meaning;
use crate::plot::palette::{BAD, BAD_INK, GOOD, GOOD_INK, NEUTRAL};
use crate::plot::{Axis, LegendPlace, MUTED, Panel, Region, Remark, Says};
use record::audit::Verdict;

pub(super) fn column(rows: &[Row]) -> Panel {
    let axis =
        Axis { range: Some((0.0, 1.0)), ticks: Some(Vec::new()), says: Says::Nothing, ..Axis::linear("") };
    let mut panel = Panel::new("verdict", axis, rules(rows)).titled("Verdict");
    panel.legend = LegendPlace::None;
    let everywhere = (f64::NEG_INFINITY, f64::INFINITY);
    for (i, row) in rows.iter().rev().enumerate() {
        let at = i as f64;
        let verdicts = row.verdicts();
        let any = |wanted: fn(&Verdict) -> bool| verdicts.iter().any(wanted);
        // One seed that fails is enough to doubt the rule.
        let (fill, ink) = if any(|verdict| matches!(verdict, Verdict::Fail { .. })) {
            (BAD, BAD_INK)
        } else if any(|verdict| *verdict == Verdict::NotAssessed) {
            (NEUTRAL, MUTED)
        } else {
            (GOOD, GOOD_INK)
        };
        panel.add(Region { x: everywhere, y: (at - 0.5, at + 0.5), fill, name: None, ink });
        panel.add(Remark {
            at,
            text: remark::verdict(row),
            written: vec![remark::short_verdict(row)],
            ink,
            bold: true,
            needed: true,
            meaning: meaning::rule(&row.variant).of_series("verdict"),
        });
    }
    between_rows(rows, &mut panel);
    panel
}
