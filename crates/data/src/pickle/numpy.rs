//! The meaning of the few NumPy names, without NumPy: an array is a shape, a data type and a range of the file.

use std::io::{Read, Seek};

use super::PickleFault;
use super::machine::Machine;
use super::value::{Array, Coding, Global, Node, Span, Value};

/// Calls one of the known constructors.
pub(super) fn reduce<R: Read + Seek>(
    machine: &mut Machine<R>,
    callable: Value,
    arguments: Value,
) -> Result<Value, PickleFault> {
    let arguments = tuple(machine, arguments)?;
    let node = match (callable, &arguments[..]) {
        // (type, (0,), 'b'): an empty array; its state brings the content.
        (Value::Global(Global::Reconstruct), [Value::Global(Global::NdArray), ..]) => Node::Array(None),
        (Value::Global(Global::Dtype), [name, ..]) => Node::Dtype { byte: is_byte(machine, *name)? },
        (Value::Global(Global::Encode), [text, encoding]) => return encode(machine, *text, *encoding),
        // (buffer, dtype, shape, order).
        (Value::Global(Global::FromBuffer), [data, dtype, shape, order]) => {
            let order = order.string().map(|span| machine.input.short(span, 1)).transpose()?.flatten();
            Node::Array(Some(array(machine, *shape, *dtype, order.as_deref() == Some(b"F"), *data)?))
        }
        (other, _) => {
            let what = format!("a call of {} with {} arguments", other.kind(&machine.nodes), arguments.len());
            return Err(machine.input.fault(what));
        }
    };
    machine.nodes.push(node);
    Ok(Value::Node(machine.nodes.len() - 1))
}

fn array<R: Read + Seek>(
    machine: &Machine<R>,
    shape: Value,
    dtype: Value,
    fortran: bool,
    data: Value,
) -> Result<Array, PickleFault> {
    let shape = sizes(machine, shape)?;
    let data = content(machine, data)?;
    match machine.node(dtype) {
        Some(&Node::Dtype { byte }) => Ok(Array { shape, byte, fortran, data }),
        _ => Err(machine.input.fault("an array whose type is not a data type")),
    }
}

/// Sets the state of an object.
pub(super) fn build<R: Read + Seek>(
    machine: &mut Machine<R>,
    object: Value,
    state: Value,
) -> Result<(), PickleFault> {
    let Value::Node(id) = object else {
        let what = format!("a state for {}", object.kind(&machine.nodes));
        return Err(machine.input.fault(what));
    };
    match machine.nodes[id] {
        // Byte order and field names: no meaning for single bytes.
        Node::Dtype { .. } => Ok(()),
        Node::Array(_) => {
            let state = tuple(machine, state)?;
            // A version precedes the shape, except in the oldest NumPy.
            let (fortran, shape, dtype, data) = match state[..] {
                [shape, dtype, Value::Bool(fortran), data]
                | [_, shape, dtype, Value::Bool(fortran), data] => (fortran, shape, dtype, data),
                _ => {
                    return Err(machine
                        .input
                        .fault("an array's state that is not (version, shape, type, order, bytes)"));
                }
            };
            machine.nodes[id] = Node::Array(Some(array(machine, shape, dtype, fortran, data)?));
            Ok(())
        }
        _ => {
            let what = format!("a state for {}", object.kind(&machine.nodes));
            Err(machine.input.fault(what))
        }
    }
}

fn tuple<R: Read + Seek>(machine: &Machine<R>, value: Value) -> Result<Vec<Value>, PickleFault> {
    // The tuples with a meaning here have at most eight items; longer ones are not worth a copy.
    match machine.node(value) {
        Some(Node::Tuple(items)) if items.len() <= 16 => Ok(items.clone()),
        _ => Err(machine.input.fault(format!("{}, expected a short tuple", value.kind(&machine.nodes)))),
    }
}

fn sizes<R: Read + Seek>(machine: &Machine<R>, value: Value) -> Result<Vec<u64>, PickleFault> {
    let size = |value| match value {
        Value::Int(n) => u64::try_from(n).ok(),
        _ => None,
    };
    let sizes: Option<_> = tuple(machine, value)?.into_iter().map(size).collect();
    sizes.ok_or_else(|| machine.input.fault("an array's shape that is not made of sizes"))
}

fn content<R: Read + Seek>(machine: &Machine<R>, value: Value) -> Result<Span, PickleFault> {
    match value {
        Value::Bytes(span) => Ok(span),
        _ => Err(machine.input.fault(format!("{} as the content of an array", value.kind(&machine.nodes)))),
    }
}

fn is_byte<R: Read + Seek>(machine: &mut Machine<R>, name: Value) -> Result<bool, PickleFault> {
    let Some(span) = name.string() else {
        return Err(machine.input.fault("a data type without a name"));
    };
    let name = machine.input.short(span, 8)?;
    Ok(matches!(name.as_deref(), Some(b"u1" | b"|u1" | b"B" | b"uint8")))
}

/// `_codecs.encode(text, 'latin1')`: the characters are the bytes.
fn encode<R: Read + Seek>(
    machine: &mut Machine<R>,
    text: Value,
    encoding: Value,
) -> Result<Value, PickleFault> {
    let name = encoding.string().map(|span| machine.input.short(span, 16)).transpose()?.flatten();
    match (text, name.as_deref()) {
        (Value::Text(span), Some(b"latin1" | b"latin-1" | b"iso-8859-1")) => {
            Ok(Value::Bytes(Span { coding: Coding::Latin1InUtf8, ..span }))
        }
        _ => Err(machine.input.fault("an encoding other than Latin-1 of text")),
    }
}
