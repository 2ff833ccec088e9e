"""Records what a plotting script plots, without a picture: the numbers behind every line, band, bar and point.

    python plotted_values.py SCRIPT ROOT OUT.json

SCRIPT runs unchanged under matplotlib (Agg) in a copy of ROOT, which is its working directory and its REPO_ROOT; ROOT
itself is only read. `savefig` stores nothing: it notes the file's name (relative to ROOT) and the figure as it then is.

    {"script", "figures": [{"files", "size", "suptitle", "texts", "boxes", "axes": [axes]}]}, figures in order of saving
    axes      "cell" [row, column] | null; "twin_of" index | null, "shares" "x" | "y" | null; "title", "title_location";
              "x_label", "y_label", "x_scale", "y_scale", "x_limits", "y_limits" [from, to];
              "x_ticks", "y_ticks" {"at", "labels"} | null where the script did not choose them; "legend" [labels] | null
    "lines"       {"label", "x", "y", "colour", "alpha", "marker", "linestyle", "linewidth"}
    "references"  {"label", "orientation" "horizontal" | "vertical", "at", and a line's looks}: axhline and axvline
    "bands"       {"label", "x", "lower", "upper", "colour", "alpha", "drawn" [[first x, last x]]}: fill_between
    "bars"        {"label", "x", "height", "width", "bottom", "yerr" [..] | null, "colour" [..], "alpha"}: one a call
    "points"      {"label", "x", "y", "colour" [..], "edge" [..], "alpha", "marker"}: scatter, one a call
    "texts"       {"text", "at", "coordinates", "text_at", "text_coordinates", "arrow", "colour"}; of plain text both
                  places are one

Numbers are as the script gave them, not as they come back from a drawn shape (a bar's centre is not its left edge plus
half its width, to rounding). What is not finite is "inf", "-inf" or "nan"; a label that no legend would show is null;
colours are "#rrggbb". An artist that this list does not know stops the program, so that nothing is left out in silence.
"""

import argparse
import contextlib
import functools
import inspect
import json
import math
import os
import pathlib
import runpy
import shutil
import sys
import tempfile

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection, PolyCollection
from matplotlib.colors import to_hex
from matplotlib.container import BarContainer
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch
from matplotlib.text import Annotation
from matplotlib.ticker import FixedLocator


class Unknown(Exception):
    """The script draws something that is not recorded."""


def remember_arguments(owner, name):
    """Has the method leave its arguments on the artist it returns, in `given`."""
    method = getattr(owner, name)
    signature = inspect.signature(method)

    @functools.wraps(method)
    def remembering(*args, **kwargs):
        artist = method(*args, **kwargs)
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        artist.given = bound.arguments
        return artist

    setattr(owner, name, remembering)


def number(value):
    value = float(value)
    return value if math.isfinite(value) else str(value)


def numbers(values):
    """A list of numbers; what matplotlib would not draw (None, masked) is NaN."""
    return [number(v) for v in np.ma.filled(np.ma.asarray(values, dtype=float), np.nan).ravel()]


def spread(values, like):
    """One number a point, where the script may have given one for all."""
    return numbers(np.broadcast_to(np.ma.filled(np.ma.asarray(values, dtype=float), np.nan), np.shape(like)))


def label(artist):
    text = str(artist.get_label())
    return None if not text or text.startswith("_") else text


def opacity(artist):
    return 1.0 if artist.get_alpha() is None else number(artist.get_alpha())


def one(values, what):
    """The value that all have."""
    if len({*values}) != 1:
        raise Unknown(f"{what} with {len({*values})} values instead of one: {values}")
    return values[0]


def looks(line):
    named = lambda value: None if value in ("None", "none", "", " ", None) else str(value)
    return {
        "colour": to_hex(line.get_color()),
        "alpha": opacity(line),
        "marker": named(line.get_marker()),
        "linestyle": named(line.get_linestyle()),
        "linewidth": number(line.get_linewidth()),
    }


def line_or_reference(ax, line):
    """The list that a line belongs to, and the line; axhline and axvline are in data coordinates along one axis only."""
    x, y = numbers(line.get_xdata(orig=False)), numbers(line.get_ydata(orig=False))
    if line.get_transform() is ax.transData:
        return "lines", {"label": label(line), "x": x, "y": y} | looks(line)
    if line.get_transform() is ax.get_yaxis_transform(which="grid"):
        orientation, at = "horizontal", y
    elif line.get_transform() is ax.get_xaxis_transform(which="grid"):
        orientation, at = "vertical", x
    else:
        raise Unknown(f"a line in coordinates of its own: {line}")
    return "references", {"label": label(line), "orientation": orientation, "at": one(at, "a reference")} | looks(line)


def band(shape):
    given = shape.given
    x = numbers(given["x"])
    lower, upper = spread(given["y1"], given["x"]), spread(given["y2"], given["x"])
    corners = {(a, b) for edge in (lower, upper) for a, b in zip(x, edge)}
    pieces = [path.vertices for path in shape.get_paths()]
    if not corners >= {tuple(numbers(v)) for piece in pieces for v in piece}:
        raise Unknown("a band with corners that are not among its points (step, interpolate)")
    (rgba,) = shape.get_facecolor()
    return {
        "label": label(shape),
        "x": x,
        "lower": lower,
        "upper": upper,
        "colour": to_hex(rgba),
        "alpha": number(rgba[3]),
        "drawn": [numbers([piece[:, 0].min(), piece[:, 0].max()]) for piece in pieces],
    }


def bars(container):
    given, shapes = container.given, container.patches
    x, width = spread(given["x"], shapes), numbers([shape.get_width() for shape in shapes])
    if given["align"] != "center" or not all(
        math.isclose(shape.get_x() + shape.get_width() / 2, centre, abs_tol=1e-12) for shape, centre in zip(shapes, x)
    ):
        raise Unknown("bars that do not stand on their x")
    if given["kwargs"].get("xerr") is not None:
        raise Unknown("bars with an error along x")
    yerr = given["kwargs"].get("yerr")
    return {
        "label": label(container),
        "x": x,
        "height": numbers([shape.get_height() for shape in shapes]),
        "width": width,
        "bottom": numbers([shape.get_y() for shape in shapes]),
        "yerr": None if yerr is None else spread(yerr, shapes),
        "colour": [to_hex(shape.get_facecolor()) for shape in shapes],
        "alpha": one([opacity(shape) for shape in shapes], "bars"),
    }


def points(collection):
    given = collection.given
    return {
        "label": label(collection),
        "x": numbers(given["x"]),
        "y": numbers(given["y"]),
        "colour": [to_hex(colour) for colour in collection.get_facecolor()],
        "edge": [to_hex(colour) for colour in collection.get_edgecolor()],
        "alpha": opacity(collection),
        "marker": given["marker"] or "o",
    }


def text(artist, systems):
    """`systems`: pairs of a transform and the name of its coordinates."""
    if isinstance(artist, Annotation):
        at, coordinates = artist.xy, artist.xycoords
        text_at, text_coordinates = artist.xyann, artist.anncoords
    else:
        at = text_at = artist.get_position()
        names = [name for transform, name in systems if artist.get_transform() is transform]
        coordinates = text_coordinates = one(names, f"the coordinates of {artist}")
    return {
        "text": artist.get_text(),
        "at": numbers(at),
        "coordinates": coordinates,
        "text_at": numbers(text_at),
        "text_coordinates": text_coordinates,
        "arrow": getattr(artist, "arrow_patch", None) is not None,
        "colour": to_hex(artist.get_color()),
    }


def ticks(axis):
    if not isinstance(axis.get_major_locator(), FixedLocator):
        return None
    return {"at": numbers(axis.get_majorticklocs()), "labels": [t.get_text() for t in axis.get_majorticklabels()]}


def axes(ax, figure):
    title, where = next(((t, w) for w in ("center", "left", "right") if (t := ax.get_title(loc=w))), ("", None))
    twin = getattr(ax, "given", None)
    cell = ax.get_subplotspec()
    legend = ax.get_legend()
    record = {
        "cell": None if cell is None else [cell.rowspan.start, cell.colspan.start],
        "twin_of": None if twin is None else figure.axes.index(twin["self"]),
        "shares": None if twin is None else "x" if ax.get_shared_x_axes().joined(ax, twin["self"]) else "y",
        "title": title,
        "title_location": where,
        "x_label": ax.get_xlabel(),
        "y_label": ax.get_ylabel(),
        "x_scale": ax.get_xscale(),
        "y_scale": ax.get_yscale(),
        "x_limits": numbers(ax.get_xlim()),
        "y_limits": numbers(ax.get_ylim()),
        "x_ticks": ticks(ax.xaxis),
        "y_ticks": ticks(ax.yaxis),
        "legend": None if legend is None else [t.get_text() for t in legend.get_texts()],
    }
    record |= {kind: [] for kind in ("lines", "references", "bands", "bars", "points", "texts")}
    # A bar's whisker is recorded with the bar; the shapes it is drawn with are told by identity.
    told = set()
    for container in ax.containers:
        if isinstance(container, BarContainer):
            record["bars"].append(bars(container))
            told.update(map(id, container.patches))
            if container.errorbar is not None:
                _, caps, whiskers = container.errorbar.lines
                told.update(map(id, (*caps, *whiskers)))
        elif not any(container is getattr(other, "errorbar", None) for other in ax.containers):
            raise Unknown(f"a container: {container}")
    for artist in (*ax.lines, *ax.collections, *ax.patches, *ax.images, *ax.tables, *ax.artists, *ax.child_axes):
        if id(artist) in told:
            continue
        if artist in ax.lines:
            kind, value = line_or_reference(ax, artist)
            record[kind].append(value)
        elif isinstance(artist, PolyCollection) and hasattr(artist, "given"):
            record["bands"].append(band(artist))
        elif isinstance(artist, PathCollection) and hasattr(artist, "given"):
            record["points"].append(points(artist))
        else:
            raise Unknown(f"an artist: {artist}")
    systems = [(ax.transData, "data"), (ax.transAxes, "axes fraction"), (figure.transFigure, "figure fraction")]
    record["texts"] = [text(t, systems) for t in ax.texts]
    return record


def box(patch):
    if not isinstance(patch, FancyBboxPatch):
        raise Unknown(f"a shape on the figure: {patch}")
    bounds = numbers([patch.get_x(), patch.get_y(), patch.get_width(), patch.get_height()])
    return {"bounds": bounds, "colour": to_hex(patch.get_facecolor()), "edge": to_hex(patch.get_edgecolor())}


def describe(figure):
    if others := [*figure.lines, *figure.images, *figure.legends, *figure.artists, *figure.subfigs]:
        raise Unknown(f"on the figure: {others}")
    return {
        "size": numbers(figure.get_size_inches()),
        "suptitle": figure.get_suptitle() or None,
        "texts": [text(t, [(figure.transFigure, "figure fraction")]) for t in figure.texts if not hasattr(t, "given")],
        "boxes": [box(patch) for patch in figure.patches],
        "axes": [axes(ax, figure) for ax in figure.axes],
    }


def watch(root):
    """From here on matplotlib saves nothing and tells the returned dict: figure → its record."""
    # Nobody's own settings: they would move limits and change colours.
    matplotlib.rcdefaults()
    matplotlib.use("Agg")
    seen = {}

    def capture(figure, fname, **_):
        files = [*seen.get(figure, {"files": []})["files"], pathlib.Path(os.path.relpath(fname, root)).as_posix()]
        seen[figure] = {"files": files} | describe(figure)

    Figure.savefig = capture
    remember_arguments(Figure, "suptitle")
    for name in ("fill_between", "bar", "scatter", "twinx", "twiny"):
        remember_arguments(Axes, name)
    return seen


def run(script, root):
    """What the script plots of the tree in `root`, which it may write to."""
    seen = watch(root)
    os.environ["REPO_ROOT"] = str(root)
    sys.argv = [str(script)]
    with contextlib.chdir(root), open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        runpy.run_path(str(script), run_name="__main__")
    import matplotlib.pyplot as plt

    for figure in map(plt.figure, plt.get_fignums()):
        seen.setdefault(figure, {"files": []} | describe(figure))
    return {"script": script.name, "figures": list(seen.values())}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("script", type=pathlib.Path)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    given = parser.parse_args()
    script, out = given.script.resolve(), given.out.resolve()
    with tempfile.TemporaryDirectory() as folder:
        # Resolved, so that a file's name is found to be inside it; links are copied as what they point to.
        root = pathlib.Path(folder).resolve() / "root"
        shutil.copytree(given.root, root)
        plotted = run(script, root)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(plotted, indent=1, ensure_ascii=False, allow_nan=False) + "\n", encoding="utf-8")
    for figure in plotted["figures"]:
        count = lambda kind: sum(len(ax[kind]) for ax in figure["axes"])
        print(", ".join(figure["files"]), *(f"{count(k)} {k}" for k in ("lines", "references", "bands", "bars", "points")))


if __name__ == "__main__":
    main()
