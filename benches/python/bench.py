"""What Python costs: import, a rule in Python, the wheel beside the program, and a live audit beside PyTorch alone.

    python benches/python/bench.py --program target/release/creditscope --data DATA_FOLDER

Run it with a Python that has the installed wheel, torch, numpy and safetensors, on a quiet machine. Sides take turns; the best and
the median of each are printed, and ratios of both.
"""

import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
RUN = {"net.d": 256, "net.blocks": 4, "train.epochs": 2, "eval.samples": 128, "audit.every": 0, "seed": 1}
STEPS = 120


def child(*words, **more):
    """The JSON that a process prints last."""
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "", **more}
    done = subprocess.run([sys.executable, *map(str, words)], capture_output=True, text=True, env=environment, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


def turns(rounds, sides):
    """The readings of each side, taken in turns; the first round warms up."""
    found = {name: [] for name in sides}
    for index in range(rounds + 1):
        for name, read in sides.items():
            reading = read()
            if index:
                found[name].append(reading)
    return found


def table(title, unit, found, asked):
    print(f"\n### {title}\n\n| | best, {unit} | median, {unit} |\n|---|---|---|")
    (ours, first), (theirs, second) = found.items()
    for name, readings in found.items():
        print(f"| {name} | {min(readings):.4g} | {statistics.median(readings):.4g} |")
    of = [f(first) / f(second) for f in (min, statistics.median)]
    print(f"| {ours} / {theirs} | {of[0]:.3f} | {of[1]:.3f} |\n\n{asked}")


def imports(rounds):
    def seconds(module):
        line = f"import time; b = time.perf_counter(); import {module}; print(1000 * (time.perf_counter() - b))"
        return lambda: child("-c", line)

    found = turns(rounds, {"import creditscope": seconds("creditscope"), "import numpy": seconds("numpy")})
    table("Import", "ms", found, "Asked: at most 50 ms above numpy.")


def steps(rounds):
    sides = {name: (lambda rule=rule: child(HERE / "train.py", rule, STEPS)) for name, rule in [("dfa written in Python", "python"), ("dfa", "dfa")]}
    table("A training step, d = 256, L = 4, batch 128, one thread", "ms", turns(rounds, sides), "Asked: at most 1.3.")


def wheel(rounds, program):
    with tempfile.TemporaryDirectory() as folder:
        recipe = pathlib.Path(folder) / "recipe.toml"
        keys = {**RUN, "data.name": str(pathlib.Path(folder) / "data.npz"), "rule.name": "dfa"}
        child(HERE / "train.py", "--save", keys["data.name"], STEPS)
        recipe.write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in keys.items()))

        def by(line):
            def read():
                with tempfile.TemporaryDirectory() as out:
                    subprocess.run([*line, "run", recipe, "--out", out, "--threads", "1", "--quiet"], check=True, capture_output=True)
                    log = next(pathlib.Path(out).glob("*/metrics.jsonl")).read_text().splitlines()
                    return 1000 * json.loads(log[-1])["train_seconds"] / STEPS

            return read

        found = turns(rounds, {"wheel": by([sys.executable, "-m", "creditscope"]), "program": by([program])})
    table("A training step by the wheel and by the program", "ms", found, "Asked: the same.")


def audits(rounds, data, program):
    with tempfile.TemporaryDirectory() as folder:
        recipe = pathlib.Path(folder) / "recipe.toml"
        keys = {**RUN, "data.name": "cifar10", "train.epochs": 1, "eval.samples": 1280, "rule.name": "dfa"}
        recipe.write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in keys.items()))
        subprocess.run([program, "run", recipe, "--out", folder, "--data", data, "--quiet"], check=True)
        run = next(pathlib.Path(folder).glob("*/run.json")).parent
        peaks, processor = {}, {}

        def by(name, side):
            def read():
                found = child(HERE / "live.py", side, run, data)
                peaks[name] = max(peaks.get(name, 0), found["peak"])
                processor[name] = min(processor.get(name, math.inf), found["processor"])
                return found["seconds"]

            return read

        sides = {name: by(name, side) for name, side in [("Probe.audit", "probe"), ("PyTorch alone", "torch")]}
        found = turns(rounds, sides)
    peak = ", ".join(f"{name} {mebibytes:.0f} MiB" for name, mebibytes in peaks.items())
    ours, theirs = processor.values()
    words = (f"Asked: at most 1.5. Least processor time: {ours:.1f} s and {theirs:.1f} s, {ours / theirs:.2f}. "
             f"Peak memory of the processes: {peak}; asked: under 1 GB.")  # fmt: skip
    table("A full audit, d = 256, L = 4; 1,280 samples, 32 directions, 20 draws", "s", found, words)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", required=True, help="the program, built with --release")
    parser.add_argument("--data", help="a folder with CIFAR-10, for the audit")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    begun = time.time()
    imports(3 * given.rounds)
    steps(given.rounds)
    wheel(given.rounds, given.program)
    if given.data:
        audits(min(given.rounds, 3), given.data, given.program)
    else:
        print("\nAudit: not measured, --data names no folder.")
    print(f"\n{time.time() - begun:.0f} s")


if __name__ == "__main__":
    main()
