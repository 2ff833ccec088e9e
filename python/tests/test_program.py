"""The command line through the extension: exit codes, Ctrl-C, processes that it starts itself."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import SMALL, assert_same_run, program, toml

import creditscope as cs

# Far longer than it takes to press Ctrl-C; the end is brought near afterwards.
LONG = SMALL | {"train.epochs": 1_000_000, "rule.name": "dfa", "rule.frozen": False}

needs_signals = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")


def wait_for_epochs(log: Path, process: subprocess.Popen[str], count: int = 2) -> None:
    """Until training is under way."""
    while not log.exists() or log.read_text().count("\n") < count:
        assert process.poll() is None, "it ended by itself"
        time.sleep(0.02)


def epochs_done(out: Path) -> int:
    return int(cs.runs(out).table()["epoch"][0])


def test_words_come_back_as_exit_codes(tmp_path: Path) -> None:
    assert program("--help").returncode == 0
    version = program("--version")
    assert version.returncode == 0 and cs.__version__ in version.stdout
    slip = program("explian")
    assert slip.returncode == 2 and "explain" in slip.stderr
    assert program("run", tmp_path / "no-such.toml").returncode == 2


def test_the_console_script_is_the_same_program() -> None:
    script = Path(sys.executable).with_name("creditscope")
    done = subprocess.run([script, "explain", "D1"], capture_output=True, text=True, check=True)
    assert done.stdout == program("explain", "D1").stdout


@needs_signals
def test_ctrl_c_saves_and_the_run_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    recipe = tmp_path / "long.toml"
    recipe.write_text(toml(LONG))
    line = [sys.executable, "-m", "creditscope", "run", str(recipe), "--out", str(tmp_path / "out"), "--checkpoint-every", "0"]
    process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for_epochs(tmp_path / "out" / "dfa-s1" / "metrics.jsonl", process)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    assert process.returncode == 130, said
    assert "Continue with" in said and "--resume" in said and "Traceback" not in said
    assert cs.runs(tmp_path / "out")[0].status == "interrupted"
    # The schedule steers training, an early end does not.
    short = ["--set", f"train.stop_after={epochs_done(tmp_path / 'out') + 5}"]
    assert program("run", recipe, "--out", tmp_path / "out", "--resume", *short).returncode == 0
    assert program("run", recipe, "--out", tmp_path / "straight", *short).returncode == 0
    assert_same_run(tmp_path / "straight" / "dfa-s1", tmp_path / "out" / "dfa-s1")


@needs_signals
def test_ctrl_c_in_python_saves_and_says_how_to_go_on(tmp_path: Path) -> None:
    out = tmp_path / "out"
    code = f"import creditscope as cs\ncs.run({LONG!r}, out={os.fspath(out)!r}, progress=False, checkpoint_every=0)"
    process = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True)
    wait_for_epochs(out / "dfa-s1" / "metrics.jsonl", process)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    assert "KeyboardInterrupt: stopped: 0 of 1 runs done, 1 saved midway" in said and "resume=True" in said
    assert cs.runs(out)[0].status == "interrupted"
    early = LONG | {"train.stop_after": epochs_done(out) + 5}
    cs.run(early, out=out, resume=True, progress=False)
    cs.run(early, out=tmp_path / "straight", progress=False)
    assert_same_run(tmp_path / "straight" / "dfa-s1", out / "dfa-s1")


def test_the_self_test_starts_the_program_within_python() -> None:
    found = cs.selftest()
    assert found.passed, found
    assert (found.cases["planted"] != "nothing").any() and "judged right" in repr(found)


def test_a_sweep_is_not_planned_with_a_copy_of_python(tmp_path: Path) -> None:
    recipe = tmp_path / "small.toml"
    recipe.write_text(toml(SMALL))
    refused = program("sweep", "plan", recipe, "--out", tmp_path / "out")
    assert refused.returncode == 2 and "within Python" in refused.stderr
    assert not (tmp_path / "out").exists()
