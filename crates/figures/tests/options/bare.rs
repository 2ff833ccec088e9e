//! Bare pictures, and the words that stand beside them.

use crate::{drawn, made, texts};
use figures::{FIGURES, Format};

/// Every sentence that a figure has on it.
fn sentences(figure: &figures::plot::Figure) -> Vec<String> {
    let mut found: Vec<String> = figure.title.iter().chain(&figure.foot).cloned().collect();
    found.extend(figure.diagram.iter().flat_map(|diagram| diagram.title.clone()));
    for panel in &figure.panels {
        found.extend(panel.title.iter().chain(&panel.caption).cloned());
    }
    found
}

/// The words of a text without formulas and signs.
fn words(text: &str) -> Vec<String> {
    let plain: String = text.split('$').step_by(2).collect::<Vec<_>>().join(" ");
    plain.split(|c: char| !c.is_alphabetic()).filter(|word| word.len() > 3).map(str::to_lowercase).collect()
}

#[test]
fn a_bare_picture_has_no_sentence_and_its_caption_has_all_of_them() {
    let mut seen = 0;
    for entry in &FIGURES {
        let Ok(bare) = made(entry.name, &[("bare", "true")]) else { continue };
        let all = sentences(&bare.drawing.figure);
        let on_it = texts(&bare.scene());
        let full = texts(&drawn(entry.name, &[]).scene());
        let tex = bare.text("tex", &[]);
        let said = words(&tex);
        for sentence in &all {
            let short = sentence.chars().count() < 4;
            assert!(short || !on_it.contains(sentence), "{}: {sentence} is still there", entry.name);
            let lost: Vec<String> = words(sentence).into_iter().filter(|word| !said.contains(word)).collect();
            assert!(lost.is_empty(), "{}: the caption lacks {lost:?} of {sentence}:\n{tex}", entry.name);
        }
        seen += all.iter().filter(|sentence| full.contains(sentence)).count();
        // What axes say stays.
        for label in bare.drawing.figure.panels.iter().filter_map(|panel| panel.y.label.as_ref()) {
            assert!(on_it.contains(label) || !full.contains(label), "{}: {label} is gone", entry.name);
        }
    }
    assert!(seen > 15, "only {seen} sentences stand on full pictures");
}

#[test]
fn captions_are_latex_that_balances() {
    for entry in &FIGURES {
        let Ok(bare) = made(entry.name, &[("bare", "true")]) else { continue };
        let tex = bare.text("tex", &[]);
        let mut depth = 0i32;
        let mut math = false;
        for line in tex.lines().filter(|line| !line.starts_with('%')) {
            let mut before = ' ';
            for (i, c) in line.char_indices() {
                let escaped = before == '\\';
                match c {
                    '{' if !escaped => depth += 1,
                    '}' if !escaped => depth -= 1,
                    '$' if !escaped => math = !math,
                    '%' if !escaped => assert_eq!(i, line.len() - 1, "a comment within {line}"),
                    '&' | '#' => assert!(escaped, "{c} in {line}"),
                    '_' | '^' => assert!(escaped || math, "{c} outside of a formula in {line}"),
                    c => assert!(c.is_ascii() || c.is_alphabetic(), "{c} in {line}"),
                }
                assert!(depth >= 0, "{line}");
                before = if escaped { ' ' } else { c };
            }
            assert!(!math, "a formula does not end: {line}");
        }
        assert_eq!(depth, 0, "{tex}");
        assert!(tex.contains("\\caption{") && tex.contains("mine.csv"), "{tex}");
        assert!(tex.contains("% source: run bp-s0"), "{tex}");
    }
}

#[test]
fn letters_stay_where_panels_are_several_and_the_caption_refers_to_them() {
    let bare = drawn("cifar-accuracy", &[("bare", "true")]);
    let on_it = texts(&bare.scene());
    assert!(on_it.contains(&"(a)".to_owned()) && on_it.contains(&"(b)".to_owned()), "{on_it:?}");
    let tex = bare.text("tex", &[]);
    assert!(tex.contains("  (a) ") && tex.contains("  (b) "), "{tex}");
    let alone = texts(&drawn("cifar-summary", &[("bare", "true")]).scene());
    assert!(!alone.iter().any(|text| text.starts_with("(a)")), "{alone:?}");
}

#[test]
fn who_cannot_see_a_figure_hears_its_sentences_and_values() {
    for flags in [&[][..], &[("bare", "true")]] {
        let made = drawn("cifar-summary", flags);
        let svg = made.text("svg", &[Format::Svg]);
        let document = roxmltree::Document::parse(&svg).expect("an SVG");
        let said = document.descendants().find(|node| node.has_tag_name("desc")).and_then(|node| node.text());
        let said = said.expect("a description");
        let bp = figures::reader::statistics(
            crate::records(crate::PLAN)
                .trials
                .iter()
                .filter(|trial| trial.rule == "bp" && trial.variant().is_plain() && is_shown(trial))
                .filter_map(figures::reader::Trial::accuracy),
        );
        let value = format!("BP {:.1}%", 100.0 * bp.expect("runs").mean);
        assert!(said.contains(&value) && said.contains("seeds"), "{value}: {said}");
        let pdf = made.files(&[Format::Pdf]).remove(0).bytes;
        let has = |what: &[u8]| pdf.windows(what.len()).any(|window| window == what);
        assert!(has(b"/Figure") && has(b"/Alt"), "the PDF has no alternative text");
    }
    let txt = drawn("cifar-summary", &[("bare", "true")]).text("txt", &[]);
    assert!(txt.is_ascii() || !txt.contains('$'), "{txt}");
}

/// Whether a trial is of the network that the figures show.
fn is_shown(trial: &figures::reader::Trial) -> bool {
    trial.setting.network == "resmlp" && trial.setting.out_ln == Some(true)
}
