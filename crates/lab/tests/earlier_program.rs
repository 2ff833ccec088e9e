//! Runs that another version of the program left: they go on, and what changed is told.

mod common;
mod resumed;
mod saved;

use common::{SMALL, options, runs, train};
use lab::{Event, Interrupt, Listener, NUMERICS, Options, RunSpec, run_all};
use record::{Run, RunRecord, Status};
use resumed::{assert_same, begin, resume};
use std::path::Path;
use std::sync::{Arc, Mutex};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Notes versions of the arithmetic.
struct Versions(Arc<Mutex<Vec<(u32, u32)>>>);

impl Listener for Versions {
    fn on(&mut self, _spec: &RunSpec, event: &Event<'_>) -> Result<(), lab::Error> {
        if let Event::NumericsChanged { from, to } = event {
            self.0.lock().expect("no panic").push((*from, *to));
        }
        Ok(())
    }
}

#[test]
fn a_change_of_the_arithmetic_is_told_and_recorded() {
    let folder = folder();
    let run = begin(&format!("{SMALL}train.stop_after = 1"), folder.path());
    assert_eq!(run.record.provenance.numerics, [NUMERICS]);
    let mut record = run.record.clone();
    record.provenance.numerics = vec![NUMERICS + 7];
    record.write(&run.path).expect("written");
    let told = Arc::new(Mutex::new(Vec::new()));
    let versions = |_: &RunSpec| vec![Box::new(Versions(told.clone())) as Box<dyn Listener>];
    let options = Options { resume: true, ..options(folder.path()) };
    // Told once, and not forgotten when the run is resumed again.
    for recipe in [format!("{SMALL}train.stop_after = 2"), SMALL.to_owned()] {
        run_all(&runs(&recipe), &options, &versions, &Interrupt::new()).expect("nothing is refused");
    }
    assert_eq!(*told.lock().expect("no panic"), [(NUMERICS + 7, NUMERICS)]);
    let numerics = Run::read(&run.path).expect("a run").record.provenance.numerics;
    assert_eq!(numerics, [NUMERICS + 7, NUMERICS]);
    // A record that does not say is of the first version.
    let path = run.path.join("run.json");
    let mut value: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&path).expect("a record")).expect("JSON");
    value["provenance"].as_object_mut().expect("an object").remove("numerics").expect("there");
    std::fs::write(&path, value.to_string()).expect("written");
    assert_eq!(RunRecord::read(&run.path).expect("a record").provenance.numerics, [1]);
}

/// Ends a run before its first step, with nothing saved.
struct Killer;

impl Listener for Killer {
    fn on(&mut self, spec: &RunSpec, _event: &Event<'_>) -> Result<(), lab::Error> {
        Err(lab::Error::Internal { id: spec.id.clone(), message: "killed".to_owned() })
    }
}

/// Makes a run look as an earlier program left it: no identity, no numerics, credit cut into rows of the network's width.
fn age(run: &Path, width: usize) {
    use sha2::{Digest, Sha256};
    let path = run.join("run.json");
    let mut record: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&path).expect("a record")).expect("JSON");
    let fields = record["provenance"].as_object_mut().expect("an object");
    assert!(fields.remove("identity").is_some() && fields.remove("numerics").is_some());
    std::fs::write(&path, record.to_string()).expect("written");
    let path = run.join(Run::CHECKPOINT);
    let bytes = std::fs::read(&path).expect("a checkpoint");
    let length = u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes")) as usize;
    let mut header: serde_json::Value = serde_json::from_slice(&bytes[8..8 + length]).expect("JSON");
    let head: serde_json::Value =
        serde_json::from_str(header["__metadata__"]["creditscope"].as_str().expect("a head")).expect("JSON");
    // The order in which the fields were written is part of the digest.
    let order = [
        "schema",
        "recipe_hash",
        "metrics_bytes",
        "epoch",
        "step",
        "t",
        "loss",
        "correct",
        "samples",
        "seconds",
    ];
    let fields: Vec<String> = order.iter().map(|name| format!("\"{name}\":{}", head[*name])).collect();
    let with = |digest: &str| format!("{{{},\"digest\":\"{digest}\"}}", fields.join(","));
    let mut tensors: Vec<(u64, u64, String)> = Vec::new();
    for (name, entry) in header.as_object_mut().expect("an object") {
        let Some(offsets) = entry["data_offsets"].as_array().cloned() else { continue };
        let [start, end] = [0, 1].map(|i| offsets[i].as_u64().expect("a number"));
        if name.starts_with("credit.") {
            entry["shape"] = serde_json::json!([(end - start) / 4 / width as u64, width]);
        }
        tensors.push((start, end, name.clone()));
    }
    tensors.sort();
    let data = &bytes[8 + length..];
    let mut digest = Sha256::new_with_prefix(with(""));
    for (start, end, name) in &tensors {
        digest.update(name.as_bytes());
        digest.update(&data[*start as usize..*end as usize]);
    }
    let digest: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    header["__metadata__"]["creditscope"] = with(&digest).into();
    let mut json = header.to_string().into_bytes();
    json.resize(json.len().next_multiple_of(8), b' ');
    let bytes = [&(json.len() as u64).to_le_bytes()[..], &json, data].concat();
    std::fs::write(&path, bytes).expect("written");
}

/// The first axis of the recorded credit counts samples, however states are shaped.
fn credit_rows(run: &Path) -> Vec<usize> {
    let bytes = std::fs::read(run.join(Run::CHECKPOINT)).expect("a checkpoint");
    let all = safetensors::SafeTensors::deserialize(&bytes).expect("a safetensors file");
    let credit = all.tensors().into_iter().filter(|(name, _)| name.starts_with("credit."));
    credit.map(|(_, view)| view.shape()[0]).collect()
}

#[test]
fn a_run_of_an_earlier_program_goes_on_to_the_same_bytes() {
    for (net, width) in [
        ("net.d = 20", 20),
        ("net.name = 'resnet'\nnet.d = 4", 4),
        ("net.name = 'vit'\nnet.d = 8\nnet.heads = 2", 8),
    ] {
        let folder = folder();
        let recipe = SMALL.replace("net.d = 20", net);
        let whole = train(&recipe, &folder.path().join("whole")).remove(0);
        assert_eq!(credit_rows(&whole.path), vec![64; 4], "{net}");
        let out = folder.path().join("old");
        let short = begin(&format!("{recipe}train.stop_after = 1"), &out);
        age(&short.path, width);
        assert_eq!(RunRecord::read(&short.path).expect("a record").provenance.identity, None);
        // Resumed to be measured otherwise and killed before it is saved again, it can still be resumed.
        let otherwise = format!("{recipe}protocol.gain = 0.5\n");
        let options = Options { resume: true, ..options(&out) };
        let kill = |_: &RunSpec| vec![Box::new(Killer) as Box<dyn Listener>];
        let killed =
            run_all(&runs(&otherwise), &options, &kill, &Interrupt::new()).expect("nothing is refused");
        assert!(killed[0].is_err());
        assert_eq!(resume(&recipe, &out), Status::Finished);
        assert_same(&whole.path, &short.path, net);
        assert_eq!(credit_rows(&short.path), vec![64; 4], "{net}");
    }
}
