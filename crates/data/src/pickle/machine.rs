//! The stack machine: runs instructions until `STOP`.
//!
//! Other instructions (classes, persistent ids, extension codes, numbers as text) are refused by their code.

use std::collections::HashMap;
use std::io::{Read, Seek};

use super::PickleFault;
use super::input::Input;
use super::numpy;
use super::stack::MOST_VALUES;
use super::value::{Global, Node, Value};

/// Longest name of a module or function.
const LONGEST_NAME: usize = 200;

pub(super) struct Machine<R> {
    pub(super) input: Input<R>,
    pub(super) nodes: Vec<Node>,
    pub(super) stack: Vec<Value>,
    pub(super) marks: Vec<usize>,
    pub(super) memo: HashMap<u32, Value>,
    /// Values that may still be pushed.
    pub(super) left: u64,
}

impl<R: Read + Seek> Machine<R> {
    pub(super) fn new(input: Input<R>) -> Self {
        let left = input.len().min(MOST_VALUES);
        Self { input, nodes: Vec::new(), stack: Vec::new(), marks: Vec::new(), memo: HashMap::new(), left }
    }

    /// Runs to the end and returns the result.
    pub(super) fn run(&mut self) -> Result<Value, PickleFault> {
        let first = self.input.byte()?;
        if first != 0x80 {
            return Err(self.input.fault("it does not begin like a pickle of protocol 2 to 5"));
        }
        let version = self.input.byte()?;
        if !(2..=5).contains(&version) {
            return Err(self.input.fault(format!("protocol {version}; 2 to 5 are known")));
        }
        loop {
            let code = self.input.byte()?;
            if code == b'.' {
                return self.pop();
            }
            self.step(code)?;
        }
    }

    fn step(&mut self, code: u8) -> Result<(), PickleFault> {
        match code {
            // FRAME: its length is a hint for readers that buffer.
            0x95 => self.input.array::<8>().map(drop),
            b'(' => {
                self.spend()?;
                self.marks.push(self.stack.len());
                Ok(())
            }
            b'0' => self.pop().map(drop),
            b'N' => self.push(Value::None),
            0x88 => self.push(Value::Bool(true)),
            0x89 => self.push(Value::Bool(false)),
            b'K' => self.number::<1>(),
            b'M' => self.number::<2>(),
            b'J' => self.input.array().and_then(|n| self.push(Value::Int(i32::from_le_bytes(n).into()))),
            0x8a => self.long(),
            b'G' => self.input.array::<8>().and_then(|_| self.push(Value::Float)),
            b'U' | b'C' => self.bytes::<1>(),
            b'T' | b'B' => self.bytes::<4>(),
            0x8e | 0x96 => self.bytes::<8>(),
            0x8c => self.text::<1>(),
            b'X' => self.text::<4>(),
            0x8d => self.text::<8>(),
            b']' => self.make(Node::List(Vec::new())),
            b'}' => self.make(Node::Dict(Vec::new())),
            b')' => self.make(Node::Tuple(Vec::new())),
            0x85..=0x87 => {
                let mut items = [Value::None; 3];
                let items = &mut items[..usize::from(code - 0x84)];
                for item in items.iter_mut().rev() {
                    *item = self.pop()?;
                }
                self.make(Node::Tuple(items.to_vec()))
            }
            b't' => self.pop_to_mark().and_then(|items| self.make(Node::Tuple(items))),
            b'l' => self.pop_to_mark().and_then(|items| self.make(Node::List(items))),
            b'a' => self.pop().and_then(|item| self.extend_list(vec![item])),
            b'e' => self.pop_to_mark().and_then(|items| self.extend_list(items)),
            b's' => {
                let value = self.pop()?;
                let key = self.pop()?;
                self.extend_dict(vec![key, value])
            }
            b'u' => self.pop_to_mark().and_then(|items| self.extend_dict(items)),
            b'q' => self.length::<1>().and_then(|index| self.remember(index as u32)),
            b'r' => self.length::<4>().and_then(|index| self.remember(index as u32)),
            0x94 => self.remember(self.memo.len() as u32),
            b'h' => self.length::<1>().and_then(|index| self.recall(index as u32)),
            b'j' => self.length::<4>().and_then(|index| self.recall(index as u32)),
            b'c' => {
                let module = self.input.line(LONGEST_NAME)?;
                let name = self.input.line(LONGEST_NAME)?;
                self.global(&module, &name)
            }
            0x93 => {
                let name = self.name()?;
                let module = self.name()?;
                self.global(&module, &name)
            }
            b'R' => {
                let arguments = self.pop()?;
                let callable = self.pop()?;
                let result = numpy::reduce(self, callable, arguments)?;
                self.push(result)
            }
            b'b' => {
                let state = self.pop()?;
                let object = self.top()?;
                numpy::build(self, object, state)
            }
            other => Err(self
                .input
                .fault(format!("instruction {other:#04x}, which a batch of images does not need"))),
        }
    }

    fn number<const N: usize>(&mut self) -> Result<(), PickleFault> {
        let n = self.length::<N>()?;
        self.push(Value::Int(n as i64))
    }

    fn long(&mut self) -> Result<(), PickleFault> {
        let len = usize::from(self.input.byte()?);
        if len > 8 {
            return Err(self.input.fault(format!("a number of {len} bytes")));
        }
        let mut n = [0; 8];
        for byte in &mut n[..len] {
            *byte = self.input.byte()?;
        }
        // The sign is the top bit of the last byte.
        let unused = 64 - 8 * len as u32;
        self.push(Value::Int(i64::from_le_bytes(n).checked_shl(unused).map_or(0, |n| n >> unused)))
    }

    /// An unsigned number of N bytes.
    fn length<const N: usize>(&mut self) -> Result<u64, PickleFault> {
        let mut bytes = [0; 8];
        bytes[..N].copy_from_slice(&self.input.array::<N>()?);
        Ok(u64::from_le_bytes(bytes))
    }

    fn bytes<const N: usize>(&mut self) -> Result<(), PickleFault> {
        let len = self.length::<N>()?;
        let span = self.input.skip(len)?;
        self.push(Value::Bytes(span))
    }

    fn text<const N: usize>(&mut self) -> Result<(), PickleFault> {
        let len = self.length::<N>()?;
        let span = self.input.skip(len)?;
        self.push(Value::Text(span))
    }

    /// Pops a name that is text.
    fn name(&mut self) -> Result<String, PickleFault> {
        let value = self.pop()?;
        let Value::Text(span) = value else {
            return Err(self.input.fault(format!("a name that is {}", value.kind(&self.nodes))));
        };
        let bytes = self.input.short(span, LONGEST_NAME as u64)?;
        let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
        text.ok_or_else(|| self.input.fault("a name that is too long or not text"))
    }

    fn global(&mut self, module: &str, name: &str) -> Result<(), PickleFault> {
        match Global::named(module, name) {
            Some(global) => self.push(Value::Global(global)),
            None => Err(PickleFault::Refused(format!("{module}.{name}").escape_debug().to_string())),
        }
    }
}
