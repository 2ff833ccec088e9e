//! `creditscope audit` as a user meets it: files, exit codes, refusals.

mod common;

use common::{creditscope, program, recipe, text};
use record::audit::{Audit, AuditSet, Consistency, Outcome, Standing, Subject, Warning};
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::OnceLock;

const RECIPE: &str = "
data.name = 'digits'
net.d = 24
net.blocks = 2
rule.name = ['bp', 'fa', 'dfa']
rule.frozen = [false, true]
train.epochs = 4
train.batch = 64
eval.samples = 200
audit.every = 2
audit.samples = 64
audit.draws = 5
seed = [1, 2]
";

/// Few directions and draws, so that a test takes its time elsewhere.
const FEW: [&str; 6] = ["--samples", "150", "--directions", "4", "--draws", "6"];

/// Trains the recipe once for all tests that only look.
fn trained() -> &'static Path {
    static RUNS: OnceLock<tempfile::TempDir> = OnceLock::new();
    RUNS.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        train(RECIPE, &folder.path().join("runs"));
        folder
    })
    .path()
}

fn train(content: &str, out: &Path) -> Output {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let recipe = recipe(folder.path(), content);
    let output = creditscope(&["run", &recipe.display().to_string(), "--out", &out.display().to_string()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    output
}

/// A copy of some runs, to be changed at will.
fn copy(names: &[&str]) -> tempfile::TempDir {
    let to = tempfile::tempdir().expect("a temporary folder");
    for name in names {
        let (from, to) = (trained().join("runs").join(name), to.path().join(name));
        std::fs::create_dir(&to).expect("a new folder");
        for entry in std::fs::read_dir(from).expect("a run") {
            let entry = entry.expect("an entry");
            std::fs::copy(entry.path(), to.join(entry.file_name())).expect("a copy");
        }
    }
    to
}

fn audit(paths: &[&Path], more: &[&str]) -> Output {
    program().arg("audit").args(paths).args(FEW).args(more).output().expect("the program starts")
}

fn set(output: &Output) -> AuditSet {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", text(&output.stderr)))
}

fn refused(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
    text(&output.stderr)
}

#[test]
fn an_audit_judges_every_run_against_its_own_baseline() {
    let found = set(&audit(&[&trained().join("runs")], &["--json"]));
    assert_eq!(found.audits.len(), 12);
    let groups: Vec<&str> = found.groups.iter().map(|group| group.name.as_str()).collect();
    assert_eq!(groups, ["bp", "bp-frozen", "fa", "fa-frozen", "dfa", "dfa-frozen"], "as rules are listed");
    for audit in found.audits.iter().filter(|audit| !audit.subject.is_frozen()) {
        let Subject::Run { id, seed, checkpoint, .. } = &audit.subject else { panic!("a run") };
        assert!(checkpoint.is_some(), "{id} was measured");
        let baseline = id.replace(&format!("-s{seed}"), &format!("-frozen-s{seed}"));
        let baseline =
            found.audits.iter().find(|other| other.subject.id() == baseline).expect("its baseline");
        assert_eq!(audit.frozen, baseline.accuracy, "{id}");
        assert!(matches!(audit.consistency, Consistency::Agrees { worst } if worst < 1e-4), "{id}");
        assert_eq!((audit.units.len(), audit.states.len(), audit.samples), (3, 3, 150));
        // What the run itself measured after its last epoch is there to compare with.
        let on_disk = Audit::read(&trained().join("runs").join(id)).expect("readable").expect("written");
        assert_eq!(&on_disk, audit);
    }
    let bp: Vec<&Audit> = found.audits.iter().filter(|audit| audit.subject.group() == "bp").collect();
    for audit in &bp {
        assert!(audit.units.iter().all(|unit| unit.standing == Standing::Useful), "{:?}", audit.units);
        assert_eq!(audit.verdict, protocol::verdict(&audit.checks));
    }
    let pair = found.pairs.iter().find(|pair| pair.a == "bp" && pair.b == "dfa" && pair.of == "accuracy");
    let pair = pair.expect("rules are compared");
    assert_eq!(pair.seeds, [1, 2]);
    let accuracy = |id: &str| found.audits.iter().find(|a| a.subject.id() == id).and_then(|a| a.accuracy);
    let expected =
        [1, 2].map(|s| accuracy(&format!("bp-s{s}")).unwrap() - accuracy(&format!("dfa-s{s}")).unwrap());
    assert_eq!(pair.differences, expected);
}

#[test]
fn one_run_finds_its_baseline_beside_it_and_a_second_audit_repeats_the_first() {
    let runs = copy(&["dfa-s1", "dfa-frozen-s1"]);
    let run = runs.path().join("dfa-s1");
    let first = set(&audit(&[&run], &["--json"]));
    assert_eq!(first.audits.len(), 1);
    assert!(first.audits[0].frozen.is_some(), "the baseline lies beside it");
    assert!(first.warnings.iter().any(|warning| matches!(warning, Warning::OneSeed { .. })));
    assert_eq!(set(&audit(&[&run], &["--json"])), first, "the very same, times included");
    // Other settings, a lost baseline and --again measure anew.
    let again = set(&audit(&[&run], &["--json", "--again"]));
    assert_eq!(again.audits[0].units, first.audits[0].units);
    std::fs::rename(runs.path().join("dfa-frozen-s1"), runs.path().join("elsewhere-s1")).expect("a rename");
    std::fs::remove_file(runs.path().join("elsewhere-s1/run.json")).expect("removed");
    let alone = set(&audit(&[&run], &["--json"]));
    let d3 = &alone.audits[0].checks[3];
    assert_eq!(d3.outcome, Outcome::NotAssessed { why: "no frozen baseline".to_owned() });
}

#[test]
fn a_log_alone_is_judged_as_far_as_it_goes() {
    let runs = copy(&["dfa-s1"]);
    let run = runs.path().join("dfa-s1");
    let asked = set(&audit(&[&run], &["--json", "--log"]));
    assert!(!asked.audits[0].warnings.iter().any(|warning| matches!(warning, Warning::LogOnly { .. })));
    let Consistency::NotAssessed { why } = &asked.audits[0].consistency else {
        panic!("nothing was measured")
    };
    assert!(why.contains("as asked"), "{why}");
    // The last epoch was audited in training, so its log holds rho and nulls.
    assert!(asked.audits[0].units[1].here.as_ref().expect("logged").rho.is_some());
    assert_eq!(asked.audits[0].checks[0].outcome, Outcome::Passes);
    // The same where the checkpoint is gone or damaged: said, not hidden.
    let checkpoint = run.join("checkpoint.safetensors");
    let mut bytes = std::fs::read(&checkpoint).expect("a checkpoint");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&checkpoint, bytes).expect("written");
    for words in ["damaged", "no checkpoint"] {
        let found = set(&audit(&[&run], &["--json"]));
        let told = found.audits[0].warnings.iter().map(report::audit::message).collect::<Vec<_>>().join("; ");
        assert!(told.contains(words), "{told}");
        let _ = std::fs::remove_file(&checkpoint);
    }
}

#[test]
fn changed_feedback_is_found_although_the_file_is_sound() {
    // The log of another seed beside this checkpoint: the feedback of its epochs is not that of the checkpoint.
    let runs = copy(&["dfa-s1", "dfa-s2"]);
    let metrics = |run: &str| runs.path().join(run).join("metrics.jsonl");
    std::fs::copy(metrics("dfa-s2"), metrics("dfa-s1")).expect("a copy");
    let found = set(&audit(&[&runs.path().join("dfa-s1")], &["--json"]));
    let audit = &found.audits[0];
    let Consistency::Differs { findings } = &audit.consistency else { panic!("{:?}", audit.consistency) };
    assert_eq!(findings[0].unit, record::audit::Site::Feedback);
    assert!(audit.verdict.words().contains("consistency"), "{}", audit.verdict.words());
}

#[test]
fn files_and_exit_codes_hold_what_was_asked() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (csv, junit) = (folder.path().join("a.csv"), folder.path().join("a.xml"));
    let (csv_name, junit_name) = (csv.display().to_string(), junit.display().to_string());
    let runs = trained().join("runs");
    let output =
        audit(&[&runs], &["--quiet", "--csv", &csv_name, "--junit", &junit_name, "--fail-on", "consistency"]);
    assert!(output.status.success() && output.stdout.is_empty(), "{}", text(&output.stderr));
    let rows = std::fs::read_to_string(&csv).expect("a CSV");
    // Commas between quotes are part of a field.
    let fields = |row: &str| row.split('"').step_by(2).collect::<String>().matches(',').count() + 1;
    assert!(rows.lines().all(|row| fields(row) == 13), "{rows}");
    assert!(rows.contains(",rho,") && rows.contains(",cosine,"));
    let xml = std::fs::read_to_string(&junit).expect("an XML");
    assert!(xml.starts_with("<?xml") && xml.contains("<testsuite ") && xml.contains("D2"), "{xml}");
    // A limit that nothing can keep: D1 fires, and the exit code says so.
    let strict = copy(&["bp-s1"]);
    let recipe = strict.path().join("bp-s1/recipe.toml");
    let edited =
        std::fs::read_to_string(&recipe).expect("a recipe").replace("growth = 50.0", "growth = 0.001");
    std::fs::write(&recipe, edited).expect("written");
    let fired = audit(&[&strict.path().join("bp-s1")], &["--fail-on", "d1,D2", "--log"]);
    assert_eq!(fired.status.code(), Some(1), "{}", text(&fired.stderr));
    assert!(text(&fired.stderr).contains("D1") && text(&fired.stdout).contains("FAIL(D1"));
    assert!(text(&fired.stdout).contains("recipe.toml is not the one"), "a limit that was moved is told");
}

#[test]
fn what_cannot_be_judged_is_refused_with_a_remedy() {
    let nothing = tempfile::tempdir().expect("a temporary folder");
    assert!(refused(&audit(&[nothing.path()], &[])).contains("no run"));
    assert!(refused(&audit(&[&nothing.path().join("absent")], &[])).contains("does not exist"));
    let runs = copy(&["bp-s1", "dfa-s2"]);
    assert!(
        refused(&audit(&[&runs.path().join("bp-s1")], &["--accuracy", ".3"]))
            .contains("--accuracy is for dumps")
    );
    assert!(refused(&audit(&[runs.path()], &["--fail-on", "D4"])).contains("D4"));
    let missing = runs.path().join("no/such/a.csv").display().to_string();
    assert!(refused(&audit(&[runs.path()], &["--csv", &missing])).contains("a.csv"));
    // A record that cannot be read names its file, and does not silence the others.
    std::fs::write(runs.path().join("bp-s1/run.json"), "{").expect("written");
    assert!(refused(&audit(&[&runs.path().join("bp-s1")], &[])).contains("run.json"));
    let rest = audit(&[runs.path()], &["--mixed"]);
    assert!(
        refused(&rest).contains("run.json") && text(&rest.stdout).contains("dfa"),
        "{}",
        text(&rest.stdout)
    );
}

#[test]
fn a_run_that_broke_off_never_passes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let wild = "data.name = 'digits'\nnet.name = 'student'\nnet.alpha = 0.0\nnet.d = 16\nnet.blocks = 2\n\
                optim.lr = 300.0\ntrain.epochs = 30\naudit.every = 0\nseed = 42\n";
    let (recipe, out) = (recipe(folder.path(), wild), folder.path().join("runs"));
    let (recipe, out_name) = (recipe.display().to_string(), out.display().to_string());
    let trained = creditscope(&["run", &recipe, "--out", &out_name]);
    assert_eq!(trained.status.code(), Some(1), "it is stopped: {}", text(&trained.stderr));
    assert!(!text(&trained.stdout).contains("00000000000"), "{}", text(&trained.stdout));
    let judged = audit(&[&out], &["--fail-on", "D1"]);
    assert_eq!(judged.status.code(), Some(1), "{}", text(&judged.stdout));
    let shown = text(&judged.stdout);
    assert!(
        shown.contains("FAIL(D1") && shown.contains("the run broke off") && !shown.contains("PASS"),
        "{shown}"
    );
}

#[test]
fn an_audit_is_of_one_epoch_though_the_log_went_on() {
    // The log of four epochs beside the checkpoint of two, as a kill leaves them.
    let folder = tempfile::tempdir().expect("a temporary folder");
    let one = RECIPE
        .replace("['bp', 'fa', 'dfa']", "'bp'")
        .replace("[1, 2]", "1")
        .replace("[false, true]", "false");
    let (long, short) = (folder.path().join("long"), folder.path().join("short"));
    train(&one, &long);
    train(&format!("{one}train.stop_after = 2\n"), &short);
    let run = record::Run::read(&long.join("bp-s1")).expect("a run");
    let text_of = |path: PathBuf| std::fs::read_to_string(path).expect("a file");
    let log = text_of(long.join("bp-s1/metrics.jsonl"));
    let behind = short.join("bp-s1");
    std::fs::write(behind.join("metrics.jsonl"), log).expect("written");
    let found = set(&audit(&[&behind], &["--json"]));
    assert_eq!(found.audits[0].epoch, Some(2));
    assert_eq!(found.audits[0].accuracy, Some(run.epochs[2].test.accuracy));
}

#[test]
fn what_was_measured_is_kept_and_an_edited_recipe_is_told() {
    let runs = copy(&["bp-s1"]);
    let run = runs.path().join("bp-s1");
    let measured = set(&audit(&[&run], &["--json"]));
    assert!(audit(&[&run], &["--log", "--quiet"]).status.success());
    assert_eq!(
        Audit::read(&run).expect("readable").as_ref(),
        Some(&measured.audits[0]),
        "not overwritten by the log"
    );
    let recipe = run.join("recipe.toml");
    let edited = std::fs::read_to_string(&recipe).expect("a recipe").replace("gain = 0.02", "gain = 0.01");
    std::fs::write(&recipe, edited).expect("written");
    let told = set(&audit(&[&run], &["--json"]));
    assert!(told.audits[0].warnings.contains(&Warning::RecipeChanged), "{:?}", told.audits[0].warnings);
}

#[test]
fn runs_of_different_conditions_have_a_table_each_unless_somebody_insists() {
    let runs = copy(&["bp-s1", "dfa-s2"]);
    let other = RECIPE
        .replace("net.d = 24", "net.d = 20")
        .replace("['bp', 'fa', 'dfa']", "'bp'")
        .replace("[1, 2]", "7");
    train(&other, &runs.path().join("other"));
    let page = text(&audit(&[runs.path()], &["--log"]).stdout);
    let titles: Vec<&str> = page.lines().filter(|line| line.starts_with("Runs with ")).collect();
    assert_eq!(titles, ["Runs with net.d = 24:", "Runs with net.d = 20:"], "{page}");
    let sets: Vec<AuditSet> =
        serde_json::from_slice(&audit(&[runs.path()], &["--log", "--json"]).stdout).expect("a list");
    let sizes: Vec<usize> = sets.iter().map(|set| set.audits.len()).collect();
    assert_eq!(sizes, [2, 2]);
    let csv = text(&audit(&[runs.path()], &["--log", "--csv", "-"]).stdout);
    assert!(csv.contains(",net.d = 20\r\n") && csv.contains(",net.d = 24\r\n"), "{csv}");
    let markdown = text(&audit(&[runs.path()], &["--log", "--markdown", "-"]).stdout);
    assert!(markdown.starts_with("## net.d = 24\n\n| rule |") && markdown.contains("\n## net.d = 20\n"));
    assert_eq!(set(&audit(&[runs.path()], &["--log", "--mixed", "--json"])).audits.len(), 4);
}

#[test]
fn a_seed_counts_once_and_recipes_are_not_averaged() {
    let (a, b) = (copy(&["bp-s1"]), copy(&["bp-s1"]));
    // The same training twice: two sweeps, told apart by their folders, and nothing to put into one table.
    let page = text(&audit(&[a.path(), b.path()], &["--log"]).stdout);
    assert_eq!(page.matches("Runs with folder = ").count(), 2, "{page}");
    let told = refused(&audit(&[a.path(), b.path()], &["--log", "--mixed"]));
    assert!(told.contains("the same seed"), "{told}");
    let recipe = b.path().join("bp-s1/recipe.toml");
    let edited = std::fs::read_to_string(&recipe).expect("a recipe").replace("batch = 64", "batch = 32");
    std::fs::write(&recipe, edited).expect("written");
    let found = set(&audit(&[a.path(), b.path()], &["--log", "--mixed", "--json"]));
    let names: Vec<&str> = found.groups.iter().map(|group| group.name.as_str()).collect();
    assert_eq!(names, ["bp", "bp (2)"]);
}

#[test]
fn a_doomed_run_ends_itself_and_says_why() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // No stream keeps its scale to a thousandth, so the first epoch is the last.
    let doomed = RECIPE
        .replace("['bp', 'fa', 'dfa']", "'dfa'")
        .replace("[false, true]", "false")
        .replace("[1, 2]", "1");
    let doomed = format!("{doomed}protocol.growth = 0.001\naudit.stop_on = ['D2', 'D1']\n");
    let out = folder.path().join("runs");
    let output = train(&doomed, &out);
    assert!(text(&output.stderr).contains("dfa-s1: ended itself when D1 fired"), "{}", text(&output.stderr));
    let run = record::Run::read(&out.join("dfa-s1")).expect("a run");
    assert_eq!(run.record.status, record::Status::Halted { check: "D1".to_owned(), epoch: 1 });
    assert_eq!(run.epochs.len(), 2);
    assert!(run.record.drift.is_some());
    // It is judged like any other, and there is nothing to resume.
    let found = set(&audit(&[&out], &["--json"]));
    assert_eq!(found.audits[0].checks[0].first_fired, Some(0));
    assert!(matches!(found.audits[0].consistency, Consistency::Agrees { .. }));
    let recipe = recipe(folder.path(), &doomed);
    let (recipe, out) = (recipe.display().to_string(), out.display().to_string());
    assert!(creditscope(&["run", &recipe, "--out", &out, "--resume"]).status.success());
    let shown = text(&creditscope(&["runs", "show", &format!("{out}/dfa-s1")]).stdout);
    assert!(shown.contains("halted after 1 of 4 epochs: D1 fired"), "{shown}");
}
