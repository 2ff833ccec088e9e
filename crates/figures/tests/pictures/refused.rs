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
