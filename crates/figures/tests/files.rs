//! Files: each is what its format says, holds its metadata, and has the same bytes every time.

use figures::output::{Metadata, OutputError, pdf, png, svg};
use figures::scene::{Affine, Bitmap, Colour, Item, Path, Rect, Scene, Stroke, at};
use figures::text::{Family, TextStyle, Typesetter};
use std::sync::Arc;

fn metadata() -> Metadata {
    Metadata {
        title: "Norms & \"angles\" <per layer>".into(),
        description: "‖h‖ grows\u{1}".into(),
        sources: vec!["run dfa-s42".into(), "data sha256 abc".into()],
        creator: "creditscope 0.1.0".into(),
    }
}

/// A bit of everything.
fn scene() -> Scene {
    let setter = Typesetter::new(&Family::NewComputerModern).expect("a bundled face");
    let style = TextStyle { size: 9.0, bold: false, italic: false, colour: Colour::hex(0x33_33_33) };
    let mut scene = Scene::new(144.0, 72.0);
    let rgba = (0..64_u8).flat_map(|i| [4 * i, 0, 255 - 4 * i, if i == 0 { 0 } else { 255 }]).collect();
    let bitmap = Arc::new(Bitmap { width: 8, height: 8, rgba });
    let pen = Stroke { dash: vec![2.0, 1.0], round: true, ..Stroke::solid(Colour::hex(0xb2_18_2b), 1.5) };
    scene.items.push(Item::Clipped {
        area: Rect::new(10.0, 10.0, 50.0, 50.0),
        items: vec![
            Item::Image { bitmap, area: Rect::new(5.0, 5.0, 20.0, 20.0) },
            Item::Path {
                path: Path::circle(at(40.0, 40.0), 30.0),
                fill: Some(Colour::hex(0x21_66_ac).faint(0.3)),
                stroke: Some(pen),
                meaning: None,
            },
        ],
    });
    let title = setter.set(r"Final $\|h_L\|_2$ office", &style).unwrap();
    scene.text(&title, at(100.0, 20.0), (0.5, 0.5), 0.0);
    let label = setter.set(r"$\sqrt{x}$ & <y>", &style).unwrap();
    scene.text(&label, at(80.0, 50.0), (0.5, 0.5), 90.0);
    scene
}

#[test]
fn the_same_picture_has_the_same_bytes() {
    let a = scene();
    let b = scene();
    let m = metadata();
    assert!(pdf(&a, &m) == pdf(&b, &m));
    assert!(png(&a, 100.0, &m) == png(&b, 100.0, &m));
    assert!(svg(&a, &m) == svg(&b, &m));
}

fn count(bytes: &[u8], what: &str) -> usize {
    bytes.windows(what.len()).filter(|window| *window == what.as_bytes()).count()
}

#[test]
fn a_pdf_embeds_its_fonts() {
    let file = pdf(&scene(), &metadata()).unwrap();
    assert!(file.starts_with(b"%PDF-1."));
    assert_eq!(count(&file, "/Type3"), 0);
    let fonts = count(&file, "/Subtype/Type0");
    assert!(fonts > 0);
    assert_eq!(count(&file, "/FontFile"), fonts, "every font is embedded");
    assert_eq!(count(&file, "/ToUnicode"), fonts, "every font says what its glyphs mean");
    assert_eq!(
        count(&file, "CreationDate") + count(&file, "ModDate"),
        0,
        "the same records give the same bytes"
    );
    assert!(count(&file, "run dfa-s42, data sha256 abc") == 1, "the sources are its keywords");
    assert!(count(&file, "creditscope 0.1.0") >= 1);
    assert!(file.len() < 60_000, "fonts are subsets: {} bytes", file.len());
}

#[test]
fn a_pdf_can_be_read_by_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pdf");
    std::fs::write(&path, pdf(&scene(), &metadata()).unwrap()).unwrap();
    let Ok(run) = std::process::Command::new("pdftotext").arg(&path).arg("-").output() else {
        println!("not checked: pdftotext is not installed");
        return;
    };
    let text = String::from_utf8(run.stdout).unwrap();
    assert!(text.contains("Final") && text.contains("office") && text.contains('‖'), "{text}");
}

#[test]
fn a_png_has_its_size_resolution_and_texts() {
    let file = png(&scene(), 150.0, &metadata()).unwrap();
    let mut reader = ::png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    let info = reader.info();
    // 144 × 72 points are 2 × 1 inches.
    assert_eq!((info.width, info.height), (300, 150));
    let density = info.pixel_dims.unwrap();
    assert_eq!((density.xppu, density.yppu, density.unit), (5906, 5906, ::png::Unit::Meter));
    let texts: Vec<_> = info.utf8_text.iter().map(|t| (t.keyword.clone(), t.get_text().unwrap())).collect();
    assert!(texts.contains(&("Title".into(), metadata().title)));
    assert!(texts.contains(&("Source".into(), "run dfa-s42\ndata sha256 abc".into())));
    let pixel = |x: usize, y: usize| &pixels[3 * (300 * y + x)..][..3];
    assert_eq!(pixel(1, 1), [255, 255, 255], "the page is white");
    assert_eq!(pixel(10, 75), [255, 255, 255], "nothing is drawn outside of the clip");
    // Inside the circle: 30 % of blue on white, each channel 255 + 0.298 · (c − 255).
    let mixed =
        [0x21, 0x66, 0xac].map(|c: i32| 255.0 + f64::from((0.3 * 255.0) as u8) / 255.0 * f64::from(c - 255));
    for (have, want) in pixel(90, 75).iter().zip(mixed) {
        assert!((f64::from(*have) - want).abs() <= 1.0, "{:?} {mixed:?}", pixel(90, 75));
    }
}

#[test]
fn an_svg_is_well_formed_and_says_what_it_shows() {
    let file = svg(&scene(), &metadata()).unwrap();
    let document = roxmltree::Document::parse(&file).unwrap();
    let root = document.root_element();
    assert_eq!(root.attribute("role"), Some("img"));
    assert_eq!(root.attribute("viewBox"), Some("0 0 144 72"));
    let text = |name: &str| {
        let found = document.descendants().find(|node| node.tag_name().name() == name);
        found.and_then(|node| node.text()).map(str::to_owned)
    };
    assert_eq!(text("title"), Some(metadata().title));
    assert_eq!(text("desc"), Some("‖h‖ grows␁".to_owned()), "what XML cannot hold is shown");
    assert_eq!(text("source"), Some("run dfa-s42".to_owned()));
    let labels: Vec<_> = document.descendants().filter_map(|node| node.attribute("aria-label")).collect();
    assert_eq!(labels, ["Final ‖hL‖2 office", "√x & <y>"]);
    let ids: Vec<_> = document.descendants().filter_map(|node| node.attribute("id")).collect();
    let mut once = ids.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(ids.len(), once.len(), "every name is used once");
    for node in document.descendants() {
        let refers = node.attribute("href").and_then(|href| href.strip_prefix('#'));
        let clips = node.attribute("clip-path").and_then(|v| v.strip_prefix("url(#")?.strip_suffix(')'));
        for id in refers.into_iter().chain(clips) {
            assert!(ids.contains(&id), "{id} is used and not defined");
        }
    }
    let image = document.descendants().find(|node| node.tag_name().name() == "image").unwrap();
    assert!(image.attribute("href").unwrap().starts_with("data:image/png;base64,iVBOR"));
}

#[test]
fn absurd_pages_are_refused() {
    let m = metadata();
    for (width, height) in [(0.0, 10.0), (10.0, -1.0), (f64::NAN, 10.0), (1e9, 10.0)] {
        let scene = Scene::new(width, height);
        assert!(matches!(pdf(&scene, &m), Err(OutputError::Page { .. })));
        assert!(matches!(png(&scene, 100.0, &m), Err(OutputError::Page { .. })));
        assert!(matches!(svg(&scene, &m), Err(OutputError::Page { .. })));
    }
    let page = Scene::new(1000.0, 10.0);
    assert!(matches!(png(&page, 2000.0, &m), Err(OutputError::Pixels { width: 27_778, .. })));
    for dpi in [0.0, -3.0, f64::NAN, f64::INFINITY, 1e9] {
        assert!(matches!(png(&page, dpi, &m), Err(OutputError::Resolution { .. })), "{dpi}");
    }
}

#[test]
fn what_is_drawn_nowhere_is_refused_and_what_is_empty_is_not() {
    let m = metadata();
    let pen = Stroke::solid(Colour::hex(0), 1.0);
    let mut lost = Scene::new(10.0, 10.0);
    let line = Path::through(&[at(0.0, 0.0), at(f64::NAN, 1.0)]);
    let items = vec![Item::Path { path: line, fill: None, stroke: Some(pen.clone()), meaning: None }];
    lost.items.push(Item::Clipped { area: Rect::new(0.0, 0.0, 5.0, 5.0), items });
    assert!(matches!(pdf(&lost, &m), Err(OutputError::Place { .. })));
    assert!(matches!(png(&lost, 72.0, &m), Err(OutputError::Place { .. })));
    assert!(matches!(svg(&lost, &m), Err(OutputError::Place { .. })));
    // A point, an empty path, a clip without an area, disjoint nested clips: nothing to see, and no error.
    let mut empty = Scene::new(10.0, 10.0);
    for path in
        [Path::default(), Path::through(&[at(1.0, 1.0)]), Path::through(&[at(1.0, 1.0), at(1.0, 1.0)])]
    {
        empty.path(path, Some(Colour::hex(0)), Some(pen.clone()));
    }
    let black = Item::Path {
        path: Path::rect(&Rect::new(0.0, 0.0, 9.0, 9.0)),
        fill: Some(Colour::hex(0)),
        stroke: None,
        meaning: None,
    };
    let cut = |area, items| Item::Clipped { area, items };
    let inner = cut(Rect::new(8.0, 8.0, 1.0, 1.0), vec![black.clone()]);
    empty.items.push(cut(Rect::new(3.0, 3.0, 0.0, 4.0), vec![black]));
    empty.items.push(cut(Rect::new(4.0, 4.0, 2.0, 2.0), vec![inner]));
    assert!(pdf(&empty, &m).is_ok() && svg(&empty, &m).is_ok());
    let mut reader =
        ::png::Decoder::new(std::io::Cursor::new(png(&empty, 72.0, &m).unwrap())).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    assert!(pixels[3 * (10 * 5 + 3)..].iter().all(|&v| v == 255), "the cuts let something through");
}

#[test]
fn turned_text_covers_the_box_that_was_promised() {
    let setter = Typesetter::new(&Family::Libertinus).unwrap();
    let style = TextStyle { size: 12.0, bold: true, italic: false, colour: Colour::hex(0) };
    let mut scene = Scene::new(60.0, 60.0);
    let label = setter.set("Height", &style).unwrap();
    let area = scene.text(&label, at(30.0, 30.0), (0.5, 0.5), 90.0);
    // The body is centred and rotated: as wide as a capital is high.
    let body = Affine::IDENTITY.cover(&label.body());
    assert!((area.h - label.area().w).abs() < 1e-9 && area.w >= body.h - 1e-9);
    let mut reader = ::png::Decoder::new(std::io::Cursor::new(png(&scene, 72.0, &metadata()).unwrap()))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    for (i, pixel) in pixels.chunks(3).enumerate() {
        let centre = at((i % 60) as f64 + 0.5, (i / 60) as f64 + 0.5);
        assert!(
            pixel == [255; 3] || area.grown(1.0).contains(centre),
            "ink at {centre:?} outside of {area:?}"
        );
    }
    assert!(pixels.iter().any(|&v| v < 100), "there is ink");
}
