//! How much memory a dump may take.
//!
//! A file of a few kilobytes can claim, or unpack to, any size. So every tensor is paid for here before room is made
//! for its values.

use crate::dump::Fault;

/// Bytes that a dump's values may take, as they are held: eight each, whatever they were saved in.
const MOST_BYTES: u64 = 8 << 30;

/// Tensors that a file may hold. A thousand layers need three thousand.
pub(super) const MOST_TENSORS: u64 = 1 << 16;

/// Bytes that the table of contents of a file may take.
pub(super) const MOST_HEADER: u64 = 16 << 20;

/// What is left of the memory that a dump may take.
#[derive(Debug)]
pub(crate) struct Budget {
    limit: u64,
    left: u64,
}

impl Budget {
    pub(crate) fn new(limit: u64) -> Self {
        Self { limit, left: limit }
    }

    /// Room for `count` values of a tensor; it is reserved, and still empty.
    pub(super) fn room(&mut self, tensor: &str, count: usize) -> Result<Vec<f64>, Fault> {
        let wanted = (count as u64).saturating_mul(size_of::<f64>() as u64);
        let spent = self.limit - self.left;
        let too_large = || Fault::TooLarge {
            what: if spent == 0 {
                tensor.to_owned()
            } else {
                format!("{tensor}, with what was read before it,")
            },
            wanted: spent.saturating_add(wanted),
            limit: self.limit,
        };
        self.left = self.left.checked_sub(wanted).ok_or_else(too_large)?;
        let mut values = Vec::new();
        values.try_reserve_exact(count).map_err(|_| too_large())?;
        Ok(values)
    }
}

/// The usual limit: half of the machine's memory, and 8 GiB at most.
pub(crate) fn usual_limit() -> u64 {
    memory().map_or(MOST_BYTES, |bytes| MOST_BYTES.min(bytes / 2))
}

/// Memory of the machine in bytes, where the system says.
fn memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemTotal:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_given_until_the_limit_and_never_beyond() {
        let mut budget = Budget::new(80);
        assert!(budget.room("h.0", 6).is_ok());
        let refusal = budget.room("h.1", 5).unwrap_err().to_string();
        assert!(
            refusal.contains("h.1") && refusal.contains("88 bytes") && refusal.contains("80 are allowed"),
            "{refusal}"
        );
        assert!(budget.room("h.1", usize::MAX).is_err());
        assert!(budget.room("h.1", 4).is_ok());
    }
}
