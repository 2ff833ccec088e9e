"""Runs a program's commands, each part in a folder of its own, and keeps what it said."""

import hashlib
import json
import re
import shutil
import subprocess
import time
from pathlib import Path

# Part -> name of a command -> its arguments. Paths are relative to the part's folder, so both programs say the same.
PARTS = {
    "demo": {"demo": ["demo", "--out", "runs"]},
    "selftest": {
        "selftest": ["selftest", "--out", "runs", "--json"],
        "text": ["selftest"],
    },
    "quick": {"quick": ["reproduce", "all", "--quick", "--out", "runs"]},
    "figure": {
        "list": ["figure", "list"],
        "all": ["figure", "all", "--from", "kept", "--out", "figures", "--format", "svg"],
        "published": ["figure", "all", "--from", "kept", "--published", "--out", "published", "--format", "svg"],
    },
    "audit": {
        "log": ["audit", "runs", "--log", "--json"],
        "log-csv": ["audit", "runs", "--log", "--csv", "log.csv"],
        "measured": ["audit", "runs", "--json"],
        "measured-csv": ["audit", "runs", "--csv", "measured.csv"],
        "layers": ["audit", "runs", "--layers"],
        "fail-on": ["audit", "runs", "--fail-on", "D1,D2,D3"],
        "kept": ["audit", "kept/main", "--log", "--json", "--mixed"],
    },
    "show": {"show": ["reproduce", "all", "--show", "--results", "kept", "--out", "runs", "--markdown", "tables.md"]},
}
# Part -> its copies: folder, where it comes from ({done}: the parts of the same program). Audits write into their runs.
COPIES = {
    "figure": {"kept": "{repo}/docs/results"},
    "audit": {"kept": "{repo}/docs/results", "runs": "{done}/demo/runs"},
    "show": {"kept": "{repo}/docs/results"},
}

TIMES = re.compile(r"\b\d+(\.\d+)?( (ms|s|min|h|%)|%)(?![\w])")
HASHES = re.compile(r"\b[0-9a-f]{64}\b")


def label(program):
    """A name for a program's results: they are used again as long as its bytes are the same."""
    return hashlib.sha256(program.read_bytes()).hexdigest()[:12]


def needed(parts):
    """The parts, and those whose results they start from, in the order in which they are run."""
    sources = " ".join(source for part in parts for source in COPIES.get(part, {}).values())
    return [part for part in PARTS if part in parts or "{done}/" + part in sources]


def run(program, part, folder, repo):
    """Runs a part unless the folder holds it already, finished."""
    if (folder / "commands.json").exists() and json.loads((folder / "commands.json").read_text()) == PARTS[part]:
        return
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "said").mkdir(parents=True)
    for name, source in COPIES.get(part, {}).items():
        source = Path(source.format(repo=repo, done=folder.parent))
        if source.exists():
            shutil.copytree(source, folder / name)
    codes = {}
    for name, words in PARTS[part].items():
        begun = time.monotonic()
        done = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        suffix = "json" if "--json" in words else "txt"
        (folder / "said" / f"{name}.{suffix}").write_text(done.stdout)
        (folder / "said" / f"{name}.err").write_text(done.stderr)
        codes[name] = done.returncode
        print(f"  {' '.join(words)}: exit code {done.returncode}, {time.monotonic() - begun:.0f} s", flush=True)
    (folder / "codes.json").write_text(json.dumps(codes))
    (folder / "commands.json").write_text(json.dumps(PARTS[part]))


def failed(folder):
    """Commands that did not run: 1 is an answer, more is a failure."""
    codes = json.loads((folder / "codes.json").read_text())
    return [f"{name}: exit code {code}" for name, code in codes.items() if code not in (0, 1)]


def written(folder, pattern):
    """{relative path: path} of the files that the program wrote; `kept` was there before."""
    paths = {str(path.relative_to(folder)): path for path in sorted(folder.glob(pattern))}
    return {name: path for name, path in paths.items() if not name.startswith("kept/")}


def words(folder):
    """{file: lines} of all that is meant to be read: output, recipes, remarks on figures; without times and hashes."""
    said = {}
    for pattern in ("said/*.txt", "said/*.err", "**/recipe.toml", "**/*.csv", "*.md"):
        for name, path in written(folder, pattern).items():
            lines = HASHES.sub("HASH", TIMES.sub("TIME", path.read_text())).splitlines()
            said[name] = [line for line in lines if line.startswith("#")] if path.suffix == ".csv" else lines
    return said
