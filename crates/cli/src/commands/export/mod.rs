//! `creditscope export`: runs for other programs.

mod material;
mod mlflow;
mod paper_json;
mod tables;
mod tensorboard;

pub(crate) use tensorboard::Listeners;

use crate::args::{Export, ExportFormat, Verbosity};
use crate::failure::Failure;

pub(crate) fn run(args: &Export, verbosity: Verbosity) -> Result<(), Failure> {
    match &args.format {
        ExportFormat::Csv(table) => tables::tidy(table, |table| table.csv()),
        ExportFormat::Jsonl(table) => tables::tidy(table, |table| table.jsonl()),
        ExportFormat::Parquet { .. } => Err(Failure::Input(tables::PARQUET.to_owned())),
        ExportFormat::Latex(table) => tables::latex(table),
        ExportFormat::Mlflow { runs, url, experiment } => {
            mlflow::send(runs, url.as_deref(), experiment, verbosity)
        }
        ExportFormat::Tensorboard { runs, out, no_figures } => {
            tensorboard::write(runs, out, !no_figures, verbosity)
        }
        ExportFormat::PaperJson { runs, out } => paper_json::write(runs, out),
    }
}
