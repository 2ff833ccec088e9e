//! The doors through which a stranger's bytes come in, one function each. The fuzz targets and the test that replays the
//! corpus (`crates/cli/tests/fuzz_corpus.rs`) both call them.
//!
//! A door says whether it accepted the bytes. It must not panic, and a refusal must name the file. What it accepts is used as
//! the program would use it.

use data::catalogue::{CatalogueEntry, DataFile, DiskLayout, FileFormat, FilePart};
use figures::load_picture;
use figures::output::{Metadata, png as draw_png};
use figures::scene::{Item, Rect, Scene};
use figures::text::{Family, TextStyle, Typesetter};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use tempfile::TempDir;

/// Takes bytes and says whether it accepted them.
pub(crate) type Door = fn(&[u8]) -> bool;

/// Every door by name, for the replay.
pub(crate) const DOORS: [(&str, Door); 11] = [
    ("npz", npz),
    ("safetensors", safetensors),
    ("recipe", recipe),
    ("run_record", run_record),
    ("paper_json", paper_json),
    ("idx", idx),
    ("cifar", cifar),
    ("pickle", pickle),
    ("label", label),
    ("svg", svg),
    ("png", png),
];

/// Memory that the values of a dump may take.
const DUMP_BYTES: u64 = 16 << 20;

/// A folder of this process, in memory where the system has such a place.
static FOLDER: LazyLock<TempDir> = LazyLock::new(|| {
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { TempDir::new_in(memory) } else { TempDir::new() };
    folder.expect("a temporary folder")
});

fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = FOLDER.path().join(name);
    std::fs::create_dir_all(path.parent().expect("it has a folder")).expect("the folder can be made");
    std::fs::write(&path, bytes).expect("the file can be written");
    path
}

/// Whether it was accepted; a refusal names the file.
fn accepted<T>(result: &Result<T, impl Display>, name: &str) -> bool {
    if let Err(refusal) = result {
        let words = refusal.to_string();
        assert!(words.contains(name), "a refusal that does not name {name}: {words}");
    }
    result.is_ok()
}

fn dump(name: &str, bytes: &[u8]) -> bool {
    let dump = audit::dump::read_within(&file(name, bytes), DUMP_BYTES);
    if let Ok(dump) = &dump {
        // What is read can be judged, or is refused with a reason.
        let _ = audit::dump::judge(dump, &audit::dump::DumpOptions::default());
    }
    accepted(&dump, name)
}

pub(crate) fn npz(bytes: &[u8]) -> bool {
    dump("dump.npz", bytes)
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

/// Between the files of a run directory in one input.
const NEXT_FILE: &[u8] = b"\n--8<--\n";

pub(crate) fn run_record(bytes: &[u8]) -> bool {
    let names = ["run.json", "recipe.toml", "metrics.jsonl", "audit.json"];
    let mut rest = bytes;
    for name in names {
        let end = rest.windows(NEXT_FILE.len()).position(|window| window == NEXT_FILE);
        file(&format!("run/{name}"), &rest[..end.unwrap_or(rest.len())]);
        rest = end.map_or(&[], |end| &rest[end + NEXT_FILE.len()..]);
    }
    let run = record::Run::read(&FOLDER.path().join("run"));
    if let Ok(run) = &run {
        let _ = lab::Identity::of_record(&run.recipe);
        run.epochs.iter().for_each(|epoch| {
            let _ = protocol::Moment::of(epoch);
        });
        accepted(&protocol::kept_audit(run), "audit.json");
    }
    accepted(&run, "run")
}

pub(crate) fn paper_json(bytes: &[u8]) -> bool {
    use paper::files::{Penalised, Results, Snapshot, read_leniently};
    let path = file("paper.json", bytes);
    let results = accepted(&read_leniently::<Results>(&path), "paper.json");
    let snapshot = accepted(&read_leniently::<Snapshot>(&path), "paper.json");
    let penalised = accepted(&read_leniently::<Penalised>(&path), "paper.json");
    results || snapshot || penalised
}

const fn data_file(name: &'static str, part: FilePart) -> DataFile {
    DataFile { name, part, bytes: None, md5: None, gz_md5: None }
}

/// A data set of two images of 2 × 2 pixels in each split.
const fn tiny(channels: usize, layouts: &'static [DiskLayout]) -> CatalogueEntry {
    CatalogueEntry {
        name: "tiny",
        title: "Tiny",
        citation: "",
        licence: "",
        shape: data::ImageShape { channels, height: 2, width: 2 },
        classes: 10,
        train: 2,
        test: 2,
        moments: if channels == 1 { &[(0.5, 0.5)] } else { &[(0.5, 0.5), (0.5, 0.5), (0.5, 0.5)] },
        layouts,
        mirrors: &[],
        packages: &[],
    }
}

static IDX: CatalogueEntry = tiny(
    1,
    &[DiskLayout {
        format: FileFormat::Idx,
        folders: &["idx"],
        files: &[
            data_file("images", FilePart::Train),
            data_file("labels", FilePart::Train),
            data_file("test-images", FilePart::Test),
            data_file("test-labels", FilePart::Test),
        ],
    }],
);
static CIFAR: CatalogueEntry = tiny(
    3,
    &[DiskLayout {
        format: FileFormat::CifarBinary,
        folders: &["cifar"],
        files: &[data_file("train", FilePart::Train), data_file("test", FilePart::Test)],
    }],
);
static PICKLE: CatalogueEntry = tiny(
    3,
    &[DiskLayout {
        format: FileFormat::CifarPickle,
        folders: &["pickle"],
        files: &[data_file("train", FilePart::Train), data_file("test", FilePart::Test)],
    }],
);

fn data_set(entry: &'static CatalogueEntry) -> bool {
    let folder = data::Folder::at(FOLDER.path());
    accepted(&data::load_entry(entry, &folder), entry.layouts[0].folders[0])
}

/// The first byte is the length of the file of labels, which follows; the rest is the file of images.
pub(crate) fn idx(bytes: &[u8]) -> bool {
    let Some((&length, rest)) = bytes.split_first() else { return false };
    let (labels, images) = rest.split_at(usize::from(length).min(rest.len()));
    for split in ["", "test-"] {
        file(&format!("idx/{split}labels"), labels);
        file(&format!("idx/{split}images"), images);
    }
    data_set(&IDX)
}

pub(crate) fn cifar(bytes: &[u8]) -> bool {
    file("cifar/train", bytes);
    file("cifar/test", bytes);
    data_set(&CIFAR)
}

pub(crate) fn pickle(bytes: &[u8]) -> bool {
    file("pickle/train", bytes);
    file("pickle/test", bytes);
    data_set(&PICKLE)
}

pub(crate) fn label(bytes: &[u8]) -> bool {
    static SETTER: LazyLock<Typesetter> =
        LazyLock::new(|| Typesetter::new(&Family::NewComputerModern).expect("the default typefaces"));
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let style = TextStyle { size: 8.0, bold: false, italic: false, colour: figures::plot::INK };
    SETTER.set(text, &style).is_ok()
}

/// Reads a picture and draws it as the panel of a figure.
fn picture(name: &str, bytes: &[u8]) -> bool {
    let picture = load_picture(&file(name, bytes));
    if let Ok(picture) = &picture {
        let mut scene = Scene::new(120.0, 90.0);
        let items: Vec<Item> = picture.place(Rect::new(10.0, 10.0, 100.0, 70.0));
        scene.items.extend(items);
        draw_png(&scene, 72.0, &Metadata::default()).expect("what was accepted can be drawn");
    }
    accepted(&picture, name)
}

pub(crate) fn svg(bytes: &[u8]) -> bool {
    picture("picture.svg", bytes)
}

pub(crate) fn png(bytes: &[u8]) -> bool {
    picture("picture.png", bytes)
}
