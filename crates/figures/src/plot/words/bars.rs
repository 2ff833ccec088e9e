//! Numbers at the ends of bars.

use super::place::Writer;
use crate::plot::element::{Bar, Bars};
use crate::plot::style::MUTED;
use crate::scene::{Rect, at};
use crate::text::TextError;

impl Writer<'_> {
    /// The number at the end of a bar, beyond its error bar and a reference line that would touch it; upright if it is wider
    /// than the bar.
    pub(super) fn value(&mut self, bars: &Bars, bar: &Bar) -> Result<(), TextError> {
        let Some(text) = &bar.value else { return Ok(()) };
        let Some(area) = self.frame.bar(bars, bar) else { return self.missing(text, bar) };
        let end = self.frame.y(bar.y, false).map(|y| at(area.centre().x, y));
        if !end.is_some_and(|end| self.frame.holds(end)) {
            return Ok(());
        }
        let Some((top, bottom)) = self.frame.reach(bar) else { return Ok(()) };
        let label = self.setter.set(text, &self.style.value_text())?;
        let size = label.area();
        let upright = size.w > area.w;
        let (w, h) = if upright { (size.h, size.w) } else { (size.w, size.h) };
        let gap = 0.35 * self.style.tick;
        let rises = bar.y >= bar.base;
        let beyond = |y: f64| {
            let corner = if rises { y - gap - h } else { y + gap };
            Rect::new(area.centre().x - w / 2.0, corner, w, h)
        };
        let near = beyond(if rises { top } else { bottom });
        let margin = 0.25 * self.style.tick;
        let lines = self.things.levels(&near.grown(margin));
        let is_free = |place: &Rect| {
            let wide = place.grown(margin);
            self.frame.area.encloses(place)
                && self.things.crossings(&wide) == 0
                && self.things.hits(place) == 0
        };
        let place = lines.iter().map(|y| beyond(*y)).find(is_free).unwrap_or(near);
        // Keeps a reference line from running through the digits.
        if self.things.crossings(&place) > 0 {
            self.out.halos.push(place.grown(0.12 * self.style.tick));
        }
        self.write(label, place, upright);
        Ok(())
    }

    /// The text that replaces a missing bar.
    fn missing(&mut self, text: &str, bar: &Bar) -> Result<(), TextError> {
        let Some(x) = self.frame.x(bar.x) else { return Ok(()) };
        let base = self.frame.y(bar.base, false).unwrap_or(self.frame.area.bottom());
        let label = self.setter.set(text, &self.style.note_text(MUTED))?;
        let size = label.area();
        let y = base - 0.5 * self.style.tick - size.w;
        self.write(label, Rect::new(x - size.h / 2.0, y, size.h, size.w), true);
        Ok(())
    }
}
