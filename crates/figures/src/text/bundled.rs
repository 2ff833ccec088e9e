//! The faces inside the program, opened when they are first needed.

use super::face::Face;
use flate2::read::ZlibDecoder;
use std::collections::BTreeMap;
use std::io::Read;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// Name and compressed bytes of each; the list is written when the program is built.
static FACES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/faces.rs"));

static OPEN: LazyLock<Mutex<BTreeMap<&'static str, Arc<Face>>>> = LazyLock::new(Mutex::default);

/// A face by name, or nothing if there is no such.
pub(super) fn find(name: &str) -> Option<Arc<Face>> {
    let &(name, data) = FACES.iter().find(|(known, _)| *known == name)?;
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(face) = open.get(name) {
        return Some(face.clone());
    }
    let face = Arc::new(Face::new(name, Arc::new(whole(data)))?);
    open.insert(name, face.clone());
    Some(face)
}

/// The bytes of a typeface as they were before the program was built.
fn whole(compressed: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let read = ZlibDecoder::new(compressed).read_to_end(&mut bytes);
    read.unwrap_or_else(|e| unreachable!("a typeface inside the program: {e}"));
    bytes
}

/// A face by a name that is known to be in the list.
pub(super) fn face(name: &str) -> Arc<Face> {
    find(name).unwrap_or_else(|| unreachable!("{name} is inside the program"))
}

/// The face of formulas, to which text falls back for what its own face lacks.
pub(super) fn math() -> Arc<Face> {
    face("NewCMMath-Book")
}
