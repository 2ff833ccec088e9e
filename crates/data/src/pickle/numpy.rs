//! The meaning of the few NumPy names, without NumPy: an array is a shape, a data type and a place in the file.

use std::io::{Read, Seek};

use super::Fault;
use super::machine::Machine;
use super::value::{Array, Coding, Global, Node, Span, Value};

/// Calls one of the known constructors.
pub(super) fn reduce<R: Read + Seek>(
    machine: &mut Machine<R>,
    callable: Value,
    arguments: Value,
) -> Result<Value, Fault> {
    let arguments = tuple(machine, arguments)?;
    let node = match (callable, &arguments[..]) {
        // (type, (0,), 'b'): an empty array whose content comes with its state.
        (Value::Global(Global::Reconstruct), [Value::Global(Global::NdArray), ..]) => Node::Array(None),
        (Value::Global(Global::Dtype), [name, ..]) => Node::Dtype { byte: is_byte(machine, *name)? },
        (Value::Global(Global::Encode), [text, encoding]) => return encode(machine, *text, *encoding),
        // (buffer, dtype, shape, order).
        (Value::Global(Global::FromBuffer), [data, dtype, shape, order]) => {
            let order = string(*order).map(|at| machine.input.short(at, 1)).transpose()?.flatten();
            let (shape, data) = (sizes(machine, *shape)?, content(machine, *data)?);
            let byte = dtype_is_byte(machine, *dtype)?;
            Node::Array(Some(Array { shape, byte, fortran: order.as_deref() == Some(b"F"), data }))
        }
        (other, _) => {
            let what = format!("a call of {} with {} arguments", other.kind(&machine.nodes), arguments.len());
            return Err(machine.input.fault(what));
        }
    };
    machine.nodes.push(node);
    Ok(Value::Node(machine.nodes.len() - 1))
}

/// Gives an object its state.
pub(super) fn build<R: Read + Seek>(
    machine: &mut Machine<R>,
    object: Value,
    state: Value,
) -> Result<(), Fault> {
    let Value::Node(id) = object else {
        let what = format!("a state for {}", object.kind(&machine.nodes));
        return Err(machine.input.fault(what));
    };
    match machine.nodes[id] {
        // Byte order and field names: no meaning for single bytes.
        Node::Dtype { .. } => Ok(()),
        Node::Array(_) => {
            let state = tuple(machine, state)?;
            // Before the shape stands a version, which the oldest NumPy left out.
            let (fortran, shape, dtype, data) = match state[..] {
                [shape, dtype, Value::Bool(fortran), data]
                | [_, shape, dtype, Value::Bool(fortran), data] => (fortran, shape, dtype, data),
                _ => {
                    return Err(machine
                        .input
                        .fault("an array's state that is not (version, shape, type, order, bytes)"));
                }
            };
            let (shape, data) = (sizes(machine, shape)?, content(machine, data)?);
            let byte = dtype_is_byte(machine, dtype)?;
            machine.nodes[id] = Node::Array(Some(Array { shape, byte, fortran, data }));
            Ok(())
        }
        _ => {
            let what = format!("a state for {}", object.kind(&machine.nodes));
            Err(machine.input.fault(what))
        }
    }
}

fn tuple<R: Read + Seek>(machine: &Machine<R>, value: Value) -> Result<Vec<Value>, Fault> {
    // The tuples that mean something here have at most eight items; longer ones are not worth a copy.
    match value {
        Value::Node(id) => match &machine.nodes[id] {
            Node::Tuple(items) if items.len() <= 16 => Ok(items.clone()),
            _ => Err(machine
                .input
                .fault(format!("{} where a short tuple belongs", value.kind(&machine.nodes)))),
        },
        _ => Err(machine.input.fault(format!("{} where a tuple belongs", value.kind(&machine.nodes)))),
    }
}

fn sizes<R: Read + Seek>(machine: &Machine<R>, value: Value) -> Result<Vec<u64>, Fault> {
    let size = |value| match value {
        Value::Int(n) => u64::try_from(n).ok(),
        _ => None,
    };
    let sizes: Option<_> = tuple(machine, value)?.into_iter().map(size).collect();
    sizes.ok_or_else(|| machine.input.fault("an array's shape that is not made of sizes"))
}

/// Where a string lies; Python 2 wrote text and bytes alike.
pub(super) fn string(value: Value) -> Option<(Span, Coding)> {
    match value {
        Value::Text(span) => Some((span, Coding::Raw)),
        Value::Bytes(span, coding) => Some((span, coding)),
        _ => None,
    }
}

fn content<R: Read + Seek>(machine: &Machine<R>, value: Value) -> Result<(Span, Coding), Fault> {
    match value {
        Value::Bytes(span, coding) => Ok((span, coding)),
        _ => Err(machine.input.fault(format!("{} as the content of an array", value.kind(&machine.nodes)))),
    }
}

fn is_byte<R: Read + Seek>(machine: &mut Machine<R>, name: Value) -> Result<bool, Fault> {
    let Some(at) = string(name) else {
        return Err(machine.input.fault("a data type without a name"));
    };
    let name = machine.input.short(at, 8)?;
    Ok(matches!(name.as_deref(), Some(b"u1" | b"|u1" | b"B" | b"uint8")))
}

fn dtype_is_byte<R: Read + Seek>(machine: &Machine<R>, value: Value) -> Result<bool, Fault> {
    match value {
        Value::Node(id) => match machine.nodes[id] {
            Node::Dtype { byte } => Ok(byte),
            _ => Err(machine.input.fault("an array whose type is no data type")),
        },
        _ => Err(machine.input.fault("an array whose type is no data type")),
    }
}

/// `_codecs.encode(text, 'latin1')`: the characters are the bytes.
fn encode<R: Read + Seek>(machine: &mut Machine<R>, text: Value, encoding: Value) -> Result<Value, Fault> {
    let name = string(encoding).map(|at| machine.input.short(at, 16)).transpose()?.flatten();
    match (text, name.as_deref()) {
        (Value::Text(span), Some(b"latin1" | b"latin-1" | b"iso-8859-1")) => {
            Ok(Value::Bytes(span, Coding::Latin1InUtf8))
        }
        _ => Err(machine.input.fault("an encoding other than Latin-1 of text")),
    }
}
