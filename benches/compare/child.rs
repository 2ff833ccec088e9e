//! A child process that answers each JSON line with one JSON line, within a time limit.

use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// A running child.
pub(crate) struct Talker {
    child: Child,
    orders: Option<ChildStdin>,
    answers: Receiver<String>,
}

impl Talker {
    /// Starts it and waits until it says that it is ready.
    pub(crate) fn start(mut command: Command, limit: Duration) -> Result<Self, String> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| format!("cannot start {command:?}: {error}"))?;
        let orders = child.stdin.take();
        let output = child.stdout.take();
        let (send, answers) = channel();
        // A separate thread reads, so that waiting can time out.
        std::thread::spawn(move || {
            let lines =
                output.into_iter().flat_map(|output| BufReader::new(output).lines().map_while(Result::ok));
            lines.take_while(|line| send.send(line.clone()).is_ok()).for_each(drop);
        });
        let mut talker = Self { child, orders, answers };
        match talker.answer(limit)?["ready"] {
            Value::Bool(true) => Ok(talker),
            _ => Err("it did not say that it is ready".to_owned()),
        }
    }

    /// Sends an order and waits for the answer; an answer with `error` is an error.
    pub(crate) fn ask(&mut self, order: &Value, limit: Duration) -> Result<Value, String> {
        let orders = self.orders.as_mut().ok_or("it was stopped before")?;
        writeln!(orders, "{order}").and_then(|()| orders.flush()).map_err(|error| error.to_string())?;
        let answer = self.answer(limit)?;
        answer["error"].as_str().map_or(Ok(()), |why| Err(why.to_owned()))?;
        Ok(answer)
    }

    /// The next line. A child that takes too long is stopped, since its next answer would be to an old question.
    fn answer(&mut self, limit: Duration) -> Result<Value, String> {
        let line = self.answers.recv_timeout(limit).map_err(|error| {
            self.orders = None;
            match error {
                // Its output is closed: it has ended, or will soon.
                RecvTimeoutError::Disconnected => match self.child.wait() {
                    Ok(status) => format!("it ended with {status}"),
                    Err(error) => error.to_string(),
                },
                RecvTimeoutError::Timeout => {
                    self.end();
                    format!("no answer within {} s", limit.as_secs())
                }
            }
        })?;
        serde_json::from_str(&line).map_err(|_| format!("it said {line:?}, which is not JSON"))
    }

    fn end(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Talker {
    fn drop(&mut self) {
        self.orders = None;
        self.end();
    }
}
