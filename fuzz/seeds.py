"""Writes sound files for the fuzz corpus, one folder per door: python3 fuzz/seeds.py OUT PROGRAM. Needs numpy and Pillow.

Fuzzers reach deeper from a sound file than from nothing. The files are tiny; they hold no data of anybody. PROGRAM is
creditscope, which trains the runs whose files are seeds."""

import base64
import gzip
import io
import json
import pickle
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

import numpy as np
from PIL import Image

OUT = Path(sys.argv[1])
PROGRAM = sys.argv[2]
ROOT = Path(__file__).parent.parent


def write(door, name, content):
    folder = OUT / door
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def tensors(dtype):
    rng = np.random.default_rng(1)
    draw = lambda *shape: rng.standard_normal(shape).astype(dtype)
    return {"h.0": draw(4, 3), "h.1": draw(4, 3), "p.0": draw(4, 3), "p.1": draw(4, 3), "a.embed": draw(4, 3), "a.0": draw(4, 3)}


def head(dtype):
    """What the audit needs to compute gradients itself."""
    rng = np.random.default_rng(2)
    draw = lambda *shape: rng.standard_normal(shape).astype(dtype)
    more = {"head.weight": draw(2, 3), "head.bias": draw(2), "out_ln.weight": draw(3), "out_ln.bias": draw(3), "logits": draw(4, 2)}
    return tensors(dtype) | more | {"labels": np.array([0, 1, 1, 0])}


def dumps(name, content):
    for save in (np.savez, np.savez_compressed):
        file = io.BytesIO()
        save(file, **content)
        write("npz", f"{save.__name__}-{name}", file.getvalue())
    header, data = {}, b""
    for tensor, value in content.items():
        kind = {"float32": "F32", "float64": "F64", "float16": "F16", "int64": "I64"}[str(value.dtype)]
        header[tensor] = {"dtype": kind, "shape": value.shape, "data_offsets": [len(data), len(data) + value.nbytes]}
        data += value.tobytes()
    text = json.dumps(header).encode()
    write("safetensors", name, struct.pack("<Q", len(text)) + text + data)


for dtype in ("float32", "float64", "float16"):
    dumps(dtype, tensors(dtype))
dumps("head", head("float32"))

for path in sorted((ROOT / "recipes").glob("*.toml")):
    write("recipe", path.stem, "\n" + path.read_text())
write("recipe", "set", "optim.lr=[1e-3,3e-4]\nrule.name = ['bp', 'dfa']\nseed = [1, 2]\n")

NEXT_FILE = "\n--8<--\n"
LQ = "name = 'tiny'\nseed = 1\ndata.name = 'lq'\nnet.name = 'lq'\nlq.train = 8\nlq.test = 8\nnet.d = 2\nnet.blocks = 2\ntrain.batch = 4\ntrain.epochs = 1\nrule.name = 'dfa'\neval.samples = 4\naudit.samples = 4\n"
DIGITS = "name = 'tiny'\nseed = 1\ndata.name = 'digits'\nnet.name = 'resmlp'\nnet.d = 2\nnet.blocks = 1\ntrain.epochs = 1\nrule.name = 'dfa'\neval.samples = 4\naudit.samples = 4\n"
with tempfile.TemporaryDirectory() as folder:
    creditscope = lambda *words: subprocess.run([PROGRAM, *words, "--quiet"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    for name, text in (("lq", LQ), ("digits", DIGITS)):
        (Path(folder) / f"{name}.toml").write_text(text)
        creditscope("sweep", "submit", f"{name}.toml", "--on", "local", "--out", name)
        run = Path(folder) / name / "dfa-s1"
        subprocess.run([PROGRAM, "audit", str(run), "--quiet"], stdout=subprocess.DEVNULL)
        texts = [(run / part).read_text() for part in ("run.json", "recipe.toml", "metrics.jsonl", "audit.json")]
        write("run_record", name, NEXT_FILE.join(texts))
        write("run_record", f"{name}-log", NEXT_FILE.join(texts[:3]))
    creditscope("export", "tensorboard", "lq", "--out", "tb", "--no-figures")
    (event_file,) = (Path(folder) / "tb" / "dfa-s1").iterdir()
    bytes_ = event_file.read_bytes()
    first = 16 + struct.unpack("<Q", bytes_[:8])[0]
    second = first + 16 + struct.unpack("<Q", bytes_[first : first + 8])[0]
    write("events", "whole", bytes_)
    write("events", "cut", bytes_[:-9])
    write("events", "nobody", bytes_[:first] + bytes_[second:])
    # The door reads it for a run without identity whose recipe has the hash `r`, and states the digest itself.
    bytes_ = (Path(folder) / "lq" / "dfa-s1" / "checkpoint.safetensors").read_bytes()
    end = 8 + struct.unpack("<Q", bytes_[:8])[0]
    header = json.loads(bytes_[8:end])
    head = json.loads(header["__metadata__"]["creditscope"])
    del head["identity"]
    header["__metadata__"]["creditscope"] = json.dumps(head | {"recipe_hash": "r"}, separators=(",", ":"))
    text = json.dumps(header, separators=(",", ":")).encode()
    write("checkpoint", "dfa", struct.pack("<Q", len(text)) + text + bytes_[end:])
    sweep = Path(folder) / "lq" / "sweep"
    parts = ["manifest.json", "submissions/1.json", "shards/1.txt"]
    (start,) = (sweep / "attempts" / "dfa-s1").glob("*.start.json")
    beat = '{"epoch": 1, "memory": 19177472}'
    texts = [(sweep / part).read_text() for part in parts] + [start.read_text(), beat]
    for name, ending in (("over", {"how": "over"}), ("failed", {"how": "failed", "error": "no disk"}), ("yielded", {"how": "yielded", "to": "b"})):
        end = json.dumps({"time": "2026-11-18T07:29:48Z", "ending": ending, "memory": None})
        write("sweep", name, NEXT_FILE.join([*texts, end]))
    write("sweep", "killed", NEXT_FILE.join(texts))

# A page: 40 words, one on each line, then numbers.
def page(words, numbers):
    return "\n".join((words * 40)[:40]).encode() + b"\xff" + b"".join(struct.pack("<d", x) for x in numbers)


odd = [float("nan"), float("inf"), float("-inf"), 0.0, -0.0, 5e-324, 1.7976931348623157e308, -1e-9, 0.12345, 99999.5]
write("page", "plain", page(["bp-s1", "dfa", "0.1"], [0.1 * at for at in range(30)]))
write("page", "markup", page(["</script><!--", "<img src=x onerror=alert(1)>", "\"'`&amp;`", "‖h‖\u202e"], odd * 3))
write("page", "keys", page(["a", "a", "__proto__", "\\u003c/script>"], odd))
write("page", "words", b"no numbers")

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

def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def png(colour, channels):
    rows = b"".join(b"\0" + bytes(range(3 * channels)) for _ in range(2))
    head = struct.pack(">IIBBBBB", 3, 2, 8, colour, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


for colour, channels in ((0, 1), (2, 3), (4, 2), (6, 4)):
    write("png", f"colour-{colour}", png(colour, channels))

svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 30">'
write("svg", "shapes", svg + '<rect x="1" y="1" width="9" height="9" fill="#b2182b"/><circle cx="20" cy="15" r="5" stroke="black" fill="none"/><path d="M0 0 L10 10 C 1 2 3 4 5 6 Z"/></svg>')
write("svg", "text", svg + '<g transform="rotate(10)"><text x="5" y="10" font-size="6">h</text><line x1="0" y1="0" x2="40" y2="30" stroke="red" stroke-dasharray="2 1"/></g></svg>')
write("svg", "gradient", svg + '<defs><linearGradient id="g"><stop offset="0" stop-color="red"/><stop offset="1"/></linearGradient><clipPath id="c"><circle cx="9" cy="9" r="9"/></clipPath></defs><rect width="40" height="30" fill="url(#g)" clip-path="url(#c)"/></svg>')
jpeg = io.BytesIO()
Image.new("RGB", (9, 8), (178, 24, 43)).save(jpeg, "JPEG", quality=10)
for kind, content in (("png", png(2, 3)), ("jpeg", jpeg.getvalue()), ("svg+xml", (svg + '<circle r="9"/></svg>').encode())):
    link = f"data:image/{kind};base64,{base64.b64encode(content).decode()}"
    write("svg", f"image-{kind[:3]}", svg + f'<image width="9" height="9" href="{link}"/></svg>')
write("svg", "reference", svg + '<style>.s{fill:url(#p)}</style><defs><pattern id="p" width="4" height="4" patternUnits="userSpaceOnUse"><path id="q" d="M0 0h2a1 1 0 0 1 1 1z"/></pattern><marker id="m"><use href="#q"/></marker></defs><use href="#q" x="9" class="s"/><polyline points="0,0 9,9 3 4" marker-end="url(#m)" stroke="#00f8" stroke-linejoin="round"/><rect rx="2" width="3" height="3" fill="url(#r)"/><radialGradient id="r" spreadMethod="reflect"><stop offset="10%" stop-opacity=".5"/><stop offset="1" stop-color="rgb(1,2,3)"/></radialGradient></svg>')
