//! Figures of the program that are files.

use super::Composition;
use crate::catalogue::request::{CatalogueError, Drawing, Request};

macro_rules! files {
    ($($name:literal)*) => {
        /// Name and text of every figure that is a file.
        pub const SHIPPED: &[(&str, &str)] = &[$(($name, include_str!(concat!("shipped/", $name, ".toml")))),*];
    };
}
files!("alignment" "cifar-accuracy" "cifar-diagnostics" "cifar-drift" "cifar-summary" "layers");

/// Draws the figure of a file of the program. Its series of credit are those of the convention that is asked for.
pub(in crate::catalogue) fn shipped(name: &str, request: &Request) -> Result<Drawing, CatalogueError> {
    let (name, text) = SHIPPED.iter().find(|(known, _)| *known == name).expect("a file of the program");
    let composition = Composition::parse(name, text, &format!("{name}.toml"));
    let mut composition = composition.map_err(CatalogueError::from)?;
    let convention = request.convention(&request.records.trials, false);
    for quantity in composition.panels.iter_mut().map(|panel| &mut panel.y) {
        if let Some(series) = convention.series(&quantity.name) {
            series.clone_into(&mut quantity.name);
        }
    }
    composition.draw(request)
}
