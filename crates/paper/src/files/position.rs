//! From a line and column in a JSON text to the path of keys there. serde's messages only have line and column, and many
//! of the paper's files are one long line.

/// An enclosing object or array.
enum Open {
    Object { key: String },
    Array { index: usize },
}

/// The path of keys and indices at a line and column (both from 1), such as `dfa_log/3/acc_eval`. The text must be
/// well-formed JSON up to there.
pub(super) fn key_at(text: &str, line: usize, column: usize) -> String {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    // The column counts bytes and points just past the offending value.
    let end = (start + column).saturating_sub(1).min(text.len());
    let mut open: Vec<Open> = Vec::new();
    let mut bytes = text.as_bytes()[..end].iter().copied().enumerate();
    let mut word = String::new();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'"' => {
                let mut escaped = false;
                let close = bytes.find(|&(_, byte)| {
                    let closes = byte == b'"' && !escaped;
                    escaped = byte == b'\\' && !escaped;
                    closes
                });
                let close = close.map_or(end, |(close, _)| close);
                word = text.get(at + 1..close).unwrap_or_default().to_owned();
            }
            b'{' => open.push(Open::Object { key: String::new() }),
            b'[' => open.push(Open::Array { index: 0 }),
            b'}' | b']' => {
                open.pop();
            }
            b':' => {
                if let Some(Open::Object { key }) = open.last_mut() {
                    *key = std::mem::take(&mut word);
                }
            }
            b',' => match open.last_mut() {
                Some(Open::Array { index }) => *index += 1,
                Some(Open::Object { key }) => key.clear(),
                None => {}
            },
            _ => {}
        }
    }
    let step = |open: &Open| match open {
        Open::Object { key } => key.clone(),
        Open::Array { index } => index.to_string(),
    };
    open.iter().map(step).filter(|step| !step.is_empty()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::key_at;

    #[test]
    fn the_path_leads_to_the_value() {
        let text = r#"{"a": {"b\"}": [1, 2]}, "log": [{"x": 1}, {"x": [0, "seven"], "y": 2}]}"#;
        let behind = |part: &str| text.find(part).unwrap() + part.len();
        assert_eq!(key_at(text, 1, behind("\"seven\"")), "log/1/x/1");
        assert_eq!(key_at(text, 1, behind("\"y\": 2")), "log/1/y");
        assert_eq!(key_at(text, 1, behind("[1, 2")), "a/b\\\"}/1");
        assert_eq!(key_at(&text.replace(", ", ",\n"), 3, "\"log\": [{\"x\": 1".len()), "log/0/x");
    }
}
