//! Rules that are written in Python: `creditscope/_rule.py` holds the objects that are called here.

use crate::fault::Fault;
use numpy::{IntoPyArray, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt};
use rules::{ForeignMaker, ForeignNet, ForeignRule, ForeignTensor, Seen, Value};

/// Makes a rule known: its name, its version, its parameters with their defaults, its usual normalisation, and what makes it.
#[pyfunction]
pub(crate) fn register_rule(
    name: &str,
    source: &str,
    parameters: Vec<(String, Bound<'_, PyAny>)>,
    normalise: &str,
    maker: Py<PyAny>,
) -> PyResult<()> {
    let given = parameters.iter().map(|(key, value)| Ok((key.as_str(), parameter(key, value)?)));
    let given = given.collect::<PyResult<Vec<(&str, Value)>>>()?;
    let registered = rules::register(name, source, &given, Some(normalise), Box::new(Maker(maker)));
    registered.map_err(|error| Fault::new("RuleError", error).into())
}

fn parameter(key: &str, value: &Bound<'_, PyAny>) -> PyResult<Value> {
    // True is an integer too, so it comes first.
    if value.is_instance_of::<PyBool>() {
        return Ok(Value::Flag(value.extract()?));
    }
    if value.is_instance_of::<PyInt>() {
        return Ok(Value::Whole(value.extract()?));
    }
    if value.is_instance_of::<PyFloat>() {
        return Ok(Value::Real(value.extract()?));
    }
    let word: String = value
        .extract()
        .map_err(|_| Fault::new("RuleError", format!("{key}: a parameter is a number, a flag or a word")))?;
    Ok(Value::Word(word.leak()))
}

struct Maker(Py<PyAny>);

impl ForeignMaker for Maker {
    fn make(
        &self,
        parameters: &[(&'static str, Value)],
        net: ForeignNet,
        seed: u64,
    ) -> Result<Box<dyn ForeignRule>, String> {
        Python::attach(|py| {
            let values = PyDict::new(py);
            for &(name, value) in parameters {
                match value {
                    Value::Flag(x) => values.set_item(name, x)?,
                    Value::Whole(x) => values.set_item(name, x)?,
                    Value::Real(x) => values.set_item(name, x)?,
                    Value::Word(x) => values.set_item(name, x)?,
                }
            }
            let about = PyDict::new(py);
            about.set_item("inputs", net.inputs)?;
            about.set_item("classes", net.classes)?;
            about.set_item("states", net.states)?;
            about.set_item("weights", by_name(py, net.weights)?)?;
            Made::of(self.0.bind(py).call_method1("make", (values, about, seed))?)
        })
        .map(|made| Box::new(made) as Box<dyn ForeignRule>)
        .map_err(|error| said(&error))
    }
}

struct Made {
    rule: Py<PyAny>,
    follows_steps: bool,
}

impl Made {
    fn of(rule: Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self { follows_steps: rule.getattr("follows_steps")?.extract()?, rule: rule.unbind() })
    }

    fn call<T>(&self, work: impl FnOnce(Python<'_>, &Bound<'_, PyAny>) -> PyResult<T>) -> Result<T, String> {
        Python::attach(|py| work(py, self.rule.bind(py))).map_err(|error| said(&error))
    }
}

impl ForeignRule for Made {
    fn credit(&self, seen: Seen) -> Result<Vec<Vec<f32>>, String> {
        self.call(|py, rule| {
            let rows = seen.labels.len();
            let matrix = |values: Vec<f32>| {
                let columns = values.len() / rows.max(1);
                values.into_pyarray(py).reshape([rows, columns])
            };
            let about = PyDict::new(py);
            about.set_item("step", seen.step)?;
            about.set_item("x", matrix(seen.x)?)?;
            about.set_item("h", seen.h.into_iter().map(matrix).collect::<PyResult<Vec<_>>>()?)?;
            about.set_item("logits", matrix(seen.logits)?)?;
            about.set_item("e", matrix(seen.e)?)?;
            about.set_item("p_last", matrix(seen.p_last)?)?;
            let labels: Vec<i64> = seen.labels.into_iter().map(i64::from).collect();
            about.set_item("labels", labels.into_pyarray(py))?;
            let credit: Vec<PyReadonlyArrayDyn<'_, f32>> =
                rule.call_method1("credit", (about,))?.extract()?;
            credit.iter().map(|units| Ok(units.as_slice()?.to_vec())).collect()
        })
    }

    fn follows_steps(&self) -> bool {
        self.follows_steps
    }

    fn after_step(&mut self, step: u64, lr: f64, weights: Vec<ForeignTensor>) -> Result<(), String> {
        self.call(|py, rule| rule.call_method1("after_step", (step, lr, by_name(py, weights)?)).map(|_| ()))
    }

    fn state(&self) -> Result<Vec<ForeignTensor>, String> {
        self.call(|_, rule| {
            let state: Vec<(String, PyReadonlyArrayDyn<'_, f32>)> = rule.call_method0("state")?.extract()?;
            let tensors = state.iter().map(|(name, array)| {
                let values = array.as_slice()?.to_vec();
                Ok(ForeignTensor { name: name.clone(), shape: array.shape().to_vec(), values })
            });
            tensors.collect()
        })
    }

    fn restore(&mut self, state: Vec<ForeignTensor>) -> Result<(), String> {
        self.call(|py, rule| rule.call_method1("restore", (by_name(py, state)?,)).map(|_| ()))
    }

    fn redrawn(&self, seed: u64) -> Result<Option<Box<dyn ForeignRule>>, String> {
        self.call(|_, rule| {
            let other = rule.call_method1("redrawn", (seed,))?;
            if other.is_none() {
                return Ok(None);
            }
            Ok(Some(Box::new(Self::of(other)?) as Box<dyn ForeignRule>))
        })
    }
}

fn by_name<'py>(py: Python<'py>, tensors: Vec<ForeignTensor>) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for ForeignTensor { name, shape, values } in tensors {
        dict.set_item(name, values.into_pyarray(py).reshape(shape)?)?;
    }
    Ok(dict)
}

/// An exception in words, with the line of the rule that raised it.
fn said(error: &PyErr) -> String {
    Python::attach(|py| {
        let words = || -> PyResult<String> {
            let said = py
                .import("creditscope._rule")?
                .getattr("_said")?
                .call1((error.clone_ref(py).into_value(py),))?;
            said.extract()
        };
        words().unwrap_or_else(|_| error.to_string())
    })
}
