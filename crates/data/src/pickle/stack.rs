//! The machine's stack, its containers and its memory, with the limits that keep them small.

use std::io::{Read, Seek};

use super::Fault;
use super::machine::Machine;
use super::value::{Node, Value};

/// Most values a pickle may push or remember. CIFAR-100's training batch has some 300,000; a file made of nothing
/// but instructions would otherwise take many times its own size.
pub(super) const MOST_VALUES: u64 = 1 << 20;

impl<R: Read + Seek> Machine<R> {
    pub(super) fn make(&mut self, node: Node) -> Result<(), Fault> {
        self.nodes.push(node);
        self.push(Value::Node(self.nodes.len() - 1))
    }

    pub(super) fn push(&mut self, value: Value) -> Result<(), Fault> {
        self.spend()?;
        self.stack.push(value);
        Ok(())
    }

    pub(super) fn spend(&mut self) -> Result<(), Fault> {
        self.left = self.left.checked_sub(1).ok_or_else(|| {
            self.input.fault(format!("more than {MOST_VALUES} values, which no batch of images has"))
        })?;
        Ok(())
    }

    /// The top of the stack, but never what lies below the last mark.
    pub(super) fn pop(&mut self) -> Result<Value, Fault> {
        let value = self.top()?;
        self.stack.pop();
        Ok(value)
    }

    pub(super) fn top(&self) -> Result<Value, Fault> {
        let floor = self.marks.last().copied().unwrap_or(0);
        self.stack[floor..]
            .last()
            .copied()
            .ok_or_else(|| self.input.fault("an instruction without its operand"))
    }

    pub(super) fn pop_to_mark(&mut self) -> Result<Vec<Value>, Fault> {
        let mark = self.marks.pop().ok_or_else(|| self.input.fault("an instruction without its mark"))?;
        Ok(self.stack.split_off(mark))
    }

    pub(super) fn extend_list(&mut self, items: Vec<Value>) -> Result<(), Fault> {
        if let Value::Node(id) = self.top()?
            && let Node::List(list) = &mut self.nodes[id]
        {
            list.extend(items);
            return Ok(());
        }
        Err(self.input.fault("items for something that is no list"))
    }

    pub(super) fn extend_dict(&mut self, items: Vec<Value>) -> Result<(), Fault> {
        if let Value::Node(id) = self.top()?
            && let Node::Dict(dict) = &mut self.nodes[id]
            && let (pairs, []) = items.as_chunks::<2>()
        {
            dict.extend(pairs.iter().map(|&[key, value]| (key, value)));
            return Ok(());
        }
        Err(self.input.fault("pairs for something that is no dictionary"))
    }

    pub(super) fn remember(&mut self, index: u32) -> Result<(), Fault> {
        self.spend()?;
        let value = self.top()?;
        self.memo.insert(index, value);
        Ok(())
    }

    pub(super) fn recall(&mut self, index: u32) -> Result<(), Fault> {
        match self.memo.get(&index) {
            Some(&value) => self.push(value),
            None => Err(self.input.fault(format!("a reference to value {index}, which was never stored"))),
        }
    }
}
