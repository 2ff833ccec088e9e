//! The folder of all data sets, laid out like torchvision's, so that an existing torchvision root can be used as it is.

use std::path::{Path, PathBuf};

use crate::Error;

/// The environment variable that names the data folder.
pub(crate) const VARIABLE: &str = "CREDITSCOPE_DATA";

/// Where data sets are looked for and fetched to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder(PathBuf);

impl Folder {
    /// This folder, whether it exists or not.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// `$CREDITSCOPE_DATA`, else `~/.cache/creditscope`.
    pub fn default_location() -> Result<Self, Error> {
        Self::from_environment(|name| std::env::var_os(name))
    }

    fn from_environment(get: impl Fn(&str) -> Option<std::ffi::OsString>) -> Result<Self, Error> {
        // An empty variable counts as unset.
        let get = |name: &str| get(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        if let Some(folder) = get(VARIABLE) {
            return Ok(Self(folder));
        }
        let home = get("HOME").or_else(|| get("USERPROFILE")).ok_or(Error::NoFolder)?;
        Ok(Self(home.join(".cache").join("creditscope")))
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(variables: &[(&str, &str)]) -> Result<Folder, Error> {
        Folder::from_environment(|name| variables.iter().find(|v| v.0 == name).map(|v| v.1.into()))
    }

    #[test]
    fn the_variable_wins_over_home_and_an_empty_one_counts_as_unset() {
        assert_eq!(with(&[("CREDITSCOPE_DATA", "/d"), ("HOME", "/h")]).unwrap(), Folder::at("/d"));
        for unset in [&[("HOME", "/h")][..], &[("CREDITSCOPE_DATA", ""), ("HOME", "/h")]] {
            assert_eq!(with(unset).unwrap(), Folder::at("/h/.cache/creditscope"));
        }
        assert!(matches!(with(&[]), Err(Error::NoFolder)));
    }
}
