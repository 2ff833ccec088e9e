//! Remarks in the rows of a panel.

use super::place::Writer;
use crate::plot::obstacles::lattice;
use crate::plot::remark::Remark;
use crate::scene::{Rect, at};
use crate::text::{Align, TextError, TextStyle};

impl Writer<'_> {
    /// The first of a remark's wordings that has room in its row, on as few lines as that takes; none if there is no room.
    pub(super) fn remark(&mut self, remark: &Remark) -> Result<(), TextError> {
        let area = self.frame.area;
        let edge = |row: f64| self.frame.y(row, false).unwrap_or(area.bottom()).clamp(area.y, area.bottom());
        let (top, bottom) = (edge(remark.at + 0.5), edge(remark.at - 0.5));
        let row = Rect::around(at(area.x, top), at(area.right(), bottom)).grown(-0.15 * self.style.tick);
        let style = TextStyle { bold: remark.bold, ..self.style.value_text() };
        let style = TextStyle { colour: remark.ink, ..style };
        let middle = row.centre();
        // Near the middle of the row's height first, then of its width.
        let off = |r: &Rect| ((r.centre().y - middle.y).abs(), (r.centre().x - middle.x).abs());
        let sorted = |w: f64, h: f64| {
            let mut places = lattice(&row, w, h);
            places.sort_by(|a, b| off(a).0.total_cmp(&off(b).0).then(off(a).1.total_cmp(&off(b).1)));
            places
        };
        let gap = 0.2 * self.style.tick;
        for text in &remark.written {
            for share in [1.0, 0.7, 0.5, 0.4, 0.3] {
                let label = self.setter.wrap(text, &style, share * row.w, Align::Centre)?;
                let size = label.area();
                if let Some(place) = self.things.empty(sorted(size.w, size.h), gap) {
                    self.write(label, place, false);
                    return Ok(());
                }
            }
        }
        if let Some(text) = remark.written.first().filter(|_| remark.needed) {
            let label = self.setter.wrap(text, &style, row.w, Align::Centre)?;
            let size = label.area();
            if let Some(place) = self.things.free(sorted(size.w, size.h), 0.0) {
                self.out.halos.push(place.grown(0.12 * self.style.tick));
                self.write(label, place, false);
            }
        }
        Ok(())
    }
}
