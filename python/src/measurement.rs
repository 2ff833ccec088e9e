//! The measuring core for models that live in Python: signals come in chunk by chunk, and forward passes are asked for.

use crate::audit::alone;
use crate::fault::Fault;
use crate::judged::Judged;
use ::audit::measurements::Downstream;
use ::audit::{LiveFacts, LiveMeasurement, LiveSignals, judge_live, orders};
use numpy::{IntoPyArray, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use record::audit::{NullKind, Settings};
use std::time::Instant;

/// Most numbers of states in a forward pass that is asked for: four megabytes, beside which the cost of a pass in Python is small.
const NUMBERS: usize = 1 << 19;

/// A measurement under way.
#[pyclass(module = "creditscope._core")]
pub(crate) struct Measurement {
    /// None once it is finished.
    live: Option<LiveMeasurement>,
    settings: Settings,
    begun: Instant,
}

#[pymethods]
impl Measurement {
    /// For states of these widths; `nulls` are those that come with the signals, with the number of their draws.
    #[new]
    fn new(
        widths: Vec<usize>,
        nulls: Vec<(String, u64)>,
        samples: u64,
        directions: u64,
        draws: u64,
    ) -> PyResult<Self> {
        let settings = settings(samples, directions, draws);
        let nulls = nulls.iter().map(|(name, draws)| Ok((kind(name)?, *draws)));
        let nulls = nulls.collect::<Result<Vec<_>, Fault>>()?;
        let live = Some(LiveMeasurement::new(&widths, &nulls, &settings));
        Ok(Self { live, settings, begun: Instant::now() })
    }

    /// Adds a chunk: states, gradients in f64 and f32 by state; credits by null and unit; e_T; the sum of the losses; and
    /// what computes the losses where a state is moved.
    #[expect(clippy::too_many_arguments, reason = "one per signal")]
    fn add(
        &mut self,
        py: Python<'_>,
        samples: usize,
        h: Vec<PyReadonlyArray2<'_, f64>>,
        p: Vec<PyReadonlyArray2<'_, f64>>,
        p32: Option<Vec<PyReadonlyArray2<'_, f32>>>,
        credits: Vec<Vec<PyReadonlyArray2<'_, f32>>>,
        error: PyReadonlyArray2<'_, f64>,
        loss: f64,
        losses: Py<PyAny>,
    ) -> PyResult<()> {
        let live = self.live.as_mut().ok_or_else(|| Fault::internal("the measurement is finished"))?;
        let p32 = p32.unwrap_or_default();
        let credits = credits.iter().map(|units| slices(units)).collect::<PyResult<_>>()?;
        let signals = LiveSignals {
            samples,
            h: slices(&h)?,
            p: slices(&p)?,
            p32: slices(&p32)?,
            credits,
            error: error.as_slice()?,
            loss,
        };
        let mut rest = Rest { losses, refusal: None };
        py.detach(|| live.add(&signals, &mut rest));
        rest.refusal.map_or(Ok(()), Err)
    }

    /// The audit of what was measured.
    fn finish(
        &mut self,
        name: String,
        accuracy: Option<f64>,
        frozen: Option<f64>,
        is_stream: bool,
        of_samples: bool,
    ) -> PyResult<Judged> {
        let live = self.live.take().ok_or_else(|| Fault::internal("the measurement is finished"))?;
        let facts = LiveFacts { name, accuracy, of_samples, frozen, is_stream };
        let mut audit = judge_live(live.finish(), &facts, self.settings.clone());
        audit.seconds = self.begun.elapsed().as_secs_f64();
        Ok(alone(audit))
    }
}

/// The orders of the samples for each draw of a null.
#[pyfunction(name = "orders")]
pub(crate) fn orders_of(kind: &str, draws: u64, samples: usize) -> PyResult<Vec<Vec<usize>>> {
    Ok(orders(self::kind(kind)?, samples, &settings(samples as u64, 0, draws)))
}

fn settings(samples: u64, directions: u64, draws: u64) -> Settings {
    let usual = protocol::settings(&protocol::THRESHOLDS, samples);
    Settings { directions, draws, null_samples: usual.null_samples.min(samples), ..usual }
}

fn kind(name: &str) -> Result<NullKind, Fault> {
    use NullKind::{FreshFeedback, PermutedLabels, ShuffledSamples};
    let known = [FreshFeedback, PermutedLabels, ShuffledSamples].into_iter().find(|kind| kind.name() == name);
    known.ok_or_else(|| Fault::internal(format!("`{name}` is no null")))
}

fn slices<'a, T: numpy::Element>(arrays: &'a [PyReadonlyArray2<'_, T>]) -> PyResult<Vec<&'a [T]>> {
    arrays.iter().map(|array| Ok(array.as_slice()?)).collect()
}

/// The rest of the model above a state, as a function of Python.
struct Rest {
    losses: Py<PyAny>,
    /// The first error; nothing is asked after it.
    refusal: Option<PyErr>,
}

impl Downstream<usize> for Rest {
    fn numbers(&self) -> usize {
        NUMBERS
    }

    fn losses(&mut self, layer: usize, states: &[f64], samples: &[usize], losses: &mut [f64]) {
        losses.fill(f64::NAN);
        if self.refusal.is_some() {
            return;
        }
        let asked = Python::attach(|py| -> PyResult<()> {
            let rows = samples.len();
            let states =
                states.to_vec().into_pyarray(py).call_method1("reshape", (rows, states.len() / rows))?;
            let samples: Vec<i64> = samples.iter().map(|&sample| sample as i64).collect();
            let found = self.losses.bind(py).call1((layer, states, samples.into_pyarray(py)))?;
            losses.copy_from_slice(found.extract::<PyReadonlyArray1<'_, f64>>()?.as_slice()?);
            py.check_signals()
        });
        self.refusal = asked.err();
    }
}
