//! Every figure of the program, drawn from the kept records, fits a page at any width of a column, is legible there, and
//! nothing in it collides.

use crate::examine::{beyond_the_page, examine};
use figures::catalogue::CatalogueError;
use figures::plot::Style;
use figures::text::Typesetter;
use figures::{Records, Request};
use paper::all_figures;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// A column of ICML, half a page, the text of NeurIPS and of ICML, and a slide.
const WIDTHS: [f64; 6] = [3.25, 4.0, 4.75, 5.5, 6.75, 12.0];

/// What is drawn together, as in `docs/figures/README.md`.
const KEPT: [&[&str]; 4] =
    [&["unclipped/main"], &["unclipped/deep"], &["unclipped/crossarch"], &["penalty", "normalisation"]];

fn records(folders: &[&str], rules: Option<&[&str]>) -> Records {
    let results = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results"));
    let folders: Vec<PathBuf> = folders.iter().map(|folder| results.join(folder)).collect();
    let mut records = paper::records(&folders).expect("records");
    records.trials.retain(|trial| rules.is_none_or(|rules| rules.contains(&trial.rule.as_str())));
    records
}

#[test]
fn every_figure_fits_a_page() {
    let style = Style::paper();
    let setter = Typesetter::new(&style.family).expect("a bundled family");
    let mut faults = Vec::new();
    let mut drawn = BTreeSet::new();
    for (folders, rules) in KEPT.into_iter().flat_map(|kept| [(kept, None), (kept, Some(&["bp", "dfa"][..]))])
    {
        let request = Request { records: records(folders, rules), ..Request::default() };
        for entry in all_figures() {
            let drawing = match (entry.draw)(&request) {
                Ok(drawing) => drawing,
                Err(CatalogueError::Nothing { .. }) => continue,
                Err(e) => panic!("{}: {e}", entry.name),
            };
            drawn.insert(entry.name);
            for width in WIDTHS {
                let style = Style { width: 72.0 * width, ..style.clone() };
                let here = |fault| format!("{} from {folders:?} at {width} in: {fault}", entry.name);
                match drawing.figure.draw(&style, &setter) {
                    Ok(scene) => {
                        let found = beyond_the_page(&scene, &style).into_iter().chain(examine(&scene, true));
                        faults.extend(found.map(here));
                    }
                    Err(e) => faults.push(here(e.to_string())),
                }
            }
        }
    }
    let all: BTreeSet<&str> = all_figures().map(|entry| entry.name).collect();
    assert_eq!(drawn, all);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
