//! Reads a picture and places it in a figure.

use super::error::Fault;
use super::{PictureError, pixels, svg};
use crate::scene::{Affine, Artwork, Bitmap, Item, Rect};
use std::cell::Cell;
use std::panic::{catch_unwind, set_hook, take_hook};
use std::path::Path;
use std::sync::{Arc, Once};

/// A picture of the user.
#[derive(Clone, Debug)]
pub struct Picture {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) content: Content,
}

#[derive(Clone, Debug)]
pub(super) enum Content {
    Pixels(Arc<Bitmap>),
    Artwork(Arc<Artwork>),
}

/// The most bytes of a file of pixels, and of one of shapes, which takes many times its length in memory.
const LONGEST_PNG: u64 = 200 << 20;
const LONGEST_SVG: u64 = 32 << 20;

/// Reads a .png or .svg file.
pub fn load(path: &Path) -> Result<Picture, PictureError> {
    let failed = |source| PictureError::Read { path: path.to_owned(), source };
    let kind = path.extension().map(|end| end.to_string_lossy().to_lowercase());
    let (read, most): (fn(Vec<u8>) -> _, _) = match kind.as_deref() {
        Some("png") => (pixels::picture, LONGEST_PNG),
        Some("svg") => (svg::picture, LONGEST_SVG),
        Some("pdf") => return Err(PictureError::Pdf { path: path.to_owned() }),
        _ => return Err(PictureError::Kind { path: path.to_owned() }),
    };
    let fault = |fault: Fault| fault.at(path.to_owned());
    let data = record::bounded::bytes(path, most).map_err(failed)?;
    if data.is_empty() {
        return Err(fault(Fault::Broken("it is empty".to_owned())));
    }
    let damaged = |_| Err(Fault::Broken("it is damaged beyond reading".to_owned()));
    hushed(|| catch_unwind(|| read(data))).unwrap_or_else(damaged).map_err(fault)
}

thread_local! {
    static HUSHED: Cell<bool> = const { Cell::new(false) };
}

/// Does something whose panics are caught, and does not report them: a panic in a third-party decoder is a damaged file.
fn hushed<T>(act: impl FnOnce() -> T) -> T {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let report = take_hook();
        set_hook(Box::new(move |panic| {
            if !HUSHED.get() {
                report(panic);
            }
        }));
    });
    HUSHED.set(true);
    let result = act();
    HUSHED.set(false);
    result
}

impl Picture {
    /// Width and height in its own units.
    pub fn size(&self) -> (f64, f64) {
        (self.width, self.height)
    }

    /// The items that draw it as large as fits into a box, centred.
    pub fn place(&self, area: Rect) -> Vec<Item> {
        let scale = (area.w / self.width).min(area.h / self.height);
        let w = self.width * scale;
        let h = self.height * scale;
        let x = area.x + (area.w - w) / 2.0;
        let y = area.y + (area.h - h) / 2.0;
        vec![match &self.content {
            Content::Pixels(bitmap) => Item::Image { bitmap: bitmap.clone(), area: Rect::new(x, y, w, h) },
            Content::Artwork(artwork) => {
                let map = Affine::shift(x, y).after(&Affine::scale(scale));
                Item::Artwork { artwork: artwork.clone(), map }
            }
        }]
    }
}
