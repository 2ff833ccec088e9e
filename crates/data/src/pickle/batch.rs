//! The batch in a pickle: an array of byte rows and a list of labels.

use std::io::{Read, Seek};

use super::Fault;
use super::input::Input;
use super::machine::Machine;
use super::numpy;
use super::value::{Coding, Node, Span, Value};

/// A pickled batch whose structure is known and whose pixels are still in the file.
pub(crate) struct Batch<R> {
    input: Input<R>,
    labels: Vec<i64>,
    shape: Vec<u64>,
    data: (Span, Coding),
}

/// Runs the pickle and finds the two entries of its dictionary.
pub(crate) fn open<R: Read + Seek>(reader: R, data_key: &str, labels_key: &str) -> Result<Batch<R>, Fault> {
    let mut machine = Machine::new(Input::new(reader)?);
    let result = machine.run()?;
    let data = entry(&mut machine, result, data_key)?;
    let labels = entry(&mut machine, result, labels_key)?;
    let labels = numbers(&machine, labels, labels_key)?;
    let array = match data {
        Value::Node(id) => match &machine.nodes[id] {
            Node::Array(array) => array.clone(),
            _ => None,
        },
        _ => None,
    };
    let Some(array) = array else {
        let what = format!("`{data_key}` is {}, expected an array", data.kind(&machine.nodes));
        return Err(machine.input.fault(what));
    };
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

    /// The shape that the array claims; whether the bytes are there shows when they are read.
    pub(crate) fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// Reads the array's bytes into their place.
    pub(crate) fn read_data(&mut self, target: &mut [u8]) -> Result<(), Fault> {
        self.input.copy(self.data, target)
    }
}

/// The value of a key that is text or, as Python 2 wrote it, bytes.
fn entry<R: Read + Seek>(machine: &mut Machine<R>, dict: Value, key: &str) -> Result<Value, Fault> {
    let pairs = match dict {
        Value::Node(id) => match &machine.nodes[id] {
            Node::Dict(pairs) => pairs,
            _ => return Err(machine.input.fault("the pickle does not hold a dictionary")),
        },
        _ => return Err(machine.input.fault("the pickle does not hold a dictionary")),
    };
    // As in Python, the last of two equal keys counts.
    for &(name, value) in pairs.iter().rev() {
        let Some(at) = numpy::string(name) else { continue };
        if machine.input.short(at, key.len() as u64)?.as_deref() == Some(key.as_bytes()) {
            return Ok(value);
        }
    }
    Err(machine.input.fault(format!("the dictionary has no `{key}`")))
}

fn numbers<R: Read + Seek>(machine: &Machine<R>, value: Value, key: &str) -> Result<Vec<i64>, Fault> {
    let number = |value: &Value| match value {
        Value::Int(n) => Some(*n),
        _ => None,
    };
    let list = match value {
        Value::Node(id) => match &machine.nodes[id] {
            Node::List(items) => items.iter().map(number).collect(),
            _ => None,
        },
        _ => None,
    };
    list.ok_or_else(|| {
        let what = format!("`{key}` is {}, expected a list of whole numbers", value.kind(&machine.nodes));
        machine.input.fault(what)
    })
}
