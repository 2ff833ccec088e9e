//! The same recipe gives the same bytes: for any number of threads and jobs, and however often a run was killed.

mod common;

use common::{assert_same, program, recipe, text};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

/// Small enough to finish in about a second, with batches that do not divide evenly among four threads.
const RECIPE: &str = "
data.name = 'digits'
net.d = 40
net.blocks = 3
rule.name = ['bp', 'fa', 'dfa']
rule.penalty = 0.001
train.batch = 30
train.epochs = 12
eval.samples = 100
audit.every = 3
audit.samples = 40
audit.draws = 3
";

const RULES: [&str; 3] = ["bp", "fa", "dfa"];

fn start(recipe: &Path, out: &Path, more: &[&str]) -> Child {
    program()
        .args(["run", &recipe.display().to_string(), "--out", &out.display().to_string()])
        .args(["--checkpoint-every", "0", "--quiet"])
        .args(more)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

fn finish(child: Child) {
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn any_number_of_threads_and_jobs() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let recipe = recipe(folder.path(), RECIPE);
    let one = folder.path().join("one");
    finish(start(&recipe, &one, &["--threads", "1", "--jobs", "1"]));
    for (threads, jobs) in [("2", "1"), ("4", "1"), ("1", "3"), ("2", "2")] {
        let other = folder.path().join(format!("t{threads}j{jobs}"));
        finish(start(&recipe, &other, &["--threads", threads, "--jobs", jobs]));
        for rule in RULES {
            let id = format!("{rule}-pen0.001-s42");
            assert_same(&one.join(&id), &other.join(&id));
        }
    }
}

/// Waiting times spread over a sitting: short ones hit the start, longer ones training, evaluation and the writing
/// of checkpoints, which happens after every epoch here.
fn waits() -> impl Iterator<Item = Duration> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        Duration::from_micros(3_000 + state % 160_000)
    })
}

/// Whether a kill left a checkpoint half written; resuming removes it.
fn torn_checkpoint(run: &Path) -> bool {
    let names = std::fs::read_dir(run).into_iter().flatten().flatten().map(|entry| entry.file_name());
    names
        .map(|name| name.to_string_lossy().into_owned())
        .any(|name| name.starts_with(".checkpoint.safetensors."))
}

#[test]
fn killed_at_random_and_resumed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let recipe = recipe(folder.path(), RECIPE);
    let whole = folder.path().join("whole");
    finish(start(&recipe, &whole, &["--jobs", "1"]));
    let (mut kills, mut torn, mut waits) = (0, 0, waits());
    for attempt in 0.. {
        let broken = folder.path().join(format!("broken{attempt}"));
        loop {
            let mut child = start(&recipe, &broken, &["--resume", "--jobs", "1"]);
            // Longer and longer, so that a slow machine gets somewhere too.
            std::thread::sleep(waits.next().expect("endless") * (1 + kills / 20));
            if child.try_wait().expect("its state").is_some() {
                finish(child);
                break;
            }
            child.kill().expect("SIGKILL");
            child.wait().expect("it is gone");
            kills += 1;
            let torn_run = |rule: &str| torn_checkpoint(&broken.join(format!("{rule}-pen0.001-s42")));
            torn += usize::from(RULES.iter().any(|rule| torn_run(rule)));
        }
        for rule in RULES {
            let id = format!("{rule}-pen0.001-s42");
            assert_same(&whole.join(&id), &broken.join(&id));
        }
        if kills >= 20 {
            break;
        }
    }
    println!("{kills} kills, {torn} of them during the writing of a checkpoint");
}

/// What a kill in the middle of each write leaves behind, planted by hand, so that none is left to chance.
#[test]
fn torn_writes_are_cut_off() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let recipe = recipe(folder.path(), &RECIPE.replace("['bp', 'fa', 'dfa']", "'dfa'"));
    let id = "dfa-pen0.001-s42";
    let whole = folder.path().join("whole");
    finish(start(&recipe, &whole, &[]));
    let broken = folder.path().join("broken");
    interrupt_after(
        start(&recipe, &broken, &["--jobs", "1", "--threads", "1"]),
        &broken.join(id),
        3,
        Duration::ZERO,
    );
    let run = broken.join(id);
    let checkpoint = std::fs::read(run.join("checkpoint.safetensors")).expect("a checkpoint");
    // No system has a process of this number.
    let torn =
        |file: &str, host: &str| run.join(format!(".{file}.{host}.4294967295.0123456789abcdef-0.partial"));
    let half = &checkpoint[..checkpoint.len() / 2];
    std::fs::write(torn("checkpoint.safetensors", &host()), half).expect("write");
    std::fs::write(torn("run.json", &host()), "{\"schema\"").expect("write");
    let elsewhere = torn("run.json", "another-host");
    std::fs::write(&elsewhere, "{\"schema\"").expect("write");
    let mut log = std::fs::read_to_string(run.join("metrics.jsonl")).expect("metrics");
    log.push_str("{\"epoch\":99,\"lr\":0.1}\n{\"epoch\":100,\"l");
    std::fs::write(run.join("metrics.jsonl"), log).expect("write");
    finish(start(&recipe, &broken, &["--resume"]));
    assert_same(&whole.join(id), &run);
    std::fs::remove_file(elsewhere).expect("whether its writer lives nobody here can tell");
    assert_eq!(std::fs::read_dir(&run).expect("a folder").count(), 4, "what was torn is gone");
}

/// This machine's name as it stands in names of files.
fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").expect("Linux");
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    name.trim().chars().take(32).map(plain).collect()
}

/// Waits until a run has logged so many epochs and then a little longer, sends what Ctrl-C sends, and checks what the program
/// says.
fn interrupt_after(mut child: Child, run: &Path, epochs: usize, longer: Duration) {
    let logged = || std::fs::read_to_string(run.join("metrics.jsonl")).map_or(0, |text| text.lines().count());
    while logged() < epochs {
        assert!(child.try_wait().expect("its state").is_none(), "it ended before it could be interrupted");
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(longer);
    interrupt(&child);
    let output = child.wait_with_output().expect("it ends");
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{message}");
    assert!(message.contains("saved midway") && message.contains("--resume"), "{message}");
}

/// Interrupted as soon as there is a run to speak of, often before its first step.
#[test]
fn interrupted_at_the_very_start_and_resumed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let recipe = recipe(folder.path(), &RECIPE.replace("['bp', 'fa', 'dfa']", "'bp'"));
    let id = "bp-pen0.001-s42";
    let whole = folder.path().join("whole");
    finish(start(&recipe, &whole, &[]));
    for attempt in 0..8 {
        let broken = folder.path().join(format!("broken{attempt}"));
        let mut child = start(&recipe, &broken, &["--threads", "1"]);
        while !broken.join(id).join("run.json").exists() {
            std::thread::sleep(Duration::from_micros(200));
        }
        interrupt(&child);
        child.wait().expect("it ends");
        finish(start(&recipe, &broken, &["--resume"]));
        assert_same(&whole.join(id), &broken.join(id));
    }
}

fn interrupt(child: &Child) {
    let status = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(status.expect("kill is there").success());
}

/// The step within its epoch at which a run was saved.
fn saved_step(run: &Path) -> u64 {
    let bytes = std::fs::read(run.join("checkpoint.safetensors")).expect("a checkpoint");
    let (_, head) = safetensors::SafeTensors::read_metadata(&bytes).expect("a safetensors file");
    let head = &head.metadata().as_ref().expect("metadata")["creditscope"];
    serde_json::from_str::<serde_json::Value>(head).expect("JSON")["step"].as_u64().expect("a step")
}

#[test]
fn interrupted_in_mid_epoch_and_resumed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // Long epochs, many of them and no audits between, so that the interruption falls within one on a busy machine too.
    let text = RECIPE
        .replace("['bp', 'fa', 'dfa']", "'fa'")
        .replace("train.batch = 30", "train.batch = 5")
        .replace("train.epochs = 12", "train.epochs = 60")
        .replace("audit.every = 3", "audit.every = 0");
    let recipe = recipe(folder.path(), &text);
    let id = "fa-pen0.001-s42";
    let whole = folder.path().join("whole");
    finish(start(&recipe, &whole, &[]));
    // The signal may arrive between two epochs, while a checkpoint is written, which takes long where the disk is busy; then
    // another run is interrupted, a little later.
    let mut attempts = (0..30).map(|attempt| (attempt, folder.path().join(format!("broken{attempt}"))));
    let interrupted = attempts.find(|(attempt, broken)| {
        let (child, later) = (start(&recipe, broken, &["--jobs", "1"]), Duration::from_millis(7 * attempt));
        interrupt_after(child, &broken.join(id), 4, later);
        saved_step(&broken.join(id)) > 0
    });
    let (_, broken) = interrupted.expect("one of thirty falls within an epoch");
    let before = std::fs::read_to_string(broken.join(id).join("metrics.jsonl")).expect("metrics");
    finish(start(&recipe, &broken, &["--resume"]));
    assert_same(&whole.join(id), &broken.join(id));
    // Times and all: what was logged before was not computed again.
    let after = std::fs::read_to_string(broken.join(id).join("metrics.jsonl")).expect("metrics");
    assert!(after.starts_with(&before) && after.len() > before.len());
    let record: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(broken.join(id).join("run.json")).expect("a record"))
            .expect("JSON");
    assert_eq!(record["provenance"]["resumed"], 1);
    assert_eq!(record["status"]["state"], "finished");
}

/// The rules that learn, relax, draw noise or carry weights of their own, and the networks with positions: on other threads, and killed once.
#[test]
fn other_rules_and_networks() {
    let common =
        "data.name = 'digits'\ntrain.batch = 30\ntrain.epochs = 2\neval.samples = 60\naudit.every = 0\n";
    let others = "'state_bridge', 'credit_bridge', 'ep', 'sign_symmetry', 'kolen_pollack', 'dkp', 'drtp', \
                  'node_perturbation'";
    let recipes = [
        format!("{common}net.d = 16\nnet.blocks = 2\nrule.name = [{others}]"),
        format!(
            "{common}net.name = 'vit'\nnet.d = 8\nnet.heads = 2\nnet.mlp = 8\nrule.name = ['bp', 'credit_bridge']"
        ),
        format!("{common}net.name = 'resnet'\nnet.d = 2\nnet.blocks = 3\nrule.name = ['bp', 'fa']"),
    ];
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (i, text) in recipes.iter().enumerate() {
        let recipe = recipe(folder.path(), text);
        let (one, other) = (folder.path().join(format!("one{i}")), folder.path().join(format!("other{i}")));
        finish(start(&recipe, &one, &["--threads", "1", "--jobs", "2"]));
        let mut child = start(&recipe, &other, &["--threads", "3", "--jobs", "1"]);
        std::thread::sleep(Duration::from_millis(300));
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        finish(start(&recipe, &other, &["--threads", "3", "--jobs", "1", "--resume"]));
        for run in std::fs::read_dir(&one).expect("runs") {
            let run = run.expect("a run");
            assert_same(&run.path(), &other.join(run.file_name()));
        }
    }
}
