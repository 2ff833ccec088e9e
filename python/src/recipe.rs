//! Recipes.

use crate::fault::Fault;
use lab::{Plan, Template};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyList, PyString, PyTuple};
use std::path::Path;
use toml::Value;

/// A recipe whose keys and types are valid.
#[pyclass(module = "creditscope._core")]
pub(crate) struct Recipe {
    pub(crate) recipe: lab::Recipe,
}

#[pymethods]
impl Recipe {
    /// Reads TOML text; `origin` is its file, for messages and, where `names` says so, for the recipe's name.
    #[new]
    fn new(text: &str, origin: &str, names: bool) -> PyResult<Self> {
        let mut recipe = lab::Recipe::parse(text, &record::escape::visible(origin)).map_err(Fault::from)?;
        if names {
            recipe.name_by_default(&lab::plain_name(Path::new(origin)));
        }
        Ok(Self { recipe })
    }

    /// Sets a key; a list multiplies the runs.
    fn set(&mut self, key: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = toml_of(key, value)?;
        Ok(self.recipe.set_value(key, value, "recipe").map_err(Fault::from)?)
    }

    /// Replaces the rules; each has keys of its own.
    fn set_rules(&mut self, rules: Vec<Vec<(String, Bound<'_, PyAny>)>>) -> PyResult<()> {
        let of = |keys: &Vec<(String, Bound<'_, PyAny>)>| {
            keys.iter()
                .map(|(key, value)| Ok((key.clone(), toml_of(key, value)?)))
                .collect::<PyResult<Vec<_>>>()
        };
        let rules = rules.iter().map(of).collect::<PyResult<Vec<_>>>()?;
        Ok(self.recipe.set_rules(&rules, "rules=").map_err(Fault::from)?)
    }

    /// The name of the recipe and of its folder of runs.
    fn name(&self) -> PyResult<String> {
        Ok(self.recipe.name().map_err(Fault::from)?)
    }

    /// A copy.
    fn copy(&self) -> Self {
        Self { recipe: self.recipe.clone() }
    }

    /// The names and the resolved recipes of its runs, everything checked.
    fn runs(&self) -> PyResult<Vec<(String, String)>> {
        let plan = Plan::new(&self.recipe).map_err(Fault::from)?;
        Ok(plan.runs().iter().map(|run| (run.id.clone(), run.recipe.clone())).collect())
    }
}

/// A recipe to start from, with every key and its meaning.
#[pyfunction]
pub(crate) fn template(
    name: &str,
    data: Option<String>,
    net: Option<String>,
    rules: Option<Vec<String>>,
    all: bool,
) -> PyResult<String> {
    let usual = Template::default();
    let about = Template { data: data.unwrap_or(usual.data), net, rules: rules.unwrap_or(usual.rules), all };
    let text = lab::template(name, &about);
    // What cannot be run is not offered.
    lab::Recipe::parse(&text, "template").and_then(|recipe| recipe.runs()).map_err(Fault::from)?;
    Ok(text)
}

/// A value of Python in TOML.
pub(crate) fn toml_of(key: &str, value: &Bound<'_, PyAny>) -> PyResult<Value> {
    // True is an integer too, so it comes first.
    if value.is_instance_of::<PyBool>() {
        return Ok(Value::Boolean(value.extract()?));
    }
    if value.is_instance_of::<PyInt>() {
        let whole: Option<i64> = value.extract().ok();
        return whole.map(Value::Integer).ok_or_else(|| refused(key, value, "is too large"));
    }
    if value.is_instance_of::<PyFloat>() {
        return Ok(Value::Float(value.extract()?));
    }
    if value.is_instance_of::<PyString>() {
        return Ok(Value::String(value.extract()?));
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        let values = value.try_iter()?.map(|item| toml_of(key, &item?));
        return Ok(Value::Array(values.collect::<PyResult<_>>()?));
    }
    // Numbers of NumPy.
    match value.getattr("item").and_then(|item| item.call0()) {
        Ok(plain) if !plain.get_type().is(value.get_type()) => toml_of(key, &plain),
        _ => {
            Err(refused(key, value, "is of a type that recipes do not have: give a number, a word or a list"))
        }
    }
}

fn refused(key: &str, value: &Bound<'_, PyAny>, why: &str) -> PyErr {
    let shown = value.repr().map_or_else(|_| "its value".to_owned(), |repr| repr.to_string());
    Fault::new("RecipeError", format!("recipe: `{key}`: {shown} {why}")).into()
}
