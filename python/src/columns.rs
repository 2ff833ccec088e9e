//! Columns of tables: numbers as NumPy arrays, words as lists.

use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use record::Measured;

/// A table column by column, rows added one at a time.
#[derive(Default)]
pub(crate) struct Columns {
    names: Vec<String>,
    columns: Vec<Column>,
}

enum Column {
    Whole(Vec<i64>),
    Real(Vec<f64>),
    Words(Vec<String>),
}

/// A row under construction.
#[derive(Default)]
pub(crate) struct Row(Vec<(String, Cell)>);

enum Cell {
    Whole(i64),
    Real(f64),
    Words(String),
}

impl Row {
    pub(crate) fn words(mut self, name: &str, words: impl Into<String>) -> Self {
        self.0.push((name.to_owned(), Cell::Words(words.into())));
        self
    }

    pub(crate) fn whole(mut self, name: &str, x: u64) -> Self {
        self.0.push((name.to_owned(), Cell::Whole(i64::try_from(x).unwrap_or(i64::MAX))));
        self
    }

    /// NaN where there is none.
    pub(crate) fn real(mut self, name: &str, x: Option<f64>) -> Self {
        self.0.push((name.to_owned(), Cell::Real(x.unwrap_or(f64::NAN))));
        self
    }

    /// The number, and in a column beside it whether it is defined, unreliable or undefined; absent where there is none.
    pub(crate) fn measured(self, name: &str, x: Option<Measured>) -> Self {
        let state = x.map_or("absent", |x| x.state());
        self.real(name, x.and_then(|x| x.value())).words(&format!("{name}_state"), state)
    }
}

impl Columns {
    /// Adds a row, which has the columns of the first.
    pub(crate) fn add(&mut self, row: Row) {
        if self.names.is_empty() {
            self.names = row.0.iter().map(|(name, _)| name.clone()).collect();
            self.columns = row.0.iter().map(|(_, cell)| cell.column()).collect();
        }
        for (column, (_, cell)) in self.columns.iter_mut().zip(row.0) {
            match (column, cell) {
                (Column::Whole(all), Cell::Whole(x)) => all.push(x),
                (Column::Real(all), Cell::Real(x)) => all.push(x),
                (Column::Words(all), Cell::Words(words)) => all.push(words),
                _ => unreachable!("rows of a table have cells of the same kinds"),
            }
        }
    }

    /// The columns by name, in order.
    pub(crate) fn into_dict(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let dict = PyDict::new(py);
        for (name, column) in self.names.into_iter().zip(self.columns) {
            match column {
                Column::Whole(values) => dict.set_item(name, values.into_pyarray(py))?,
                Column::Real(values) => dict.set_item(name, values.into_pyarray(py))?,
                Column::Words(values) => dict.set_item(name, PyList::new(py, values)?)?,
            }
        }
        Ok(dict)
    }
}

impl Cell {
    fn column(&self) -> Column {
        match self {
            Self::Whole(_) => Column::Whole(Vec::new()),
            Self::Real(_) => Column::Real(Vec::new()),
            Self::Words(_) => Column::Words(Vec::new()),
        }
    }
}
