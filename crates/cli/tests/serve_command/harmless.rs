//! The runs know nothing of the page, whoever is killed.

use crate::common::{assert_same, program, recipe};
use crate::{Server, send_signal};
use std::process::{Child, Stdio};
use std::time::Duration;

/// Long enough for a server to be killed in the middle on any machine.
const RECIPE: &str = "
data.name = 'digits'
net.d = 24
net.blocks = 2
rule.name = 'dfa'
train.batch = 5
train.epochs = 15
eval.samples = 50
audit.every = 0
";
const RUN: &str = "dfa-s42";

struct Training {
    folder: tempfile::TempDir,
}

impl Training {
    fn begin(&self, out: &str) -> Child {
        let recipe = recipe(self.folder.path(), RECIPE);
        let out = self.folder.path().join(out);
        std::fs::create_dir_all(&out).expect("a folder");
        let mut command = program();
        command.arg("run").arg(recipe).arg("--out").arg(out).args([
            "--quiet",
            "--resume",
            "--checkpoint-every",
            "0",
        ]);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts")
    }

    fn epochs(&self, out: &str) -> usize {
        let log = self.folder.path().join(out).join(RUN).join("metrics.jsonl");
        std::fs::read_to_string(log).map_or(0, |text| text.lines().count())
    }
}

#[test]
fn a_run_is_the_same_whoever_is_killed() {
    let training = Training { folder: tempfile::tempdir().expect("a folder") };
    assert!(training.begin("alone").wait().expect("it ends").success());

    // The server, in the middle of its work.
    let mut run = training.begin("watched");
    let mut server = Server::new(&training.folder.path().join("watched"));
    while training.epochs("watched") < 5 {
        server.page();
        server.state();
        assert!(run.try_wait().expect("its state").is_none(), "it ended early");
    }
    send_signal("KILL", &server.child);
    server.child.wait().expect("it ends");
    assert!(run.wait().expect("it ends").success());

    // The run: the page says what it sees, and goes on when the run does.
    let mut run = training.begin("killed");
    let server = Server::new(&training.folder.path().join("killed"));
    while training.epochs("killed") < 5 {
        server.state();
        std::thread::sleep(Duration::from_millis(5));
    }
    run.kill().expect("it is there");
    run.wait().expect("it ends");
    server.says_within(Duration::from_secs(2), "1 run: 1 running");
    let mut run = training.begin("killed");
    assert!(run.wait().expect("it ends").success());
    server.says_within(Duration::from_secs(2), "1 run: 1 done.");

    for other in ["watched", "killed"] {
        assert_same(
            &training.folder.path().join("alone").join(RUN),
            &training.folder.path().join(other).join(RUN),
        );
    }
}

#[test]
fn ctrl_c_ends_the_page_and_leaves_the_runs_alone() {
    let training = Training { folder: tempfile::tempdir().expect("a folder") };
    let mut run = training.begin("runs");
    for signal in ["INT", "TERM"] {
        let mut server = Server::new(&training.folder.path().join("runs"));
        server.page();
        send_signal(signal, &server.child);
        assert_eq!(server.child.wait().expect("it ends").code(), Some(0), "{signal}");
    }
    assert!(run.wait().expect("it ends").success());
    assert_eq!(training.epochs("runs"), 16);
}
