//! What a picture shows: PNG and SVG files, and our own figures read again.

use crate::made::{BLUE, Folder, RED, Seen, WHITE, close, figure, png_file, seen, shown, svg_file};
use figures::load_picture as load;
use figures::output::{Metadata, pdf, svg};
use figures::scene::{Affine, Rect, Scene};

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
fn a_map_and_its_inverse_cancel() {
    let map = Affine([2.0, 1.0, -0.5, 3.0, 7.0, -4.0]);
    let both = map.after(&map.inverse().unwrap());
    assert!(both.0.iter().zip(Affine::IDENTITY.0).all(|(a, b)| (a - b).abs() < 1e-12), "{both:?}");
    assert_eq!(Affine::scale(0.0).inverse(), None);
}
