//! Published values that pages quote by name, so that they are typed in the paper's data alone.

use paper::published::{Value, published};
use report::show::share;

/// Pages with the values in place of their names in braces.
pub(super) fn quoted(pages: &str) -> &'static str {
    let values = published();
    let limits = &values.calibration;
    let mut names = vec![
        ("healthy growth".to_owned(), limits.growth.healthy.to_string()),
        ("healthy growth of a young vit".to_owned(), limits.young_vit.to_string()),
        ("degenerate growth".to_owned(), limits.growth.degenerate.to_string()),
        ("healthy gradient".to_owned(), format!("{:.1e}", limits.gradient.healthy)),
        ("degenerate gradient".to_owned(), format!("{:.1e}", limits.gradient.degenerate)),
    ];
    let mut accuracy = |of: String, value: &Value| {
        names.push((format!("accuracy of {of}"), share(value.text.unwrap_or(value.mean))));
    };
    values.main.rows.iter().for_each(|row| accuracy(row.rule.clone(), &row.accuracy));
    values.frozen.rows.iter().for_each(|row| accuracy(format!("frozen {}", row.rule), &row.accuracy));
    for row in &values.penalty.capacity.rows {
        accuracy(format!("{} without penalty", row.rule), &row.without);
        accuracy(format!("{} with it", row.rule), &row.with);
    }
    let put = |pages: String, (name, value): &(String, String)| pages.replace(&format!("{{{name}}}"), value);
    names.iter().fold(pages.to_owned(), put).leak()
}
