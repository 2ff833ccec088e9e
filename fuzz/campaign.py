"""Fuzzes door after door, and keeps the account in campaign.json and CAMPAIGN.md: python3 fuzz/campaign.py --help.

Build the targets first (README.md). A campaign may be continued on any day: it starts from corpus/ and from what earlier slices
left in work/, and totals add up; several may run at once, each on doors of its own. Seconds are the fuzzer's own processor time, so that a busy machine cannot pass for a long search."""

import argparse
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

FUZZ = Path(__file__).resolve().parent
TARGETS = Path(os.environ.get("CARGO_TARGET_DIR", FUZZ / "target")) / f"{platform.machine()}-unknown-linux-gnu" / "release"
ACCOUNT = FUZZ / "campaign.json"
QUIET = 30 * 60  # seconds without new coverage that are asked of every door
MEGABYTES, SECONDS = 1024, 10  # limits of one execution, in processor time
HANG = 40 * SECONDS  # an execution that takes as long by the clock is ended
INTERRUPTED = 72  # libFuzzer's exit code

# Executions that are asked for, and the longest input that is tried.
DOORS = {
    "npz": (10_000_000, 4096),
    "safetensors": (10_000_000, 4096),
    "run_record": (10_000_000, 16384),
    "idx": (10_000_000, 512),
    "cifar": (10_000_000, 512),
    "pickle": (10_000_000, 1024),
    "checkpoint": (1_000_000, 4096),
    "sweep": (1_000_000, 4096),
    "events": (1_000_000, 8192),
    "page": (1_000_000, 4096),
    "paper_json": (1_000_000, 4096),
    "recipe": (1_000_000, 4096),
    "label": (1_000_000, 256),
    "svg": (200_000, 4096),
    "png": (200_000, 2048),
}


def fuzzer(door, *words):
    limits = [f"-rss_limit_mb={MEGABYTES}", f"-timeout={HANG}", f"-max_len={DOORS[door][1]}", f"-report_slow_units={SECONDS}"]
    return [str(TARGETS / door), *limits, *words]


def processor_seconds(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def fuzz(door, seconds, stop):
    """One slice, added to the account. Fills `stop` when asked to end early."""
    work, findings = FUZZ / "work" / door, FUZZ / "regressions" / door
    corpus = FUZZ / "corpus" / door
    for folder in (work, findings):
        folder.mkdir(parents=True, exist_ok=True)
    before = set(findings.iterdir())
    words = [f"-max_total_time={seconds}", "-print_final_stats=1", f"-artifact_prefix={findings}/", str(work), str(corpus)]
    dictionary = FUZZ / "dict" / f"{door}.txt"
    if dictionary.exists():
        words.insert(0, f"-dict={dictionary}")
    child = subprocess.Popen(fuzzer(door, *words), stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, errors="replace")
    coverage, since, stats = 0, None, {}
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: (stop.append(True), child.send_signal(signal.SIGINT)))
    for line in child.stderr:
        if stat := re.match(r"stat::(\w+):\s+(\d+)", line):
            stats[stat[1]] = int(stat[2])
        elif seen := re.match(r"#\d+\s+(\w+)\s+cov: (\d+)", line):
            # What the corpus covers already is not new.
            if int(seen[2]) > coverage and seen[1] not in ("INITED", "READ", "pulse"):
                since = processor_seconds(child.pid)
            coverage = max(coverage, int(seen[2]))
        elif re.search(r"panicked at|SUMMARY|Test unit written", line):
            print(f"{door}: {line.strip()}", flush=True)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    found = [file for file in findings.iterdir() if file not in before]
    starved = [file for file in found if file.name.startswith(("timeout-", "slow-unit-")) and not is_slow(door, file)]
    for file in starved:
        file.unlink()
    clean = len(found) == len(starved) and (bool(starved) or child.returncode in (0, INTERRUPTED))
    spent = usage.ru_utime + usage.ru_stime
    account = read()  # Another campaign may have written meanwhile.
    entry = account.setdefault(door, dict.fromkeys(("executions", "seconds", "quiet", "coverage", "memory", "findings"), 0))
    entry["executions"] += stats.get("number_of_executed_units", 0)
    entry["seconds"] += round(spent)
    entry["quiet"] = round(spent - since) if since is not None else entry["quiet"] + round(spent)
    entry["coverage"] = coverage
    entry["memory"] = max(entry["memory"], stats.get("peak_rss_mb", 0))
    entry["findings"] += not clean
    write(account)
    print(f"{door}: {entry['executions']:,} executions, quiet for {entry['quiet']} s{'' if clean else ', a finding'}", flush=True)


def is_slow(door, file):
    """Whether an input takes too long by the processor, and not only by the clock of a busy machine."""
    child = subprocess.Popen(fuzzer(door, str(file)), stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    _, _, usage = os.wait4(child.pid, 0)
    return usage.ru_utime + usage.ru_stime >= SECONDS


def read():
    return json.loads(ACCOUNT.read_text()) if ACCOUNT.exists() else {}


def write(account):
    ACCOUNT.write_text(json.dumps(account, indent=1) + "\n")
    lines = [
        "# The fuzz campaign so far",
        "",
        f"Written by campaign.py. Seconds are processor time. Asked of a door: its executions, and {QUIET} s without new coverage;",
        f"an execution may take {SECONDS} s and {MEGABYTES} MB. Findings are counted when they occur, also those mended since.",
        "",
        "| door | executions | asked | per second | seconds | since new coverage | edges | peak MB | findings | reached |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for door, (asked, _) in DOORS.items():
        if not (entry := account.get(door)):
            lines.append(f"| {door} | 0 | {asked:,} | | | | | | | no |")
            continue
        many, long = entry["executions"] >= asked, entry["quiet"] >= QUIET
        reached = "yes" if many and long else "executions only" if many else "quiet only" if long else "no"
        rate = entry["executions"] / max(entry["seconds"], 1)
        cells = [door, f"{entry['executions']:,}", f"{asked:,}", f"{rate:,.0f}", entry["seconds"], entry["quiet"], entry["coverage"]]
        lines.append("| " + " | ".join(map(str, [*cells, entry["memory"], entry["findings"], reached])) + " |")
    (FUZZ / "CAMPAIGN.md").write_text("\n".join(lines) + "\n")


def minimise(door):
    """Replaces the committed corpus by few files of corpus/ and work/ that reach every edge which those reach."""
    corpus, work = FUZZ / "corpus" / door, FUZZ / "work" / door
    with tempfile.TemporaryDirectory() as fresh:
        folders = [str(folder) for folder in (corpus, work) if folder.is_dir()]
        subprocess.run(fuzzer(door, "-set_cover_merge=1", "-use_counters=0", fresh, *folders), check=True, capture_output=True)
        shutil.rmtree(corpus)
        shutil.copytree(fresh, corpus)
    print(f"{door}: {len(list(corpus.iterdir()))} files, {sum(file.stat().st_size for file in corpus.iterdir())} bytes")


def main():
    parser = argparse.ArgumentParser(description="Fuzzes door after door and keeps the account.")
    parser.add_argument("doors", nargs="*", metavar="DOOR", help="which; all that are not done, if none is named")
    parser.add_argument("--seconds", type=int, default=240, help="length of a slice [240]")
    parser.add_argument("--rounds", type=int, default=1, help="slices for each door [1]")
    parser.add_argument("--minimise", action="store_true", help="fuzz nothing, but minimise corpus/ with what was found")
    args = parser.parse_args()
    if args.minimise:
        return [minimise(door) for door in args.doors or DOORS]

    def done(door):
        entry = read().get(door)
        return entry and entry["executions"] >= DOORS[door][0] and entry["quiet"] >= QUIET

    stop = []
    for _ in range(args.rounds):
        for door in args.doors or [door for door in DOORS if not done(door)]:
            if stop:
                return
            fuzz(door, args.seconds, stop)


if __name__ == "__main__":
    main()
