//! A private Slurm: munge, a controller and nodes, as children of the test.

use crate::process::{Paused, kill, parent};
use std::fmt::Write as _;
use std::fs::File;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// How long anything may take before a test gives up, so that it fails rather than hangs.
pub(crate) const PATIENCE: Duration = Duration::from_secs(240);

/// A running cluster. Dropped, it ends, with everything that it started.
pub(crate) struct Cluster {
    pub(crate) folder: tempfile::TempDir,
    munge: Child,
    controller: Option<Child>,
    nodes: Vec<Option<Child>>,
    _turn: MutexGuard<'static, ()>,
}

impl Cluster {
    /// Three nodes with one core each.
    pub(crate) fn new() -> Self {
        Self::with("", "PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP")
    }

    /// The same with further settings and other partitions.
    pub(crate) fn with(settings: &str, partitions: &str) -> Self {
        let turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().expect("a temporary folder");
        let dir = folder.path();
        for below in ["munge", "state", "spool", "log", "run"] {
            std::fs::create_dir(dir.join(below)).expect("a folder");
        }
        let munge = munge(dir);
        configure(dir, settings, partitions);
        let mut cluster =
            Self { folder, munge, controller: None, nodes: vec![None, None, None], _turn: turn };
        cluster.start_controller();
        (0..3).for_each(|node| cluster.start_node(node));
        cluster.wait("three idle nodes", Self::is_idle);
        cluster
    }

    fn dir(&self) -> &Path {
        self.folder.path()
    }

    fn config(&self) -> PathBuf {
        self.dir().join("slurm.conf")
    }

    pub(crate) fn start_controller(&mut self) {
        let args = ["-D", "-i", "-f"];
        self.controller =
            Some(daemon("slurmctld", &args, &self.config(), &self.dir().join("log/slurmctld.out")));
    }

    /// Kills the controller, as a power failure would.
    pub(crate) fn kill_controller(&mut self) {
        end(&mut self.controller);
    }

    fn start_node(&mut self, node: usize) {
        let name = format!("n{}", node + 1);
        std::fs::create_dir_all(self.dir().join("spool").join(&name)).expect("a folder");
        let log = self.dir().join(format!("log/{name}.out"));
        self.nodes[node] = Some(daemon("slurmd", &["-D", "-N", &name, "-f"], &self.config(), &log));
    }

    /// Starts a node anew in a mount namespace of its own, after a command of the shell was carried out in it.
    pub(crate) fn restart_node_after(&mut self, node: usize, command: &str) {
        let name = format!("n{}", node + 1);
        end(&mut self.nodes[node]);
        let script = format!("{command} && exec slurmd -D -N {name} -f {}", self.config().display());
        let mut again = Command::new("unshare");
        again.args(["-m", "sh", "-c", &script]);
        self.nodes[node] = Some(spawn(again, &self.config(), &self.dir().join(format!("log/{name}.out"))));
        self.wait("three idle nodes", Self::is_idle);
    }

    /// Whether every node is there and free.
    fn is_idle(&self) -> bool {
        self.ask("sinfo", &["-h", "-t", "idle", "-o", "%D"]).trim() == "3"
    }

    /// Kills the daemon of a node; what runs on it lives on.
    pub(crate) fn kill_daemon(&mut self, node: usize) {
        end(&mut self.nodes[node]);
    }

    /// Kills everything on a node: daemon, step, payload.
    pub(crate) fn crash_node(&mut self, node: usize) {
        self.kill_daemon(node);
        for payload in self.payloads(Some(&format!("n{}", node + 1))) {
            let step = parent(payload);
            step.into_iter().chain([payload]).for_each(kill);
        }
    }

    /// Tells the controller that a node is gone, which it would notice by itself some time later.
    pub(crate) fn declare_down(&self, node: usize) {
        let name = format!("nodename=n{}", node + 1);
        self.ask("scontrol", &["update", &name, "state=down", "reason=test"]);
    }

    /// Processes of workers, on one node or on all.
    pub(crate) fn payloads(&self, node: Option<&str>) -> Vec<u32> {
        self.processes(|words| match node {
            Some(node) => words.contains(&format!("SLURMD_NODENAME={node}").as_bytes()),
            None => words.iter().any(|word| word.starts_with(b"SLURMD_NODENAME=")),
        })
    }

    /// Stops the workers where they are, so that a quick machine is not done before a test looks. They go on when the value is
    /// dropped.
    pub(crate) fn pause(&self) -> Paused {
        Paused::stop(self.payloads(None))
    }

    /// Processes of this cluster whose environment is like this.
    fn processes(&self, like: impl Fn(&[&[u8]]) -> bool) -> Vec<u32> {
        let ours = format!("SLURM_CONF={}", self.config().display());
        let mut found = Vec::new();
        for entry in std::fs::read_dir("/proc").expect("Linux").flatten() {
            let Ok(process) = entry.file_name().to_string_lossy().parse::<u32>() else { continue };
            let words = std::fs::read(entry.path().join("environ")).unwrap_or_default();
            let words: Vec<&[u8]> = words.split(|byte| *byte == 0).collect();
            if words.contains(&ours.as_bytes()) && like(&words) {
                found.push(process);
            }
        }
        found
    }

    /// A command of Slurm.
    pub(crate) fn ask(&self, program: &str, args: &[&str]) -> String {
        let output = self.command(program).args(args).output().expect("a command of Slurm");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("SLURM_CONF", self.config());
        command
    }

    /// The program, on this cluster. Formats of the user's own must not disturb it.
    pub(crate) fn creditscope(&self, program: &Path, args: &[&str]) -> Output {
        let mut command = self.command(&program.display().to_string());
        command
            .env("SQUEUE_FORMAT", "%i nonsense")
            .env("SQUEUE_STATES", "COMPLETED")
            .env("SBATCH_NO_REQUEUE", "1");
        command.env("CREDITSCOPE_DATA", "/nonexistent/creditscope-tests").env("NO_COLOR", "1");
        command.args(args).output().expect("the program starts")
    }

    /// Waits until something holds.
    pub(crate) fn wait(&self, what: &str, holds: impl Fn(&Self) -> bool) {
        let begun = Instant::now();
        while !holds(self) {
            assert!(begun.elapsed() < PATIENCE, "{what}: not within {PATIENCE:?}\n{}", self.logs());
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Waits until the queue is empty.
    pub(crate) fn wait_for_queue(&self) {
        self.wait("the queue is empty", |cluster| cluster.queue().is_empty());
    }

    /// What is in the queue, a line per element: job, index, state, node.
    pub(crate) fn queue(&self) -> Vec<String> {
        self.ask("squeue", &["-h", "-r", "-o", "%F %K %T %N"]).lines().map(str::to_owned).collect()
    }

    fn logs(&self) -> String {
        let mut text = self.queue().join("\n");
        for log in std::fs::read_dir(self.dir().join("log")).into_iter().flatten().flatten() {
            let content = std::fs::read_to_string(log.path()).unwrap_or_default();
            let last: Vec<&str> = content.lines().rev().take(8).collect();
            let _ = write!(text, "\n{}:", log.path().display());
            last.iter().rev().for_each(|line| text.push_str(&format!("\n  {line}")));
        }
        text
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // First what would start others again, then workers and the steps around them.
        end(&mut self.controller);
        self.nodes.iter_mut().for_each(end);
        let _ = self.munge.kill();
        let _ = self.munge.wait();
        for _ in 0..100 {
            let left = self.processes(|_| true);
            if left.is_empty() {
                break;
            }
            left.into_iter().for_each(kill);
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

fn munge(dir: &Path) -> Child {
    use std::os::unix::fs::PermissionsExt;
    let key = dir.join("munge/munge.key");
    let random = File::open("/dev/urandom").and_then(|mut file| {
        let mut bytes = [0; 1024];
        std::io::Read::read_exact(&mut file, &mut bytes)?;
        std::fs::write(&key, bytes)
    });
    random.expect("a key");
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o400)).expect("permissions");
    std::fs::set_permissions(dir.join("munge"), std::fs::Permissions::from_mode(0o711)).expect("permissions");
    let mut command = Command::new("munged");
    let file = |flag: &str, name: &str| format!("--{flag}={}", dir.join("munge").join(name).display());
    command.args(["--foreground", "--force", "--num-threads=2"]);
    command.args([
        file("key-file", "munge.key"),
        file("socket", "munge.sock"),
        file("pid-file", "munged.pid"),
    ]);
    command.args([file("log-file", "munged.log"), file("seed-file", "munged.seed")]);
    spawn(command, &dir.join("slurm.conf"), &dir.join("log/munged.out"))
}

fn configure(dir: &Path, settings: &str, partitions: &str) {
    let user = String::from_utf8(Command::new("id").arg("-un").output().expect("id").stdout).expect("a name");
    let host = String::from_utf8(Command::new("hostname").arg("-s").output().expect("hostname").stdout)
        .expect("a name");
    let (user, host, at) = (user.trim(), host.trim(), dir.display());
    let listeners: Vec<TcpListener> =
        (0..4).map(|_| TcpListener::bind("127.0.0.1:0").expect("a port")).collect();
    let ports: Vec<u16> =
        listeners.iter().map(|listener| listener.local_addr().expect("a port").port()).collect();
    let mut text = format!(
        "ClusterName=test\nSlurmctldHost={host}(127.0.0.1)\nSlurmUser={user}\nSlurmdUser={user}\n\
         AuthType=auth/munge\nCredType=cred/munge\nAuthInfo=socket={at}/munge/munge.sock,cred_expire=5\n\
         SlurmctldPort={}\nSlurmctldPidFile={at}/run/slurmctld.pid\nSlurmdPidFile={at}/run/slurmd.%n.pid\n\
         SlurmctldLogFile={at}/log/slurmctld.log\nSlurmdLogFile={at}/log/slurmd.%n.log\n\
         StateSaveLocation={at}/state\nSlurmdSpoolDir={at}/spool/%n\n\
         ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nSwitchType=switch/none\nMpiDefault=none\n\
         JobAcctGatherType=jobacct_gather/none\nAccountingStorageType=accounting_storage/none\n\
         SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\nSchedulerType=sched/backfill\n\
         SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2,sched_min_interval=0\n\
         ReturnToService=2\nJobRequeue=1\nMaxArraySize=20\nMaxJobCount=2000\nMinJobAge=2\n\
         SlurmctldTimeout=30\nSlurmdTimeout=3\nInactiveLimit=0\nKillWait=5\nWaittime=0\nMessageTimeout=2\n\
         SlurmdParameters=config_overrides\nPropagateResourceLimits=NONE\n{settings}\n",
        ports[0]
    );
    for (i, port) in ports[1..].iter().enumerate() {
        let node = i + 1;
        let _ = writeln!(
            text,
            "NodeName=n{node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=1 RealMemory=2000 State=UNKNOWN"
        );
    }
    text.push_str(partitions);
    text.push('\n');
    std::fs::write(dir.join("slurm.conf"), text).expect("written");
}

fn daemon(program: &str, args: &[&str], config: &Path, log: &Path) -> Child {
    let mut command = Command::new(program);
    command.args(args).arg(config);
    spawn(command, config, log)
}

fn spawn(mut command: Command, config: &Path, log: &Path) -> Child {
    let path = std::env::var("PATH").unwrap_or_default();
    let log = File::options().create(true).append(true).open(log).expect("a log");
    command.env("SLURM_CONF", config).env("PATH", format!("{path}:/usr/sbin:/sbin")).stdin(Stdio::null());
    command.stdout(log.try_clone().expect("a log")).stderr(log).spawn().expect("a daemon of Slurm")
}

/// Kills a daemon, if it is there.
fn end(child: &mut Option<Child>) {
    if let Some(mut child) = child.take() {
        let _ = child.kill();
        let _ = child.wait();
    }
}
