//! Records on a page: what their strangers call things stays text there, and the numbers that its script unpacks are those of the logs.

use super::unpacked;
use record::series::At;
use record::{Epoch, Evaluation, Measured, Run, Score, Series, Why};
use report::html::{Document, Ink, Mode, Picture, Ramps, RunPart, Word};
use report::page::{Block, Line, Page};
use serde_json::{Value, json};
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

/// Values of a series after an epoch.
pub(super) const LAYERS: usize = 3;

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
    unpacked::check(data, &words, &numbers);
    // The page differs from that of harmless words in nothing but these words.
    let harmless: Vec<String> =
        words.iter().map(|word| replaced(word, |(c, _, place)| (c.to_string(), place))).collect();
    let harmless = made(&harmless, &numbers);
    let expected = replaced(&before_records(&harmless), |(_, entity, place)| (place.to_owned(), entity));
    assert_eq!(lines(&before_records(&html)), lines(&expected), "words that became markup");
    assert_eq!(
        html.rsplit(data).next(),
        harmless.rsplit(the_records(&harmless)).next(),
        "what follows is the script"
    );
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

/// The page as far as records have words on it, without the style.
fn before_records(html: &str) -> String {
    let (head, rest) = html.split_once("<style>").expect("a style");
    let (_, body) = rest.split_once("</style>").expect("its end");
    let (body, _) = body.split_once(OPENING).expect("records");
    head.to_owned() + body
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
    let mode = if numbers.len().is_multiple_of(2) { Mode::File } else { Mode::Served };
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
pub(super) fn measured(value: f64) -> Measured {
    match value.to_bits() % 4 {
        0 => Measured::Undefined { why: Why::NotFinite },
        1 => Measured::Unreliable { value, why: Why::Rounding },
        _ => Measured::Defined { value },
    }
}
