//! Figures of two rules called Alpha and Beta, so that no name is part of another, and the words in them.

use crate::made::Made;
use figures::catalogue::{Drawing, Request, find};
use figures::plot::{Axis, AxisKind, Panel};
use figures::reader::{Records, Trial};

/// A figure of two rules.
pub(crate) fn draw(figure: &str, fa: &Made, dfa: &Made) -> Drawing {
    let names = [("fa", "Alpha"), ("dfa", "Beta")].map(|(rule, name)| (rule.to_owned(), name.to_owned()));
    let trials = vec![fa.trial("fa"), dfa.trial("dfa")];
    let request = Request {
        records: Records { trials, ..Records::default() },
        names: names.into(),
        ..Request::default()
    };
    (find(figure).unwrap().draw)(&request).unwrap()
}

/// The sentences under its panels.
pub(crate) fn captions(drawing: &Drawing) -> Vec<String> {
    drawing.figure.panels.iter().filter_map(|panel| panel.caption.clone()).collect()
}

/// The panel of that name.
pub(crate) fn panel<'a>(drawing: &'a Drawing, name: &str) -> &'a Panel {
    drawing.figure.panels.iter().find(|panel| panel.name == name).unwrap()
}

fn along(axis: &Axis) -> Vec<String> {
    match &axis.kind {
        AxisKind::Categories(names) => names.clone(),
        other => panic!("{other:?}"),
    }
}

/// Rules and remarks of a panel's rows, from the top.
pub(crate) fn remarks(drawing: &Drawing, name: &str) -> Vec<(String, String)> {
    let panel = panel(drawing, name);
    let beside = along(panel.right.as_ref().unwrap());
    along(&panel.y).into_iter().zip(beside).rev().collect()
}

/// The figure of checks of these trials.
pub(crate) fn verdicts(trials: Vec<Trial>) -> Drawing {
    let records = Records { trials, ..Records::default() };
    (find("verdicts").unwrap().draw)(&Request { records, ..Request::default() }).unwrap()
}
