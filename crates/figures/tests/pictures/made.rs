//! Files with pictures, pages that show them, and the pixels of a page.

use figures::load_picture as load;
use figures::output::{Metadata, png};
use figures::scene::{Colour, Item, Path as Outline, Rect, Scene, Stroke, at};
use figures::text::{Family, TextStyle, Typesetter};
use std::path::PathBuf;

/// Red, green and blue of each pixel of a page, one pixel per point.
pub(crate) struct Seen {
    pub(crate) width: usize,
    pub(crate) rgb: Vec<u8>,
}

impl Seen {
    pub(crate) fn at(&self, x: usize, y: usize) -> [u8; 3] {
        let start = 3 * (y * self.width + x);
        [self.rgb[start], self.rgb[start + 1], self.rgb[start + 2]]
    }
}

pub(crate) fn seen(scene: &Scene) -> Seen {
    let file = png(scene, 72.0, &Metadata::default()).unwrap();
    let mut reader = ::png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
    let mut rgb = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut rgb).unwrap();
    Seen { width: reader.info().width as usize, rgb }
}

pub(crate) struct Folder(pub(crate) tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }
}

/// A page of `side` × `side` points filled by a picture.
pub(crate) fn shown(name: &str, content: impl AsRef<[u8]>, side: f64) -> Seen {
    let folder = Folder::new();
    let picture = load(&folder.file(name, content)).unwrap_or_else(|error| panic!("{error}"));
    let mut scene = Scene::new(side, side);
    scene.items.extend(picture.place(Rect::new(0.0, 0.0, side, side)));
    seen(&scene)
}

pub(crate) fn png_file(
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

pub(crate) fn svg_file(body: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" \
         viewBox=\"0 0 100 100\" width=\"100\" height=\"100\">{body}</svg>"
    )
}

pub(crate) const WHITE: [u8; 3] = [255; 3];
pub(crate) const RED: [u8; 3] = [255, 0, 0];
pub(crate) const BLUE: [u8; 3] = [0, 0, 255];

pub(crate) fn close(a: [u8; 3], b: [u8; 3]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= 3)
}

/// A figure of ours with text, lines, a clip and an image.
pub(crate) fn figure() -> Scene {
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
