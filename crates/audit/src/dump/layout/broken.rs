//! Which tensors of a dump contain infinity or NaN.

use super::{Dump, DumpRows, Loss};

/// A tensor with values that are not finite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Broken {
    /// Its name in the layout.
    pub(crate) name: String,
    /// Rows with such a value.
    broken_rows: usize,
    rows: usize,
}

impl Broken {
    /// `p.2 (3 of 1280 rows)`.
    pub(crate) fn words(&self) -> String {
        format!("{} ({} of {} rows)", self.name, self.broken_rows, self.rows)
    }
}

/// The name of a hidden state in the layout.
pub(crate) fn hidden_name(l: usize) -> String {
    format!("h.{l}")
}

pub(crate) fn gradient_name(dump: &Dump, l: usize) -> String {
    let mean = dump.gradients.as_ref().is_some_and(|gradients| gradients.of == Loss::Mean);
    format!("{}.{l}", if mean { 'g' } else { 'p' })
}

/// `index` counts units from the embedding.
pub(crate) fn credit_name(index: usize) -> String {
    index.checked_sub(1).map_or_else(|| "a.embed".to_owned(), |block| format!("a.{block}"))
}

/// The credit of a unit, counted from the embedding.
pub(crate) fn credit(dump: &Dump, index: usize) -> Option<&DumpRows> {
    match index.checked_sub(1) {
        None => dump.credit.embed.as_ref(),
        Some(block) => dump.credit.blocks.get(block),
    }
}

/// All tensors with infinity or NaN, in the order of the layout.
pub(crate) fn broken(dump: &Dump) -> Vec<Broken> {
    let mut found = Vec::new();
    let mut look = |name: String, values: &[f64], width: usize| {
        let rows = values.chunks(width);
        let broken_rows = rows.clone().filter(|row| row.iter().any(|x| !x.is_finite())).count();
        if broken_rows > 0 {
            found.push(Broken { name, broken_rows, rows: rows.len() });
        }
    };
    for (l, rows) in dump.hidden.iter().enumerate() {
        look(hidden_name(l), &rows.values, rows.width);
    }
    for (l, rows) in dump.gradients.iter().flat_map(|gradients| &gradients.layers).enumerate() {
        look(gradient_name(dump, l), &rows.values, rows.width);
    }
    for index in 0..=dump.blocks {
        if let Some(rows) = credit(dump, index) {
            look(credit_name(index), &rows.values, rows.width);
        }
    }
    if let Some(logits) = &dump.logits {
        look("logits".to_owned(), &logits.values, logits.width);
    }
    if let Some(head) = &dump.head {
        look("head.weight".to_owned(), &head.weight.values, head.weight.width);
        let norm = head.norm.as_ref();
        for (name, values) in [
            ("head.bias", head.bias.as_ref()),
            ("out_ln.weight", norm.map(|norm| &norm.weight)),
            ("out_ln.bias", norm.and_then(|norm| norm.bias.as_ref())),
        ] {
            values.into_iter().for_each(|values| look(name.to_owned(), values, 1));
        }
    }
    found
}
