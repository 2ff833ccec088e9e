//! How long a look at a sweep of 10,000 runs takes, and handing them out; and what a worker costs beside training.
//!
//! The runs are copies of one that was trained, each with the identity that the plan gives it. Slurm is not asked: a call of
//! `squeue` or `sbatch` comes on top, some hundredths of a second each.

use lab::{Interrupt, Listener, Options, RunSpec, Speed};
use record::{Run, RunRecord};
use std::path::Path;
use std::time::{Duration, Instant};
use sweep::{Folder, HandOut, Scheduler, Slurm, Source, Wanted, WorkOptions};

const RECIPE: &str = "data.name = 'digits'\nnet.d = 8\nnet.blocks = 1\ntrain.epochs = 2\ntrain.batch = 60\n\
                      eval.samples = 32\naudit.every = 0\n";

fn main() {
    // `cargo test` builds benches with other settings and calls them without `--bench`.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    let runs = 10_000;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path().join("runs");
    let sweep = Folder::at(&root).expect("a path");
    let data = data::Folder::at(folder.path());
    let source =
        source(&format!("{RECIPE}rule.name = ['bp', 'fa', 'dfa', 'drtp']\nseed = [{}]\n", list(runs / 4)));
    let time = |what: &str, begun: Instant| println!("{what:<44}{:>8.2} s", begun.elapsed().as_secs_f64());

    let begun = Instant::now();
    let manifest = sweep::freeze(&sweep, &source, None, &data).expect("planned");
    time(&format!("plan of {} runs", manifest.runs.len()), begun);

    let begun = Instant::now();
    let report = sweep::survey(&sweep, &manifest, &Slurm::default()).expect("a report");
    let free = sweep::to_hand_out(&manifest, &report, Wanted::New);
    let how = HandOut {
        scheduler: Scheduler::Commands,
        shards: Some(1000),
        per_shard: None,
        throttle: None,
        options: &[],
        data: folder.path(),
        worker: String::new(),
        dry_run: false,
    };
    let mut handed = Vec::new();
    sweep::hand_out(&sweep, &manifest, &free, &how, Speed::measure(), &mut handed).expect("handed out");
    time(&format!("submit of {} runs in 1,000 shards", free.len()), begun);

    let begun = Instant::now();
    let report = sweep::survey(&sweep, &manifest, &Slurm::default()).expect("a report");
    assert!(!report.all_done());
    time("status, none begun", begun);

    copies(&sweep, &manifest);
    let begun = Instant::now();
    let report = sweep::survey(&sweep, &manifest, &Slurm::default()).expect("a report");
    time("status, all done", begun);
    assert!(report.all_done());

    overhead(folder.path());
}

fn list(n: u64) -> String {
    (0..n).map(|seed| seed.to_string()).collect::<Vec<_>>().join(",")
}

fn source(text: &str) -> Source {
    Source {
        text: text.to_owned(),
        origin: "bench".to_owned(),
        name: "bench".to_owned(),
        assignments: Vec::new(),
    }
}

fn options(out: &Path) -> Options {
    Options {
        out: out.to_owned(),
        folder: data::Folder::at(out),
        jobs: Some(1),
        threads: Some(1),
        resume: true,
        checkpoint_every: Duration::from_secs(10),
    }
}

fn quiet(_: &RunSpec) -> Vec<Box<dyn Listener>> {
    Vec::new()
}

/// Every run of the plan, as a copy of the first with its own identity.
fn copies(sweep: &Folder, manifest: &sweep::Manifest) {
    let plan = manifest.source.plan().expect("a plan");
    let first = &plan.runs()[0];
    lab::run_all(std::slice::from_ref(first), &options(sweep.root()), &quiet, &Interrupt::new())
        .expect("trained");
    let from = sweep.run(&first.id);
    let record = RunRecord::read(&from).expect("a record");
    let log = std::fs::read(from.join(Run::METRICS)).expect("a log");
    for run in manifest.runs.iter().filter(|run| run.id != first.id) {
        let to = sweep.run(&run.id);
        std::fs::create_dir(&to).expect("a folder");
        let mut record = record.clone();
        record.id.clone_from(&run.id);
        record.provenance.identity = Some(run.identity.clone());
        record.provenance.recipe_hash.clone_from(&run.recipe_hash);
        std::fs::write(to.join(Run::RECORD), serde_json::to_vec(&record).expect("plain data"))
            .expect("written");
        std::fs::write(to.join(Run::METRICS), &log).expect("written");
    }
}

/// The same runs by themselves and as a shard of a sweep, in turns; the best of three.
fn overhead(folder: &Path) {
    let text = format!(
        "{}seed = [1, 2, 3, 4]\n",
        RECIPE.replace("net.d = 8", "net.d = 64").replace("train.epochs = 2", "train.epochs = 60")
    );
    let source = source(&text);
    let specs = source.plan().expect("a plan").runs().to_vec();
    let mut best = [f64::INFINITY; 2];
    for turn in 0..3 {
        let plain = folder.join(format!("plain{turn}"));
        let begun = Instant::now();
        lab::run_all(&specs, &options(&plain), &quiet, &Interrupt::new()).expect("trained");
        best[0] = best[0].min(begun.elapsed().as_secs_f64());
        let sweep = Folder::at(&folder.join(format!("sweep{turn}"))).expect("a path");
        let data = data::Folder::at(folder);
        let manifest = sweep::freeze(&sweep, &source, None, &data).expect("planned");
        let how = HandOut {
            scheduler: Scheduler::Local,
            shards: None,
            per_shard: None,
            throttle: None,
            options: &[],
            data: folder,
            worker: String::new(),
            dry_run: false,
        };
        let all: Vec<&sweep::Planned> = manifest.runs.iter().collect();
        sweep::hand_out(&sweep, &manifest, &all, &how, Speed::measure(), &mut Vec::new())
            .expect("handed out");
        let work = WorkOptions {
            submission: 1,
            shard: 0,
            cores: 1,
            data,
            heartbeat: Duration::from_secs(30),
            max_failures: 3,
            linger: Duration::ZERO,
            checkpoint_every: Duration::from_secs(10),
            patience: Duration::ZERO,
        };
        let begun = Instant::now();
        let worked = sweep::work(&sweep, &work, &quiet, &|_| {}, &Interrupt::new()).expect("trained");
        best[1] = best[1].min(begun.elapsed().as_secs_f64());
        assert!(worked.all_over());
    }
    let [plain, shard] = best;
    println!(
        "{} runs by themselves {plain:.2} s, as a shard {shard:.2} s: {:.0} ms per run more",
        specs.len(),
        1000.0 * (shard - plain) / specs.len() as f64
    );
}
