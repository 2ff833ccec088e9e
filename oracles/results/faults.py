"""Changes one value in a copy of real results, and says whether the comparison notices."""

import csv
import json
import math
import shutil
import tempfile
from pathlib import Path

from .compare import compare


def rewrite_json(folder, name, change, line=None):
    """Applies `change` to a JSON file, or to one line of it."""
    path = folder / name
    rows = path.read_text().splitlines() if line is not None else [path.read_text()]
    tree = json.loads(rows[line or 0])
    change(tree)
    rows[line or 0] = json.dumps(tree)
    path.write_text("\n".join(rows) + "\n")


def next_number(tree, *way):
    """The number at the end of the way becomes the next larger one."""
    *way, last = way
    for key in way:
        tree = tree[key]
    tree[last] = math.nextafter(tree[last], math.inf)


def rewrite_header(folder, change):
    path = folder / "runs/dfa-s42/checkpoint.safetensors"
    content = path.read_bytes()
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    data = bytearray(content[8 + length :])
    change(header, data)
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)


def flip(name):
    def change(header, data):
        begin, end = header[name]["data_offsets"]
        data[(begin + end) // 2] ^= 1

    return lambda folder: rewrite_header(folder, change)


def flat_credit(header, _):
    entry = header["credit.0"]
    entry["shape"] = [math.prod(entry["shape"])]


def cell(folder):
    path = folder / "runs/figures/verdicts.csv"
    rows = path.read_text().splitlines()
    index = next(index for index, row in enumerate(rows) if ",point," in row)
    (row,) = csv.reader([rows[index]])
    row[3] = repr(math.nextafter(float(row[3]), math.inf))
    rows[index] = ",".join(f'"{x}"' for x in row)
    path.write_text("\n".join(rows) + "\n")


def replace(name, old, new):
    def change(folder):
        path = folder / name
        text = path.read_text()
        if old not in text:
            raise ValueError(f"no {old!r} in {path}: this fault needs other results")
        path.write_text(text.replace(old, new, 1))

    return change


def nest_series(tree):
    """Today's evaluation in the form of named series."""
    evaluation = tree.pop("evaluation")
    series = {name: value for name, value in evaluation.items() if isinstance(value, list)}
    if "cosine_paper" in series:
        series["cosine_at_input"] = series.pop("cosine_paper")
    series |= {name: [evaluation[name]] for name in ("error", "growth")}
    series["brand_new"] = [1.0, 2.0]
    tree |= {"samples": evaluation["samples"], "series": series}


def other_outcome(tree):
    outcome = tree["checks"][0]["outcome"]
    outcome["state"] = "passes" if outcome["state"] == "fires" else "fires"


def distrust(tree):
    tree["evaluation"]["cosine"][1].update(state="unreliable", why="rounding")


METRICS, AUDIT = "runs/dfa-s42/metrics.jsonl", "runs/dfa-s42/audit.json"

# What is changed, the kind of result in which it must show (none: it must not show), the change.
FAULTS = (
    ("one bit of a weight", "weights", flip("blocks.1.w1.weight")),
    ("one bit of the recorded credit", "weights", flip("credit.2")),
    ("one bit of the optimiser", "weights", flip("optim.second.embed.weight")),
    ("last digit of a hidden norm", "metrics", lambda f: rewrite_json(f, METRICS, lambda t: next_number(t, "evaluation", "hidden", 2), 3)),
    ("last digit of a cosine", "metrics", lambda f: rewrite_json(f, METRICS, lambda t: next_number(t, "evaluation", "cosine", 1, "value"), 3)),
    ("last digit of a test loss", "metrics", lambda f: rewrite_json(f, METRICS, lambda t: next_number(t, "test", "loss"), -1)),
    ("a cosine that becomes unreliable", "metrics", lambda f: rewrite_json(f, "runs/bp-s42/metrics.jsonl", distrust, 3)),
    ("one series left out", "metrics", lambda f: rewrite_json(f, METRICS, lambda t: t["evaluation"].pop("credit"), 3)),
    ("outcome of a check", "verdicts", lambda f: rewrite_json(f, AUDIT, other_outcome)),
    ("last digit of a statistic", "verdicts", lambda f: rewrite_json(f, AUDIT, lambda t: next_number(t, "checks", 0, "statistic"))),
    ("epoch at which a check fired", "verdicts", lambda f: rewrite_json(f, AUDIT, lambda t: t["checks"][0].update(first_fired=9))),
    ("standing of a unit", "verdicts", lambda f: rewrite_json(f, AUDIT, lambda t: t["units"][0].update(standing="dead"))),
    ("the verdict", "verdicts", lambda f: rewrite_json(f, AUDIT, lambda t: t["verdict"]["fired"].pop())),
    ("last digit of a CSV cell", "CSV", cell),
    ("the verdict in a CSV's words", "CSV", replace("runs/figures/verdicts.csv", "fires ×", "passes ×")),
    ("a drift in the record", "records", lambda f: rewrite_json(f, "runs/dfa-s42/run.json", lambda t: next_number(t, "drift", "embed.bias"))),
    ("an exit code", "exit codes", lambda f: rewrite_json(f, "codes.json", lambda t: t.update(log=7))),
    ("a run that is missing", "metrics", lambda f: shutil.rmtree(f / "runs/dfa-s42")),
    ("nothing", None, lambda f: None),
    ("times", None, lambda f: rewrite_json(f, METRICS, lambda t: t.update(train_seconds=77.0), 3)),
    ("shape of the recorded credit", None, lambda f: rewrite_header(f, flat_credit)),
    ("named series, one of them new", None, lambda f: rewrite_json(f, METRICS, nest_series, 3)),
    ("`paper` renamed", None, replace(AUDIT, '"paper"', '"at_input"')),
    ("words of a remark", None, replace("runs/figures/verdicts.csv", "from epoch", "since epoch")),
)


def self_check(results):
    """Plants every fault in a copy of a finished `audit` part; true if each shows where it must and nowhere else."""
    good = True
    for name, kind, change in FAULTS:
        with tempfile.TemporaryDirectory() as scratch:
            copy = Path(scratch) / "copy"
            shutil.copytree(results, copy)
            change(copy)
            found = {kind: result.differences for kind, result in compare(results, copy).items() if result.differences}
        right = kind in found if kind else not found
        good &= right
        first = next(iter(found.values()), ["no difference"])[0]
        print(f"  {'right' if right else 'WRONG'}: {name}: {first}", flush=True)
    return good
