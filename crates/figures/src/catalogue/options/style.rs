//! The style that the options ask for.

use super::{Options, Refusal};
use crate::plot::{Figure, Style};

/// How much wider or higher than its venue a figure may be, in points.
const ROUNDING: f64 = 0.5;

impl Options {
    /// The style, or why the options contradict one another.
    pub fn style(&self) -> Result<Style, Refusal> {
        let mut style = match (self.venue, &self.style) {
            (Some(venue), Some(_)) => {
                return Err(Refusal::new(
                    "style",
                    format!("the venue {} has one of its own: leave it out", venue.name),
                ));
            }
            (Some(venue), None) => {
                let width =
                    venue.width(self.span.unwrap_or_default()).map_err(|why| Refusal::new("span", why))?;
                Style { width, ..venue.style() }
            }
            (None, name) => {
                if self.span.is_some() {
                    return Err(Refusal::new(
                        "span",
                        "it is for a venue: name one too, or give a width".to_owned(),
                    ));
                }
                let name = name.as_deref().unwrap_or(Style::NAMES[0]);
                Style::named(name).ok_or_else(|| Refusal::new("style", format!("there is no `{name}`")))?
            }
        };
        if let (Some(venue), Some(width)) = (self.venue, self.width.map(|inches| 72.0 * inches))
            && width > style.width + ROUNDING
        {
            let message = format!("{} is {:.2} in wide at most", venue.name, style.width / 72.0);
            return Err(Refusal::new("width", message));
        }
        if let (Some(venue), Some(height)) = (self.venue, self.height.map(|inches| 72.0 * inches))
            && height > venue.height + ROUNDING
        {
            let message = format!("{} is {:.2} in high at most", venue.name, venue.height / 72.0);
            return Err(Refusal::new("height", message));
        }
        style.width = self.width.map_or(style.width, |inches| 72.0 * inches);
        style.height = self.height.map(|inches| 72.0 * inches);
        style.family = self.font.clone().unwrap_or(style.family);
        (style.bare, style.ground, style.svg_text) = (self.bare, self.ground, self.svg_text);
        Ok(style)
    }

    /// The style at the width that suits a figure, where neither a width nor a venue is asked for.
    pub fn sized(&self, style: &Style, figure: &Figure) -> Style {
        let is_open = self.width.is_none() && self.venue.is_none();
        let share = if is_open { figure.share } else { 1.0 };
        Style { width: share * style.width, ..style.clone() }
    }
}
