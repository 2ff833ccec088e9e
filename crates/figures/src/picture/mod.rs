//! Pictures of the user's, such as that of an architecture: PNG as pixels, SVG as the shapes it is made of. What a file
//! holds that cannot be drawn as it is meant is refused by name, not left out.

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
