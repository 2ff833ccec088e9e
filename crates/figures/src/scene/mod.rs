//! A picture before it becomes a file: shapes, text and images in drawing order, and what they mean, so that tests can
//! check whether texts collide or a legend hides a point.

mod artwork;
mod geometry;
mod ground;
mod mark;
mod meaning;
mod path;
mod picture;

pub use artwork::{Artwork, ArtworkPart, Rule};
pub use geometry::{Affine, Point, Rect, at};
pub use ground::Ground;
pub use mark::{Mark, Role};
pub use meaning::{Meaning, Tag};
pub use path::{Colour, Path, Segment, Stroke};
pub use picture::{Bitmap, Item, Scene};
