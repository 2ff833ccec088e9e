"""Shows that two versions of the program give the same results.

    python same_results.py --old PROGRAM --new PROGRAM [--work DIR] [--only demo,audit,…] [--repo DIR]
    python same_results.py --old PROGRAM --self-check [--work DIR]

Runs both on `demo`, `selftest`, `reproduce all --quick`, `figure all`, `audit` of the demo's runs and `reproduce all
--show`, and compares to the last bit: every tensor of every checkpoint, every number of metrics, records and audits,
every check and verdict, every cell of every CSV file, every exit code. Renames are listed in `results/names.py`; values
that only the new program writes are shown as additions, sentences that say the same in other words as words. Times are
left out. Exit code 1 where a value differs.

With --work the results stay there, and are used again as long as a program's bytes are the same. --self-check changes
one value at a time in a copy of the old program's results and exits with 1 where the comparison does not notice.
"""

import argparse
import difflib
import sys
import tempfile
from collections import Counter
from pathlib import Path

from results import compare, faults, programs

MOST_SHOWN = 12


def prepare(side, program, parts, work, repo):
    """Runs the parts and what they start from; returns the folder that holds them."""
    folder = work / f"{side}-{programs.label(program)}"
    print(f"{side}: {program}", flush=True)
    for part in programs.needed(parts):
        programs.run(program, part, folder / part, repo)
    return folder


def show(title, items):
    """A list, its first entries."""
    if not items:
        return
    print(f"\n{title}:")
    for item in items[:MOST_SHOWN]:
        print(f"  {item}")
    if len(items) > MOST_SHOWN:
        print(f"  and {len(items) - MOST_SHOWN} more")


def counted(counter):
    return [f"{name} ({count} times)" for name, count in counter.items() if count]


def changed_words(old, new):
    """Unified diffs of what is meant to be read; files with the same diff stand together."""
    before, after = programs.words(old), programs.words(new)
    diffs = {}
    for name in sorted(before.keys() | after.keys()):
        diff = list(difflib.unified_diff(before.get(name, []), after.get(name, []), lineterm="", n=1))[2:]
        if diff:
            diffs.setdefault("\n".join(diff), []).append(name)
    return diffs


def report(parts, old, new):
    """Prints all that was found; true if no value differs."""
    rows, words, good = [], {}, True
    additions, identities, sentences = Counter(), Counter(), Counter()
    for part in parts:
        # Two programs that fail alike agree on nothing.
        for folder in (old, new):
            show(f"{part}: commands that failed", programs.failed(folder / part))
            good &= not programs.failed(folder / part)
        for kind, result in compare.compare(old / part, new / part).items():
            rows.append((part, kind, result.compared, len(result.differences)))
            show(f"{part}, {kind}: values that differ", result.differences)
            additions += result.additions
            identities += result.identities
            sentences += result.sentences
        for diff, names in changed_words(old / part, new / part).items():
            words.setdefault(diff, []).extend(f"{part}/{name}" for name in names)
    show("Added by the new program", counted(additions))
    show("Names of formats and runs that changed", counted(identities))
    show("Sentences inside results that changed", [f"{a!r} became {b!r}" for a, b in sentences])
    if words:
        print("\nWords that changed (no error):")
    for diff, names in words.items():
        print(f"--- {names[0]}" + (f" and {len(names) - 1} more" if len(names) > 1 else "") + f"\n{diff}")
    print(f"\n{'part':<10}{'kind':<12}{'compared':>10}{'differences':>13}")
    for part, kind, compared, differences in rows:
        print(f"{part:<10}{kind:<12}{compared:>10}{differences:>13}")
    return good and all(compared and not differences for _, _, compared, differences in rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--old", type=Path, required=True, metavar="PROGRAM")
    parser.add_argument("--new", type=Path, metavar="PROGRAM")
    parser.add_argument("--work", type=Path, metavar="DIR", help="keep the results here")
    parser.add_argument("--only", metavar="PART,…", help=f"some of {', '.join(programs.PARTS)}")
    parser.add_argument("--repo", type=Path, default=Path(__file__).parent.parent, metavar="DIR", help="where docs/results is")
    parser.add_argument("--self-check", action="store_true")
    args = parser.parse_args()
    parts = args.only.split(",") if args.only else list(programs.PARTS)
    for part in parts:
        if part not in programs.PARTS:
            parser.error(f"no part {part!r}; there are {', '.join(programs.PARTS)}")
    if not args.self_check and not args.new:
        parser.error("--new is needed, or --self-check")
    with tempfile.TemporaryDirectory() as scratch:
        work = (args.work or Path(scratch)).resolve()
        repo = args.repo.resolve()
        if args.self_check:
            folder = prepare("old", args.old.resolve(), ["audit"], work, repo)
            good = faults.self_check(folder / "audit")
        else:
            old = prepare("old", args.old.resolve(), parts, work, repo)
            new = prepare("new", args.new.resolve(), parts, work, repo)
            good = report(parts, old, new)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
