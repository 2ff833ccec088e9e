"""Compares what two programs left in two folders."""

import array
import math
from collections import Counter
from dataclasses import dataclass, field

from . import values
from .names import IDENTITIES, meaning
from .programs import written
from .values import Tensor

# Kind of result, files, reader.
KINDS = (
    ("weights", "**/checkpoint.safetensors", values.tensors),
    ("metrics", "**/metrics.jsonl", values.lines),
    ("records", "**/run.json", values.document),
    ("verdicts", "**/audit.json", values.document),
    ("verdicts", "said/*.json", values.document),
    ("CSV", "**/*.csv", values.cells),
    ("tables", "*.md", values.table_cells),
    ("exit codes", "codes.json", values.document),
)


@dataclass
class Comparison:
    """One kind of result in one part."""

    compared: int = 0
    differences: list = field(default_factory=list)
    additions: Counter = field(default_factory=Counter)
    identities: Counter = field(default_factory=Counter)
    sentences: Counter = field(default_factory=Counter)


def compare(old, new):
    """{kind: Comparison} of two folders."""
    results = {}
    for kind, pattern, read in KINDS:
        before, after = written(old, pattern), written(new, pattern)
        if not before and not after:
            continue
        result = results.setdefault(kind, Comparison())
        for name in before.keys() - after.keys():
            result.compared += 1
            result.differences.append(f"{name} is missing")
        for name in after.keys() - before.keys():
            result.additions[f"file {name}"] += 1
        for name in sorted(before.keys() & after.keys()):
            compare_files(name, read(before[name]), read(after[name]), result)
    return results


def compare_files(name, old, new, result):
    """Adds the comparison of two files. What only the new one has is an addition, unless the old one names it somewhere,
    or it is part of a value that the old one has (the reason why a number has become unreliable)."""
    known = {quantity for _, quantity in old}
    for key in [*old, *(new.keys() - old.keys())]:
        place, quantity = key
        a, b = old.get(key), new.get(key)
        if known.isdisjoint(prefixes(quantity)):
            result.additions[quantity] += b is not None
        elif quantity.rpartition(".")[2] in IDENTITIES:
            result.identities[quantity] += a != b
        else:
            result.compared += 1
            what = f"{name}: {quantity}" + (f" at {place}" if place else "")
            if sentence(a) and sentence(b) and a != b and meaning(a) == meaning(b):
                result.sentences[a, b] += 1
            elif not same(a, b):
                result.differences.append(f"{what}: {shown(a, b)}")


def prefixes(quantity):
    names = quantity.split(".")
    return {".".join(names[: end + 1]) for end in range(len(names))}


def sentence(value):
    return isinstance(value, str) and " " in value


def same(a, b):
    """Equal to the last bit; 1 is 1.0, and not-a-number is itself."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return (math.isnan(a) and math.isnan(b)) or (a == b and math.copysign(1, a) == math.copysign(1, b))
    return a == b


def shown(a, b):
    if not (isinstance(a, Tensor) and isinstance(b, Tensor)):
        return f"{a!r} became {b!r}"
    if (a.dtype, a.shape, len(a.data)) != (b.dtype, b.shape, len(b.data)):
        return f"{a.dtype} {a.shape} became {b.dtype} {b.shape}"
    code = {"F32": "f", "F64": "d"}.get(a.dtype, "B")
    pairs = list(zip(array.array(code, a.data), array.array(code, b.data), strict=True))
    apart = [abs(x - y) for x, y in pairs if x != y]
    return f"{len(apart)} of {len(pairs)} numbers differ, by at most {max(apart, default=0.0):.3g}"
