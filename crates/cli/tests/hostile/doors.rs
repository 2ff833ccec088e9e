//! What is no regular file is refused at every door, by name. A pipe would wait for ever, a device would never end.

use crate::common::{program, recipe, text};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const RECIPE: &str = "
data.name = 'digits'
net.d = 8
net.blocks = 1
train.epochs = 1
eval.samples = 20
audit.samples = 20
audit.draws = 2
";

/// The program under `timeout`, so that a door that waits is a failure and not a test that never ends.
pub(crate) fn creditscope(args: &[&str]) -> Output {
    let program = program();
    let mut command = Command::new("timeout");
    command.args(["--kill-after=5", "60"]).arg(program.get_program()).args(args);
    command.env("CREDITSCOPE_DATA", "/nonexistent/creditscope-tests").env("NO_COLOR", "1");
    command.output().expect("timeout is there")
}

fn named(path: &Path) -> String {
    path.display().to_string()
}

/// A pipe that nobody writes to, and a link to a device that never ends, in place of a file.
fn replacements(path: &Path) -> [Box<dyn Fn() + '_>; 2] {
    let pipe = move || {
        let _ = std::fs::remove_file(path);
        assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo is there").success());
    };
    let device = move || {
        let _ = std::fs::remove_file(path);
        std::os::unix::fs::symlink("/dev/zero", path).expect("a link");
    };
    [Box::new(pipe), Box::new(device)]
}

/// Puts a pipe and a device in place of a file; commands must refuse both and name the file.
fn guarded(path: &Path, commands: &[&[&str]]) {
    let kept = std::fs::read(path).ok();
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    for replace in replacements(path) {
        for command in commands {
            replace();
            let output = creditscope(command);
            let words = text(&output.stdout) + &text(&output.stderr);
            assert!(
                matches!(output.status.code(), Some(1 | 2)),
                "{name}: {command:?}: {:?} {words}",
                output.status
            );
            assert!(words.contains(&name), "{name}: {command:?}: {words}");
        }
    }
    std::fs::remove_file(path).expect("a replacement");
    if let Some(kept) = kept {
        std::fs::write(path, kept).expect("written");
    }
}

#[test]
fn pipes_and_devices_are_refused_at_every_door() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let recipe = recipe(folder.path(), RECIPE);
    let out = at("runs");
    let train = ["run", &named(&recipe), "--out", &named(&out), "--quiet", "--resume"];
    assert!(creditscope(&train).status.success());
    let run: PathBuf = out.join("bp-s42");
    let from = named(&run);
    let pictures = named(&at("pictures"));
    let draw = ["figure", "series", "--from", &from, "--out", &pictures];
    for file in ["run.json", "recipe.toml", "metrics.jsonl"] {
        guarded(&run.join(file), &[&train, &["runs", "show", &from], &["audit", &from], &draw]);
    }
    assert!(creditscope(&["audit", &from]).status.success());
    guarded(&run.join("audit.json"), &[&["figure", "audit-hero", "--from", &from, "--out", &pictures]]);
    // Unfinished, so that the checkpoint is wanted.
    let record = run.join("run.json");
    let unfinished =
        std::fs::read_to_string(&record).expect("a record").replace("\"finished\"", "\"running\"");
    std::fs::write(&record, unfinished).expect("written");
    guarded(&run.join("checkpoint.safetensors"), &[&train]);
    assert!(creditscope(&train).status.success(), "all that was put back is as it was");
    guarded(&at("other.toml"), &[&["run", &named(&at("other.toml"))]]);
    guarded(&at("dump.npz"), &[&["audit", &named(&at("dump.npz"))]]);
    for (file, flag) in [("font.ttf", "--font"), ("net.svg", "--image"), ("net.png", "--image")] {
        let path = named(&at(file));
        guarded(&at(file), &[&["figure", "audit-hero", "--from", &from, "--out", &pictures, flag, &path]]);
    }
    let archive = named(&at("cifar.tar.gz"));
    guarded(
        &at("cifar.tar.gz"),
        &[&["data", "fetch", "cifar10", "--from", &archive, "--data", &named(&at("data"))]],
    );
}

/// The log is never opened through a link: what it leads to is somebody else's.
#[test]
fn a_log_that_is_a_link_is_not_written_through() {
    let folder = tempfile::tempdir().expect("a folder");
    let recipe = recipe(folder.path(), RECIPE);
    let out = folder.path().join("runs");
    let run = out.join("bp-s42");
    let treasure = folder.path().join("treasure");
    for content in [None, Some("precious")] {
        std::fs::create_dir_all(&run).expect("a folder");
        content.into_iter().for_each(|content| std::fs::write(&treasure, content).expect("written"));
        std::os::unix::fs::symlink(&treasure, run.join("metrics.jsonl")).expect("a link");
        let output = creditscope(&["run", &named(&recipe), "--out", &named(&out), "--quiet"]);
        assert_eq!(std::fs::read_to_string(&treasure).ok().as_deref(), content, "{}", text(&output.stderr));
        std::fs::remove_dir_all(&out).expect("removed");
    }
}

/// More than a kind of file may hold is refused before it is read; the file is sparse and takes no room.
#[test]
fn files_beyond_their_stated_size_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("long.toml");
    std::fs::File::create(&path).and_then(|file| file.set_len(1 << 40)).expect("a sparse file");
    let output = creditscope(&["run", &named(&path)]);
    let words = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{words}");
    assert!(words.contains("long.toml") && words.contains("longer than the 4 MiB"), "{words}");
}
