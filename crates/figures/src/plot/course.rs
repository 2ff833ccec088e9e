//! The course of one quantity from 0 to 1 over the epochs of a run, as small as a line of text is high.

use super::decimate::decimate;
use crate::scene::{Colour, Path, Point, Rect, Scene, Stroke, at};

/// Width and height of the picture.
const SIZE: (f64, f64) = (132.0, 27.0);

/// Draws shares over epochs, broken where one is missing; nothing of fewer than two.
pub fn course(shares: &[(u64, f64)], colour: Colour) -> Option<Scene> {
    let (first, last) = (shares.first()?.0 as f64, shares.last()?.0 as f64);
    if last <= first {
        return None;
    }
    let (w, h) = SIZE;
    let mut scene = Scene::new(w, h);
    let margin = 1.5;
    let area = Rect::new(margin, margin, w - 2.0 * margin, h - 2.0 * margin);
    let place = |&(epoch, share): &(u64, f64)| -> Point {
        let x = area.x + (epoch as f64 - first) / (last - first) * area.w;
        // A tenth of a point is as fine as it needs to be.
        let rounded = |v: f64| (10.0 * v).round() / 10.0;
        at(rounded(x), rounded(area.bottom() - share.clamp(0.0, 1.0) * area.h))
    };
    for stretch in shares.split(|(_, share)| !share.is_finite()).filter(|stretch| stretch.len() > 1) {
        let points: Vec<Point> = stretch.iter().map(place).collect();
        scene.path(Path::through(&decimate(&points)), None, Some(Stroke::solid(colour, 1.1)));
    }
    Some(scene)
}
