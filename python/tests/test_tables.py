"""Tables of runs against the files that they are read from."""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from conftest import SMALL, epochs

import creditscope as cs


def test_metrics_are_the_numbers_of_the_logs(trained: cs.Runs) -> None:
    metrics = trained.metrics()
    lines = [(run.id, line) for run in trained for line in epochs(run.path / "metrics.jsonl")]
    assert metrics.rows == len(lines) == 4 * 3
    for row, (run, line) in enumerate(lines):
        assert metrics["run"][row] == run and metrics["epoch"][row] == line["epoch"]
        assert metrics["test_accuracy"][row] == line["test"]["accuracy"]
        train = line["train"]
        assert np.isnan(metrics["train_loss"][row]) if train is None else metrics["train_loss"][row] == train["loss"]


def test_layers_are_the_series_of_the_logs(trained: cs.Runs) -> None:
    layers = trained.layers()
    assert layers.rows == 4 * 3 * 3
    run = next(run for run in trained if run.id == "bp-s1")
    line = json.loads((run.path / "metrics.jsonl").read_text().splitlines()[-1])
    rows = (layers["run"] == "bp-s1") & (layers["epoch"] == 2)
    assert layers["unit"][rows].tolist() == ["embed", "block 0", "block 1"]
    assert layers["hidden"][rows].tolist() == line["evaluation"]["series"]["hidden"]["values"]
    # Backpropagation is its own reference; at the embedding's input there is no state.
    assert np.abs(layers["cosine"][rows] - 1).max() < 1e-6
    assert layers["cosine_at_input_state"][rows].tolist() == ["absent", "defined", "defined"]
    assert np.isnan(layers["cosine_at_input"][rows][0])


def test_verdicts_know_the_frozen_baselines(trained: cs.Runs) -> None:
    verdicts = trained.verdicts()
    accuracy = dict(zip(verdicts["run"], verdicts["accuracy"]))
    for row in range(verdicts.rows):
        name = str(verdicts["run"][row])
        if "frozen" in name:
            assert np.isnan(verdicts["gain"][row])
        else:
            frozen = accuracy[name.replace("-s1", "-frozen-s1")]
            assert verdicts["gain"][row] == accuracy[name] - frozen
            assert (verdicts["D3"][row] == "fires") == (verdicts["gain"][row] < 0.02)


def test_tables_go_to_pandas_and_polars(trained: cs.Runs) -> None:
    for table in (trained.table(), trained.metrics(), trained.layers(), trained.verdicts()):
        for module, convert in (("pandas", table.to_pandas), ("polars", table.to_polars)):
            pytest.importorskip(module)
            frame = convert()
            assert list(frame.columns) == list(table) and frame.shape == (table.rows, len(table))


def test_what_cannot_be_read_is_warned_about(trained: cs.Runs, tmp_path: Path) -> None:
    broken = tmp_path / "runs" / "broken"
    broken.mkdir(parents=True)
    (broken / "run.json").write_text("{")
    (tmp_path / "runs" / "good").symlink_to(trained[0].path)
    with pytest.warns(cs.CreditscopeWarning, match="run.json"):
        found = cs.runs(tmp_path / "runs")
    assert [run.id for run in found] == [trained[0].id]
    with pytest.raises(cs.RunError, match="run.json"):
        cs.runs(broken)


def test_progress_is_told(tmp_path: Path) -> None:
    last: dict[str, cs.Progress] = {}
    cs.run(SMALL | {"train.epochs": 20, "rule.frozen": False}, out=tmp_path, progress=lambda news: last.update({news.run: news}))
    assert set(last) == {"bp-s1", "dfa-s1"}
    for news in last.values():
        assert news.step == news.steps and news.epoch == news.epochs == 20 and news.accuracy is not None


def test_other_threads_go_on_while_it_trains(tmp_path: Path) -> None:
    heard: list[cs.Progress] = []
    ticks: list[int] = []
    done = threading.Event()

    def tick() -> None:
        while not done.wait(0.001):
            ticks.append(len(heard))

    class Seen(Exception):
        pass

    def hear(news: cs.Progress) -> None:
        heard.append(news)
        if any(0 < seen < len(heard) for seen in ticks):
            raise Seen

    # No thread is made to give way: the other one runs only where training has let go of the lock.
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    other = threading.Thread(target=tick)
    other.start()
    try:
        with pytest.raises(cs.RunError) as caught:
            cs.run(SMALL | {"train.epochs": 2000, "rule.name": "dfa", "rule.frozen": False}, out=tmp_path, progress=hear)
    finally:
        sys.setswitchinterval(usual)
        done.set()
        other.join()
    assert isinstance(caught.value.__cause__, Seen)


def test_an_error_in_the_callback_saves_and_is_raised(tmp_path: Path) -> None:
    def refuse(news: cs.Progress) -> None:
        raise ZeroDivisionError("planted")

    long = SMALL | {"train.epochs": 2000, "rule.name": "dfa", "rule.frozen": False}
    with pytest.raises(cs.RunError, match="saved midway") as caught:
        cs.run(long, out=tmp_path, progress=refuse)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    assert cs.runs(tmp_path)[0].status == "interrupted"
