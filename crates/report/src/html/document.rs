//! The document: its parts in order, under a policy.

use super::STYLE;
use super::filter::bar;
use super::foot::foot;
use super::live::Live;
use super::packed;
use super::policy::Mode;
use super::records::{Ink, Ramps, about, course};
use super::runs::{self, RunPart};
use super::script::SCRIPT;
use super::table::{definitions, list, section};
use crate::page::Page;
use crate::show;
use record::escape::xml;
use serde_json::Value;

/// A figure on the page.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Its name in the catalogue.
    pub name: String,
    /// What it shows, in a sentence without its end.
    pub about: String,
    /// The SVG element, which refers to [`Document::definitions`].
    pub svg: String,
    /// What is missing in it or was left out.
    pub notes: Vec<String>,
    /// Its values as CSV.
    pub values: String,
}

/// A word with what it means.
#[derive(Clone, Debug)]
pub struct Word {
    /// The word.
    pub name: String,
    /// What it means.
    pub meaning: String,
}

/// Everything on the page. The same document always gives the same bytes.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    /// Its title.
    pub title: String,
    /// What is judged under equal conditions, each with its name; an empty one if there is only one.
    pub sweeps: Vec<(String, Page)>,
    /// Figures, in the order of the catalogue.
    pub pictures: Vec<Picture>,
    /// What the pictures share.
    pub definitions: String,
    /// Runs, in the order of their directories.
    pub runs: Vec<RunPart<'a>>,
    /// Recipe keys in which the runs differ.
    pub keys: Vec<String>,
    /// Colours of rules, in the order of legends.
    pub inks: Vec<Ink>,
    /// Colours of heat maps.
    pub ramps: Ramps,
    /// Words that the page uses.
    pub words: Vec<Word>,
    /// The commands that made it.
    pub commands: Vec<String>,
    /// What could not be read or drawn.
    pub notes: Vec<String>,
    /// Tells this state of a page that is served from others; empty for files.
    pub revision: String,
}

/// What the script fills.
const SCRIPTED: &str = "<section id=\"layers\" hidden>\n<h2>Layer by layer, epoch by epoch</h2>\n<div></div>\n</section>\n\
    <section id=\"compare\" hidden>\n<h2>Two runs side by side</h2>\n<div></div>\n</section>\n";

/// Where the script shows and says values.
const READ_OUTS: &str = "<div id=\"tip\" hidden></div>\n<output id=\"said\"></output>\n";

/// Patterns over cells of heat maps that hold no value to rely on: unreliable, undefined, off the scale.
const HATCHES: &str = "<pattern id=\"hatch-u\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\" stroke-linecap=\"square\">\
    <path d=\"M0 8L8 0M-1 1L1 -1M7 9L9 7\" stroke=\"#fff\" stroke-width=\"2\"/>\
    <path d=\"M0 8L8 0M-1 1L1 -1M7 9L9 7\" stroke=\"#000\" stroke-width=\".7\"/></pattern>\n\
    <pattern id=\"hatch-x\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"><rect width=\"6\" height=\"6\" fill=\"#fff\"/>\
    <path d=\"M0 0L6 6M0 6L6 0\" stroke=\"#888\" stroke-width=\".7\"/></pattern>\n\
    <pattern id=\"hatch-o\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"><rect width=\"6\" height=\"6\" fill=\"#fff\"/>\
    <path d=\"M3 1V5M1 3H5\" stroke=\"#444\" stroke-width=\".9\"/></pattern>\n";

/// A page above this size leaves the curves of single runs out.
const LARGE: usize = 10_000_000;

/// Figures with longer tables of values show none; the script still copies them.
const LONGEST_VALUES: usize = 12_000;

/// The document as text.
#[derive(Clone, Debug)]
pub struct Rendered {
    /// HTML.
    pub html: String,
    /// Whether the curves of single runs are left out, since the page would be too large.
    pub without_curves: bool,
    /// Where in `html` the content of the section on what is under way belongs, which is hidden while it has none.
    live: usize,
}

/// The section on what is under way, as it is while it has no content, and its opening when it has.
const NO_LIVE: &str = "<section id=\"live\" hidden></section>\n";
const LIVE: &str = "<section id=\"live\">\n";

impl Rendered {
    /// The page with what is under way.
    pub fn with_live(&self, live: &Live) -> String {
        let (before, after) = self.html.split_at(self.live);
        let after = after.strip_prefix(NO_LIVE).unwrap_or(after);
        [before, LIVE, &live.html(), "</section>\n", after].concat()
    }
}

impl Document<'_> {
    /// The page. With `full`, nothing is left out however large it is.
    pub fn render(&self, mode: Mode, full: bool) -> Rendered {
        let whole = self.html(mode, true);
        if whole.html.len() <= LARGE || full { whole } else { self.html(mode, false) }
    }

    fn html(&self, mode: Mode, curves: bool) -> Rendered {
        let (details, marks) = runs::details(&self.runs);
        let marks = definitions(marks.iter().map(|(mark, words)| (mark.as_str(), words.clone())));
        let runs = match self.runs.as_slice() {
            [] => String::new(),
            runs => {
                let table = runs::overview(runs).html_index("run-table", "run");
                format!("<div class=\"scroll\">{table}</div>\n{details}<div class=\"legend\">{marks}</div>\n")
            }
        };
        let about = about(&self.runs, &self.inks, &self.ramps, curves);
        let courses: Vec<Value> =
            self.runs.iter().filter(|_| curves).map(|part| course(part.run, &about)).collect();
        let parts = [
            section("verdicts", "Verdicts", &self.verdicts()),
            section("figures", "Figures", &self.pictures.iter().map(picture).collect::<String>()),
            SCRIPTED.to_owned(),
            section("runs", "Runs", &runs),
            section("words", "Words", &definitions(self.words.iter().map(|w| (&*w.name, w.meaning.clone())))),
        ];
        let top = self.head(mode) + &self.top(curves);
        let live = top.len();
        let html = top
            + NO_LIVE
            + &bar(&self.runs, &self.inks, &self.keys)
            + "<main>\n"
            + &parts.concat()
            + "</main>\n<footer id=\"provenance\">\n<h2>Provenance</h2>\n"
            + &foot(&self.runs, &self.commands)
            + "</footer>\n"
            + READ_OUTS
            + &packed::element(&about, &courses)
            + &format!("<script>{}</script>\n</body>\n</html>\n", *SCRIPT);
        Rendered { html, without_curves: !curves, live }
    }

    fn head(&self, mode: Mode) -> String {
        // With its script, the page reads itself again without losing what the reader chose.
        let (again, body) = match mode {
            Mode::File => (String::new(), String::new()),
            Mode::Refreshed(seconds) => (
                format!("<noscript><meta http-equiv=\"refresh\" content=\"{seconds}\"></noscript>\n"),
                format!(" data-refresh=\"{seconds}\""),
            ),
            Mode::Served => {
                (String::new(), format!(" data-live=\"true\" data-revision=\"{}\"", xml(&self.revision)))
            }
        };
        format!(
            "<!doctype html>\n<html lang=\"en\" class=\"no-script\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n{again}\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"Creditscope {}\">\n\
             <title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body{body}>\n\
             <svg class=\"glyphs\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>\n{}{HATCHES}</defs></svg>\n",
            xml(&mode.policy(STYLE, &SCRIPT)),
            env!("CARGO_PKG_VERSION"),
            xml(&self.title),
            self.definitions
        )
    }

    fn top(&self, curves: bool) -> String {
        let count = |n: usize, word: &str| match n {
            1 => format!("1 {word}"),
            n => format!("{} {word}s", show::count(n as u64)),
        };
        let lead = [count(self.runs.len(), "run"), count(self.pictures.len(), "figure")].join(", ");
        let layered = curves && self.runs.iter().any(RunPart::is_layered);
        let links = [
            ("verdicts", "Verdicts", !self.sweeps.is_empty()),
            ("figures", "Figures", !self.pictures.is_empty()),
            ("layers", "Layers", layered),
            ("runs", "Runs", !self.runs.is_empty()),
            ("words", "Words", !self.words.is_empty()),
            ("provenance", "Provenance", true),
        ];
        let link = |(id, name, _): &(&str, &str, bool)| {
            let scripted = if *id == "layers" { " class=\"scripted\"" } else { "" };
            format!("<a href=\"#{id}\"{scripted}>{name}</a>\n")
        };
        let links: String = links.iter().filter(|link| link.2).map(link).collect();
        let mut notes = self.notes.clone();
        if !curves {
            notes.push(
                "The curves of single runs are left out, since the page would be larger than 10 MB; --full keeps them."
                    .to_owned(),
            );
        }
        format!(
            "<header class=\"top\">\n<h1>{}</h1>\n<p class=\"lead\">{lead}.</p>\n<nav aria-label=\"Sections\">\n{links}</nav>\n{}\
             </header>\n",
            xml(&self.title),
            list("notes", &notes)
        )
    }

    /// The verdicts alone, without style or script.
    pub fn verdicts(&self) -> String {
        let each = self.sweeps.iter().map(|(name, page)| {
            let name = if name.is_empty() { String::new() } else { format!("<h3>{}</h3>\n", xml(name)) };
            format!("<section class=\"sweep\">\n{name}{}</section>\n", page.html())
        });
        each.collect()
    }
}

fn picture(picture: &Picture) -> String {
    let name = xml(&picture.name);
    let values = if picture.values.len() <= LONGEST_VALUES { values(&picture.values) } else { String::new() };
    format!(
        "<figure class=\"picture\" id=\"figure-{name}\" data-name=\"{name}\">\n<figcaption><strong>{name}</strong> {}</figcaption>\n\
         <div class=\"paper\">{}</div>\n{}{values}</figure>\n",
        xml(&picture.about),
        picture.svg,
        list("notes", &picture.notes)
    )
}

/// The plotted values as they are in the figure's CSV.
fn values(csv: &str) -> String {
    format!("<details class=\"values\"><summary>Values</summary>\n<pre>{}</pre></details>\n", xml(csv))
}
