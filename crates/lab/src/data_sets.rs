//! Data sets, each loaded once and shared by all that use it.

use crate::Error;
use data::{DataSpec, Dataset, Folder};
use std::sync::Arc;

/// Data sets that were asked for so far. One that cannot be loaded is not tried again.
#[derive(Debug)]
pub struct DataSets {
    folder: Folder,
    loaded: Vec<(DataSpec, Loaded)>,
}

/// A data set, or why there is none.
type Loaded = Result<Arc<Dataset>, Arc<data::Error>>;

impl DataSets {
    /// None yet; they are in this folder.
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

    /// Its hash, which is known without loading for one whose content is checked whenever it is loaded: records can be found
    /// where the data are not.
    pub fn hash(&mut self, source: &DataSpec) -> Result<String, Error> {
        match source.published_hash() {
            Some(hash) => Ok(hash.to_owned()),
            None => Ok(self.load(source)?.hash.clone()),
        }
    }
}
