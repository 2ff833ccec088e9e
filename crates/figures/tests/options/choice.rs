//! Which runs are shown, and in which order.

use crate::{drawn, made, options};
use figures::options::assignments;
use figures::plot::{AxisKind, Element, Figure};
use figures::{Assignment, Options};

/// The names in the legend of the first panel.
fn legend(figure: &Figure) -> Vec<String> {
    let key = |element: &Element| match element {
        Element::Line(line) => line.key.clone(),
        _ => None,
    };
    figure.panels[0].elements.iter().filter_map(key).collect()
}

#[test]
fn rules_are_those_that_are_named_in_that_order() {
    let shown = |rules: &str| legend(&drawn("cifar-accuracy", &[("rules", rules)]).drawing.figure);
    assert_eq!(shown("bp,dfa"), ["BP", "DFA"]);
    assert_eq!(shown("dfa,bp"), ["DFA", "BP"]);
    assert_eq!(shown("state_bridge, dfa ,bp"), ["State bridge", "DFA", "BP"]);
    let bars = drawn("cifar-summary", &[("rules", "dfa,bp")]).drawing.figure;
    assert_eq!(bars.panels[0].x.kind, AxisKind::Categories(vec!["DFA".to_owned(), "BP".to_owned()]));
    let diagram = drawn("audit-hero", &[("rules", "dfa,bp")]).drawing.figure.diagram.expect("a diagram");
    let lanes: Vec<&str> = diagram.lanes.iter().map(|lane| lane.rule.as_str()).collect();
    assert_eq!(lanes, ["dfa", "bp"]);
}

#[test]
fn rules_that_are_not_there_are_refused_with_those_that_are() {
    let refused = |key: &str, text: &str| made("cifar-accuracy", &[(key, text)]).err().expect("refused");
    let said = refused("rules", "bp,dfaa");
    assert!(said.contains("`dfaa`") && said.contains("did you mean `dfa`?"), "{said}");
    let said = refused("rules", "something_else");
    assert!(said.contains("there are") && said.contains("state_bridge"), "{said}");
    assert!(refused("colour", "bq=#112233").contains("did you mean `bp`?"));
    assert!(refused("label", "dfa=$\\nosuch$").contains("not understood"));
    assert!(refused("label", "dfa=same,bp=same").contains("another rule's name"));
}

#[test]
fn settings_choose_among_records_and_say_what_there_is() {
    let title = |settings: &str| {
        drawn("cifar-accuracy", &[("settings", settings)]).drawing.figure.title.expect("it names the network")
    };
    assert!(title("network=student").contains("StudentNet"), "{}", title("network=student"));
    assert!(title("data=cifar10,d=256,L=4").contains("ResMLP"));
    let refused = |settings: &str| made("cifar-accuracy", &[("settings", settings)]).err().expect("refused");
    let said = refused("d=512");
    assert!(said.contains("no run has d = 512; there are 256 ("), "{said}");
    let said = refused("net.blcks=4");
    assert!(said.contains("unknown key `net.blcks`"), "{said}");
}

#[test]
fn a_file_says_the_same_as_flags_which_override_it() {
    let text = "rules = ['bp', 'dfa']\nbare = true\nvenue = 'icml'\ncolour = { dfa = '#112233', bp = '#445566' }\n\
                range = { 'a.x' = [0, 5] }\nsettings = { net.d = 256 }\n";
    let file = assignments(text, "figures.toml").expect("a file of options");
    let flags =
        [("rules", "bp,dfa"), ("bare", "true"), ("venue", "icml"), ("colour", "dfa=#112233,bp=#445566")];
    let same = [&flags[..], &[("range", "a.x=0:5"), ("settings", "net.d=256")]].concat();
    assert_eq!(Options::of(&file).expect("options"), options(&same));
    let flag = Assignment { place: String::new(), key: "rules".to_owned(), value: "fa".into() };
    let mixed = Options::of(file.iter().chain([&flag])).expect("options");
    assert_eq!(mixed.rules, ["fa"]);
    assert!(mixed.bare);
}

#[test]
fn what_no_option_is_called_is_refused_with_file_and_line() {
    let said = |text: &str| assignments(text, "figures.toml").expect_err("refused").to_string();
    assert_eq!(
        said("bare = true\nvenu = 'icml'"),
        "figures.toml:2: unknown key `venu`: did you mean `venue`?"
    );
    assert!(
        said("venue = 'icmll'")
            .contains("figures.toml:1: `venue`: there is no `icmll`: did you mean `icml`?")
    );
    assert!(said("range = { a = [1, 0] }").contains("the smaller first"));
    assert!(said("marker = { dfa = 'sqare' }").contains("dfa: there is no `sqare`: did you mean `square`?"));
}
