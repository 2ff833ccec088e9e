//! `creditscope report`: everything that records say, on one page.

mod material;
mod md;
mod pictures;
mod refresh;
mod sheet;

pub(crate) use material::Material;
pub(crate) use sheet::{Press, Sheet};

use crate::args::{PageFormat, Report, Verbosity};
use crate::call::Call;
use crate::commands::audit::Spell;
use crate::commands::runs;
use crate::failure::Failure;
use crate::show;
use crate::target;
use report::html::Mode;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &Report, call: Call<'_>) -> Result<(), Failure> {
    let format = format(args)?;
    let out = args.out.clone().unwrap_or_else(|| match format {
        PageFormat::Html => PathBuf::from("report.html"),
        PageFormat::Md => PathBuf::from("report.md"),
    });
    target::can_be_written([("--out", out.as_path())], false, &args.paths)?;
    if args.refresh.is_some() && target::is_stdout(&out) {
        return Err(Failure::Input(
            "--refresh writes a file again and again: name one with --out".to_owned(),
        ));
    }
    match args.refresh {
        Some(seconds) => {
            args.paths.iter().try_for_each(|path| runs::must_be_folder(path))?;
            refresh::refresh(args, format, &out, seconds, call)
        }
        None => write(args, format, &out, call),
    }
}

/// What is asked for, or what the file's name says.
fn format(args: &Report) -> Result<PageFormat, Failure> {
    let ending = args.out.as_deref().and_then(Path::extension).and_then(|ending| ending.to_str());
    let named = match ending.map(str::to_lowercase).as_deref() {
        Some("html" | "htm") => Some(PageFormat::Html),
        Some("md" | "markdown") => Some(PageFormat::Md),
        _ => None,
    };
    match (args.format, named, ending) {
        (Some(asked), Some(named), _) if asked != named => {
            Err(Failure::Input("--format and the name of --out say different things: change one".to_owned()))
        }
        (None, None, Some(ending)) => Err(Failure::Input(format!(
            "a report is HTML or Markdown, and .{ending} is neither: name --out .html or .md, or give --format; a browser prints the \
             page to PDF"
        ))),
        (asked, named, _) => Ok(asked.or(named).unwrap_or(PageFormat::Html)),
    }
}

fn write(args: &Report, format: PageFormat, out: &Path, call: Call<'_>) -> Result<(), Failure> {
    let material = Material::read(&args.paths)?;
    let title = args.title.as_deref();
    let (text, without_curves) = match format {
        PageFormat::Md => (md::text(&material, title), false),
        PageFormat::Html => {
            let rendered = material.document(title, &command(call.words))?.render(Mode::File, args.full);
            (rendered.html, rendered.without_curves)
        }
    };
    target::write(out, &text)?;
    for note in &material.notes {
        show::complain!("creditscope: {note}");
    }
    if call.verbosity > Verbosity::Quiet && !target::is_stdout(out) {
        let count = crate::commands::run::plural(material.runs.len());
        let size = show::bytes(text.len() as u64);
        show::print(&format!("{}: {count}, {size}\n", out.display()));
        if without_curves {
            show::print(
                "Without the curves of single runs, which would make it larger than 10 MB: --full keeps them.\n",
            );
        }
    }
    Ok(())
}

/// Writes the page of finished runs, for a command that ends with it.
pub(crate) fn page(paths: &[PathBuf], out: &Path, call: Call<'_>) -> Result<(), Failure> {
    let material = Material::read(paths)?;
    let rendered = material.document(None, &command(call.words))?.render(Mode::File, false);
    target::write(out, &rendered.html)
}

/// A report for another program.
#[derive(Clone, Debug)]
pub struct ReportPage {
    /// One file that loads nothing.
    pub html: String,
    /// Its verdicts alone, as HTML without style or script.
    pub verdicts: String,
    /// Verdicts and runs in Markdown.
    pub markdown: String,
    /// Runs on it.
    pub runs: usize,
    /// What could not be read, drawn or kept on it.
    pub notes: Vec<String>,
}

/// The report of what is at these paths; see [`crate::report`].
pub(crate) fn for_others(
    paths: &[PathBuf],
    title: Option<&str>,
    full: bool,
    command: &str,
    spell: Spell,
) -> Result<ReportPage, Failure> {
    let mut material = Material::read(paths)?;
    material.spell = spell;
    let document = material.document(title, command)?;
    let rendered = document.render(Mode::File, full);
    let mut notes = document.notes.clone();
    notes.extend(rendered.without_curves.then(|| {
        "the curves of single runs are left out, which would make the page larger than 10 MB".to_owned()
    }));
    let verdicts = document.verdicts();
    let markdown = md::text(&material, title);
    Ok(ReportPage { html: rendered.html, verdicts, markdown, runs: material.runs.len(), notes })
}

/// The words of a command as a shell takes them.
pub(crate) fn command(words: &[OsString]) -> String {
    let name = std::iter::once("creditscope".to_owned());
    let rest = words.iter().skip(1).map(|word| show::shell_word(&word.to_string_lossy()));
    name.chain(rest).collect::<Vec<_>>().join(" ")
}
