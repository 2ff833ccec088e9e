//! The data block of the page: a line of what all runs share and what each of them is, then a line for every run with its numbers
//! epoch by epoch. Lines are deflated each for itself, so that a browser unpacks those of a run when it is looked at.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde_json::Value;
use std::io::Write;

/// The element with the data. Of base64, nothing can end it.
pub(super) fn element(about: &Value, courses: &[Value]) -> String {
    let lines: Vec<String> = std::iter::once(about).chain(courses).map(line).collect();
    format!("<script type=\"text/plain\" id=\"records\">{}</script>\n", lines.join("\n"))
}

fn line(value: &Value) -> String {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    let packed = encoder.write_all(value.to_string().as_bytes()).and_then(|()| encoder.finish());
    STANDARD.encode(packed.expect("memory takes whatever is written"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::io::Read;

    #[test]
    fn every_line_unpacks_by_itself_and_nothing_in_them_ends_the_element() {
        let about = json!({"id": "</script><!--<img src=x onerror=alert(1)>"});
        let courses = [json!({"values": vec![1.25e-9; 20_000]}), json!({"values": ["nan"]})];
        let element = element(&about, &courses);
        assert_eq!(element.matches('<').count(), 2, "{element}");
        assert!(element.len() < 2_000, "packed");
        let inner = element.split_once('>').unwrap().1.strip_suffix("</script>\n").unwrap();
        let unpacked = |line: &str| -> Value {
            let mut text = String::new();
            let bytes = STANDARD.decode(line).unwrap();
            flate2::read::DeflateDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
            serde_json::from_str(&text).unwrap()
        };
        let lines: Vec<Value> = inner.split('\n').map(unpacked).collect();
        assert_eq!((&lines[0], &lines[1..]), (&about, &courses[..]));
    }
}
