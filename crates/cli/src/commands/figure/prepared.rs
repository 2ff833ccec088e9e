//! A request with everything that its author decides.

use crate::args::FigureOptions;
use crate::failure::Failure;
use figures::{Assignment, Options, Refusal, Request, Style, Typesetter, options};
use std::path::Path;

/// What figures are drawn from, and how they look.
pub(super) struct Prepared {
    pub(super) request: Request,
    pub(super) style: Style,
    pub(super) setter: Typesetter,
}

/// What was decided outside of the files of figures.
pub(super) struct Decided {
    config: Vec<Assignment>,
    flags: Vec<Assignment>,
}

impl Decided {
    pub(super) fn read(given: &FigureOptions) -> Result<Self, Failure> {
        let config = given.config.as_deref().map(config).transpose()?.unwrap_or_default();
        Ok(Self { config, flags: given.assignments() })
    }

    /// The request as it is wanted: the file of a figure overrides `--config`, and flags override both.
    pub(super) fn prepare(&self, request: Request, of_file: &[Assignment]) -> Result<Prepared, Failure> {
        let options = Options::of(self.config.iter().chain(of_file).chain(&self.flags));
        let options = options.map_err(|e| Failure::Input(e.to_string()))?;
        let style = options.style().map_err(|why| refused(&why))?;
        let setter = Typesetter::new(&style.family).map_err(|e| Failure::Input(e.to_string()))?;
        let request = request.wanting(options, &setter).map_err(|why| refused(&why))?;
        Ok(Prepared { request, style, setter })
    }
}

fn config(path: &Path) -> Result<Vec<Assignment>, Failure> {
    let shown = record::escape::path(path);
    let text = record::bounded::utf8(path, record::bounded::RECIPE)
        .map_err(|e| Failure::Input(format!("cannot read {shown}: {e}")))?;
    options::assignments(&text, &shown).map_err(|e| Failure::Input(e.to_string()))
}

/// A refusal by the name of the flag.
pub(super) fn words(refusal: &Refusal) -> String {
    format!("`--{}`: {}", refusal.key.replace('_', "-"), refusal.message)
}

fn refused(refusal: &Refusal) -> Failure {
    Failure::Input(words(refusal))
}
