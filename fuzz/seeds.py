"""Writes sound files for the fuzz corpus, one folder per door: python3 fuzz/seeds.py OUT. Needs numpy.

Fuzzers reach deeper from a sound file than from nothing. The files are tiny; they hold no data of anybody."""

import gzip
import io
import json
import pickle
import struct
import sys
import zlib
from pathlib import Path

import numpy as np

OUT = Path(sys.argv[1])
ROOT = Path(__file__).parent.parent


def write(door, name, content):
    folder = OUT / door
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def tensors(dtype):
    rng = np.random.default_rng(1)
    draw = lambda *shape: rng.standard_normal(shape).astype(dtype)
    return {"h.0": draw(4, 3), "h.1": draw(4, 3), "p.0": draw(4, 3), "p.1": draw(4, 3), "a.embed": draw(4, 3), "a.0": draw(4, 3)}


for dtype in ("float32", "float64", "float16"):
    for save in (np.savez, np.savez_compressed):
        file = io.BytesIO()
        save(file, **tensors(dtype))
        write("npz", f"{save.__name__}-{dtype}", file.getvalue())
    header, data = {}, b""
    for name, value in tensors(dtype).items():
        kind = {"float32": "F32", "float64": "F64", "float16": "F16"}[dtype]
        header[name] = {"dtype": kind, "shape": value.shape, "data_offsets": [len(data), len(data) + value.nbytes]}
        data += value.tobytes()
    text = json.dumps(header).encode()
    write("safetensors", dtype, struct.pack("<Q", len(text)) + text + data)

for path in sorted((ROOT / "recipes").glob("*.toml")):
    write("recipe", path.stem, "\n" + path.read_text())
write("recipe", "set", "optim.lr=[1e-3,3e-4]\nrule.name = ['bp', 'dfa']\nseed = [1, 2]\n")

results = ROOT / "docs" / "results"
for run in ("toy-lq/dfa-s42", "penalty/dfa-s42"):
    folder = results / run
    parts = [folder / name for name in ("run.json", "recipe.toml", "metrics.jsonl", "audit.json")]
    texts = [part.read_text() if part.exists() else "" for part in parts]
    # The first epochs, without the audits in them, which are long.
    lines = [json.loads(line) for line in texts[2].splitlines()[:2]]
    texts[2] = "".join(json.dumps({key: value for key, value in line.items() if key != "audit"}) + "\n" for line in lines)
    write("run_record", run.replace("/", "-"), "\n--8<--\n".join(texts))
    write("run_record", run.replace("/", "-") + "-log", "\n--8<--\n".join(texts[:3]))

entry = {"epoch": 1, "hidden_norms": [1.0, 2.0], "bp_grad_norms_per_sample_med": [1e-3, 1e-4], "acc_eval": 0.3}
write("paper_json", "snapshot", json.dumps({"fa_log": [entry]}))
write("paper_json", "penalty", json.dumps({"log": [{"epoch": 1, "h_L_norm": 2.0, "g_2_norm": 1e-4, "acc_eval": 0.3}]}))
method = {
    "log": {"train_acc": [0.1], "test_acc": [0.1], "train_loss": [2.3], "state_pred_error": [0.0]},
    "diagnostics": {"bp_cosine": [0.4, 0.0], "perturbation_rho": [0.4, 0.0], "nudging": {"0.01": [-1e-3, 0.0]}},
    "drift": {"blocks.0.w1.weight": 0.5},
}
write("paper_json", "results", json.dumps({"42": {"bp": method, "dfa": method}}))

labels = struct.pack(">II", 0x801, 2) + bytes([3, 7])
images = struct.pack(">IIII", 0x803, 2, 2, 2) + bytes(range(8))
write("idx", "plain", bytes([len(labels)]) + labels + images)
packed = gzip.compress(labels, mtime=0)
write("idx", "gzip", bytes([len(packed)]) + packed + gzip.compress(images, mtime=0))
write("cifar", "plain", b"".join(bytes([label]) + bytes(range(12)) for label in (3, 7)))
batch = {b"batch_label": b"tiny", b"labels": [3, 7], b"data": np.arange(24, dtype=np.uint8).reshape(2, 12), b"filenames": [b"a", b"b"]}
for protocol in range(5):
    write("pickle", f"protocol-{protocol}", pickle.dumps(batch, protocol))

for i, text in enumerate([r"$\|h_L\|_2$", r"cos($a_l$, $p_{l+1}$) 50 %", r"$\frac{1}{2}\sum_{l=0}^{L} \sqrt{x^2}$", "plain words", r"$\mathbf{W}^\top \hat{a}$ – “ünïcode”"]):
    write("label", str(i), text)

svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 30">'
write("svg", "shapes", svg + '<rect x="1" y="1" width="9" height="9" fill="#b2182b"/><circle cx="20" cy="15" r="5" stroke="black" fill="none"/><path d="M0 0 L10 10 C 1 2 3 4 5 6 Z"/></svg>')
write("svg", "text", svg + '<g transform="rotate(10)"><text x="5" y="10" font-size="6">h</text><line x1="0" y1="0" x2="40" y2="30" stroke="red" stroke-dasharray="2 1"/></g></svg>')
write("svg", "gradient", svg + '<defs><linearGradient id="g"><stop offset="0" stop-color="red"/><stop offset="1"/></linearGradient><clipPath id="c"><circle cx="9" cy="9" r="9"/></clipPath></defs><rect width="40" height="30" fill="url(#g)" clip-path="url(#c)"/></svg>')


def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


for colour, channels in ((0, 1), (2, 3), (4, 2), (6, 4)):
    rows = b"".join(b"\0" + bytes(range(3 * channels)) for _ in range(2))
    head = struct.pack(">IIBBBBB", 3, 2, 8, colour, 0, 0, 0)
    write("png", f"colour-{colour}", b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
