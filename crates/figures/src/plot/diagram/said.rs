//! What a diagram says in words: rows of the table, and a description for readers who cannot see it.

use super::{Block, Diagram, Network, Part};
use crate::scene::{Meaning, Tag};
use record::Unit;

/// A row of the table: label, kind, what it is about, its place and words.
type Said<'a> = (&'a str, &'static str, Meaning, String, String);

impl Diagram {
    /// Its units, from the embedding up.
    pub fn units(&self) -> impl Iterator<Item = Unit> {
        (0..=self.network.blocks.len()).map(Unit::at)
    }

    /// Series, kind, unit and remark of each row of the table: what the forward path does, then where each rule's credit
    /// comes from.
    pub(in crate::plot) fn rows(&self) -> Vec<Said<'_>> {
        let blocks = self.network.blocks.len();
        let forward = |unit: String, words: String| {
            ("forward", "unit", Meaning::default().with(Tag::Unit, &unit), unit, words)
        };
        let mut rows = vec![forward(Unit::Embed.to_string(), words(&self.network.embed))];
        rows.extend(
            self.network
                .blocks
                .iter()
                .enumerate()
                .map(|(l, block)| forward(Unit::Block(l).to_string(), block.words())),
        );
        rows.push(forward("head".to_owned(), words(&self.network.head)));
        for lane in &self.lanes {
            let row = |unit: Unit| {
                let meaning = Meaning::default().with(Tag::Rule, &lane.rule).with(Tag::Unit, unit);
                (lane.name.as_str(), "credit", meaning, unit.to_string(), lane.route.to(unit, blocks))
            };
            rows.extend(self.units().map(row));
        }
        rows
    }

    /// The whole of it in a few sentences.
    pub(in crate::plot) fn description(&self) -> String {
        let blocks = &self.network.blocks;
        let kinds = blocks.chunk_by(|a, b| a == b).map(|alike| {
            let noun = if alike.len() == 1 { "block" } else { "blocks" };
            format!("{} {noun} ({})", alike.len(), alike[0].words())
        });
        let mut steps = vec![format!("embedding ({})", words(&self.network.embed))];
        steps.extend(kinds);
        steps.push(format!("head ({})", words(&self.network.head)));
        let lanes = self.lanes.iter().map(|lane| {
            let way = lane.route.words();
            format!(" Credit of {} comes {way}.", lane.rule)
        });
        format!("Forward path: {}, loss.{}", steps.join(", "), lanes.collect::<String>())
    }
}

impl Network {
    /// How states follow from one another.
    pub(super) fn words(&self) -> String {
        let added = self.blocks.iter().filter(|block| block.skip).count();
        let words = match added {
            _ if self.blocks.is_empty() => "no blocks",
            0 => "each block replaces the state below",
            n if n == self.blocks.len() => "each block adds to the state below",
            _ => "a block adds to the state below, or replaces it where it changes size",
        };
        words.to_owned()
    }
}

impl Block {
    fn words(&self) -> String {
        let skip = if self.skip { "added to the input" } else { "in place of the input" };
        format!("{}; {skip}", words(&self.parts))
    }
}

fn words(parts: &[Part]) -> String {
    parts.iter().map(|part| part.words.as_str()).collect::<Vec<_>>().join(", ")
}
