//! Single files: dumps of other frameworks, recipes, files of the paper.

use super::{accepted, file};

/// Memory that the values of a dump may take.
const DUMP_BYTES: u64 = 16 << 20;

fn dump(name: &str, bytes: &[u8]) -> bool {
    let dump = audit::dump::read_within(&file(name, bytes), DUMP_BYTES);
    if let Ok(dump) = &dump {
        // What is read can be judged, or is refused with a reason.
        let _ = audit::dump::judge(dump, &audit::dump::DumpOptions::default());
    }
    accepted(&dump, name)
}

pub(crate) fn npz(bytes: &[u8]) -> bool {
    let path = file("data.npz", bytes);
    let data = data::OwnData::open(&path)
        .and_then(|own| data::load(&data::DataSpec::Own(own), &data::Folder::at("/nonexistent")));
    let is_data = accepted(&data, "data.npz");
    dump("dump.npz", bytes) || is_data
}

pub(crate) fn safetensors(bytes: &[u8]) -> bool {
    dump("dump.safetensors", bytes)
}

/// The first line goes to `--set`, the rest is the file.
pub(crate) fn recipe(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let (set, text) = text.split_once('\n').unwrap_or(("", text));
    let Ok(mut recipe) = lab::Recipe::parse(text, "recipe.toml") else { return false };
    if !set.is_empty() && recipe.set(set).is_err() {
        return false;
    }
    recipe.runs().is_ok()
}

pub(crate) fn paper_json(bytes: &[u8]) -> bool {
    use paper::files::{Penalised, Results, Snapshot, read_leniently};
    let path = file("paper.json", bytes);
    let results = accepted(&read_leniently::<Results>(&path), "paper.json");
    let snapshot = accepted(&read_leniently::<Snapshot>(&path), "paper.json");
    let penalised = accepted(&read_leniently::<Penalised>(&path), "paper.json");
    results || snapshot || penalised
}
