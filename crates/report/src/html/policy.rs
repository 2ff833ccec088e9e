//! What the page may do: nothing but run its own script and wear its own style, both named by their hashes.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// Where the page comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A file that stays as it is.
    File,
    /// A file that is written again every so many seconds, and reads itself again as often.
    Refreshed(u64),
    /// From `serve`, which it asks for news.
    Served,
}

impl Mode {
    /// The Content-Security-Policy: a browser refuses whatever else the page might try.
    pub(super) fn policy(self, style: &str, script: &str) -> String {
        let connect = if self == Self::Served { "; connect-src 'self'" } else { "" };
        format!(
            "default-src 'none'; img-src data:; style-src '{}'; script-src '{}'; base-uri 'none'; form-action 'none'{connect}",
            hash(style),
            hash(script)
        )
    }
}

/// The hash of an inline script or style, as policies name it.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The SHA-256 of nothing is a published constant.
    #[test]
    fn only_what_the_page_holds_may_run() {
        let empty = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
        let file = Mode::File.policy("", "");
        assert_eq!(file.matches(empty).count(), 2, "{file}");
        assert!(file.starts_with("default-src 'none'") && !file.contains("unsafe") && !file.contains("http"));
        // The served page may ask its server, and differs in nothing else.
        assert_eq!(Mode::Served.policy("", "").replace("; connect-src 'self'", ""), file);
        assert_ne!(Mode::File.policy("a", ""), file);
    }
}
