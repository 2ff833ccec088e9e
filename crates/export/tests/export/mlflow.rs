//! Runs sent to a server that answers as MLflow does, and writes down what it is told.

use crate::made::{epoch, run, undefined};
use export::mlflow::{Error, Sent, Server, send};
use export::named;
use record::Run;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// What the server was told: of experiments their names, of runs how they were made and what came after.
#[derive(Default)]
struct State {
    experiments: Vec<String>,
    runs: Vec<Value>,
    metrics: Vec<Value>,
    params: Vec<Value>,
    updates: Vec<Value>,
    tokens: Vec<Option<String>>,
    /// Requests with this in their path are refused.
    refuse: Option<(&'static str, u16, &'static str)>,
}

impl State {
    fn answer(&mut self, path: &str, body: &Value) -> (u16, Value) {
        if let Some((_, status, message)) = self.refuse.filter(|(part, ..)| path.contains(part)) {
            return (status, json!({"error_code": "X", "message": message}));
        }
        let text = |value: &Value| value.as_str().expect("a word").to_owned();
        match path.split('?').next().and_then(|path| path.strip_prefix("/api/2.0/mlflow/")) {
            Some("experiments/get-by-name") if self.experiments.is_empty() => {
                (404, json!({"error_code": "RESOURCE_DOES_NOT_EXIST"}))
            }
            Some("experiments/get-by-name") => {
                (200, json!({"experiment": {"experiment_id": "7", "lifecycle_stage": "active"}}))
            }
            Some("experiments/create") => {
                self.experiments.push(text(&body["name"]));
                (200, json!({"experiment_id": "7"}))
            }
            Some("runs/create") => {
                let id = format!("r{}", self.runs.len());
                self.runs.push(json!({"info": {"run_id": id}, "data": {"tags": body["tags"], "params": []}}));
                (200, json!({"run": {"info": {"run_id": id}}}))
            }
            Some("runs/search") => {
                let filter = text(&body["filter"]);
                let wanted = filter.split('\'').nth(1).expect("a value in quotes");
                let has = |run: &&Value| run["data"]["tags"][0]["value"] == wanted;
                (200, json!({"runs": self.runs.iter().filter(has).collect::<Vec<_>>()}))
            }
            Some("runs/log-batch") => {
                let of = |name: &str| body[name].as_array().cloned().unwrap_or_default();
                assert!(of("metrics").len() + of("params").len() + of("tags").len() <= 1000);
                self.metrics.extend(of("metrics"));
                self.params.extend(of("params"));
                let run =
                    self.runs.iter_mut().find(|run| run["info"]["run_id"] == body["run_id"]).expect("a run");
                for (kind, pairs) in [("tags", of("tags")), ("params", of("params"))] {
                    let known = run["data"][kind].as_array_mut().expect("a list");
                    for pair in pairs {
                        known.retain(|other| other["key"] != pair["key"]);
                        known.push(pair);
                    }
                }
                (200, json!({}))
            }
            Some("runs/update") => {
                self.updates.push(body.clone());
                (200, json!({}))
            }
            other => panic!("no such place: {other:?}"),
        }
    }
}

fn serve(state: &Arc<Mutex<State>>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let state = Arc::clone(state);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            one(stream, &state);
        }
    });
    url
}

/// One request per connection.
fn one(stream: TcpStream, state: &Mutex<State>) {
    let mut reader = BufReader::new(&stream);
    let mut line = String::new();
    reader.read_line(&mut line).expect("a request");
    let path = line.split(' ').nth(1).expect("a path").to_owned();
    let (mut length, mut token) = (0, None);
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).expect("a header");
        let Some((name, value)) = header.trim().split_once(": ") else { break };
        match name.to_lowercase().as_str() {
            "content-length" => length = value.parse().expect("a length"),
            "authorization" => token = Some(value.to_owned()),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("a body");
    let body = serde_json::from_slice(&body).unwrap_or_default();
    let (status, answer) = {
        let mut state = state.lock().expect("not poisoned");
        state.tokens.push(token);
        state.answer(&path, &body)
    };
    let answer = answer.to_string();
    let head =
        format!("HTTP/1.1 {status} X\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", answer.len());
    (&stream).write_all((head + &answer).as_bytes()).expect("answered");
}

fn client() -> ureq::Agent {
    ureq::Agent::config_builder().http_status_as_error(false).proxy(None).build().new_agent()
}

fn export(url: &str, runs: &[Run]) -> Result<Sent, Error> {
    let server = Server::new(client(), url, Some("secret".to_owned()))?;
    send(&server, "audit", &named(runs), |_| Some("PASS".to_owned()), |_| {})
}

fn counts(sent: &Sent) -> [usize; 3] {
    [sent.new, sent.continued, sent.there]
}

#[test]
fn a_run_is_sent_once_and_gets_what_it_lacks() {
    let state = Arc::default();
    let url = serve(&state);
    let epochs = [epoch(0, 0.25, &undefined()), epoch(1, 0.5, &json!(0.75))];
    let recipe = "optim.lr = 0.1\nrule.name = 'dfa'";
    let short = [run("dfa-s1", 1, recipe, epochs[..1].to_vec())];
    let whole = [run("dfa-s1", 1, recipe, epochs.to_vec()), run("dfa-s2", 2, recipe, epochs.to_vec())];
    assert_eq!(counts(&export(&url, &short).expect("sent")), [1, 0, 0]);
    assert_eq!(counts(&export(&url, &whole).expect("sent")), [1, 1, 0]);
    let again = export(&url, &whole).expect("sent");
    assert_eq!(counts(&again), [0, 0, 2]);
    assert_eq!(again.page, format!("{url}/#/experiments/7"));

    let state = state.lock().expect("not poisoned");
    assert_eq!((state.experiments.as_slice(), state.runs.len()), (&["audit".to_owned()][..], 2));
    let of = |key: &str| {
        let metrics = state.metrics.iter().filter(|metric| metric["key"] == key);
        metrics.map(|metric| (metric["step"].as_u64(), metric["value"].as_f64())).collect::<Vec<_>>()
    };
    let accuracy = [(Some(0), Some(0.25)), (Some(1), Some(0.5))];
    assert_eq!(of("test/accuracy"), [accuracy, accuracy].concat(), "each epoch of each run once");
    assert_eq!(of("cosine/block_0"), [(Some(1), Some(0.75)); 2], "undefined at epoch 0");
    assert!(of("hidden/block_0").is_empty() && of("network/growth").is_empty(), "infinite");
    // Two seconds each from 2024-03-01T00:00:00Z.
    assert!(
        state
            .metrics
            .iter()
            .all(|m| [1_709_251_202_000, 1_709_251_204_000].map(Some).contains(&m["timestamp"].as_u64()))
    );
    // Parameters cannot be changed, so they are told once: name, seed, learning rate and rule of two runs.
    assert_eq!(state.params.len(), 8);
    assert!(state.params.contains(&json!({"key": "rule.name", "value": "dfa"})));
    let tags = state.runs[0]["data"]["tags"].as_array().expect("tags");
    for (key, value) in
        [("creditscope.group", "dfa"), ("creditscope.verdict", "PASS"), ("creditscope.epochs", "2")]
    {
        assert!(tags.contains(&json!({"key": key, "value": value})), "{key}: {tags:?}");
    }
    let end = json!({"run_id": "r0", "status": "FINISHED", "end_time": 1_709_251_260_000_u64});
    assert_eq!(state.updates[0], end);
    assert!(state.tokens.iter().all(|token| token.as_deref() == Some("Bearer secret")));
}

#[test]
fn refusals_name_the_address_and_the_words_of_the_server() {
    let state: Arc<Mutex<State>> = Arc::default();
    let url = serve(&state);
    let runs = [run("dfa-s1", 1, "", vec![epoch(0, 0.25, &json!(0.5))])];
    for (refuse, words) in [
        (("runs/create", 500, "no room\u{1b}[2J"), "status 500: no room␛[2J"),
        (("experiments", 401, ""), "does not let us in (status 401)"),
    ] {
        state.lock().expect("not poisoned").refuse = Some(refuse);
        let said = export(&url, &runs).expect_err("refused").to_string();
        assert!(said.contains(&url) && said.contains(words), "{said}");
        assert!(!said.contains("secret"), "{said}");
    }
    assert!(matches!(export("sqlite:///mlflow.db", &runs), Err(Error::Address { .. })));
    let closed = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port");
    assert!(matches!(export(&format!("http://{closed}"), &runs), Err(Error::Connection { .. })));
}
