//! The machine's stack, containers and memo, with limits on their size.

use std::io::{Read, Seek};

use super::PickleFault;
use super::machine::Machine;
use super::value::{Node, Value};

/// Most values that a pickle may push or memoise. CIFAR-100's training batch has some 300,000; without a limit, a file
/// of nothing but instructions would take many times its own size in memory.
pub(super) const MOST_VALUES: u64 = 1 << 20;

impl<R: Read + Seek> Machine<R> {
    /// The container that a value refers to.
    pub(super) fn node(&self, value: Value) -> Option<&Node> {
        match value {
            Value::Node(id) => Some(&self.nodes[id]),
            _ => None,
        }
    }

    pub(super) fn make(&mut self, node: Node) -> Result<(), PickleFault> {
        self.nodes.push(node);
        self.push(Value::Node(self.nodes.len() - 1))
    }

    pub(super) fn push(&mut self, value: Value) -> Result<(), PickleFault> {
        self.spend()?;
        self.stack.push(value);
        Ok(())
    }

    pub(super) fn spend(&mut self) -> Result<(), PickleFault> {
        self.left = self.left.checked_sub(1).ok_or_else(|| {
            self.input.fault(format!("more than {MOST_VALUES} values, which no batch of images has"))
        })?;
        Ok(())
    }

    /// Pops the top of the stack, down to the last mark.
    pub(super) fn pop(&mut self) -> Result<Value, PickleFault> {
        let value = self.top()?;
        self.stack.pop();
        Ok(value)
    }

    pub(super) fn top(&self) -> Result<Value, PickleFault> {
        let floor = self.marks.last().copied().unwrap_or(0);
        self.stack[floor..]
            .last()
            .copied()
            .ok_or_else(|| self.input.fault("an instruction without its operand"))
    }

    pub(super) fn pop_to_mark(&mut self) -> Result<Vec<Value>, PickleFault> {
        let mark = self.marks.pop().ok_or_else(|| self.input.fault("an instruction without its mark"))?;
        Ok(self.stack.split_off(mark))
    }

    pub(super) fn extend_list(&mut self, items: Vec<Value>) -> Result<(), PickleFault> {
        if let Value::Node(id) = self.top()?
            && let Node::List(list) = &mut self.nodes[id]
        {
            list.extend(items);
            return Ok(());
        }
        Err(self.input.fault("items for something that is not a list"))
    }

    pub(super) fn extend_dict(&mut self, items: Vec<Value>) -> Result<(), PickleFault> {
        if let Value::Node(id) = self.top()?
            && let Node::Dict(dict) = &mut self.nodes[id]
            && let (pairs, []) = items.as_chunks::<2>()
        {
            dict.extend(pairs.iter().map(|&[key, value]| (key, value)));
            return Ok(());
        }
        Err(self.input.fault("pairs for something that is not a dictionary"))
    }

    pub(super) fn remember(&mut self, index: u32) -> Result<(), PickleFault> {
        self.spend()?;
        let value = self.top()?;
        self.memo.insert(index, value);
        Ok(())
    }

    pub(super) fn recall(&mut self, index: u32) -> Result<(), PickleFault> {
        match self.memo.get(&index) {
            Some(&value) => self.push(value),
            None => Err(self.input.fault(format!("a reference to value {index}, which was never stored"))),
        }
    }
}
