//! An artwork while it is being read.

use super::error::Fault;
use crate::scene::{Affine, Artwork, ArtworkPart, Bitmap, Colour, Path, Rect, Rule};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The most segments that an artwork may have: a scatter plot of a million points is better as pixels.
const MOST: usize = 2_000_000;

/// The most pixels of all its images, gradients and patterns together.
const MOST_PIXELS: usize = 50_000_000;

/// How often all shapes together may cover the page: the time of drawing grows with it.
const MOST_PAGES: f64 = 2_000.0;

/// How far a shape may reach beyond the page, in pages. What lies there is not seen, but rasterisers count in it.
const REACH: f64 = 100.0;

/// An artwork under construction, with the clips and opacities in force.
#[derive(Default)]
pub(super) struct Sketch {
    parts: Vec<ArtworkPart>,
    /// Open clips, each with what was drawn before it.
    cuts: Vec<(Path, Rule, Vec<ArtworkPart>)>,
    opacities: Vec<f64>,
    segments: usize,
    pixels: usize,
    page: Rect,
    /// In pages, what the boxes of all shapes cover.
    covered: f64,
    lacks: BTreeSet<String>,
}

impl Sketch {
    /// An empty sketch of a page.
    pub(super) fn new(page: Rect) -> Self {
        Self { page, ..Self::default() }
    }

    /// An empty sketch that goes on counting where another is, for [`Sketch::resume`].
    pub(super) fn within(other: &Self, page: Rect) -> Self {
        let &Self { segments, pixels, covered, .. } = other;
        Self { segments, pixels, covered, ..Self::new(page) }
    }

    /// Whether there is more than can be drawn, so that reading on is of no use.
    pub(super) fn is_full(&self) -> bool {
        self.segments > MOST || self.pixels > MOST_PIXELS || self.covered > MOST_PAGES
    }

    /// Counts pixels before there is memory for them; false if they are too many.
    pub(super) fn has_room(&mut self, width: u32, height: u32) -> bool {
        self.pixels = self.pixels.saturating_add((width as usize).saturating_mul(height as usize));
        !self.is_full()
    }

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
        self.segments = meanwhile.segments;
        self.pixels = meanwhile.pixels;
        self.covered = meanwhile.covered;
        self.lacks.extend(meanwhile.lacks);
        meanwhile.parts
    }

    /// Counts the segments of an outline; false if it is empty or cannot be drawn.
    fn takes(&mut self, path: &Path) -> bool {
        self.segments += path.0.len();
        let seen = path.cover().and_then(|cover| cover.common(&self.page));
        self.covered += seen.map_or(0.0, |seen| seen.w * seen.h / (self.page.w * self.page.h));
        let Rect { x, y, w, h } = self.page;
        let reach = REACH * w.max(h);
        // Also false for what is not a number.
        let near = path.points().all(|p| (p.x - x).abs() <= reach && (p.y - y).abs() <= reach);
        if !near {
            self.lack(format!("a shape that reaches more than {REACH} pages beyond its page"));
        }
        !path.0.is_empty() && !self.is_full() && near
    }

    /// The artwork, if all of it can be drawn.
    pub(super) fn finish(mut self, remedy: &'static str) -> Result<Artwork, Fault> {
        while !self.cuts.is_empty() {
            self.uncut();
        }
        if self.segments > MOST {
            self.lack(format!("more than {MOST} path segments"));
        }
        if self.covered > MOST_PAGES {
            self.lack(format!("shapes that cover the page more than {MOST_PAGES} times"));
        }
        if self.pixels > MOST_PIXELS {
            self.lack(format!("more than {MOST_PIXELS} pixels of images, gradients and patterns"));
        }
        if self.lacks.is_empty() {
            return Ok(Artwork { parts: self.parts });
        }
        Err(Fault::Unsupported { what: self.lacks.into_iter().collect(), remedy })
    }
}
