//! Records on a page: what their strangers call things stays text there, and the numbers that its script unpacks are those of the logs.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::DeflateDecoder;
use record::series::At;
use record::{Epoch, Evaluation, Measured, Run, Score, Series, Why};
use report::html::{Document, Ink, Mode, Picture, Ramps, RunPart, Word};
use report::page::{Block, Line, Page};
use serde_json::{Value, json};
use std::io::Read;
use std::sync::LazyLock;

/// Between the words, one on each line, and the numbers, eight bytes each.
const NUMBERS: u8 = 0xff;

/// What HTML reads as more than text, with what stands for it, and a character in its place.
const MARKUP: [(char, &str, &str); 4] = [
    ('&', "&amp;", "\u{e000}"),
    ('<', "&lt;", "\u{e001}"),
    ('>', "&gt;", "\u{e002}"),
    ('"', "&quot;", "\u{e003}"),
];

/// Longer words would fill pages and find nothing.
const LONGEST: usize = 2_000;

const LAYERS: usize = 3;

pub(crate) fn page(bytes: &[u8]) -> bool {
    let Some(end) = bytes.iter().position(|byte| *byte == NUMBERS) else { return false };
    let Ok(text) = std::str::from_utf8(&bytes[..end]) else { return false };
    if text.len() > LONGEST || MARKUP.iter().any(|(_, _, place)| text.contains(place)) {
        return false;
    }
    let numbers: Vec<f64> = bytes[end + 1..]
        .chunks_exact(8)
        .map(|chunk| f64::from_le_bytes(chunk.try_into().expect("eight bytes")))
        .collect();
    let words: Vec<String> = text.split('\n').map(str::to_owned).collect();
    let html = made(&words, &numbers);
    let data = the_records(&html);
    assert_eq!(
        data.matches(|c: char| !c.is_ascii_alphanumeric() && !"+/=\n".contains(c)).count(),
        0,
        "base64 in lines"
    );
    check(data, &words, &numbers);
    // The page differs from that of harmless words in nothing but these words.
    let harmless: Vec<String> =
        words.iter().map(|word| replaced(word, |(c, _, place)| (c.to_string(), place))).collect();
    let harmless = made(&harmless, &numbers);
    let expected =
        replaced(around_records(&harmless).as_str(), |(_, entity, place)| (place.to_owned(), entity));
    assert_eq!(lines(&around_records(&html)), lines(&expected), "words that became markup");
    true
}

fn replaced(
    text: &str,
    pair: impl Fn((char, &'static str, &'static str)) -> (String, &'static str),
) -> String {
    MARKUP.into_iter().map(pair).fold(text.to_owned(), |text, (from, to)| text.replace(&from, to))
}

/// Lists on the page go by the alphabet, so that other words may be in another order.
fn lines(html: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = html.lines().collect();
    lines.sort_unstable();
    lines
}

const OPENING: &str = "<script type=\"text/plain\" id=\"records\">";

fn the_records(html: &str) -> &str {
    let rest = html.split(OPENING).nth(1).expect("the page has records");
    rest.split("</script>").next().expect("they have an end")
}

/// The page without its records, and without its style, which is ours.
fn around_records(html: &str) -> String {
    let head = html.find("</style>").expect("a style");
    let from = html.find(OPENING).expect("records");
    format!("{}{}", &html[head..from], &html[from + OPENING.len() + the_records(html).len()..])
}

/// Two runs, whose words and numbers are those of the input.
fn made(words: &[String], numbers: &[f64]) -> String {
    let word = |at: usize| words[at % words.len()].clone();
    let runs = [run(&word, 0, numbers), run(&word, 1, &[])];
    let part = |(at, run)| RunPart {
        run,
        path: word(5 + at),
        audit: None,
        keys: vec![(word(7), word(8 + at))],
        course: String::new(),
    };
    let mut verdicts = Page::default();
    let said = [Block::Lines(vec![Line::new(None, word(10))]), Block::Legend(vec![(word(11), word(12))])];
    verdicts.section(&word(13), said);
    let document = Document {
        title: word(14),
        sweeps: vec![(word(15), verdicts)],
        pictures: vec![Picture {
            name: word(16),
            about: word(17),
            svg: String::new(),
            notes: vec![word(18)],
            values: word(19),
        }],
        definitions: String::new(),
        runs: runs.iter().enumerate().map(part).collect(),
        keys: vec![word(7)],
        inks: vec![
            Ink { rule: word(1), title: word(20), colour: word(21) },
            Ink { rule: word(3), title: word(22), colour: word(23) },
        ],
        ramps: Ramps { signed: vec![word(24), word(25)], rising: Vec::new() },
        words: vec![Word { name: word(26), meaning: word(27) }],
        commands: vec![word(28)],
        notes: vec![word(29)],
        revision: word(30),
    };
    let mode = if numbers.len() % 2 == 0 { Mode::File } else { Mode::Served };
    document.render(mode, true).html
}

fn run(word: &impl Fn(usize) -> String, at: usize, numbers: &[f64]) -> Run {
    /// What no word is of.
    static RECORD: LazyLock<Value> = LazyLock::new(|| {
        json!({
            "schema": "creditscope.run/1", "id": "", "rule": "", "status": {"state": "stopped", "reason": "", "epoch": 1, "step": 1},
            "network": {"name": "", "inputs": 1, "width": 1, "blocks": 1, "classes": 1, "parameters": 1}, "drift": null,
            "provenance": {"version": "", "recipe_hash": "", "data": "", "data_hash": "", "seed": 1, "identity": "",
                "machine": {"cpu": "", "cores": 1, "system": ""}, "threads": 1, "started": "", "ended": null, "resumed": 0},
        })
    });
    let mut record = RECORD.clone();
    record["id"] = json!(word(2 * at));
    record["rule"] = json!(word(2 * at + 1));
    record["status"]["reason"] = json!(word(31));
    record["network"]["name"] = json!(word(4));
    for (name, at) in [
        ("version", 32),
        ("recipe_hash", 33),
        ("data", 34),
        ("data_hash", 35),
        ("identity", 36),
        ("started", 37),
    ] {
        record["provenance"][name] = json!(word(at));
    }
    record["provenance"]["machine"]["cpu"] = json!(word(38));
    let epochs =
        numbers.chunks_exact(2 + LAYERS).enumerate().map(|(at, numbers)| epoch(at, &word(39), numbers));
    let record = serde_json::from_value(record).expect("a record");
    Run { path: "runs/a".into(), record, recipe: Default::default(), epochs: epochs.collect() }
}

fn epoch(at: usize, series: &str, numbers: &[f64]) -> Epoch {
    let test = Score { loss: numbers[0], accuracy: numbers[1] };
    let values = numbers[2..].iter().map(|x| measured(*x)).collect();
    let series = [(series.to_owned(), Series { at: At::BlockInput, values })].into_iter().collect();
    let evaluation =
        Evaluation { samples: 1, error: numbers[0], growth: numbers[1], series, notes: Default::default() };
    Epoch {
        epoch: at as u64,
        lr: None,
        train: None,
        validation: None,
        test,
        evaluation,
        audit: None,
        feedback: None,
        train_seconds: 0.0,
        test_seconds: 0.0,
        evaluation_seconds: 0.0,
        audit_seconds: 0.0,
    }
}

/// Its last bits decide whether a number is believable, and whether there is one.
fn measured(value: f64) -> Measured {
    match value.to_bits() % 4 {
        0 => Measured::Undefined { why: Why::NotFinite },
        1 => Measured::Unreliable { value, why: Why::Rounding },
        _ => Measured::Defined { value },
    }
}

/// What the script unpacks is what went in.
fn check(data: &str, words: &[String], numbers: &[f64]) {
    let word = |at: usize| words[at % words.len()].as_str();
    let unpacked: Vec<Value> = data.split('\n').map(unpack).collect();
    let [about, course, none] = &unpacked[..] else { panic!("a line of all runs, and one of each") };
    for (at, run) in about["runs"].as_array().expect("runs").iter().enumerate() {
        let found = ["id", "rule"].map(|name| run[name].as_str());
        assert_eq!(found, [word(2 * at), word(2 * at + 1)].map(Some));
        assert_eq!(run["keys"][word(7)], word(8 + at));
        let key = if word(0) == word(2) { word(5 + at) } else { word(2 * at) };
        assert_eq!(run["key"], key, "runs of one name go by their directories");
    }
    // The later of two rules of one name has it.
    assert_eq!(about["rules"][word(3)], json!({"title": word(22), "colour": word(23)}));
    let epochs: Vec<&[f64]> = numbers.chunks_exact(2 + LAYERS).collect();
    assert_eq!(course["epochs"], json!((0..epochs.len()).collect::<Vec<_>>()));
    assert_eq!(none["epochs"], json!([]));
    for (name, at) in [("test_loss", 0), ("test_accuracy", 1)] {
        match course["scalars"].get(name).and_then(Value::as_array) {
            Some(read) => assert!(
                read.iter().zip(&epochs).all(|(read, epoch)| is_number(read, epoch[at], 4)),
                "{name}: {read:?}"
            ),
            None => assert!(epochs.iter().all(|epoch| epoch[at].is_nan()), "{name} is missing"),
        }
    }
    let layered = &course["layers"][word(39)];
    for (layer, at) in (0..LAYERS).flat_map(|layer| (0..epochs.len()).map(move |at| (layer, at))) {
        let read = &layered["values"][layer][at];
        let doubt =
            layered["doubt"][layer].as_str().map_or('.', |letters| char::from(letters.as_bytes()[at]));
        let (letter, is_right) = match measured(epochs[at][2 + layer]) {
            Measured::Defined { value } => ('.', is_number(read, value, 3)),
            Measured::Unreliable { value, .. } => ('u', is_number(read, value, 3)),
            Measured::Undefined { .. } => ('x', read.is_null()),
        };
        assert!(is_right && letter == doubt, "layer {layer}, epoch {at}: {read} {doubt}");
    }
}

fn unpack(line: &str) -> Value {
    let bytes = STANDARD.decode(line).expect("base64");
    let mut text = String::new();
    DeflateDecoder::new(&bytes[..]).read_to_string(&mut text).expect("a deflated text");
    serde_json::from_str(&text).expect("a JSON document")
}

/// Whether a number is another one to so many digits; JSON has words for those that are none.
fn is_number(read: &Value, x: f64, digits: i32) -> bool {
    match read.as_f64() {
        // Numbers next to zero have fewer digits.
        Some(y) => (y - x).abs() <= 0.500_001 * 10f64.powi(1 - digits) * x.abs() + 5e-324,
        None if x.is_nan() => read == "nan",
        None => x.is_infinite() && read == if x > 0.0 { "inf" } else { "-inf" },
    }
}
