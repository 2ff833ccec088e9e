//! The memory limit of a file's values.
//!
//! A file of a few kilobytes can claim, or unpack to, any size. So every tensor is charged here before memory is
//! allocated for its values.

use crate::Fault;

/// Most bytes of values in memory.
const MOST_BYTES: u64 = 8 << 30;

/// Most bytes of the values for each byte of the file. Half floats take four times as much in memory, bytes eight times, and
/// measured numbers hardly compress; only a file made to unpack to far more than it is exceeds this.
const MOST_GROWTH: u64 = 64;

/// Up to here, values may grow as they like: layers that are all zeros are real.
const FREE_GROWTH: u64 = 256 << 20;

/// Most tensors in a file. A thousand layers need three thousand.
pub(crate) const MOST_TENSORS: u64 = 1 << 16;

/// Most bytes of a file's table of contents.
pub(crate) const MOST_HEADER: u64 = 16 << 20;

/// The memory that a dump may still take.
#[derive(Debug)]
pub struct Budget {
    limit: u64,
    left: u64,
}

impl Budget {
    /// So many bytes.
    pub fn new(limit: u64) -> Self {
        Self { limit, left: limit }
    }

    /// An empty vector with room for `count` values of a tensor.
    pub(crate) fn room<N>(&mut self, tensor: &str, count: usize) -> Result<Vec<N>, Fault> {
        let wanted = (count as u64).saturating_mul(size_of::<N>() as u64);
        let spent = self.limit - self.left;
        let too_large = || Fault::TooLarge {
            what: if spent == 0 {
                tensor.to_owned()
            } else {
                format!("{tensor}, with the tensors before it,")
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

/// The limit for a file of this length.
pub fn limit_of_file(length: u64) -> u64 {
    length.saturating_mul(MOST_GROWTH).max(FREE_GROWTH)
}

/// The default limit: half of the machine's memory, and at most 8 GiB.
pub fn usual_limit() -> u64 {
    memory().map_or(MOST_BYTES, |bytes| MOST_BYTES.min(bytes / 2))
}

/// Memory of the machine in bytes, if known.
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
        assert!(budget.room::<f64>("h.0", 6).is_ok());
        let refusal = budget.room::<f64>("h.1", 5).unwrap_err().to_string();
        assert!(
            refusal.contains("h.1") && refusal.contains("88 bytes") && refusal.contains("80 are allowed"),
            "{refusal}"
        );
        assert!(budget.room::<f64>("h.1", usize::MAX).is_err());
        assert!(budget.room::<f64>("h.1", 4).is_ok());
    }
}
