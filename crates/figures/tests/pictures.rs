//! Pictures of the user's: drawn as they are meant, or refused by name.

use figures::output::{Metadata, pdf, png, svg};
use figures::picture::{PictureError, load};
use figures::scene::{Affine, Colour, Item, Path as Outline, Rect, Scene, Stroke, at};
use figures::text::{Family, TextStyle, Typesetter};
use std::path::PathBuf;

/// The red, green and blue of each pixel of a page, one pixel a point.
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

/// A PDF file of one page of 100 × 100 points.
fn pdf_file(content: &str, resources: &str, more: &str, trailer: &str) -> Vec<u8> {
    let objects = [
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        format!("<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents 4 0 R/Resources<<{resources}>>>>"),
        format!("<</Length {}>>stream\n{content}\nendstream", content.len()),
        more.to_owned(),
    ];
    let mut file = b"%PDF-1.7\n".to_vec();
    let mut places = Vec::new();
    for (i, object) in objects.iter().enumerate() {
        places.push(file.len());
        file.extend(format!("{} 0 obj\n{object}\nendobj\n", i + 1).bytes());
    }
    let start = file.len();
    file.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).bytes());
    for place in places {
        file.extend(format!("{place:010} 00000 n \n").bytes());
    }
    let size = objects.len() + 1;
    file.extend(format!("trailer<</Size {size}/Root 1 0 R{trailer}>>\nstartxref\n{start}\n%%EOF\n").bytes());
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
    assert_eq!(page.at(25, 25), RED, "the hole of the ring shows what lies below");
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

#[test]
fn a_pdf_is_drawn_as_shapes() {
    // In a PDF y grows upwards: what is drawn at y = 80 is near the top.
    let content = "1 0 0 rg 5 55 40 40 re f  0 0 1 rg 10 60 30 30 re 20 70 10 10 re f*
        q 55 55 20 20 re W n 1 0 0 rg 50 50 50 50 re f Q
        0 0 1 RG 10 w [10 15] 0 d 60 10 m 95 10 l S
        q /P gs 1 0 0 rg 0 0 40 20 re f Q
        q 40 0 0 10 30 35 cm BI /W 2 /H 1 /CS /RGB /BPC 8 /F /AHx ID FF00000000FF> EI Q";
    let page = shown("a.pdf", pdf_file(content, "/ExtGState<</P<</ca 0.5>>>>", "null", ""), 100.0);
    assert_eq!((page.at(7, 7), page.at(15, 15), page.at(25, 25)), (RED, BLUE, RED));
    assert_eq!((page.at(65, 35), page.at(80, 20)), (RED, WHITE), "the clip lets one corner through");
    assert_eq!((page.at(65, 90), page.at(77, 90), page.at(90, 90)), (BLUE, WHITE, BLUE), "dashes");
    assert!(close(page.at(20, 90), [255, 127, 127]), "{:?}", page.at(20, 90));
    assert_eq!((page.at(35, 60), page.at(65, 60)), (RED, BLUE), "an image of two pixels");
}

#[test]
fn gradients_and_patterns_in_a_pdf_are_drawn() {
    let shading = "/Shading<</S<</ShadingType 2/ColorSpace/DeviceRGB/Coords[0 0 100 0]/Function<</FunctionType 2\
                   /Domain[0 1]/C0[1 0 0]/C1[0 0 1]/N 1>>>>>>/Pattern<</T 5 0 R>>";
    let tile = "<</Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 20 20]/XStep 20/YStep 20\
                /Resources<<>>/Length 27>>stream\n1 0 0 rg 0 0 10 20 re f    \nendstream";
    let content = "q 0 60 100 20 re W n /S sh Q /Pattern cs /T scn 0 0 100 40 re f";
    let page = shown("a.pdf", pdf_file(content, shading, tile, ""), 100.0);
    let seams = (21..39).filter(|&x| x != 29 && x != 30).map(|x| page.at(x, 80));
    assert!(seams.clone().take(8).all(|seen| seen == RED) && seams.skip(8).all(|seen| seen == WHITE));
    assert!(close(page.at(50, 30), [127, 0, 127]), "{:?}", page.at(50, 30));
    assert_eq!(page.at(50, 10), WHITE);
    assert_eq!((page.at(5, 80), page.at(15, 80), page.at(45, 80), page.at(55, 80)), (RED, WHITE, RED, WHITE));
}

#[test]
fn what_a_pdf_holds_and_cannot_be_drawn_is_named() {
    let blend = pdf_file("/B gs 0 0 9 9 re f", "/ExtGState<</B<</BM/Multiply>>>>", "null", "");
    assert!(refused("a.pdf", blend).contains("a blend mode"));
    let form = "<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Group<</S/Transparency/CS/DeviceGray>>/Length 0>>stream\n\nendstream";
    let masked =
        pdf_file("/M gs 0 0 9 9 re f", "/ExtGState<</M<</SMask<</S/Luminosity/G 5 0 R>>>>>>", form, "");
    assert!(refused("a.pdf", masked).contains("a soft mask"));
    // How much a pattern covers cannot be known once colours may be seen through.
    let tile = "<</Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 20 20]/XStep 20/YStep 20\
                /Resources<<>>/Length 12>>stream\n0 0 9 20 re f\nendstream";
    let resources = "/ExtGState<</P<</ca 0.5>>>>/Pattern<</T 5 0 R>>";
    let faint = pdf_file("/P gs /Pattern cs /T scn 0 0 100 40 re f", resources, tile, "");
    assert!(refused("a.pdf", faint).contains("a pattern"));
}

#[test]
fn an_encrypted_pdf_is_refused() {
    let word = "00112233445566778899aabbccddeeff".repeat(2);
    let trailer = format!(
        "/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<{word}>/U<{word}>>>/ID[<{}><{}>]",
        &word[..32],
        &word[..32]
    );
    let error = refused("a.pdf", pdf_file("0 0 9 9 re f", "", "null", &trailer));
    assert!(error.contains("encrypted") && error.contains("password"), "{error}");
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
    let circle =
        Item::Path { path: circle, fill: Some(Colour::hex(0x21_66_ac).faint(0.4)), stroke: Some(pen) };
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
    for path in
        [folder.file("a.pdf", pdf(&scene, &m).unwrap()), folder.file("a.svg", svg(&scene, &m).unwrap())]
    {
        let picture = load(&path).unwrap_or_else(|error| panic!("{error}"));
        let (w, h) = picture.size();
        assert!((w / h - 16.0 / 9.0).abs() < 1e-6);
        let mut page = Scene::new(160.0, 90.0);
        page.items.extend(picture.place(Rect::new(0.0, 0.0, 160.0, 90.0)));
        let again = difference(&direct, &seen(&page));
        assert!(again < 0.001, "{} differs by {again}", path.display());
        // And from there once more, through each format.
        assert!(pdf(&page, &m).is_ok());
        assert!(roxmltree::Document::parse(&svg(&page, &m).unwrap()).is_ok());
    }
}

#[test]
fn a_picture_is_drawn_the_same_in_every_format() {
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
    for path in
        [folder.file("b.pdf", pdf(&scene, &m).unwrap()), folder.file("b.svg", svg(&scene, &m).unwrap())]
    {
        let mut page = Scene::new(100.0, 100.0);
        page.items.extend(load(&path).unwrap().place(Rect::new(0.0, 0.0, 100.0, 100.0)));
        assert!(difference(&direct, &seen(&page)) < 0.001, "{}", path.display());
    }
}

#[test]
fn bad_files_are_refused_and_named() {
    let folder = Folder::new();
    let missing = load(&folder.0.path().join("none.svg")).unwrap_err();
    assert!(matches!(missing, PictureError::Read { .. }) && missing.to_string().contains("none.svg"));
    for name in ["a.jpg", "a.eps", "a", "a.svgz"] {
        assert!(refused(name, "x").contains(".png, .svg or .pdf"));
    }
    for name in ["a.png", "a.svg", "a.pdf"] {
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
    let files = [
        ("a.pdf", pdf(&scene, &m).unwrap()),
        ("a.svg", svg(&scene, &m).unwrap().into_bytes()),
        ("a.png", png(&scene, 72.0, &m).unwrap()),
    ];
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
