//! Start-up time.

use crate::bench::{Bench, in_words};
use crate::process::run;
use crate::turns::{Taken, Turn, row, take_turns};
use creditscope_benches::section::Section;
use std::process::Command;

/// Seconds until our program has printed its version, and until Python has imported torch.
pub(crate) fn measure(bench: &Bench) -> Vec<Section> {
    let rounds = bench.rounds(5, 2);
    let ours = "ours, `creditscope --version`";
    let theirs = "PyTorch, `python -c \"import torch\"`";
    let import = || {
        let mut command = Command::new(&bench.python);
        command.args(["-c", "import torch"]);
        command
    };
    let read = |command: Command| run(command).map(|ended| vec![ended.seconds]);
    let taken = take_turns(
        "startup",
        rounds,
        vec![Turn::new(ours, || read(bench.ours(&["--version"]))), Turn::new(theirs, || read(import()))],
    );
    let sides = [(ours, Taken::of(&taken, ours)), (theirs, Taken::of(&taken, theirs))];
    vec![Section {
        name: "startup",
        title: "Start-up".to_owned(),
        unit: "s",
        rows: vec![row("seconds", &sides, 0)],
        notes: vec![format!("{}, files in the system's cache.", in_words(rounds))],
    }]
}
