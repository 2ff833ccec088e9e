//! The values on the machine's stack.

/// The range of a string in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) at: u64,
    pub(super) len: u64,
    pub(super) coding: Coding,
}

/// How the bytes of a string are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    /// As they are.
    Raw,
    /// As UTF-8 text of the characters U+0000 to U+00FF, as Python 3 does in protocols before 3.
    Latin1InUtf8,
}

/// A value. Containers are indices of nodes in the machine's arena, so a value is small and cheap to copy, and a
/// structure that nests without end or contains itself needs no recursion.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    None,
    Bool(bool),
    Int(i64),
    Float,
    Text(Span),
    Bytes(Span),
    Global(Global),
    Node(usize),
}

/// A container.
#[derive(Debug)]
pub(super) enum Node {
    List(Vec<Value>),
    Tuple(Vec<Value>),
    Dict(Vec<(Value, Value)>),
    /// A NumPy data type: whether it is an unsigned byte.
    Dtype {
        byte: bool,
    },
    /// A NumPy array, empty until its state arrives.
    Array(Option<Array>),
}

/// The state of a NumPy array.
#[derive(Clone, Debug)]
pub(super) struct Array {
    pub(super) shape: Vec<u64>,
    pub(super) byte: bool,
    pub(super) fortran: bool,
    pub(super) data: Span,
}

/// The Python names that a batch of images may mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Global {
    /// Creates an empty array, which its state fills.
    Reconstruct,
    /// Creates an array from a buffer (protocol 5).
    FromBuffer,
    /// The array type, an argument of `Reconstruct`.
    NdArray,
    /// Creates a data type.
    Dtype,
    /// Turns text into bytes, as Python 3 stores them in protocol 2.
    Encode,
}

impl Global {
    /// The name's meaning; none for a name that is not on this list.
    pub(super) fn named(module: &str, name: &str) -> Option<Self> {
        Some(match (module, name) {
            ("numpy.core.multiarray" | "numpy._core.multiarray", "_reconstruct") => Self::Reconstruct,
            ("numpy.core.numeric" | "numpy._core.numeric", "_frombuffer") => Self::FromBuffer,
            ("numpy", "ndarray") => Self::NdArray,
            ("numpy", "dtype") => Self::Dtype,
            ("_codecs", "encode") => Self::Encode,
            _ => return None,
        })
    }
}

impl Value {
    /// The range of a string; Python 2 did not distinguish text and bytes.
    pub(super) fn string(self) -> Option<Span> {
        match self {
            Self::Text(span) | Self::Bytes(span) => Some(span),
            _ => None,
        }
    }

    /// Its kind, for messages.
    pub(super) fn kind(&self, nodes: &[Node]) -> &'static str {
        match self {
            Self::None => "None",
            Self::Bool(_) => "a Boolean",
            Self::Int(_) => "an integer",
            Self::Float => "a float",
            Self::Text(_) => "text",
            Self::Bytes(_) => "bytes",
            Self::Global(_) => "a NumPy constructor",
            Self::Node(id) => match nodes[*id] {
                Node::List(_) => "a list",
                Node::Tuple(_) => "a tuple",
                Node::Dict(_) => "a dictionary",
                Node::Dtype { .. } => "a data type",
                Node::Array(_) => "an array",
            },
        }
    }
}
