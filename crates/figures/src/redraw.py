"""Redraws NAME from NAME.csv with matplotlib. Comments of the CSV hold panels and axes as JSON, its rows the values."""
import csv, json, math, pathlib
import matplotlib.pyplot as plt, numpy as np
from matplotlib.colors import LinearSegmentedColormap, LogNorm, Normalize
lines = (pathlib.Path(__file__).resolve().parent / "NAME.csv").read_text(encoding="utf-8").splitlines()
facts = lambda kind: [json.loads(line.split(" ", 2)[2]) for line in lines if line.startswith(f"# {kind} ")]
(figure,), panels = facts("figure"), facts("panel")
rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
number = lambda text, axis: axis["names"].index(text) if text in axis.get("names", []) else float(text or "nan")
error = lambda low, at, high: [[at - float(low)], [float(high) - at]] if low else None

def scale(ax, axis, which):
    getattr(ax, f"set_{which}label")(axis["label"] or "")
    if axis["scale"] == "names":
        getattr(ax, f"set_{which}ticks")(range(len(axis["names"])), axis["names"])
    elif axis["scale"] != "linear":
        more = {"linthresh": axis["least"]} if axis["scale"] == "signed" else {}
        getattr(ax, f"set_{which}scale")("symlog" if more else "log", **more)

def draw(ax, panel):
    ax.set_title(panel["title"] or panel["name"], loc="left", fontsize=9)
    groups = {}
    for row in (row for row in rows if row["panel"] == panel["name"]):
        groups.setdefault((row["kind"], row["label"]), []).append(row)
    cells = [key for key in groups if key[0] == "cell"]
    for (kind, label), group in groups.items():
        x, y = ([number(row[key], panel[key]) for row in group] for key in "xy")
        low, high = ([float(row[end] or "nan") for row in group] for end in ("low", "high"))
        look = {"color": panel["colours"].get(label, "0.4")}
        if kind == "line":
            ax.plot(x, y, **look, label="" if ", seed " in label else label)
            ax.plot(x, [b if row["remark"] == "unreliable" else math.nan for row, b in zip(group, y)], "o", ms=3, mfc="w", **look)
        elif kind == "band":
            ax.fill_between(x, low, high, alpha=0.2, lw=0, **look)
        elif kind in ("bar", "point"):
            for row, a, b in zip(group, x, y):
                left, right = float(row["x_low"] or "nan"), float(row["x_high"] or "nan")
                ax.bar(left, b, right - left, align="edge", **look) if kind == "bar" else ax.plot(a, b, "o", **look)
                across = None if kind == "bar" else error(row["x_low"], a, row["x_high"])
                ax.errorbar((left + right) / 2 if kind == "bar" else a, b, error(row["low"], b, row["high"]), across, ecolor="0.2")
        elif kind in ("range", "value"):
            ax.vlines(x, low, high, lw=4, **look) if kind == "range" else ax.plot(x, y, "k.", ms=4)
        elif kind == "guide": ax.axvline(x[0], color="0.4", ls=":") if math.isnan(y[0]) else ax.axhline(y[0], color="0.4", ls=":")
        elif kind == "remark": [ax.text(0.02, b, row["remark"], transform=ax.get_yaxis_transform(), fontsize=5) for row, b in zip(group, y)]
        elif kind == "cell":
            ramp, i = panel["ramp"], cells.index((kind, label))
            norm = (LogNorm if ramp["axis"]["scale"] == "log" else Normalize)(ramp["low"], ramp["high"])
            edges = [float(row["x_low"]) for row in group] + [float(group[-1]["x_high"])]
            doubtful = np.ma.masked_array([y], [[row["remark"] != "unreliable" for row in group]])
            ax.pcolor(edges, [i - 0.5, i + 0.5], doubtful, hatch="////", alpha=0, zorder=2)
            ax.pcolormesh(edges, [i - 0.5, i + 0.5], [y], norm=norm, cmap=LinearSegmentedColormap.from_list("", ramp["colours"]))
    scale(ax, panel["x"], "x")
    scale(ax, {**panel["y"], **({"scale": "names", "names": [label for _, label in cells]} if cells else {})}, "y")
    ax.legend(fontsize=6) if len(ax.get_legend_handles_labels()[1]) > 1 else None

count = math.ceil(len(panels) / figure["columns"])
picture, axes = plt.subplots(count, figure["columns"], figsize=(3.4 * figure["columns"], 2.8 * count), squeeze=False, layout="constrained")
[draw(ax, panel) if panel else ax.set_axis_off() for ax, panel in zip(axes.flat, panels + [None] * axes.size)]
picture.suptitle(figure["title"] or "")
picture.savefig(pathlib.Path(__file__).resolve().parent / "NAME-redrawn.png", dpi=200)
