//! Data sets, each loaded once and shared by all its users.

use crate::Error;
use data::{DataSpec, Dataset, Folder};
use std::sync::Arc;

/// The data sets requested so far. One that cannot be loaded is not tried again.
#[derive(Debug)]
pub struct DataSets {
    folder: Folder,
    loaded: Vec<(DataSpec, Loaded)>,
}

/// A data set, or why it is not available.
type Loaded = Result<Arc<Dataset>, Arc<data::Error>>;

impl DataSets {
    /// Starts empty; the files are in this folder.
    pub fn new(folder: Folder) -> Self {
        Self { folder, loaded: Vec::new() }
    }

    /// The data set.
    pub fn load(&mut self, source: &DataSpec) -> Result<Arc<Dataset>, Error> {
        let known = self.loaded.iter().find(|(known, _)| known == source).map(|(_, data)| data.clone());
        let data = known.unwrap_or_else(|| {
            let data = data::load(source, &self.folder).map(Arc::new).map_err(Arc::new);
            self.loaded.push((source.clone(), data.clone()));
            data
        });
        data.map_err(Error::Data)
    }

    /// Its hash. For data whose content is verified at loading, the hash is known without loading. So records can be found on a
    /// machine without the data.
    pub fn hash(&mut self, source: &DataSpec) -> Result<String, Error> {
        match source.published_hash() {
            Some(hash) => Ok(hash.to_owned()),
            None => Ok(self.load(source)?.hash.clone()),
        }
    }
}
