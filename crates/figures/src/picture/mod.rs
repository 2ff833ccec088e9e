//! Pictures of the user, such as a diagram of an architecture: PNG as pixels, SVG as shapes. Features that cannot be drawn
//! faithfully are refused by name, not left out.

mod error;
mod gradient;
mod load;
mod pixels;
mod sketch;
mod stroke;
mod svg;
mod tiles;

pub use error::PictureError;
pub use load::{Picture, load};
