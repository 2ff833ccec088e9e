//! The charts of the dashboard Custom Scalars: mean ± standard deviation, one chart per series and layer.

use crate::event::{Message, Value};
use crate::point::{Of, Point};
use record::series::{COSINE, GRADIENT, HIDDEN};

/// The tags of a mean and of the ends of its band.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Band {
    pub(super) mean: String,
    pub(super) lower: String,
    pub(super) upper: String,
    category: Option<&'static str>,
}

/// The categories in the order of the page; those after the second are closed at first.
const CATEGORIES: [&str; 4] = ["Accuracy", "Credit", "Gradient", "States"];

impl Band {
    pub(super) fn of(point: &Point<'_>) -> Self {
        let mean = point.tag();
        let series = |name: &str| matches!(point.of, Of::Layer(_)) && point.quantity == name;
        let category = match point.of {
            Of::Split("test") if point.quantity == "accuracy" => Some(CATEGORIES[0]),
            _ if series(COSINE.name) => Some(CATEGORIES[1]),
            _ if series(GRADIENT.name) => Some(CATEGORIES[2]),
            _ if series(HIDDEN.name) => Some(CATEGORIES[3]),
            _ => None,
        };
        Self { lower: format!("minus_sd/{mean}"), upper: format!("plus_sd/{mean}"), mean, category }
    }
}

/// The page for these bands.
pub(super) fn value(bands: &[Band]) -> Value {
    let category = |(index, title): (usize, &&str)| {
        let charts = bands.iter().filter(|band| band.category == Some(title)).map(chart);
        Message::new().bytes(1, title).messages(2, charts).whole(3, u64::from(index > 1))
    };
    let layout = Message::new().messages(2, CATEGORIES.iter().enumerate().map(category));
    Value::text_of_plugin("custom_scalars", "custom_scalars__config__", layout)
}

fn chart(band: &Band) -> Message {
    let series = Message::new().bytes(1, &band.mean).bytes(2, &band.lower).bytes(3, &band.upper);
    Message::new().bytes(1, &band.mean).message(3, Message::new().message(1, series))
}
