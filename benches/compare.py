"""Compares Creditscope's training step with PyTorch's, interleaved, on one thread.

    python compare.py --ours PATH_TO_BENCH_BINARY [--rounds 15] [--steps 10] [--out result.json]

Other work on the machine slows both sides, but not at the same moment: so ours, fused PyTorch and
default PyTorch take turns within each round, their order rotates from round to round, and both
the best and the median step are shown. A ratio above 1 means that ours is faster.

Ours speaks the line protocol of `torch_step.py` (commands without `optim`, a first line with
`ready`), and answers {"peak": true} with {"gflops": the FMA peak it measures on one thread}.
"""

import argparse
import json
import pathlib
import shlex
import statistics
import subprocess
import sys

BATCH, INPUTS, CLASSES = 128, 3072, 10
CASES = [(rule, d, blocks) for d, blocks in ((256, 4), (512, 12)) for rule in ("bp", "dfa")]
SIDES = ("ours", "fused", "default")


def step_flops(rule, d, blocks):
    """2mnk of every matrix product of one step of the straightforward algorithm.

    embed  forward, weight gradient (the input needs no gradient)
    block  2 forward, 2 weight gradients, 2 input gradients. In dfa as in bp: no signal leaves the
           block there, but the gradient of its LayerNorm takes W1's input gradient all the same
    head   forward, weight gradient, input gradient (for out_ln, and for bp the blocks)
    dfa    one product B_l e_T a block

    Element-wise work (LayerNorm, GELU, softmax, AdamW) counts as nothing, so the share of the peak
    of a whole step cannot reach 1.
    """
    embed = 2 * (2 * BATCH * INPUTS * d)
    block = (2 + 2 + 2) * (2 * BATCH * d * d)
    head = 3 * (2 * BATCH * d * CLASSES)
    feedback = 2 * BATCH * CLASSES * d if rule == "dfa" else 0
    return embed + blocks * (block + feedback) + head


class Child:
    """A process that answers one JSON line for each JSON line it is sent."""

    def __init__(self, command):
        self.name = pathlib.Path(command[-1]).name
        try:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        except OSError as error:
            sys.exit(f"compare: cannot start {command[0]}: {error.strerror}")
        self.about = self.receive()
        if not self.about.get("ready"):
            sys.exit(f"compare: {self.name} did not say that it is ready: {self.about}")

    def receive(self):
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"compare: {self.name} ended with code {self.process.wait()}")
        try:
            return json.loads(line)
        except json.JSONDecodeError:
            sys.exit(f"compare: {self.name} answered {line.strip()!r}, which is not JSON")

    def ask(self, key, **command):
        try:
            self.process.stdin.write(json.dumps(command) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            sys.exit(f"compare: {self.name} ended with code {self.process.wait()}")
        reply = self.receive()
        if key not in reply:
            sys.exit(f"compare: {self.name} answered {reply} to {command}")
        return reply[key]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def measure(ours, torch, rounds, steps):
    """Milliseconds of every step of every case and side, and the highest FMA peak seen."""
    times = {case: {side: [] for side in SIDES} for case in CASES}
    peak = 0.0

    def turn(case, side, steps):
        rule, d, blocks = case
        command = dict(case=rule, d=d, blocks=blocks, steps=steps)
        return ours.ask("ms", **command) if side == "ours" else torch.ask("ms", optim=side, **command)

    for case in CASES:  # make and warm up every case before the first measurement
        for side in SIDES:
            turn(case, side, 1)
    for number in range(rounds):
        peak = max(peak, ours.ask("gflops", peak=True))
        for case in CASES:
            for k in range(len(SIDES)):
                side = SIDES[(number + k) % len(SIDES)]
                times[case][side] += turn(case, side, steps)
        print(f"\rround {number + 1} of {rounds}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return times, peak


def summarise(case, times, peak):
    rule, d, blocks = case
    row = dict(case=rule, d=d, blocks=blocks, flops=step_flops(rule, d, blocks))
    for side in SIDES:
        row[side] = dict(best=min(times[side]), median=statistics.median(times[side]), steps=len(times[side]))
    for side in SIDES[1:]:
        row[f"{side}_over_ours"] = {k: row[side][k] / row["ours"][k] for k in ("best", "median")}
    for k in ("best", "median"):
        row["ours"][f"{k}_share_of_peak"] = row["flops"] / (row["ours"][k] * 1e-3) / (peak * 1e9)
    return row


def table(rows):
    def pair(values):
        return f"{values['best']:8.2f} /{values['median']:8.2f}"

    def ratio(values):
        return f"{values['best']:5.2f} /{values['median']:5.2f}"

    yield f"{'':16}{'milliseconds a step: best / median':^60}{'times faster: best / median':^30}{'share of'}"
    heads = ("ours", "torch fused", "torch default")
    yield f"{'case':16}" + "".join(f"{h:^20}" for h in heads) + f"{'than fused':^15}{'than default':^15}FMA peak"
    for row in rows:
        name = f"{row['case']} d={row['d']} L={row['blocks']}"
        ratios = f"{ratio(row['fused_over_ours']):^15}{ratio(row['default_over_ours']):^15}"
        share = row["ours"]
        yield (
            f"{name:16}" + "".join(f"{pair(row[side]):^20}" for side in SIDES) + ratios
            + f"{share['best_share_of_peak']:.0%} / {share['median_share_of_peak']:.0%}"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--ours", required=True, help="the bench program, with arguments if it needs any")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--steps", type=int, default=10, help="steps of each side in a round")
    parser.add_argument("--out", type=pathlib.Path, help="JSON file to write")
    options = parser.parse_args()
    if options.rounds < 1 or options.steps < 1:
        parser.error("--rounds and --steps are at least 1")

    ours = Child(shlex.split(options.ours))
    torch = Child([sys.executable, str(pathlib.Path(__file__).resolve().parent / "torch_step.py")])
    times, peak = measure(ours, torch, options.rounds, options.steps)
    ours.close()
    torch.close()

    rows = [summarise(case, times[case], peak) for case in CASES]
    print(f"batch {BATCH}, inputs {INPUTS}, one thread; torch {torch.about['torch']}; FMA peak {peak:.1f} GFLOP/s")
    print("\n".join(table(rows)))
    if options.out:
        about = dict(rounds=options.rounds, steps=options.steps, batch=BATCH, inputs=INPUTS, classes=CLASSES)
        result = dict(about, torch=torch.about, ours=ours.about, peak_gflops=peak, cases=rows)
        options.out.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
