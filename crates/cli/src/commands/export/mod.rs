//! `creditscope export`: runs for other programs.

mod material;
mod paper_json;
mod tables;

use crate::args::{Export, ExportFormat};
use crate::failure::Failure;

pub(crate) fn run(args: &Export) -> Result<(), Failure> {
    match &args.format {
        ExportFormat::Csv(table) => tables::tidy(table, |table| table.csv()),
        ExportFormat::Jsonl(table) => tables::tidy(table, |table| table.jsonl()),
        ExportFormat::Parquet { .. } => Err(Failure::Input(tables::PARQUET.to_owned())),
        ExportFormat::Latex(table) => tables::latex(table),
        ExportFormat::PaperJson { runs, out } => paper_json::write(runs, out),
    }
}
