//! Figures of two rules called Alpha and Beta, so that no name is part of another, and the words in them.

use crate::made::Made;
use figures::catalogue::{Drawing, Request, find};
use figures::plot::{Axis, AxisKind, Element, Panel, Remark};
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
    rows(drawing, name, |remark| remark.text.clone())
}

/// Rules and what is written in their rows if there is room, from the top.
pub(crate) fn written(drawing: &Drawing, name: &str) -> Vec<(String, String)> {
    rows(drawing, name, |remark| remark.written.first().cloned().unwrap_or_default())
}

fn rows(drawing: &Drawing, name: &str, words: impl Fn(&Remark) -> String) -> Vec<(String, String)> {
    let panel = panel(drawing, name);
    let names = along(&panel.y);
    let remarks =
        panel.elements.iter().filter_map(|e| if let Element::Remark(it) = e { Some(it) } else { None });
    let mut found: Vec<_> = remarks.map(|it| (names[it.at as usize].clone(), words(it))).collect();
    found.reverse();
    found
}

/// The figure of checks of these trials.
pub(crate) fn verdicts(trials: Vec<Trial>) -> Drawing {
    let records = Records { trials, ..Records::default() };
    (find("verdicts").unwrap().draw)(&Request { records, ..Request::default() }).unwrap()
}
