//! An artwork while it is being read.

use super::error::Fault;
use crate::scene::{Affine, Artwork, ArtworkPart, Bitmap, Colour, Path, Rule};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The most segments that an artwork may have: a scatter plot of a million points is better as pixels.
const MOST: usize = 2_000_000;

/// An artwork under construction, with the clips and opacities in force.
#[derive(Default)]
pub(super) struct Sketch {
    parts: Vec<ArtworkPart>,
    /// Open clips, each with what was drawn before it.
    cuts: Vec<(Path, Rule, Vec<ArtworkPart>)>,
    opacities: Vec<f64>,
    segments: usize,
    lacks: BTreeSet<String>,
}

impl Sketch {
    pub(super) fn fill(&mut self, path: Path, rule: Rule, colour: Colour) {
        let colour = Colour { a: (f64::from(colour.a) * self.opacity()).round() as u8, ..colour };
        if colour.a > 0 && self.takes(&path) {
            self.parts.push(ArtworkPart::Shape { path, rule, colour });
        }
    }

    pub(super) fn image(&mut self, mut bitmap: Bitmap, map: Affine) {
        let opacity = self.opacity();
        if opacity < 1.0 {
            for pixel in bitmap.rgba.chunks_exact_mut(4) {
                pixel[3] = (f64::from(pixel[3]) * opacity).round() as u8;
            }
        }
        self.parts.push(ArtworkPart::Image { bitmap: Arc::new(bitmap), map });
    }

    /// Clips what follows to an outline, up to [`Sketch::uncut`].
    pub(super) fn cut(&mut self, path: Path, rule: Rule) {
        let path = if self.takes(&path) { path } else { Path::default() };
        self.cuts.push((path, rule, std::mem::take(&mut self.parts)));
    }

    pub(super) fn uncut(&mut self) {
        if let Some((path, rule, before)) = self.cuts.pop() {
            let parts = std::mem::replace(&mut self.parts, before);
            if !parts.is_empty() {
                self.parts.push(ArtworkPart::Cut { path, rule, parts });
            }
        }
    }

    /// Reduces the opacity of what follows, up to [`Sketch::unfade`].
    pub(super) fn fade(&mut self, opacity: f64) {
        self.opacities.push(opacity);
    }

    pub(super) fn unfade(&mut self) {
        self.opacities.pop();
    }

    fn opacity(&self) -> f64 {
        self.opacities.iter().product()
    }

    /// Notes something that cannot be drawn.
    pub(super) fn lack(&mut self, what: impl Into<String>) {
        self.lacks.insert(what.into());
    }

    /// Replaces itself by an earlier sketch, and returns what was drawn since.
    pub(super) fn resume(&mut self, before: Self) -> Vec<ArtworkPart> {
        let meanwhile = std::mem::replace(self, before);
        self.segments += meanwhile.segments;
        self.lacks.extend(meanwhile.lacks);
        meanwhile.parts
    }

    /// Counts the segments of an outline; false if it is empty or cannot be drawn.
    fn takes(&mut self, path: &Path) -> bool {
        self.segments += path.0.len();
        !path.0.is_empty()
            && self.segments <= MOST
            && path.points().all(|p| p.x.is_finite() && p.y.is_finite())
    }

    /// The artwork, if all of it can be drawn.
    pub(super) fn finish(mut self, remedy: &'static str) -> Result<Artwork, Fault> {
        while !self.cuts.is_empty() {
            self.uncut();
        }
        if self.segments > MOST {
            self.lack(format!("more than {MOST} path segments"));
        }
        if self.lacks.is_empty() {
            return Ok(Artwork { parts: self.parts });
        }
        Err(Fault::Unsupported { what: self.lacks.into_iter().collect(), remedy })
    }
}
