"""Runs that the tests share, and helpers that compare what training left behind."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import creditscope as cs

ROOT = Path(__file__).resolve().parents[2]

SMALL = {
    "name": "small",
    "data.name": "digits",
    "net.d": 16,
    "net.blocks": 2,
    "train.epochs": 2,
    "eval.samples": 64,
    "audit.every": 0,
    "rule.name": ["bp", "dfa"],
    "rule.frozen": [False, True],
    "seed": 1,
}


def program(*words: object, **options: object) -> subprocess.CompletedProcess[str]:
    """The command line, in a process of its own."""
    line = [sys.executable, "-m", "creditscope", *map(str, words)]
    return subprocess.run(line, capture_output=True, text=True, encoding="utf-8", check=False, **options)  # type: ignore[call-overload]


def toml(keys: dict[str, object]) -> str:
    """Keys as the text of a recipe."""
    return "".join(f"{key} = {json.dumps(value)}\n" for key, value in keys.items())


def tensors(path: Path) -> tuple[dict[str, object], bytes]:
    """Names, types and shapes of a safetensors file, and its content; metadata hold times."""
    content = path.read_bytes()
    end = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:end])
    header.pop("__metadata__", None)
    return header, content[end:]


def epochs(path: Path) -> list[dict[str, object]]:
    """The lines of a log without their times."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return [{key: value for key, value in line.items() if not key.endswith("_seconds")} for line in lines]


def assert_same_run(one: Path, other: Path) -> None:
    """Recipe, log and weights are the same to the last bit."""
    assert (one / "recipe.toml").read_bytes() == (other / "recipe.toml").read_bytes()
    assert epochs(one / "metrics.jsonl") == epochs(other / "metrics.jsonl")
    assert tensors(one / "checkpoint.safetensors") == tensors(other / "checkpoint.safetensors")


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> cs.Runs:
    """bp and dfa with their frozen baselines, trained by `creditscope.run`. Nobody writes to them but audits."""
    return cs.run(SMALL, out=tmp_path_factory.mktemp("trained"), progress=False)
