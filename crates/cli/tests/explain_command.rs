//! `creditscope explain` and the command line of `creditscope audit`, as a user meets them.

mod common;

use common::{creditscope, text};

#[test]
fn a_topic_is_explained_and_the_list_names_it() {
    let list = creditscope(&["explain"]);
    assert!(list.status.success());
    for word in ["D1", "D2", "D3", "direction", "consistency", "cosine", "penalty", "dump"] {
        assert!(text(&list.stdout).contains(word), "{word}");
        let output = creditscope(&["explain", word]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(text(&output.stdout).starts_with(word), "{}", text(&output.stdout));
    }
    // Names of several words need no quotes.
    let output = creditscope(&["explain", "one", "unit", "dominates"]);
    assert!(text(&output.stdout).starts_with("one unit dominates:"));
    // The four checks also go by their letters.
    for (letter, name) in [("(a)", "D1"), ("(b)", "D2"), ("(c)", "direction"), ("(d)", "D3")] {
        assert_eq!(creditscope(&["explain", letter]).stdout, creditscope(&["explain", name]).stdout);
    }
}

#[test]
fn an_unknown_topic_is_refused_with_a_suggestion() {
    let output = creditscope(&["explain", "unreliabel"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    assert!(text(&output.stderr).contains("did you mean `unreliable`?"), "{}", text(&output.stderr));
}

#[test]
fn bad_arguments_of_an_audit_are_refused_with_exit_code_2() {
    for (args, words) in [
        (vec!["--fail-on", "d1,consistancy"], "a similar value exists: 'consistency'"),
        // Blanks behind a comma are no part of the word.
        (vec!["--fail-on", "D1, not-assessed"], "runs does not exist"),
        (vec!["--fail-on", "D7"], "[possible values: reference, D1, D2, D3"),
        (vec!["--cosine", "pytorch"], "a similar value exists: 'torch'"),
        (vec!["--samples", "0"], "0 is not in 1.."),
        (vec!["--accuracy", "31"], "between 0 and 1"),
        (vec!["--csv", "/no/such/folder/audit.csv"], "there is no folder /no/such/folder"),
        (vec!["--log", "--probe"], "cannot be used with"),
    ] {
        let output = creditscope(&[&["audit", "runs"], &args[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(text(&output.stderr).contains(words), "{args:?}: {}", text(&output.stderr));
    }
    assert_eq!(creditscope(&["audit"]).status.code(), Some(2), "a path is needed");
}

#[test]
fn the_flags_of_an_audit_stand_under_their_headings() {
    insta::assert_snapshot!(text(&creditscope(&["audit", "--help"]).stdout));
}

#[test]
fn every_word_of_fail_on_is_explained_and_in_the_page_about_ci() {
    let refusal = creditscope(&["audit", "runs", "--fail-on", "nothing"]);
    let refusal = text(&refusal.stderr);
    let listed = refusal.split_once("[possible values: ").expect("the words are listed").1;
    let words: Vec<&str> = listed.split_once(']').expect("a list").0.split(',').map(str::trim).collect();
    assert!(words.len() > 10, "{words:?}");
    let page = include_str!("../../../docs/ci.md");
    for word in words {
        assert!(page.contains(&format!("`{word}`")), "docs/ci.md lacks {word}");
        let output = creditscope(&["explain", word]);
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
}
