//! Labels, and pictures that become a panel.

use super::{accepted, file};
use figures::load_picture;
use figures::output::{Metadata, png as draw_png};
use figures::scene::{Item, Rect, Scene};
use figures::text::{Align, Family, TextStyle, Typesetter};
use std::sync::{Mutex, PoisonError};

pub(crate) fn label(bytes: &[u8]) -> bool {
    /// A typesetter and how often it was used. It keeps all that it set, so now and then a new one takes its place.
    static SETTER: Mutex<(u32, Option<Typesetter>)> = Mutex::new((0, None));
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let mut setter = SETTER.lock().unwrap_or_else(PoisonError::into_inner);
    let (uses, setter) = &mut *setter;
    if *uses % 4096 == 0 {
        *setter = Some(Typesetter::new(&Family::NewComputerModern).expect("the default typefaces"));
    }
    *uses = uses.wrapping_add(1);
    let setter = setter.as_ref().expect("made at first");
    let style = TextStyle { size: 8.0, bold: false, italic: false, colour: figures::plot::INK };
    let set = setter.set(text, &style).is_ok();
    let _ = setter.wrap(text, &style, 40.0, Align::Left);
    let _ = setter.shorten(text, &style, 40.0);
    set
}

/// Reads a picture and draws it as the panel of a figure.
fn picture(name: &str, bytes: &[u8]) -> bool {
    let picture = load_picture(&file(name, bytes));
    if let Ok(picture) = &picture {
        let mut scene = Scene::new(120.0, 90.0);
        let items: Vec<Item> = picture.place(Rect::new(10.0, 10.0, 100.0, 70.0));
        scene.items.extend(items);
        draw_png(&scene, 72.0, &Metadata::default()).expect("what was accepted can be drawn");
    }
    accepted(&picture, name)
}

pub(crate) fn svg(bytes: &[u8]) -> bool {
    picture("picture.svg", bytes)
}

pub(crate) fn png(bytes: &[u8]) -> bool {
    picture("picture.png", bytes)
}
