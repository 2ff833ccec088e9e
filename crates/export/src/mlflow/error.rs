//! What can go wrong between here and a server.

/// Why runs could not be sent. Messages name the address.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An address that no request can be sent to.
    #[error("`{url}` is not the address of a server: it begins with http:// or https://")]
    Address {
        /// What was given.
        url: String,
    },
    /// Nobody answers.
    #[error("cannot reach {url}: {why}")]
    Connection {
        /// What was asked.
        url: String,
        /// Why not.
        why: String,
    },
    /// The server wants to know who asks.
    #[error("{url} does not let us in (status {status})")]
    Denied {
        /// What was asked.
        url: String,
        /// 401 or 403.
        status: u16,
    },
    /// The server refuses.
    #[error("{url} answered with status {status}: {message}")]
    Status {
        /// What was asked.
        url: String,
        /// The status.
        status: u16,
        /// The server's words, made visible.
        message: String,
    },
    /// The answer is not that of MLflow.
    #[error("the answer of {url} is not one of MLflow: it has no {missing}")]
    Answer {
        /// What was asked.
        url: String,
        /// What should be in it.
        missing: &'static str,
    },
    /// The experiment was deleted, and its name is taken until that is undone.
    #[error("the experiment `{name}` was deleted on the server, which keeps its name")]
    Deleted {
        /// The experiment.
        name: String,
    },
}
