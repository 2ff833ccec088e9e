//! The batch in a pickle: an array of byte rows and a list of labels.

use std::io::{Read, Seek};

use super::PickleFault;
use super::input::Input;
use super::machine::Machine;
use super::value::{Node, Span, Value};

/// A pickled batch whose pixels are still in the file.
pub(crate) struct Batch<R> {
    input: Input<R>,
    labels: Vec<i64>,
    shape: Vec<u64>,
    data: Span,
}

/// Runs the pickle and finds the two entries of its dictionary.
pub(crate) fn open<R: Read + Seek>(
    reader: R,
    data_key: &str,
    labels_key: &str,
) -> Result<Batch<R>, PickleFault> {
    let mut machine = Machine::new(Input::new(reader)?);
    let result = machine.run()?;
    let data = entry(&mut machine, result, data_key)?;
    let labels = entry(&mut machine, result, labels_key)?;
    let labels = numbers(&machine, labels, labels_key)?;
    let Some(Node::Array(Some(array))) = machine.node(data) else {
        let what = format!("`{data_key}` is {}, expected an array", data.kind(&machine.nodes));
        return Err(machine.input.fault(what));
    };
    let array = array.clone();
    if !array.byte {
        return Err(machine.input.fault(format!("`{data_key}` is not an array of unsigned bytes")));
    }
    if array.fortran {
        let what = format!("`{data_key}` is stored column by column; save it again in C order");
        return Err(machine.input.fault(what));
    }
    Ok(Batch { input: machine.input, labels, shape: array.shape, data: array.data })
}

impl<R: Read + Seek> Batch<R> {
    pub(crate) fn labels(&self) -> &[i64] {
        &self.labels
    }

    /// The shape that the array claims; [`Batch::read_data`] checks whether the bytes exist.
    pub(crate) fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// Reads the array's bytes into `target`.
    pub(crate) fn read_data(&mut self, target: &mut [u8]) -> Result<(), PickleFault> {
        self.input.copy(self.data, target)
    }
}

/// The value of a key that is text or, from Python 2, bytes.
fn entry<R: Read + Seek>(machine: &mut Machine<R>, dict: Value, key: &str) -> Result<Value, PickleFault> {
    let Value::Node(id) = dict else {
        return Err(machine.input.fault("the pickle does not hold a dictionary"));
    };
    let Node::Dict(pairs) = &machine.nodes[id] else {
        return Err(machine.input.fault("the pickle does not hold a dictionary"));
    };
    // As in Python, the last of two equal keys counts.
    for &(name, value) in pairs.iter().rev() {
        let Some(span) = name.string() else { continue };
        if machine.input.short(span, key.len() as u64)?.as_deref() == Some(key.as_bytes()) {
            return Ok(value);
        }
    }
    Err(machine.input.fault(format!("the dictionary has no `{key}`")))
}

fn numbers<R: Read + Seek>(machine: &Machine<R>, value: Value, key: &str) -> Result<Vec<i64>, PickleFault> {
    let number = |value: &Value| match value {
        Value::Int(n) => Some(*n),
        _ => None,
    };
    let list = match machine.node(value) {
        Some(Node::List(items)) => items.iter().map(number).collect(),
        _ => None,
    };
    list.ok_or_else(|| {
        let what = format!("`{key}` is {}, expected a list of integers", value.kind(&machine.nodes));
        machine.input.fault(what)
    })
}
