//! Where the columns of a diagram are: input, embedding, states with blocks between them, head and loss.

use super::{Block, Network, Part};
use crate::plot::DrawError;
use crate::plot::style::Style;
use crate::text::{TextError, Typesetter};

/// What is between two neighbouring states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    Block(usize),
    /// Blocks for which there is no room.
    Gap,
}

/// A stretch from left to right.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) from: f64,
    pub(super) to: f64,
}

impl Span {
    pub(super) fn middle(self) -> f64 {
        (self.from + self.to) / 2.0
    }
}

/// Positions along the page.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    /// The middle of the input.
    pub(super) input: f64,
    pub(super) embed: Span,
    /// l of each state that is shown, and its place.
    pub(super) states: Vec<(usize, f64)>,
    /// Between the states.
    pub(super) cells: Vec<Cell>,
    /// Room at both ends of a cell that its block leaves free.
    pub(super) margin: f64,
    pub(super) head: Span,
    pub(super) loss: Span,
}

impl Columns {
    /// Columns of a network on a stretch of the page.
    pub(super) fn new(
        network: &Network,
        room: Span,
        style: &Style,
        setter: &Typesetter,
    ) -> Result<Self, DrawError> {
        let pad = 0.9 * style.tick;
        // Between the boxes on the stream; less where there is little room.
        let gap = (0.034 * (room.to - room.from)).clamp(1.15 * style.tick, 1.6 * style.tick);
        let word = |text: &str| Ok(setter.set(text, &style.value_text())?.area().w);
        let widest = |parts: &[Part], name: &str| -> Result<f64, TextError> {
            let widths = parts.iter().map(|part| word(&part.label)).collect::<Result<Vec<f64>, _>>()?;
            Ok(widths.into_iter().fold(word(name)? - pad, f64::max) + pad)
        };
        let input = room.from + 0.4 * style.tick;
        let start = input + 0.4 * style.tick + gap;
        let embed = Span { from: start, to: start + widest(&network.embed, "embed")? };
        let loss = Span { from: room.to - widest(&[], "loss")?, to: room.to };
        let before = loss.from - gap;
        let head = Span { from: before - widest(&network.head, "head")?, to: before };
        let first = embed.to + gap;
        let last = head.from - gap;
        let count = network.blocks.len();
        let name = format!("block {}", count.saturating_sub(1));
        let sizes = network.blocks.iter().map(|block| widest(&block.parts, &name));
        let block = sizes.collect::<Result<Vec<f64>, _>>()?.into_iter().fold(0.0, f64::max);
        let least = block + 1.4 * style.tick;
        let cells = shown(&network.blocks, ((last - first) / least) as usize);
        let width = (last - first) / cells.len().max(1) as f64;
        if width < least {
            return Err(DrawError::narrow(style));
        }
        let margin = (0.24 * width).min((width - block) / 2.0);
        let mut states = vec![(0, first)];
        for (i, cell) in cells.iter().enumerate() {
            let above = match (cell, cells.get(i + 1)) {
                (Cell::Block(block), _) => block + 1,
                (Cell::Gap, Some(Cell::Block(next))) => *next,
                (Cell::Gap, _) => count,
            };
            states.push((above, first + width * (i + 1) as f64));
        }
        if cells.is_empty() {
            states[0].1 = (first + last) / 2.0;
        }
        Ok(Self { input, embed, states, cells, margin, head, loss })
    }

    /// The cells between the states, from left to right.
    pub(super) fn between(&self) -> impl DoubleEndedIterator<Item = (Cell, Span)> + '_ {
        let span = |pair: &[(usize, f64)]| Span { from: pair[0].1, to: pair[1].1 };
        self.cells.iter().copied().zip(self.states.windows(2).map(span))
    }

    /// The place of h_0.
    pub(super) fn first(&self) -> f64 {
        self.states[0].1
    }

    /// The place of h_L.
    pub(super) fn last(&self) -> f64 {
        self.states[self.states.len() - 1].1
    }
}

/// All blocks if they fit; else the first, the first that is unlike it or follows it, and the last; else the first and the last.
fn shown(blocks: &[Block], fit: usize) -> Vec<Cell> {
    let count = blocks.len();
    if count <= fit || count < 3 {
        return (0..count).map(Cell::Block).collect();
    }
    let unlike = blocks.iter().position(|block| *block != blocks[0]).unwrap_or(1);
    let three = with_gaps(&[0, unlike, count - 1]);
    if three.len() <= fit { three } else { with_gaps(&[0, count - 1]) }
}

/// These blocks, and a gap wherever two of them are not neighbours.
fn with_gaps(blocks: &[usize]) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (i, &block) in blocks.iter().enumerate() {
        if i > 0 && block > blocks[i - 1] + 1 {
            cells.push(Cell::Gap);
        }
        if i == 0 || block > blocks[i - 1] {
            cells.push(Cell::Block(block));
        }
    }
    cells
}
