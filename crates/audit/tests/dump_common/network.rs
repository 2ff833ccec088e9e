//! A dump of a real network (that of `oracles/dump_numpy.py`) to be taken apart, changed and judged.

use super::{Array, file, integers, npz, scalar};
use audit::dump::{self, Dump, DumpOptions, DumpRows};
use record::audit::{Audit, CheckId, CheckResult, Outcome, UnitAudit};
use std::path::{Path, PathBuf};

pub(crate) fn fixture_path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

/// An f64 tensor.
pub(crate) fn doubles(name: &str, shape: &[usize], values: &[f64]) -> Array {
    let bytes = values.iter().flat_map(|x| x.to_le_bytes()).collect();
    Array { name: name.to_owned(), descr: "<f8", shape: shape.to_vec(), bytes }
}

pub(crate) fn values(array: &Array) -> Vec<f64> {
    assert_eq!(array.descr, "<f8", "{}", array.name);
    array.bytes.chunks_exact(8).map(|x| f64::from_le_bytes(x.try_into().unwrap())).collect()
}

/// The tensors of the network in f64, without `epoch`.
pub(crate) fn network() -> Vec<Array> {
    arrays(&dump::read(&fixture_path("dump_f64.npz")).unwrap())
}

fn arrays(dump: &Dump) -> Vec<Array> {
    let rows = |name: String, rows: &DumpRows| doubles(&name, &[rows.len(), rows.width], &rows.values);
    let head = dump.head.as_ref().unwrap();
    let norm = head.norm.as_ref().unwrap();
    let vector = |name: &str, values: &[f64]| doubles(name, &[values.len()], values);
    let labels: Vec<i64> = dump.labels.as_ref().unwrap().iter().map(|&label| label as i64).collect();
    let mut arrays = vec![
        rows("a.embed".to_owned(), dump.credit.embed.as_ref().unwrap()),
        integers("labels", &labels),
        rows("logits".to_owned(), dump.logits.as_ref().unwrap()),
        rows("head.weight".to_owned(), &head.weight),
        vector("head.bias", head.bias.as_ref().unwrap()),
        vector("out_ln.weight", &norm.weight),
        vector("out_ln.bias", norm.bias.as_ref().unwrap()),
    ];
    let layers = |letter: char, all: &[DumpRows]| -> Vec<Array> {
        all.iter().enumerate().map(|(l, one)| rows(format!("{letter}.{l}"), one)).collect()
    };
    arrays.extend(layers('h', &dump.hidden));
    arrays.extend(layers('p', &dump.gradients.as_ref().unwrap().layers));
    arrays.extend(layers('a', &dump.credit.blocks));
    arrays
}

/// The tensor with its values changed.
pub(crate) fn changed(arrays: &[Array], name: &str, change: impl Fn(&mut [f64])) -> Vec<Array> {
    let one = |array: &Array| {
        if array.name != name {
            return array.clone();
        }
        let mut all = values(array);
        change(&mut all);
        doubles(name, &array.shape, &all)
    };
    assert!(arrays.iter().any(|array| array.name == name), "{name}");
    arrays.iter().map(one).collect()
}

/// Every tensor whose name begins so, times a factor.
pub(crate) fn scaled(arrays: &[Array], start: &str, factor: f64) -> Vec<Array> {
    let names: Vec<&str> = arrays.iter().map(|a| a.name.as_str()).filter(|n| n.starts_with(start)).collect();
    names.iter().fold(arrays.to_vec(), |arrays, name| {
        changed(&arrays, name, |all| all.iter_mut().for_each(|x| *x *= factor))
    })
}

/// Without the tensors whose names begin so.
pub(crate) fn lacking(arrays: &[Array], starts: &[&str]) -> Vec<Array> {
    let kept = |array: &&Array| !starts.iter().any(|start| array.name.starts_with(start));
    arrays.iter().filter(kept).cloned().collect()
}

/// With the number of epochs trained.
pub(crate) fn at_epoch(mut arrays: Vec<Array>, epoch: Option<u64>) -> Vec<Array> {
    arrays.extend(epoch.map(|epoch| scalar("epoch", epoch as f64)));
    arrays
}

/// Judges dumps as the epochs of one run.
pub(crate) fn judge_all(dumps: &[Vec<Array>], options: &DumpOptions) -> Result<Audit, dump::Error> {
    let files: Vec<_> = dumps.iter().map(|arrays| file("dump.npz", &npz(arrays))).collect();
    let paths: Vec<PathBuf> = files.iter().map(|(_, path)| path.clone()).collect();
    let audits = dump::judge_files(&paths, options)?;
    assert_eq!(audits.len(), 1, "one run");
    Ok(audits.into_iter().next().unwrap())
}

pub(crate) fn judge(arrays: &[Array], options: &DumpOptions) -> Audit {
    judge_all(&[arrays.to_vec()], options).unwrap()
}

/// Few directions and draws, for tests that are about something else.
pub(crate) fn quick() -> DumpOptions {
    DumpOptions { directions: 4, draws: 5, ..DumpOptions::default() }
}

pub(crate) fn check(audit: &Audit, id: CheckId) -> &CheckResult {
    audit.checks.iter().find(|check| check.check == id).unwrap()
}

pub(crate) fn assessed(audit: &Audit, id: CheckId) -> bool {
    !matches!(check(audit, id).outcome, Outcome::NotAssessed { .. })
}

pub(crate) fn unit<'a>(audit: &'a Audit, name: &str) -> &'a UnitAudit {
    audit.units.iter().find(|unit| unit.unit.to_string() == name).unwrap_or_else(|| panic!("{name}"))
}

/// A text, as NumPy writes it.
pub(crate) fn text(name: &str, text: &str) -> Array {
    let bytes = text.chars().flat_map(|letter| (letter as u32).to_le_bytes()).collect();
    let descr = ["<U1", "<U2", "<U3"][text.len() - 1];
    Array { name: name.to_owned(), descr, shape: vec![], bytes }
}
