//! The bundled faces, opened when first needed.

use super::face::Face;
use flate2::read::ZlibDecoder;
use std::collections::BTreeMap;
use std::io::Read;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// Name and compressed bytes of each face; written by `build.rs`.
static FACES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/faces.rs"));

static OPEN: LazyLock<Mutex<BTreeMap<&'static str, Arc<Face>>>> = LazyLock::new(Mutex::default);

pub(super) fn find(name: &str) -> Option<Arc<Face>> {
    let &(name, data) = FACES.iter().find(|(known, _)| *known == name)?;
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(face) = open.get(name) {
        return Some(face.clone());
    }
    let face = Arc::new(Face::new(name, Arc::new(decompressed(data)))?);
    open.insert(name, face.clone());
    Some(face)
}

fn decompressed(compressed: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let read = ZlibDecoder::new(compressed).read_to_end(&mut bytes);
    read.unwrap_or_else(|e| unreachable!("a bundled face: {e}"));
    bytes
}

/// A face that is known to be bundled.
pub(super) fn face(name: &str) -> Arc<Face> {
    find(name).unwrap_or_else(|| unreachable!("{name} is bundled"))
}

/// The face of formulas, and the fallback for glyphs that a text face lacks.
pub(super) fn math() -> Arc<Face> {
    face("NewCMMath-Book")
}
