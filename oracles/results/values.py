"""Reads result files into {(file, place, quantity): value}, the same for the old and the new formats.

A quantity is the names on the way to a value, a place the indices on the way: `evaluation.cosine[3]` of epoch 2 is the
quantity `cosine` at the place `2/3`, however it is nested.
"""

import csv
import json
import struct
from dataclasses import dataclass

from .names import BESIDE_LIST, LABELS, LIST, WRAPPERS, canonical, is_ignored


@dataclass
class Tensor:
    """A tensor as it lies in the file; without a shape, only its bytes count."""

    dtype: str
    shape: list | None
    data: bytes


def tensors(path):
    """Every tensor of a safetensors file: length of the header, header as JSON, raw bytes."""
    content = path.read_bytes()
    (length,) = struct.unpack_from("<Q", content)
    header = json.loads(content[8 : 8 + length])
    values = {}
    for name, text in header.pop("__metadata__", {}).items():
        values.update(flat(json.loads(text), (), (name,)))
    for name, entry in header.items():
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        # The recorded credit may be shaped by samples or by features; its bytes are the same.
        shape = None if name.startswith("credit.") else entry["shape"]
        values["", canonical(name)] = Tensor(entry["dtype"], shape, content[begin:end])
    return values


def lines(path):
    """A file of one JSON object per epoch."""
    values = {}
    for number, line in enumerate(path.read_text().splitlines()):
        epoch = json.loads(line)
        values.update(flat(epoch, (str(epoch.get("epoch", number)),), ()))
    return values


def document(path):
    """A JSON file; one that is no JSON has its text as its only value."""
    text = path.read_text()
    try:
        return flat(json.loads(text), (), ())
    except json.JSONDecodeError:
        return {("", "text instead of JSON"): text}


def cells(path):
    """A CSV file, cell by cell. Lines that begin with # are words."""
    rows = list(csv.reader(line for line in path.read_text().splitlines() if not line.startswith("#")))
    header = [canonical(name) for name in rows[0]] if rows else []
    if len(set(header)) < len(header):
        raise ValueError(f"{path}: two columns have one name")
    values = {("", "rows"): len(rows)}
    for index, row in enumerate(rows[1:]):
        values.update({(str(index), name): scalar(cell) for name, cell in zip(header, row, strict=True)})
    return values


def table_cells(path):
    """The tables of a Markdown file, cell by cell."""
    values = {}
    for index, line in enumerate(line for line in path.read_text().splitlines() if line.startswith("|")):
        row = [cell.strip() for cell in line.strip("|").split("|")]
        values.update({(str(index), f"column {column}"): scalar(cell) for column, cell in enumerate(row)})
    return values


def flat(value, place, name):
    """{(place, quantity): value} of a tree of JSON."""
    values = {}

    def put(place, name, value):
        quantity = ".".join(name)
        key = "/".join(place), canonical(quantity)
        if key in values:
            raise ValueError(f"two values are called {key}: a name in oracles/results/names.py is used twice")
        values[key] = value

    def walk(value, place, name):
        if isinstance(value, dict):
            walk_table(value, place, name)
        elif isinstance(value, list):
            walk_list(value, place, name)
        else:
            put(place, name, scalar(value) if isinstance(value, str) else value)

    def walk_table(table, place, name):
        rest = dict(table)
        if "state" in table:
            # A number with its standing. A defined one is the number alone; of others the standing counts too.
            state = rest.pop("state")
            put(place, name, rest.pop("value", None if state == "defined" else canonical(state)))
            if "value" in table and state != "defined":
                put(place, (*name, "state"), canonical(state))
        if isinstance(rest.get(LIST), list):
            rest.pop(BESIDE_LIST, None)
        for key, item in rest.items():
            if not is_ignored(key):
                key = canonical(key)
                unnamed = key in WRAPPERS and isinstance(item, dict) or key == LIST and isinstance(item, list)
                walk(item, place, name if unnamed else (*name, key))

    def walk_list(items, place, name):
        # One item alone is written with or without a list around it.
        if len(items) != 1:
            put(place, (*name, "(items)"), len(items))
        for label, item in zip(labels(items), items, strict=True):
            walk(item, place if len(items) == 1 else (*place, label), name)

    walk(value, place, name)
    return values


def labels(items):
    """What tells the items of a list apart."""
    for keys in LABELS:
        if all(isinstance(item, dict) and all(inner(item, key) is not None for key in keys) for item in items):
            found = [" ".join(str(inner(item, key)) for key in keys) for item in items]
            if len(set(found)) == len(found):
                return found
    return [str(index) for index in range(len(items))]


def inner(item, key):
    """The value of a dotted key, if there is one."""
    for part in key.split("."):
        item = item.get(part) if isinstance(item, dict) else None
    return item


def scalar(text):
    """A number if the text is one, else the text under its new name."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return canonical(text)
