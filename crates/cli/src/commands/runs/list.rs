//! `creditscope runs list`.

use super::find;
use super::recipe::differing;
use super::table::found_table;
use crate::failure::Failure;
use crate::show;
use protocol::Moment;
use record::Run;
use serde_json::Value;
use std::path::Path;

pub(super) fn list(path: &Path, json: bool) -> Result<(), Failure> {
    let found = find(&[path])?;
    if json {
        let runs: Vec<&Run> = found.iter().filter_map(|found| found.run.as_ref().ok()).collect();
        let keys = differing(&runs);
        let lines = found.iter().map(|found| match &found.run {
            Ok(run) => line(run, &keys),
            Err(problem) => broken_line(&found.path, problem),
        });
        show::print(&lines.map(|line| line + "\n").collect::<String>());
    } else {
        show::print(&found_table(path, &found));
    }
    let broken = found.iter().filter(|found| found.run.is_err()).count();
    match broken {
        0 => Ok(()),
        _ if broken == found.len() => {
            Err(Failure::Input(format!("no run in {} can be read, see above", path.display())))
        }
        _ => {
            // The others are listed, which is what was asked for.
            show::complain!("creditscope: {broken} of {} runs cannot be read, see the list", found.len());
            Ok(())
        }
    }
}

/// The run in numbers, and under `recipe` every key in which the listed runs differ.
fn line(run: &Run, keys: &[&str]) -> String {
    let record = &run.record;
    let last = run.last();
    let number = |x: Option<f64>| x.map_or(Value::Null, show::json_number);
    let value = |key: &&str| {
        let value = run.key(key).map_or(Value::Null, |value| serde_json::to_value(value).unwrap_or_default());
        ((*key).to_owned(), value)
    };
    show::json_object(&[
        ("id", record.id.as_str().into()),
        ("path", run.path.to_string_lossy().into()),
        ("rule", record.rule.as_str().into()),
        ("seed", record.provenance.seed.into()),
        ("trained_by", record.provenance.elsewhere.as_ref().map(|elsewhere| elsewhere.by.as_str()).into()),
        ("status", record.status.name().into()),
        ("reason", record.status.reason().into()),
        ("epoch", last.map(|epoch| epoch.epoch).into()),
        ("epochs", run.epochs_asked().into()),
        ("test_accuracy", number(last.map(|epoch| epoch.test.accuracy))),
        ("growth", number(last.and_then(|epoch| Moment::of(epoch).growth))),
        ("g_last_n128", number(last.and_then(|epoch| Moment::of(epoch).gradient))),
        ("recipe_hash", record.provenance.recipe_hash.as_str().into()),
        ("identity", record.provenance.identity.as_deref().into()),
        ("data_hash", record.provenance.data_hash.as_str().into()),
        ("recipe", Value::Object(keys.iter().map(value).collect())),
    ])
}

fn broken_line(path: &Path, problem: &str) -> String {
    show::json_object(&[("path", path.to_string_lossy().into()), ("problem", problem.into())])
}
