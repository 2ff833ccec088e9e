//! Help and completions of every command.

use crate::common::{creditscope, text};

#[test]
fn every_command_has_help_with_an_example_and_completions() {
    for command in [
        vec!["demo"],
        vec!["run"],
        vec!["init"],
        vec!["runs"],
        vec!["runs", "list"],
        vec!["runs", "show"],
        vec!["runs", "diff"],
        vec!["audit"],
        vec!["explain"],
        vec!["data"],
        vec!["data", "list"],
        vec!["data", "verify"],
        vec!["data", "fetch"],
        vec!["export"],
        vec!["export", "paper-json"],
        vec!["completions"],
    ] {
        let mut args = command.clone();
        args.push("--help");
        let help = text(&creditscope(&args).stdout);
        let example = format!("creditscope {}", command.join(" "));
        let after = help.split_once("Example").map_or("", |(_, after)| after);
        assert!(after.contains(&example), "{command:?} shows no example:\n{help}");
    }
    for shell in ["bash", "zsh", "fish"] {
        assert!(text(&creditscope(&["completions", shell]).stdout).contains("creditscope"));
    }
    insta::assert_snapshot!(text(&creditscope(&["--help"]).stdout));
}
