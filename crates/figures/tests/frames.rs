//! Every figure as text against a committed reference, so that a change shows up as a readable diff. Look at the PNG too
//! when you accept one.

#[path = "layout/described.rs"]
mod described;
#[path = "layout/made/mod.rs"]
mod made;

use described::described;
use figures::catalogue::{FIGURES, Request};
use figures::plot::Style;
use figures::text::Typesetter;
use made::{Plan, records};

#[test]
fn every_figure_is_as_it_was() {
    let plan = Plan { rules: 4, seeds: 2, epochs: 12, blocks: 3, long: false, broken: false };
    let series = ["hidden", "cosine_at_input"].map(str::to_owned).into();
    let request = Request { records: records(plan), series, ..Request::default() };
    let style = Style::paper();
    let setter = Typesetter::new(&style.family).expect("a bundled family");
    for entry in FIGURES {
        let drawing = (entry.draw)(&request).unwrap_or_else(|e| panic!("{}: {e}", entry.name));
        let scene = drawing.figure.draw(&style, &setter).unwrap_or_else(|e| panic!("{}: {e}", entry.name));
        insta::assert_snapshot!(entry.name, described(&scene));
    }
}
