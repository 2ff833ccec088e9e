//! Numbers at the ends of bars.

use super::place::Writer;
use crate::plot::element::{Bar, Bars};
use crate::plot::style::MUTED;
use crate::scene::Rect;
use crate::text::TextError;

impl Writer<'_> {
    /// The number at the end of a bar, beyond its error bar; upright if it is wider than the bar.
    pub(super) fn value(&mut self, bars: &Bars, bar: &Bar) -> Result<(), TextError> {
        let Some(text) = &bar.value else { return Ok(()) };
        let Some(area) = self.frame.bar(bars, bar) else { return self.missing(text, bar) };
        let Some((top, bottom)) = self.frame.reach(bar) else { return Ok(()) };
        let label = self.setter.set(text, &self.style.value_text())?;
        let size = label.area();
        let upright = size.w > area.w;
        let (w, h) = if upright { (size.h, size.w) } else { (size.w, size.h) };
        let gap = 0.35 * self.style.tick;
        let y = if bar.y >= bar.base { top - gap - h } else { bottom + gap };
        let place = Rect::new(area.centre().x - w / 2.0, y, w, h);
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
