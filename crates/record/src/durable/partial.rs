//! Names of files and folders while they are being written, and the cleaning of those that a killed writer left.
//!
//! A name holds the host, the process and a number drawn by the process, so that no two writers share one, not even on a
//! network file system. A leftover is removed by a later run on the same host once its process is gone. Those of other
//! hosts stay: it is unknown whether their writer lives.

use super::disk;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

const SUFFIX: &str = ".partial";

/// Who writes.
struct Writer {
    host: String,
    process: u32,
    /// Tells this process from an earlier one with the same number.
    token: String,
}

static SELF: LazyLock<Writer> = LazyLock::new(|| Writer {
    host: host(),
    process: std::process::id(),
    token: format!("{:016x}", RandomState::new().hash_one(std::process::id())),
});

/// The host's name with nothing in it but letters, digits and `-`. Containers of one name would have to share their processes
/// as well, which they do not by default: their name is unique.
fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = name.or_else(|| std::env::var("HOSTNAME").ok()).or_else(|| std::env::var("COMPUTERNAME").ok());
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name: String = name.unwrap_or_default().trim().chars().take(32).map(plain).collect();
    if name.is_empty() { "unknown".to_owned() } else { name }
}

/// The name of this process among all that write to a shared folder: host, process and a number that it drew.
pub fn writer() -> String {
    let Writer { host, process, token } = &*SELF;
    format!("{host}.{process}.{token}")
}

/// The name of `path` while it is being written; another one at each call.
pub fn partial(path: &Path) -> PathBuf {
    use std::sync::atomic::{AtomicU64, Ordering};
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let Writer { host, process, token } = &*SELF;
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    path.with_file_name(format!(".{name}.{host}.{process}.{token}-{count}{SUFFIX}"))
}

/// Removes from a folder what dead writers on this host left behind.
pub fn clean(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if is_abandoned(&entry.file_name().to_string_lossy()) {
            let _ = disk::remove(&entry.path());
        }
    }
}

/// Whether a file name is that of a writer on this host that is gone.
fn is_abandoned(name: &str) -> bool {
    let Some(middle) = name.strip_prefix('.').and_then(|name| name.strip_suffix(SUFFIX)) else {
        return false;
    };
    let mut parts = middle.rsplitn(4, '.');
    let (Some(token), Some(process), Some(host), Some(_)) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    let Ok(process) = process.parse::<u32>() else { return false };
    host == SELF.host
        && if process == SELF.process { !token.starts_with(&SELF.token) } else { is_gone(process) }
}

/// Whether a process is known to have ended; unknown where the system does not list processes.
fn is_gone(process: u32) -> bool {
    Path::new("/proc/self").exists() && !Path::new("/proc").join(process.to_string()).exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_dead_writers_of_this_host_have_abandoned_their_files() {
        let Writer { host, process, token } = &*SELF;
        let own = partial(Path::new("runs/run.json"));
        let own = own.file_name().expect("a name").to_string_lossy();
        assert!(!is_abandoned(&own), "{own} is being written");
        // Beyond the largest process number of any system.
        let dead = u32::MAX;
        for (name, abandoned) in [
            (format!(".run.json.{host}.{dead}.{token}-0.partial"), true),
            (format!(".run.json.{host}.{process}.0123456789abcdef-0.partial"), true),
            // The first process of the system lives as long as it does.
            (format!(".run.json.{host}.1.0123456789abcdef-0.partial"), false),
            (format!(".run.json.{host}x.{dead}.{token}-0.partial"), false),
            (format!("run.json.{host}.{dead}.{token}-0.partial"), false),
            (format!(".run.json.{host}.{dead}.{token}-0"), false),
            (".run.json.17.partial".to_owned(), false),
            (".partial".to_owned(), false),
        ] {
            assert_eq!(is_abandoned(&name), abandoned, "{name}");
        }
    }
}
