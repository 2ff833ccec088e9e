//! Files that cannot be drawn: refused by name, with the reason, and without a panic.

use crate::made::{Folder, figure, png_file, svg_file};
use figures::output::{Metadata, pdf, png, svg};
use figures::scene::{Rect, Scene};
use figures::{PictureError, load_picture as load};

fn refused(name: &str, content: impl AsRef<[u8]>) -> String {
    let folder = Folder::new();
    let error = load(&folder.file(name, content)).expect_err("this is refused").to_string();
    assert!(error.contains(name), "{error}");
    error
}

#[test]
fn what_an_svg_holds_and_cannot_be_drawn_is_named() {
    let filter = r##"<filter id="f"><feGaussianBlur stdDeviation="2"/></filter><rect width="9" height="9" filter="url(#f)"/>"##;
    let mask =
        r##"<mask id="m"><circle r="50" fill="white"/></mask><rect width="9" height="9" mask="url(#m)"/>"##;
    let image = r##"<image width="9" height="9" href="photo.png"/>"##;
    for (body, named) in [
        ("<text x='1' y='9'>Layer 1</text>", "text"),
        ("<foreignObject><p xmlns='http://www.w3.org/1999/xhtml'>hi</p></foreignObject>", "text"),
        (filter, "a filter"),
        (mask, "a mask"),
        (image, "photo.png"),
        ("<g style='mix-blend-mode:multiply'><rect width='9' height='9'/></g>", "a blend mode"),
        // An SVG in an SVG escapes the counts, and a packed one may take any memory.
        ("<image width='9' height='9' href='data:image/svg+xml,%3Csvg/%3E'/>", "neither PNG nor JPEG"),
        (
            "<image width='9' height='9' href='data:image/gif;base64,R0lGODlhAQABAAAAACw='/>",
            "neither PNG nor JPEG",
        ),
    ] {
        let error = refused("a.svg", svg_file(body));
        assert!(error.contains(named) && error.contains("PNG"), "{error}");
    }
}

#[test]
fn bad_files_are_refused_and_named() {
    let folder = Folder::new();
    let missing = load(&folder.0.path().join("none.svg")).unwrap_err();
    assert!(matches!(missing, PictureError::Read { .. }) && missing.to_string().contains("none.svg"));
    for name in ["a.jpg", "a.eps", "a", "a.svgz"] {
        assert!(refused(name, "x").contains("give a .png or .svg"));
    }
    for name in ["a.png", "a.svg"] {
        assert!(refused(name, "").contains("empty"));
        refused(name, "neither here nor there");
        refused(name, [0xff; 300]);
    }
    refused("a.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"0\" height=\"9\"/>");
    refused("a.svg", "<html/>");
    // A header that promises ten thousand million pixels, and nothing behind it.
    let mut huge = png_file(1, 1, ::png::ColorType::Rgb, ::png::BitDepth::Eight, &[0, 0, 0]);
    huge[16..24].copy_from_slice(&[0, 1, 0x86, 0xa0, 0, 1, 0x86, 0xa0]);
    refused("a.png", huge);
}

#[test]
fn a_pdf_is_refused_with_the_command_that_converts_it() {
    let error = refused("network.PDF", pdf(&figure(), &Metadata::default()).unwrap());
    assert!(error.contains("convert it first") && error.contains("pdftocairo -svg"), "{error}");
    assert!(error.contains("network.PDF ") && error.contains("network.svg`"), "{error}");
}

#[test]
fn damaged_files_break_nothing() {
    let folder = Folder::new();
    let scene = figure();
    let m = Metadata::default();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut below = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % n
    };
    let files = [("a.svg", svg(&scene, &m).unwrap().into_bytes()), ("a.png", png(&scene, 72.0, &m).unwrap())];
    for (name, whole) in files {
        for turn in 0..60 {
            let mut file = whole.clone();
            if turn % 2 == 0 {
                file.truncate(below(whole.len()));
            }
            for _ in 0..below(20) {
                let place = below(file.len().max(1));
                if let Some(byte) = file.get_mut(place) {
                    *byte = below(256) as u8;
                }
            }
            if let Ok(picture) = load(&folder.file(name, &file)) {
                let (w, h) = picture.size();
                assert!(w > 0.0 && h > 0.0);
                let items = picture.place(Rect::new(0.0, 0.0, 50.0, 50.0));
                let page = Scene { items, ..Scene::new(50.0, 50.0) };
                assert!(png(&page, 72.0, &m).is_ok());
            }
        }
    }
}

/// Whatever an SVG says, it is drawn or refused: no panic, no hour of waiting, no memory without end.
#[test]
fn hostile_shapes_are_drawn_or_refused() {
    let draw = |body: &str| {
        let folder = Folder::new();
        let picture = load(&folder.file("a.svg", svg_file(body)))?;
        for side in [40.0, 700.0] {
            let mut scene = Scene::new(side, side);
            scene.items.extend(picture.place(Rect::new(0.0, 0.0, side, side)));
            png(&scene, 300.0, &Metadata::default()).unwrap();
            pdf(&scene, &Metadata::default()).unwrap();
            svg(&scene, &Metadata::default()).unwrap();
        }
        Ok::<(), PictureError>(())
    };
    let size = ["1", "1e3", "1e4", "1e5", "1e6", "1e7", "1e9", "1e18", "1e30", "1e38", "-1e9", "NaN"];
    let mut drawn = 0;
    for r in size {
        for body in [
            format!("<circle r='{r}'/>"),
            format!("<circle cx='{r}' cy='-{r}' r='5' fill='none' stroke='red' stroke-width='2'/>"),
            format!("<path d='M0 0 L{r} {r} L0 9' stroke='red' stroke-width='{r}' stroke-dasharray='1 2'/>"),
            format!("<g transform='scale({r})'><rect width='9' height='9'/></g>"),
            format!(
                "<clipPath id='c'><circle r='{r}'/></clipPath><rect width='9' height='9' clip-path='url(#c)'/>"
            ),
            format!(
                "<linearGradient id='g' x2='{r}'><stop offset='0'/><stop offset='1' stop-color='red'/></linearGradient>\
                 <rect width='{r}' height='9' fill='url(#g)'/>"
            ),
            format!(
                "<pattern id='p' width='{r}' height='3' patternUnits='userSpaceOnUse'><circle r='{r}'/></pattern>\
                 <rect width='90' height='90' fill='url(#p)'/>"
            ),
        ] {
            drawn += usize::from(draw(&body).is_ok());
        }
    }
    assert!(drawn >= 14, "shapes of a usual size are drawn: {drawn}");
    let refusal = |body: &str| draw(body).expect_err("refused").to_string();
    assert!(refusal("<circle r='1e9'/>").contains("beyond its page"));
    // Ten uses of ten uses of ten uses, and so on.
    let uses = |level: usize| format!("<use href='#u{}'/>", level - 1).repeat(10);
    let bomb: String = (1..9).map(|level| format!("<g id='u{level}'>{}</g>", uses(level))).collect();
    let bomb = format!("<defs><rect id='u0' width='1' height='1'/>{bomb}</defs><use href='#u8'/>");
    assert!(refusal(&bomb).contains("copies by reference"));
    // A gradient for each of many shapes: half a megabyte of samples each.
    let gradient =
        "<linearGradient id='g'><stop offset='0'/><stop offset='1' stop-color='red'/></linearGradient>";
    let many = "<rect width='90' height='90' fill='url(#g)'/>".repeat(2_000);
    assert!(refusal(&format!("{gradient}{many}")).contains("pixels of images"));
    let many = "<rect width='100' height='100'/>".repeat(5_000);
    assert!(refusal(&many).contains("cover the page"));
    // Patterns of patterns: a hundred shapes each, four deep.
    let pattern = |level: usize| {
        let fill = if level == 0 { "red".to_owned() } else { format!("url(#p{})", level - 1) };
        let shapes = format!("<rect width='9' height='9' fill='{fill}'/>").repeat(100);
        format!(
            "<pattern id='p{level}' width='9' height='9' patternUnits='userSpaceOnUse'>{shapes}</pattern>"
        )
    };
    let patterns: String = (0..5).map(pattern).collect();
    let bomb = format!("{patterns}<rect width='90' height='90' fill='url(#p4)'/>");
    assert!(refusal(&bomb).contains("copies by reference"));
    // The same by inheritance, and by a style sheet; in a circle it ends.
    let shapes = "<rect width='9' height='9'/>".repeat(2_000);
    let pattern = format!("<pattern id='p' width='9' height='9'>{shapes}</pattern>");
    assert!(refusal(&format!("{pattern}<g fill='url(#p)'>{shapes}</g>")).contains("copies by reference"));
    let sheet = "<style>rect { fill: url(#p) }</style>";
    assert!(refusal(&format!("{sheet}{pattern}{shapes}")).contains("copies by reference"));
    let _ = draw(
        "<pattern id='a' width='9' height='9'><rect width='9' height='9' fill='url(#a)'/></pattern><use href='#a'/>",
    );
    // A marker of a thousand shapes at each vertex of a line, its own or inherited; at its ends alone it is fine.
    let shapes = "<rect width='.1' height='.1'/>".repeat(1_000);
    let marker = format!("<marker id='m' markerWidth='9' markerHeight='9'>{shapes}</marker>");
    let line = |markers: &str| format!("<polyline {markers} points='{}'/>", "1 2 3 4 ".repeat(5_000));
    for bomb in [
        line("marker-mid='url(#m)'"),
        line("style='marker:url(#m)'"),
        format!("<g marker-mid='url(#m)'>{}</g>", line("")),
    ] {
        assert!(refusal(&format!("{marker}{bomb}")).contains("copies by reference"));
    }
    draw(&format!("{marker}{}", line("marker-end='url(#m)'"))).expect("a thousand shapes");
    // Rules of a style sheet, each tried on each element.
    let sheet = format!("<style>{}</style>", "g { fill: red; }".repeat(10_000));
    assert!(refusal(&format!("{sheet}{}", "<g/>".repeat(10_000))).contains("style sheets"));
    // Groups in groups.
    let deep = 20_000;
    let deep = format!("{}<rect width='9' height='9'/>{}", "<g>".repeat(deep), "</g>".repeat(deep));
    assert!(refusal(&deep).contains("deep in one another"));
}
