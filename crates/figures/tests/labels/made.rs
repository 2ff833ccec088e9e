//! A typesetter for all tests, and the style of their labels.

use figures::scene::Colour;
use figures::text::{Family, TextStyle, Typesetter};
use std::sync::LazyLock;

pub(crate) static SETTER: LazyLock<Typesetter> = LazyLock::new(|| setter(&Family::NewComputerModern));

pub(crate) fn setter(family: &Family) -> Typesetter {
    Typesetter::new(family).expect("a bundled face")
}

pub(crate) fn style(size: f64) -> TextStyle {
    TextStyle { size, bold: false, italic: false, colour: Colour::hex(0) }
}

pub(crate) fn width(source: &str) -> f64 {
    SETTER.set(source, &style(10.0)).expect(source).body().w
}
