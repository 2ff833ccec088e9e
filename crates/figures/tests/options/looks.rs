//! Colours, markers, scales, ranges, grounds and letters.

use crate::{drawn, made, options};
use figures::catalogue::Convention;
use figures::plot::{AxisKind, Element, Marker, Spread};
use figures::scene::{Colour, Role};
use figures::{Family, Format, Typesetter};

#[test]
fn a_rule_looks_as_its_author_wants_it() {
    let figure = drawn("cifar-accuracy", &[("colour", "dfa=#123456"), ("marker", "dfa=star")]).drawing.figure;
    let lines = figure.panels.iter().flat_map(|panel| &panel.elements).filter_map(|element| match element {
        Element::Line(line) if line.key.is_some() => Some((line.name.as_str(), line.look)),
        _ => None,
    });
    for (name, look) in lines {
        let is_dfa = name == "DFA";
        assert_eq!(look.colour == Colour::hex(0x12_34_56), is_dfa, "{name}");
        assert_eq!(look.marker == Marker::Star, is_dfa, "{name}");
    }
}

#[test]
fn a_range_cuts_off_what_is_beyond_it() {
    let values = |flags: &[(&str, &str)]| {
        let scene = drawn("cifar-diagnostics", flags).scene();
        let area = |i: usize| {
            let mark = scene.marks.iter().find(|mark| mark.role == Role::Panel(i)).expect("a panel");
            mark.area
        };
        let first = area(0);
        let inside = |x: f64, y: f64| {
            first.x - 1.0 <= x && x <= first.right() + 1.0 && first.y - 1.0 <= y && y <= first.bottom() + 1.0
        };
        let all = scene.marks.iter().filter(|mark| matches!(mark.role, Role::Value { .. }));
        let mine: Vec<_> = all.filter(|mark| mark.area.x < first.right() + 20.0).collect();
        (mine.len(), mine.iter().filter(|mark| !inside(mark.area.x, mark.area.y)).count())
    };
    let (whole, outside) = values(&[]);
    let (cut, beyond) = values(&[("range", "a=0.9:1.1")]);
    assert!(cut < whole && cut > 0, "{cut} of {whole}");
    assert_eq!((outside, beyond), (0, 0));
}

#[test]
fn axes_are_divided_and_end_as_their_author_wants_it() {
    let panel = |flags: &[(&str, &str)]| drawn("cifar-accuracy", flags).drawing.figure.panels.remove(1);
    assert_eq!(panel(&[("scale", "b=log")]).y.kind, AxisKind::Log);
    assert!(matches!(panel(&[("scale", "test=symlog")]).y.kind, AxisKind::Signed(_)));
    assert_eq!(panel(&[("range", "b.x=2:8,b=0:0.5")]).x.range, Some((2.0, 8.0)));
    assert_eq!(panel(&[("range", "b.x=2:8,b=0:0.5")]).y.range, Some((0.0, 0.5)));
    assert_eq!(panel(&[("range", "a=0:0.5")]).y.range, None);
    let refused = |name: &str, key: &str, text: &str| made(name, &[(key, text)]).err().expect("refused");
    assert!(refused("cifar-accuracy", "range", "q=0:1").contains("no panel `q`"));
    assert!(refused("cifar-summary", "scale", "a.x=log").contains("names in place of numbers"));
    assert!(refused("layers", "scale", "a=log").contains("layers lie along its axis"));
    let both = made("cifar-accuracy", &[("scale", "a=log"), ("range", "a=0:1")]).err().expect("refused");
    assert!(both.contains("logarithmic, and 0 is not positive"), "{both}");
}

#[test]
fn grounds_are_what_they_are_called() {
    let png = |ground: &str| {
        let file = drawn("cifar-summary", &[("ground", ground)]).files(&[Format::Png]).remove(0);
        let mut reader = png::Decoder::new(std::io::Cursor::new(file.bytes)).read_info().expect("a PNG");
        let mut pixels = vec![0; reader.output_buffer_size().expect("it fits")];
        let kind = reader.info().color_type;
        reader.next_frame(&mut pixels).expect("pixels");
        (kind, pixels)
    };
    let (kind, pixels) = png("transparent");
    assert_eq!((kind, pixels[3]), (png::ColorType::Rgba, 0));
    assert!(pixels.chunks(4).any(|pixel| pixel[3] == 255), "nothing is drawn");
    let (kind, pixels) = png("white");
    assert_eq!((kind, &pixels[..3]), (png::ColorType::Rgb, &[255, 255, 255][..]));
    let (_, pixels) = png("dark");
    assert!(pixels[..3].iter().all(|channel| *channel < 40), "{:?}", &pixels[..3]);
    let svg = |ground: &str| drawn("cifar-summary", &[("ground", ground)]).text("svg", &[Format::Svg]);
    assert!(
        svg("white").contains("fill=\"#ffffff\"/>\n<defs>")
            && !svg("transparent").contains("fill=\"#ffffff\"/>\n<defs>")
    );
}

#[test]
fn every_letter_and_line_stands_out_from_a_dark_ground() {
    for name in ["audit-hero", "cifar-accuracy", "layers", "verdicts", "nulls", "cifar-summary"] {
        let Ok(dark) = made(name, &[("ground", "dark")]) else { continue };
        let scene = dark.scene();
        let page = scene.page.expect("a dark page");
        let svg = dark.text("svg", &[Format::Svg]);
        let document = roxmltree::Document::parse(&svg).expect("an SVG");
        let colour = |text: &str| u32::from_str_radix(text.trim_start_matches('#'), 16).ok().map(Colour::hex);
        for label in document.descendants().filter(|node| node.has_attribute("aria-label")) {
            for run in label.descendants().filter_map(|node| node.attribute("fill")).filter_map(colour) {
                let words = label.attribute("aria-label").unwrap_or_default();
                assert!(run.contrast(page) >= 3.0, "{name}: {words} has {:.2}", run.contrast(page));
            }
        }
        for line in document.descendants().filter(|node| node.attribute("data-kind") == Some("line")) {
            let Some(ink) = line.attribute("stroke").and_then(colour) else { continue };
            // The outline of a marker is the colour of the page, so that it stands apart from what it covers; thin lines of
            // seeds are tinted.
            let is_marker = line.attribute("fill").is_some_and(|fill| fill != "none");
            let is_seed = line.has_attribute("data-seed");
            assert!(is_marker || is_seed || ink.contrast(page) >= 3.0, "{name}: {}", ink.css());
        }
    }
}

#[test]
fn letters_of_an_svg_are_text_where_that_is_wanted() {
    let svg = |flags: &[(&str, &str)]| drawn("cifar-accuracy", flags).text("svg", &[Format::Svg]);
    let outlines = svg(&[]);
    assert!(!outlines.contains("<text") && outlines.contains("<use"));
    let text = svg(&[("svg_text", "true")]);
    let document = roxmltree::Document::parse(&text).expect("an SVG");
    let found: Vec<&str> = document
        .descendants()
        .filter(|node| node.has_tag_name("text"))
        .filter_map(|node| node.text())
        .collect();
    for wanted in ["Epoch", "Test accuracy", "Train accuracy", "BP", "DFA"] {
        assert!(found.contains(&wanted), "{wanted} is not in {found:?}");
    }
    let families = document.descendants().filter_map(|node| node.attribute("font-family"));
    assert!(families.into_iter().all(|family| family.ends_with("serif")), "every text has a fallback");
}

#[test]
fn bold_and_italic_faces_are_found_beside_the_regular_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let face = |name: &str| ratex_katex_fonts_bytes(name);
    for (file, name) in [
        ("Mine-Regular.ttf", "Main-Regular"),
        ("Mine-Bold.ttf", "Main-Bold"),
        ("Mine-Italic.ttf", "Main-Italic"),
    ] {
        std::fs::write(folder.path().join(file), face(name)).expect("written");
    }
    let regular = folder.path().join("Mine-Regular.ttf");
    let style = options(&[("font", &regular.display().to_string())]).style().expect("a style");
    assert_eq!(style.family, Family::File(regular.clone()));
    let setter = Typesetter::new(&style.family).expect("three faces");
    let bold = figures::text::TextStyle { size: 10.0, bold: true, italic: false, colour: Colour::hex(0) };
    let plain = figures::text::TextStyle { bold: false, ..bold.clone() };
    let width = |style| setter.set("Wide words", style).expect("set").area().w;
    assert!(width(&bold) > 1.02 * width(&plain), "{} {}", width(&bold), width(&plain));
    std::fs::remove_file(folder.path().join("Mine-Bold.ttf")).expect("removed");
    let setter = Typesetter::new(&style.family).expect("one face for two");
    let width = |style| setter.set("Wide words", style).expect("set").area().w;
    assert!((width(&bold) - width(&plain)).abs() < 1e-9);
}

/// A face of the program as a file.
fn ratex_katex_fonts_bytes(name: &str) -> Vec<u8> {
    ratex_katex_fonts::ttf_bytes(&format!("KaTeX_{name}.ttf")).expect("a bundled face").to_vec()
}

#[test]
fn spread_and_convention_reach_the_request() {
    let found = options(&[("spread", "ci95"), ("convention", "input")]);
    assert_eq!((found.spread, found.convention), (Some(Spread::Ci95), Some(Convention::Input)));
    let foot =
        |spread: &str| drawn("cifar-accuracy", &[("spread", spread)]).drawing.figure.foot.expect("a foot");
    assert!(
        foot("ci95").contains("95% confidence") && foot("seeds").contains("each seed"),
        "{}",
        foot("ci95")
    );
}
