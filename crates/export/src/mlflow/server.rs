//! Requests to the REST interface of a tracking server.

use super::Error;
use record::escape;
use serde_json::Value;
use std::borrow::Cow;

/// A tracking server.
#[derive(Clone, Debug)]
pub struct Server {
    client: ureq::Agent,
    url: String,
    token: Option<String>,
}

impl Server {
    /// The server at an address, reached by this client. A token says who asks.
    pub fn new(client: ureq::Agent, url: &str, token: Option<String>) -> Result<Self, Error> {
        let url = url.trim_end_matches('/').to_owned();
        if !["http://", "https://"].iter().any(|scheme| url.starts_with(scheme)) {
            return Err(Error::Address { url });
        }
        Ok(Self { client, url, token })
    }

    /// The address of a page of its own.
    pub(super) fn page(&self, path: &str) -> String {
        format!("{}/#/{path}", self.url)
    }

    /// Asks; `None` where there is no such thing.
    pub(super) fn get(&self, path: &str, query: (&str, &str)) -> Result<Option<Answer>, Error> {
        let url = self.address(path);
        let request = self.client.get(&url).query(query.0, query.1);
        let request = match &self.token {
            Some(token) => request.header("Authorization", format!("Bearer {token}")),
            None => request,
        };
        let (status, text) = read(&url, request.call())?;
        if status == 404 && text.contains("RESOURCE_DOES_NOT_EXIST") {
            return Ok(None);
        }
        answer(url, status, &text).map(Some)
    }

    /// Tells.
    pub(super) fn post(&self, path: &str, body: &Value) -> Result<Answer, Error> {
        let url = self.address(path);
        let request = self.client.post(&url).content_type("application/json");
        let request = match &self.token {
            Some(token) => request.header("Authorization", format!("Bearer {token}")),
            None => request,
        };
        let (status, text) = read(&url, request.send(body.to_string()))?;
        answer(url, status, &text)
    }

    fn address(&self, path: &str) -> String {
        format!("{}/api/2.0/mlflow/{path}", self.url)
    }
}

fn read(
    url: &str,
    response: Result<ureq::http::Response<ureq::Body>, ureq::Error>,
) -> Result<(u16, String), Error> {
    let unreachable = |e: ureq::Error| Error::Connection { url: url.to_owned(), why: e.to_string() };
    let mut response = response.map_err(unreachable)?;
    let text = response.body_mut().read_to_string().map_err(unreachable)?;
    Ok((response.status().as_u16(), text))
}

fn answer(url: String, status: u16, text: &str) -> Result<Answer, Error> {
    match status {
        200 => Ok(Answer { value: serde_json::from_str(text).unwrap_or_default(), url }),
        401 | 403 => Err(Error::Denied { url, status }),
        _ => Err(Error::Status { url, status, message: words(text).into_owned() }),
    }
}

/// What a server says about a refusal: the message of MLflow, or the start of another page.
fn words(text: &str) -> Cow<'_, str> {
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    match value["message"].as_str() {
        Some(message) => escape::visible(message).into_owned().into(),
        None => escape::visible(text.trim().get(..200).unwrap_or(text.trim())),
    }
}

/// What a server answered.
pub(super) struct Answer {
    pub(super) value: Value,
    url: String,
}

impl Answer {
    /// The text at a place such as `/run/info/run_id`.
    pub(super) fn text(&self, place: &'static str) -> Result<String, Error> {
        let text = self.value.pointer(place).and_then(Value::as_str).map(str::to_owned);
        text.ok_or_else(|| Error::Answer { url: self.url.clone(), missing: place })
    }
}
