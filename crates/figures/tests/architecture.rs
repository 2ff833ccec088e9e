//! The diagram of a network: every rule has its lane, nothing collides at any width, and picture, marks, table and
//! description say the same.

#[path = "layout/examine.rs"]
#[expect(dead_code, reason = "shared with the tests of layout")]
mod examine;
#[path = "layout/made/mod.rs"]
mod made;

use examine::examine;
use figures::catalogue::{Drawing, Leading, Request, find};
use figures::plot::{Diagram, Style};
use figures::reader::{Records, Setting, Trial};
use figures::scene::{Item, Rect, Role, Scene, Segment};
use figures::text::Typesetter;
use figures::{Format, files};
use made::Plan;

const PLAN: Plan = Plan { rules: 1, seeds: 1, epochs: 2, blocks: 4, long: false, broken: false };
/// The height of the text of a page, in points.
const PAGE: f64 = 9.0 * 72.0;
/// The names of networks with as many blocks as they are tried with.
const NETWORKS: [(&str, u64); 9] = [
    ("resmlp", 4),
    ("resmlp", 0),
    ("resmlp", 1),
    ("resmlp", 12),
    ("student", 4),
    ("vit", 4),
    ("resnet", 6),
    ("resnet", 9),
    ("lq", 12),
];

/// All listed rules and one that is not.
fn rules() -> Vec<&'static str> {
    record::rules::RULES.iter().map(|rule| rule.name).chain(["rule_of_mine"]).collect()
}

fn request(network: &str, blocks: u64, rules: &[&str]) -> Request {
    let setting = |trial: &Trial| Setting {
        network: network.to_owned(),
        blocks: Some(blocks),
        ..trial.setting.clone()
    };
    let one = made::records(PLAN).trials.remove(0);
    let trial = |rule: &&str| Trial { rule: (*rule).to_owned(), setting: setting(&one), ..one.clone() };
    let trials = rules.iter().map(trial).collect();
    Request { records: Records { trials, ..Records::default() }, ..Request::default() }
}

fn drawn(figure: &str, request: &Request) -> Drawing {
    (find(figure).expect("a figure").draw)(request).unwrap_or_else(|e| panic!("{figure}: {e}"))
}

fn diagram(drawing: &Drawing) -> &Diagram {
    drawing.figure.diagram.as_ref().expect("a diagram")
}

/// Pages of papers and of slides.
fn pages() -> [(Style, f64); 4] {
    [(Style::paper(), 3.25), (Style::paper(), 5.5), (Style::paper(), 6.75), (Style::slides(), 10.0)]
}

fn scene(drawing: &Drawing, style: Style, inches: f64) -> Scene {
    let style = Style { width: 72.0 * inches, ..style };
    let setter = Typesetter::new(&style.family).expect("a bundled family");
    drawing.figure.draw(&style, &setter).unwrap_or_else(|e| panic!("at {inches} in: {e}"))
}

/// Boxes of text that a stroke with a meaning runs through. Strokes of diagrams are made of straight pieces.
fn struck(scene: &Scene) -> Vec<String> {
    let is_way = |item: &&Item| matches!(item, Item::Path { fill: None, meaning: Some(_), .. });
    assert!(scene.items.iter().any(|item| is_way(&item)), "no way is drawn");
    let mut faults = Vec::new();
    for mark in &scene.marks {
        let Role::Text(source) = &mark.role else { continue };
        let area: Rect = mark.area.grown(-0.5);
        for item in scene.items.iter().filter(is_way) {
            let Item::Path { path, .. } = item else { continue };
            let is_closed = path.0.last() == Some(&Segment::Close);
            let ends: Vec<_> = path
                .0
                .iter()
                .filter_map(|segment| match *segment {
                    Segment::Move(p) | Segment::Line(p) => Some(p),
                    _ => None,
                })
                .collect();
            if !is_closed && ends.windows(2).any(|pair| area.is_crossed(pair[0], pair[1])) {
                faults.push(format!("a line runs through {source:?}"));
            }
        }
    }
    faults
}

#[test]
fn every_network_with_every_rule_is_drawn_without_collisions() {
    for (network, blocks) in NETWORKS {
        for rules in [rules(), vec!["bp", "fa", "dfa"], vec!["rule_of_mine"]] {
            let drawing = drawn("architecture", &request(network, blocks, &rules));
            for (style, width) in pages() {
                let scene = scene(&drawing, style, width);
                let faults = [examine(&scene, true), struck(&scene)].concat();
                assert!(faults.is_empty(), "{network} L={blocks} at {width} in: {}", faults.join("\n"));
                let is_tall = scene.height > PAGE && (5.0..7.0).contains(&width);
                assert!(!is_tall, "{network} is {} points high at {width} in", scene.height);
            }
        }
    }
}

#[test]
fn the_hero_has_the_diagram_unless_told_otherwise_and_fits_a_page() {
    let rules = ["bp", "fa", "dfa", "ep", "state_bridge", "credit_bridge"];
    let plain = request("resmlp", 4, &rules);
    let letters = |drawing: &Drawing| -> String {
        drawing.figure.panels.iter().filter_map(|panel| panel.letter).collect()
    };
    let drawing = drawn("audit-hero", &plain);
    assert_eq!(diagram(&drawing).lanes.len(), rules.len());
    assert_eq!((diagram(&drawing).letter, letters(&drawing).as_str()), (Some('a'), "bcd"));
    for (style, width) in pages() {
        let scene = scene(&drawing, style, width);
        let faults = [examine(&scene, true), struck(&scene)].concat();
        assert!(faults.is_empty(), "at {width} in: {}", faults.join("\n"));
        assert!(scene.height <= PAGE || width > 7.0, "{} points high at {width} in", scene.height);
    }
    let without = drawn("audit-hero", &Request { leading: Leading::Nothing, ..plain });
    assert!(without.figure.diagram.is_none() && letters(&without) == "abc");
}

#[test]
fn table_marks_and_description_name_the_way_of_every_rule() {
    let drawing = drawn("architecture", &request("resmlp", 3, &rules()));
    let style = Style::paper();
    let setter = Typesetter::new(&style.family).expect("a bundled family");
    let made = files("architecture", &drawing, &[Format::Svg], &style, 72.0, &setter).expect("files");
    let text = |i: usize| String::from_utf8(made[i].bytes.clone()).expect("text");
    let svg = text(0);
    let document = roxmltree::Document::parse(&svg).expect("an SVG");
    let said = document.descendants().find(|node| node.has_tag_name("desc")).and_then(|node| node.text());
    let units = ["embed", "block 0", "block 1", "block 2"];
    let table = text(1);
    for rule in rules() {
        let way = record::rules::route(rule).words();
        assert!(
            said.is_some_and(|said| said.contains(&format!("Credit of {rule} comes {way}."))),
            "{rule}: {said:?}"
        );
        let credits = document.descendants().filter(|node| {
            node.attribute("data-kind") == Some("credit") && node.attribute("data-rule") == Some(rule)
        });
        let shown: Vec<&str> = credits.filter_map(|node| node.attribute("data-unit")).collect();
        assert_eq!(shown, units, "{rule}");
        let name = record::rules::title(rule);
        let rows = table.lines().filter(|line| line.starts_with(&format!("architecture,{name},credit,")));
        assert_eq!(rows.count(), units.len(), "{rule}:\n{table}");
    }
}

#[test]
fn blocks_without_room_are_left_out_of_the_picture_and_not_of_the_table() {
    let drawing = drawn("architecture", &request("resmlp", 12, &["bp"]));
    assert_eq!(diagram(&drawing).units().count(), 13);
    let table = drawing.figure.table(&[]);
    assert_eq!(table.lines().filter(|line| line.contains(",credit,")).count(), 13, "{table}");
    let scene = scene(&drawing, Style::paper(), 5.5);
    let texts: Vec<String> = scene.marks.iter().map(|mark| format!("{:?}", mark.role)).collect();
    let has = |what: &str| texts.iter().any(|text| text.contains(what));
    assert!(has("block 0") && has("block 1\"") && has("block 11") && !has("block 7"), "{texts:?}");
}

#[test]
fn a_network_that_is_not_known_is_refused_and_the_hero_goes_without() {
    let unknown = request("of_another_program", 4, &["bp"]);
    assert!((find("architecture").expect("a figure").draw)(&unknown).is_err());
    assert!(drawn("audit-hero", &unknown).figure.diagram.is_none());
}
