//! Pictures of the user: drawn faithfully, or refused by name.

use figures::output::{Metadata, pdf, png, svg};
use figures::scene::{Affine, Colour, Item, Path as Outline, Rect, Scene, Stroke, at};
use figures::text::{Family, TextStyle, Typesetter};
use figures::{PictureError, load_picture as load};
use std::path::PathBuf;

/// Red, green and blue of each pixel of a page, one pixel per point.
struct Seen {
    width: usize,
    rgb: Vec<u8>,
}

impl Seen {
    fn at(&self, x: usize, y: usize) -> [u8; 3] {
        let start = 3 * (y * self.width + x);
        [self.rgb[start], self.rgb[start + 1], self.rgb[start + 2]]
    }
}

fn seen(scene: &Scene) -> Seen {
    let file = png(scene, 72.0, &Metadata::default()).unwrap();
    let mut reader = ::png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
    let mut rgb = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut rgb).unwrap();
    Seen { width: reader.info().width as usize, rgb }
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }
}

/// A page of `side` × `side` points filled by a picture.
fn shown(name: &str, content: impl AsRef<[u8]>, side: f64) -> Seen {
    let folder = Folder::new();
    let picture = load(&folder.file(name, content)).unwrap_or_else(|error| panic!("{error}"));
    let mut scene = Scene::new(side, side);
    scene.items.extend(picture.place(Rect::new(0.0, 0.0, side, side)));
    seen(&scene)
}

fn refused(name: &str, content: impl AsRef<[u8]>) -> String {
    let folder = Folder::new();
    let error = load(&folder.file(name, content)).expect_err("this is refused").to_string();
    assert!(error.contains(name), "{error}");
    error
}

fn png_file(
    width: u32,
    height: u32,
    colour: ::png::ColorType,
    depth: ::png::BitDepth,
    data: &[u8],
) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut file, width, height);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    if colour == ::png::ColorType::Indexed {
        encoder.set_palette(vec![255, 0, 0, 0, 0, 255]);
    }
    encoder.write_header().unwrap().write_image_data(data).unwrap();
    file
}

fn svg_file(body: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" \
         viewBox=\"0 0 100 100\" width=\"100\" height=\"100\">{body}</svg>"
    )
}

const WHITE: [u8; 3] = [255; 3];
const RED: [u8; 3] = [255, 0, 0];
const BLUE: [u8; 3] = [0, 0, 255];

fn close(a: [u8; 3], b: [u8; 3]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= 3)
}

#[test]
fn a_png_keeps_its_shape_and_its_colours() {
    use ::png::{BitDepth, ColorType};
    let red_blue = png_file(2, 1, ColorType::Rgb, BitDepth::Eight, &[255, 0, 0, 0, 0, 255]);
    let page = shown("a.png", &red_blue, 40.0);
    // Twice as wide as high: 40 × 20 in the middle of 40 × 40.
    assert_eq!((page.at(4, 20), page.at(36, 20)), (RED, BLUE));
    assert_eq!((page.at(20, 7), page.at(20, 33)), (WHITE, WHITE));
    let folder = Folder::new();
    assert_eq!(load(&folder.file("a.PNG", &red_blue)).unwrap().size(), (2.0, 1.0));
    let indexed = png_file(2, 1, ColorType::Indexed, BitDepth::One, &[0b0100_0000]);
    let page = shown("i.png", indexed, 40.0);
    assert_eq!((page.at(4, 20), page.at(36, 20)), (RED, BLUE));
    let grey = png_file(1, 1, ColorType::Grayscale, BitDepth::Sixteen, &[0x80, 0xff]);
    assert!(close(shown("g.png", grey, 10.0).at(5, 5), [0x80; 3]));
    let faint = png_file(1, 1, ColorType::GrayscaleAlpha, BitDepth::Eight, &[0, 0x40]);
    assert!(close(shown("f.png", faint, 10.0).at(5, 5), [0xbf; 3]));
}

#[test]
fn an_svg_is_drawn_as_shapes() {
    let body = r##"
      <defs>
        <clipPath id="c"><circle cx="75" cy="25" r="15"/></clipPath>
        <linearGradient id="g"><stop offset="0" stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient>
      </defs>
      <rect x="5" y="5" width="40" height="40" fill="red"/>
      <path fill-rule="evenodd" fill="blue" d="M10 10H40V40H10Z M20 20H30V30H20Z"/>
      <g clip-path="url(#c)"><rect x="50" y="0" width="50" height="50" fill="red"/></g>
      <rect x="0" y="50" width="100" height="20" fill="url(#g)"/>
      <g opacity="0.5" transform="translate(0 80)"><rect width="40" height="20" fill="red"/></g>
      <path d="M60 90H95" stroke="blue" stroke-width="10" stroke-dasharray="10 15"/>"##;
    let page = shown("a.svg", svg_file(body), 100.0);
    assert_eq!(page.at(7, 7), RED);
    assert_eq!(page.at(15, 15), BLUE);
    assert_eq!(page.at(25, 25), RED, "the hole of the ring shows what is below");
    assert_eq!((page.at(75, 25), page.at(55, 5)), (RED, WHITE), "only the circle is let through");
    assert!(close(page.at(50, 60), [127, 0, 127]), "{:?}", page.at(50, 60));
    assert!(page.at(2, 60)[0] > 240 && page.at(97, 60)[2] > 240);
    assert!(close(page.at(20, 90), [255, 127, 127]), "{:?}", page.at(20, 90));
    assert_eq!((page.at(65, 90), page.at(77, 90), page.at(90, 90)), (BLUE, WHITE, BLUE), "dashes");
    assert_eq!((page.at(65, 84), page.at(65, 86)), (WHITE, BLUE), "as wide as its pen");
}

#[test]
fn patterns_and_images_in_an_svg_are_drawn() {
    use base64::Engine;
    let png = png_file(1, 1, ::png::ColorType::Rgb, ::png::BitDepth::Eight, &[0, 0, 255]);
    let data = base64::engine::general_purpose::STANDARD.encode(png);
    let body = format!(
        r##"<pattern id="p" width="20" height="20" patternUnits="userSpaceOnUse"><rect width="10" height="20" fill="red"/></pattern>
        <rect y="50" width="100" height="50" fill="url(#p)"/>
        <image x="10" y="10" width="30" height="30" xlink:href="data:image/png;base64,{data}"/>"##
    );
    let page = shown("a.svg", svg_file(&body), 100.0);
    assert_eq!((page.at(25, 25), page.at(45, 25)), (BLUE, WHITE));
    assert_eq!((page.at(5, 75), page.at(15, 75), page.at(45, 75), page.at(55, 75)), (RED, WHITE, RED, WHITE));
}

#[test]
fn transforms_add_up() {
    // A square of 10 at (10, 10) times 2, and one moved by 15 before it is doubled: (20, 20) to (40, 40), (50, 20) to
    // (70, 40). This is how plotting programs write the letters of a text.
    let body = r##"<g transform="scale(2)"><defs><path id="s" transform="scale(0.1)" d="M0 0H100V100H0Z"/></defs>
        <use xlink:href="#s" x="10" y="10"/><use xlink:href="#s" transform="translate(15 0)" x="10" y="10"/></g>"##;
    let page = shown("a.svg", svg_file(body), 100.0);
    let black = [0; 3];
    assert_eq!(
        (page.at(22, 22), page.at(38, 38), page.at(52, 22), page.at(68, 38)),
        (black, black, black, black)
    );
    assert_eq!(
        (page.at(18, 22), page.at(42, 22), page.at(48, 38), page.at(72, 38)),
        (WHITE, WHITE, WHITE, WHITE)
    );
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

/// A figure of ours with text, lines, a clip and an image.
fn figure() -> Scene {
    let setter = Typesetter::new(&Family::NewComputerModern).unwrap();
    let style = TextStyle { size: 14.0, bold: false, italic: false, colour: Colour::hex(0x33_33_33) };
    let mut scene = Scene::new(160.0, 90.0);
    let label = setter.set(r"$\sum_i \|h_i\|^2$ office", &style).unwrap();
    scene.text(&label, at(80.0, 25.0), (0.5, 0.5), 0.0);
    let pen = Stroke { dash: vec![4.0, 2.0], round: true, ..Stroke::solid(Colour::hex(0xb2_18_2b), 2.0) };
    let circle = Outline::circle(at(60.0, 60.0), 20.0);
    let circle = Item::Path {
        path: circle,
        fill: Some(Colour::hex(0x21_66_ac).faint(0.4)),
        stroke: Some(pen),
        meaning: None,
    };
    scene.items.push(Item::Clipped { area: Rect::new(30.0, 45.0, 100.0, 30.0), items: vec![circle] });
    scene
}

/// How much two pages differ, as a share of all that they could.
fn difference(a: &Seen, b: &Seen) -> f64 {
    assert_eq!(a.rgb.len(), b.rgb.len());
    let sum: u64 = a.rgb.iter().zip(&b.rgb).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    sum as f64 / (255.0 * a.rgb.len() as f64)
}

#[test]
fn our_own_files_come_back_as_they_were() {
    let folder = Folder::new();
    let scene = figure();
    let direct = seen(&scene);
    let blank = seen(&Scene::new(160.0, 90.0));
    assert!(difference(&direct, &blank) > 0.03);
    let m = Metadata::default();
    let picture = load(&folder.file("a.svg", svg(&scene, &m).unwrap())).unwrap();
    let (w, h) = picture.size();
    assert!((w / h - 16.0 / 9.0).abs() < 1e-6);
    let mut page = Scene::new(160.0, 90.0);
    page.items.extend(picture.place(Rect::new(0.0, 0.0, 160.0, 90.0)));
    let again = difference(&direct, &seen(&page));
    assert!(again < 0.001, "it differs by {again}");
    // And from there once more, through each format.
    assert!(pdf(&page, &m).is_ok());
    assert!(roxmltree::Document::parse(&svg(&page, &m).unwrap()).is_ok());
}

#[test]
fn a_picture_is_drawn_the_same_as_svg_and_as_pixels() {
    let folder = Folder::new();
    let body = r##"<path fill-rule="evenodd" fill="blue" d="M10 10H90V90H10Z M30 30H70V70H30Z"/>
        <clipPath id="c"><path clip-rule="evenodd" d="M0 0H100V100H0Z M40 40H60V60H40Z"/></clipPath>
        <rect width="100" height="100" fill="red" fill-opacity="0.5" clip-path="url(#c)"/>"##;
    let picture = load(&folder.file("a.svg", svg_file(body))).unwrap();
    let mut scene = Scene::new(100.0, 100.0);
    scene.items.extend(picture.place(Rect::new(0.0, 0.0, 100.0, 100.0)));
    let direct = seen(&scene);
    assert_eq!(direct.at(50, 50), WHITE);
    assert!(close(direct.at(35, 35), [255, 127, 127]) && close(direct.at(20, 20), [127, 0, 127]));
    let m = Metadata::default();
    let path = folder.file("b.svg", svg(&scene, &m).unwrap());
    let mut page = Scene::new(100.0, 100.0);
    page.items.extend(load(&path).unwrap().place(Rect::new(0.0, 0.0, 100.0, 100.0)));
    assert!(difference(&direct, &seen(&page)) < 0.001);
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

#[test]
fn a_map_and_its_inverse_cancel() {
    let map = Affine([2.0, 1.0, -0.5, 3.0, 7.0, -4.0]);
    let both = map.after(&map.inverse().unwrap());
    assert!(both.0.iter().zip(Affine::IDENTITY.0).all(|(a, b)| (a - b).abs() < 1e-12), "{both:?}");
    assert_eq!(Affine::scale(0.0).inverse(), None);
}
