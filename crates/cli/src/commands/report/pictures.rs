//! The figures of a page: all that the records allow.

use figures::{CatalogueError, Drawing, Entry, Metadata, Request, Sheet, Style, Typesetter};
use record::Run;
use report::html::Picture;

/// Figures that the page shows in another way: the hero begins with the diagram, and the page's script draws any series of any run, layer
/// by layer and epoch by epoch.
const OTHERWISE: [&str; 3] = ["architecture", "layers", "series"];

/// Every other figure of the catalogue that the records have something for, and what went wrong with others.
pub(super) fn all(
    request: &Request,
    style: &Style,
    setter: &Typesetter,
    sheet: &mut Sheet,
) -> (Vec<Picture>, Vec<String>) {
    let mut pictures = Vec::new();
    let mut notes = Vec::new();
    for entry in paper::all_figures().filter(|entry| !OTHERWISE.contains(&entry.name)) {
        let drawn = match (entry.draw)(request) {
            Ok(drawing) => picture(entry, &drawing, style, setter, sheet),
            Err(CatalogueError::Nothing { .. }) => continue,
            Err(error) => Err(error.to_string()),
        };
        match drawn {
            Ok(picture) => pictures.push(picture),
            Err(why) => notes.push(format!("Figure {} is not drawn: {why}.", entry.name)),
        }
    }
    (pictures, notes)
}

fn picture(
    entry: &Entry,
    drawing: &Drawing,
    style: &Style,
    setter: &Typesetter,
    sheet: &mut Sheet,
) -> Result<Picture, String> {
    let scene = drawing.figure.draw(style, setter).map_err(|e| e.to_string())?;
    // Where its numbers come from is in the foot of the page.
    let metadata =
        Metadata { title: entry.name.to_owned(), description: entry.about.to_owned(), ..Metadata::default() };
    let svg = sheet.add(&scene, &metadata).map_err(|e| e.to_string())?;
    Ok(Picture {
        name: entry.name.to_owned(),
        about: entry.about.to_owned(),
        svg,
        notes: drawing.notes.clone(),
        values: drawing.figure.table(&[]),
    })
}

/// Test accuracy over the epochs of a run, in the colour of its rule; empty where there is nothing to see.
pub(super) fn course(run: &Run, request: &Request, sheet: &mut Sheet) -> String {
    let shares: Vec<(u64, f64)> = run.epochs.iter().map(|epoch| (epoch.epoch, epoch.test.accuracy)).collect();
    let scene = figures::plot::course(&shares, request.look(&run.record.rule).colour);
    let metadata = Metadata { title: "test accuracy, 0 to 1".to_owned(), ..Metadata::default() };
    scene.and_then(|scene| sheet.add(&scene, &metadata).ok()).unwrap_or_default()
}
