//! What is under way, above all else on a page that is made while runs go on.

use super::table::list;
use crate::show::{self, Table, Text, Tone};
use record::audit::CheckId;
use record::escape::xml;
use std::time::Duration;

/// What is under way.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Live {
    /// How many runs there are in which state, and what is left, in a sentence.
    pub sums: String,
    /// Checks that fire by the logs.
    pub firing: Vec<Firing>,
    /// Runs at which somebody is at work.
    pub runs: Vec<Progress>,
    /// What stopped runs, why others wait, what cannot be read.
    pub notes: Vec<String>,
    /// What to do next, and the command that does it.
    pub next: Option<(String, String)>,
}

/// A check that fires in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Firing {
    /// The check.
    pub check: CheckId,
    /// The run.
    pub run: String,
    /// The first of the epochs since which it has fired after each.
    pub since: u64,
}

/// A run under way.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// Its name.
    pub run: String,
    /// Where it is trained, if that is known.
    pub node: Option<String>,
    /// Epochs completed.
    pub epoch: Option<u64>,
    /// Epochs asked for.
    pub asked: Option<u64>,
    /// Test accuracy after the last of them.
    pub accuracy: Option<f64>,
    /// Time left, by its own last epochs.
    pub left: Option<Duration>,
    /// How long ago it gave a sign of life, in words.
    pub seen: String,
}

/// Runs that are named for a check, and rows of the table; the tables below have all.
const NAMES: usize = 8;
const ROWS: usize = 200;

impl Live {
    /// What is in the section: sums, then checks that fire, then runs.
    pub fn html(&self) -> String {
        let firing: String =
            self.checks().iter().map(|words| format!("<li class=\"bad\">✗ {}</li>\n", xml(words))).collect();
        let firing =
            if firing.is_empty() { firing } else { format!("<ul class=\"firing\">\n{firing}</ul>\n") };
        let runs = if self.runs.is_empty() {
            String::new()
        } else {
            format!("<div class=\"scroll\">{}</div>\n", self.table().html())
        };
        let mut notes = self.notes.clone();
        let hidden = self.runs.len().saturating_sub(ROWS);
        if hidden > 0 {
            notes.insert(0, format!("… and {} more at work", show::count(hidden as u64)));
        }
        let next = self.next.as_ref().map_or_else(String::new, |(words, command)| {
            format!("<p class=\"next\">{}: <code>{}</code></p>\n", xml(words), xml(command))
        });
        format!(
            "<h2>Now</h2>\n<p class=\"sums\">{}</p>\n{firing}{runs}{}{next}",
            xml(&self.sums),
            list("notes", &notes)
        )
    }

    /// A sentence for each check that fires.
    fn checks(&self) -> Vec<String> {
        let pairs = self.firing.iter().map(|firing| (firing.check, firing));
        let mut checks = protocol::gathered(pairs);
        checks.sort_by_key(|(check, _)| *check);
        let sentence = |(check, runs): &(CheckId, Vec<&Firing>)| {
            let named = runs.iter().take(NAMES).map(|firing| (firing.since, firing.run.as_str()));
            let since =
                |(epoch, names): (u64, Vec<&str>)| format!("{} since epoch {epoch}", show::list(&names));
            let mut words: Vec<String> = protocol::gathered(named).into_iter().map(since).collect();
            let more = runs.len().saturating_sub(NAMES);
            words.extend((more > 0).then(|| format!("in {more} more")));
            format!("{} ({}) fires in {}", check.name(), check.title(), words.join("; "))
        };
        checks.iter().map(sentence).collect()
    }

    fn table(&self) -> Table {
        let mut table =
            Table::new(&["run", "node", "fires", "epoch", "accuracy", "time left", "last sign of life"], 3);
        for run in self.runs.iter().take(ROWS) {
            let fires: Vec<&str> = self
                .firing
                .iter()
                .filter(|firing| firing.run == run.run)
                .map(|firing| firing.check.name())
                .collect();
            let epoch = match (run.epoch, run.asked) {
                (Some(epoch), Some(asked)) => format!("{epoch} of {asked}"),
                (Some(epoch), None) => epoch.to_string(),
                (None, _) => "–".to_owned(),
            };
            table.row(vec![
                Text::from(run.run.as_str()),
                run.node.clone().unwrap_or_default().into(),
                Text::toned(if fires.is_empty() { Tone::Plain } else { Tone::Bad }, fires.join(" ")),
                epoch.into(),
                run.accuracy.map_or_else(|| "–".to_owned(), show::share).into(),
                run.left.map_or_else(|| "–".to_owned(), show::roughly).into(),
                run.seen.as_str().into(),
            ]);
        }
        table.without_blanks()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn firing(check: CheckId, run: &str, since: u64) -> Firing {
        Firing { check, run: run.to_owned(), since }
    }

    #[test]
    fn checks_come_first_and_name_their_runs() {
        let many = (0..10).map(|seed| firing(CheckId::D2, &format!("dfa-s{seed}"), 4 + seed / 6));
        let live = Live {
            sums: "11 runs: 11 running.".to_owned(),
            firing: many.chain([firing(CheckId::D1, "fa-s1", 2)]).collect(),
            runs: vec![Progress {
                run: "fa-s1".to_owned(),
                node: None,
                epoch: Some(3),
                asked: Some(100),
                accuracy: Some(0.5),
                left: Some(Duration::from_secs(7_300)),
                seen: "less than a minute ago".to_owned(),
            }],
            ..Live::default()
        };
        let html = live.html();
        let at = |words: &str| html.find(words).unwrap_or_else(|| panic!("no `{words}` in {html}"));
        let first = at("✗ D1 (scale stability) fires in fa-s1 since epoch 2<");
        let second = at("✗ D2 (reference validity) fires in dfa-s0, dfa-s1,");
        assert!(at("11 running") < first && first < second && second < at("<table"));
        assert!(
            html.contains("dfa-s4 and dfa-s5 since epoch 4; dfa-s6 and dfa-s7 since epoch 5; in 2 more<"),
            "{html}"
        );
        for cell in ["<td class=bad>D1", ">3 of 100", ">.500", ">2 h 00 min"] {
            at(cell);
        }
        assert!(!html.contains("node"), "a column with nothing in it: {html}");
    }

    #[test]
    fn no_name_is_markup() {
        let hostile = "</section><script>";
        let live = Live {
            sums: hostile.to_owned(),
            firing: vec![firing(CheckId::D1, hostile, 1)],
            notes: vec![hostile.to_owned()],
            next: Some((hostile.to_owned(), hostile.to_owned())),
            ..Live::default()
        };
        assert_eq!(live.html().matches("&lt;/section&gt;&lt;script&gt;").count(), 5);
        assert!(!live.html().contains(hostile));
    }
}
