//! JSON in the order in which it was put together, for scripts and for eyes.

use super::scientific;
use serde_json::Value;

/// An object on one line, its keys in the given order.
pub(crate) fn object(fields: &[(&str, Value)]) -> String {
    let field = |(key, value): &(&str, Value)| format!("{}:{value}", Value::from(*key));
    format!("{{{}}}", fields.iter().map(field).collect::<Vec<_>>().join(","))
}

/// A number, as records write it: JSON has no infinity and no NaN, which are words there.
pub(crate) fn number(x: f64) -> Value {
    if x.is_finite() { Value::from(x) } else { Value::from(scientific(x)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_keep_their_order_and_numbers_their_infinity() {
        let text = object(&[("z", Value::from("a \"b\"")), ("a", number(f64::INFINITY)), ("m", number(0.5))]);
        assert_eq!(text, r#"{"z":"a \"b\"","a":"inf","m":0.5}"#);
    }
}
