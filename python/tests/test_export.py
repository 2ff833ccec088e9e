"""Runs for trackers: TensorBoard's own readers, and Weights & Biases."""

from __future__ import annotations

import json
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import pytest
from conftest import program

import creditscope as cs

ignored = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def events(trained: cs.Runs, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The event files of the trained runs."""
    out = tmp_path_factory.mktemp("tensorboard")
    done = program("export", "tensorboard", *trained.paths, "--out", out)
    assert done.returncode == 0, done.stderr
    return out


def accuracies(run: cs.Run) -> list[float]:
    lines = (run.path / "metrics.jsonl").read_text().splitlines()
    return [json.loads(line)["test"]["accuracy"] for line in lines]


@ignored
def test_tensorboard_reads_every_value(trained: cs.Runs, events: Path) -> None:
    accumulators = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator", reason="no tensorboard")
    everything = {"scalars": 0, "tensors": 0, "images": 0}
    for run in trained:
        seen = accumulators.EventAccumulator(str(events / run.id), size_guidance=everything)
        seen.Reload()
        points = seen.Scalars("test/accuracy")
        assert [point.step for point in points] == [0, 1, 2]
        assert [point.value for point in points] == pytest.approx(accuracies(run))
        for tag in seen.Tags()["scalars"]:
            walls = [point.wall_time for point in seen.Scalars(tag)]
            assert walls == sorted(set(walls)), f"wall times of {tag} do not rise"
        for layer in ("embed", "block_0", "block_1"):
            assert len(seen.Scalars(f"believable/cosine/{layer}")) == 3
    pictures = accumulators.EventAccumulator(str(events / "figures"), size_guidance=everything)
    pictures.Reload()
    for tag in pictures.Tags()["images"]:
        (picture,) = pictures.Images(tag)
        assert picture.encoded_image_string.startswith(b"\x89PNG") and picture.width > 100 < picture.height


@ignored
def test_the_dashboards_understand_recipes_groups_and_columns(events: Path) -> None:
    pytest.importorskip("tensorboard", reason="no tensorboard")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    from tensorboard.plugins.hparams import metadata

    def content(run: str, tag: str) -> bytes:
        seen = EventAccumulator(str(events / run))
        seen.Reload()
        return seen.SummaryMetadata(tag).plugin_data.content

    start = metadata.parse_session_start_info_plugin_data(content("dfa-s1", metadata.SESSION_START_INFO_TAG))
    assert start.group_name == "dfa" and start.hparams["rule.name"].string_value == "dfa"
    assert start.hparams["net.d"].number_value == 16 and not start.hparams["rule.frozen"].bool_value
    assert "seed" not in start.hparams
    end = metadata.parse_session_end_info_plugin_data(content("dfa-s1", metadata.SESSION_END_INFO_TAG))
    assert end.status == 1 and end.end_time_secs >= start.start_time_secs
    columns = metadata.parse_experiment_plugin_data(content(".", metadata.EXPERIMENT_TAG))
    assert [key.name for key in columns.hparam_infos] == ["rule.name", "rule.frozen", "rule.normalise"]
    assert list(columns.hparam_infos[0].domain_discrete) == ["bp", "dfa"]
    assert [metric.name.tag for metric in columns.metric_infos][0] == "test/accuracy"


@ignored
def test_margin_charts_name_tags_that_are_there(tmp_path: Path) -> None:
    pytest.importorskip("tensorboard", reason="no tensorboard")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    from tensorboard.plugins.custom_scalar import layout_pb2

    keys = {"name": "seeds", "data.name": "digits", "net.d": 8, "net.blocks": 1, "train.epochs": 1, "seed": [1, 2]}
    seeds = cs.run(keys, out=tmp_path / "runs", progress=False)
    done = program("export", "tensorboard", *seeds.paths, "--out", tmp_path / "tb", "--no-figures")
    assert done.returncode == 0, done.stderr
    seen = EventAccumulator(str(tmp_path / "tb" / "mean" / "bp"))
    seen.Reload()
    layout = layout_pb2.Layout.FromString(seen.Tensors("custom_scalars__config__")[0].tensor_proto.string_val[0])
    assert [category.title for category in layout.category][:2] == ["Accuracy", "Credit"]
    assert [chart.title for chart in layout.category[1].chart] == ["cosine/embed", "cosine/block_0"]
    for category in layout.category:
        for chart in category.chart:
            (series,) = chart.margin.series
            value, lower, upper = (seen.Scalars(tag)[-1].value for tag in (series.value, series.lower, series.upper))
            assert lower <= value <= upper
            assert (lower + upper) / 2 == pytest.approx(value, rel=1e-4, abs=1e-6)


@ignored
def test_tbparse_reads_scalars_and_recipes(trained: cs.Runs, events: Path) -> None:
    tbparse = pytest.importorskip("tbparse", reason="no tbparse")
    run = trained[0]
    reader = tbparse.SummaryReader(str(events / run.id))
    scalars = reader.scalars
    assert list(scalars[scalars.tag == "test/accuracy"].value) == pytest.approx(accuracies(run))
    recipe = dict(zip(reader.hparams.tag, reader.hparams.value))
    assert recipe["rule.name"] == run.rule and recipe["net.blocks"] == 2


class Sent:
    """A run of a wandb that only writes down."""

    def __init__(self, about: dict[str, Any]) -> None:
        self.about = about
        self.steps: list[tuple[int, dict[str, float]]] = []
        self.summary: dict[str, str] = {}

    def log(self, values: dict[str, float], step: int) -> None:
        self.steps.append((step, values))

    def __enter__(self) -> Sent:
        return self

    def __exit__(self, *_: object) -> None:
        pass


def test_wandb_is_told_each_epoch_once_under_a_lasting_id(trained: cs.Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[Sent] = []
    fake = types.ModuleType("wandb")
    fake.init = lambda **about: sent.append(Sent(about)) or sent[-1]  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "wandb", fake)
    ids = cs.export.to_wandb(trained, project="audit", mode="offline", notes="mine")
    assert len(set(ids)) == len(trained) and cs.export.to_wandb(trained) == ids
    for run, one in zip(trained, sent):
        assert one.about["project"] == "audit" and one.about["mode"] == "offline" and one.about["notes"] == "mine"
        assert (one.about["name"], one.about["resume"], one.about["config"]) == (run.id, "allow", run.recipe)
        assert one.about["group"] == run.id.removesuffix("-s1")
        assert [step for step, _ in one.steps] == [0, 1, 2]
        assert [values["test/accuracy"] for _, values in one.steps] == accuracies(run)
        assert one.steps[0][1]["believable/cosine/embed"] in (0.0, 1.0)
        assert one.summary["verdict"].startswith(("PASS", "FAIL", "not"))


def test_without_wandb_the_remedy_is_said(trained: cs.Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wandb", None)
    with pytest.raises(cs.UsageError, match="pip install wandb"):
        cs.export.to_wandb(trained)


def test_the_real_wandb_takes_it_offline(trained: cs.Runs, tmp_path: Path) -> None:
    pytest.importorskip("wandb", reason="no wandb")
    code = "import sys, creditscope as cs; print(cs.export.to_wandb(cs.runs(sys.argv[1]), mode='offline', dir=sys.argv[2]))"
    words = [sys.executable, "-c", code, str(trained.paths[0]), str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(list(tmp_path.glob("wandb/offline-run-*/run-*.wandb"))) == 1
