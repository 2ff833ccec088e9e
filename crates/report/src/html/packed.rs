//! The data block of the page: as it is while it is small, else deflated, for the browser to unpack.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::io::Write;

/// Text of more bytes than this is packed.
const PLAIN: usize = 100_000;

/// The element with the text of a JSON document.
pub(super) fn element(json: &str) -> String {
    let opening = "<script type=\"application/json\" id=\"records\"";
    // Within JSON, such characters occur in strings alone. No string may end the element.
    let json = json.replace('<', "\\u003c");
    if json.len() <= PLAIN {
        return format!("{opening}>{json}</script>\n");
    }
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    let packed = encoder.write_all(json.as_bytes()).and_then(|()| encoder.finish());
    match packed {
        Ok(bytes) => format!("{opening} data-packed=\"true\">{}</script>\n", STANDARD.encode(bytes)),
        // Memory does not fail to be written to; were it so, the plain text would do.
        Err(_) => format!("{opening}>{json}</script>\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn nothing_in_it_ends_the_element() {
        let hostile = "{\"id\":\"</script><img src=x onerror=alert(1)>\"}";
        let element = element(hostile);
        assert_eq!(element.matches("</script").count(), 1, "{element}");
        assert!(!element.contains("<img"), "{element}");
    }

    #[test]
    fn what_is_large_is_packed_and_unpacks_to_the_same() {
        let json = format!("[{}0]", "1.25e-9,".repeat(200_000));
        let element = element(&json);
        assert!(element.contains("data-packed=\"true\"") && element.len() < json.len() / 10);
        let inner = element.split_once('>').unwrap().1.strip_suffix("</script>\n").unwrap();
        let bytes = STANDARD.decode(inner).unwrap();
        let mut text = String::new();
        flate2::read::DeflateDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
        assert_eq!(text, json);
    }
}
