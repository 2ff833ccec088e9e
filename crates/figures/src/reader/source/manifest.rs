//! Which run stands behind a key of a file that we wrote ourselves. The source's own files have no such list.

use record::source::Manifest;
use std::path::Path;

/// The hashes of recipe and data behind a key, where the export's manifest names them.
pub(super) fn hashes(path: &Path, key: &str) -> Option<(String, String)> {
    // A file lies two folders below the export: results/<folder>/<file>.
    let real = path.canonicalize().ok()?;
    let out = real.ancestors().nth(3)?;
    let below = real.strip_prefix(out).ok()?;
    let name: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
    // A manifest that cannot be read is no reason to leave out a file that can.
    let origin = Manifest::read(out).ok()?.files.get(&name.join("/"))?.get(key)?.clone();
    Some((origin.recipe_hash, origin.data_hash))
}
