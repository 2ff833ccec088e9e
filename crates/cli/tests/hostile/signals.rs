//! Signals: whichever asks the program to stop, the run is saved and continues to the same bytes.

use crate::common::{assert_same, program, recipe, text};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Long enough for a signal to arrive in the middle on any machine.
const RECIPE: &str = "
data.name = 'digits'
net.d = 24
net.blocks = 2
rule.name = 'dfa'
train.batch = 5
train.epochs = 30
eval.samples = 50
audit.every = 0
";
const RUN: &str = "dfa-s42";

fn start(recipe: &Path, out: &Path, more: &[&str]) -> Child {
    let mut command = program();
    command.args(["run", &recipe.display().to_string(), "--out", &out.display().to_string(), "--quiet"]);
    command.args(more).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
}

fn send(signal: &str, child: &Child) {
    let status = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
    assert!(status.expect("kill is there").success());
}

#[test]
fn each_signal_saves_and_the_run_goes_on_to_the_same_bytes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let recipe = recipe(folder.path(), RECIPE);
    let whole = folder.path().join("whole");
    assert!(start(&recipe, &whole, &[]).wait().expect("it ends").success());
    for (signal, times) in [("INT", 1), ("TERM", 1), ("HUP", 1), ("USR1", 1), ("TERM", 2), ("HUP", 2)] {
        let out = folder.path().join(format!("{signal}{times}"));
        let mut child = start(&recipe, &out, &[]);
        let log = out.join(RUN).join("metrics.jsonl");
        while std::fs::read_to_string(&log).map_or(0, |text| text.lines().count()) < 2 {
            assert!(child.try_wait().expect("its state").is_none(), "it ended before {signal}");
            std::thread::sleep(Duration::from_millis(1));
        }
        (0..times).for_each(|_| send(signal, &child));
        let output = child.wait_with_output().expect("it ends");
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{signal} × {times}: {message}");
        assert!(message.contains("1 saved midway"), "{signal} × {times}: {message}");
        assert!(out.join(RUN).join("checkpoint.safetensors").exists(), "{signal} × {times}");
        assert!(start(&recipe, &out, &["--resume"]).wait().expect("it ends").success(), "{signal}");
        assert_same(&whole.join(RUN), &out.join(RUN));
    }
}

/// A limit on the size of files, such as `ulimit -f` or a batch system sets: the run ends with a message that names the file,
/// keeps what it had, and goes on when the limit is gone.
#[test]
fn a_limit_on_file_sizes_is_reported_and_loses_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let recipe = recipe(folder.path(), &RECIPE.replace("epochs = 30", "epochs = 3"));
    let whole = folder.path().join("whole");
    assert!(start(&recipe, &whole, &[]).wait().expect("it ends").success());
    let checkpoint = std::fs::metadata(whole.join(RUN).join("checkpoint.safetensors")).expect("it").len();
    // Blocks of 512 or 1024 bytes, as the shell likes: both are less than the checkpoint and more than the log.
    let blocks = checkpoint / 2048;
    let out = folder.path().join("out");
    let script = format!("ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let limited = Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_creditscope"), "run"])
        .args([&recipe, Path::new("--out"), &out, Path::new("--quiet")])
        .output()
        .expect("a shell");
    let message = text(&limited.stderr);
    assert_eq!(limited.status.code(), Some(2), "{message}");
    assert!(message.contains("checkpoint.safetensors: File too large"), "{message}");
    assert!(start(&recipe, &out, &["--resume"]).wait().expect("it ends").success());
    assert_same(&whole.join(RUN), &out.join(RUN));
}
