//! Bundles the faces that are used, and no others: one in their package has a licence that is incompatible with MIT or
//! Apache-2.0.

use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::{env, fs};

/// Faces by their PostScript names.
const SERIF: [&str; 6] = [
    "NewCMMath-Book",
    "NewCM10-Bold",
    "NewCM10-Italic",
    "LibertinusSerif-Regular",
    "LibertinusSerif-Bold",
    "LibertinusSerif-Italic",
];

/// Faces of formulas, by the names that the layout uses.
const KATEX: &str = "AMS-Regular Caligraphic-Regular Fraktur-Bold Fraktur-Regular Main-Bold Main-BoldItalic Main-Italic \
    Main-Regular Math-BoldItalic Math-Italic SansSerif-Bold SansSerif-Italic SansSerif-Regular Script-Regular \
    Size1-Regular Size2-Regular Size3-Regular Size4-Regular Typewriter-Regular";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let folder = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    let folder = Path::new(&folder);
    let mut list = String::from("&[\n");
    let mut keep = |name: &str, data: &[u8]| {
        let file = folder.join(format!("{name}.font"));
        // Compression saves a third of the size.
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
        packed.write_all(data).expect("writing to memory");
        let packed = packed.finish().expect("writing to memory");
        fs::write(&file, packed).unwrap_or_else(|error| panic!("cannot write {}: {error}", file.display()));
        writeln!(list, "    ({name:?}, include_bytes!({file:?})),").expect("a string grows");
    };
    for name in SERIF {
        let data = typst_assets::fonts().find(|data| post_script_name(data).as_deref() == Some(name));
        keep(name, data.unwrap_or_else(|| panic!("typst-assets has no face named {name}")));
    }
    for name in KATEX.split_whitespace() {
        let file = format!("KaTeX_{name}.ttf");
        let data = ratex_katex_fonts::ttf_bytes(&file);
        keep(name, &data.unwrap_or_else(|| panic!("ratex-katex-fonts has no {file}")));
    }
    list.push_str("]\n");
    fs::write(folder.join("faces.rs"), list).expect("the list of faces is written");
}

/// Entry 6 of the `name` table, in the Windows encoding that every face here has.
fn post_script_name(font: &[u8]) -> Option<String> {
    let short = |at: usize| Some(usize::from(u16::from_be_bytes(font.get(at..at + 2)?.try_into().ok()?)));
    let long = |at: usize| Some(u32::from_be_bytes(font.get(at..at + 4)?.try_into().ok()?) as usize);
    let tables = short(4)?;
    let entry = (0..tables).map(|i| 12 + 16 * i).find(|&at| font.get(at..at + 4) == Some(b"name"))?;
    let table = long(entry + 8)?;
    let count = short(table + 2)?;
    let strings = table + short(table + 4)?;
    let record = (0..count)
        .map(|i| table + 6 + 12 * i)
        .find(|&at| short(at) == Some(3) && short(at + 6) == Some(6))?;
    let length = short(record + 8)?;
    let start = strings + short(record + 10)?;
    let units: Vec<u16> =
        font.get(start..start + length)?.chunks_exact(2).map(|c| u16::from_be_bytes([c[0], c[1]])).collect();
    String::from_utf16(&units).ok()
}
