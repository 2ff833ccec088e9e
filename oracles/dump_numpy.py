"""Makes the fixtures that the import of foreign dumps is tested against.

    python dump_numpy.py OUT_DIR

A small residual network (PyTorch, L = 3 blocks, d = 12, 40 samples, LayerNorm and head at its end) is run in float64
and, with the same weights, in float32. For each, OUT_DIR/dump_{f64|f32}.npz holds the tensors of a dump, and beside
them `directions`, samples × K × d unit vectors. OUT_DIR/dump.json holds what must be measured there, computed here
from the saved arrays by NumPy in float64 and by nothing else:

    hidden, gradient, credit     medians of the norms of h, p, a (embedding first)
    cosine, spread, torch        per unit: mean over samples of cos(a_embed, p_0), cos(a_l, p_{l+1}); standard deviation
                                 (n-1); mean of the cosine that puts a floor of 1e-8 under each norm
    *_paper                      the same for cos(a_l, p_l)
    rho, rho_gradient            Pearson r at h_L over samples and directions between <a, eps v> and
                                 (L(h + eps v) - L(h - eps v)) / 2, for the last block's credit and for p_L
    loss                         each sample's loss from h_L, LayerNorm, head and label

The credit of block 1 is scaled to 1e-9, where a cosine with a floor is wrong. OUT_DIR/dump_layouts.npz holds the same
few numbers in every type, byte order and memory order that is read. The script checks itself before it writes.
"""

import argparse
import json
import pathlib

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

SAMPLES, D, BLOCKS, CLASSES, INPUTS, DIRECTIONS, STEP, LN_EPS = 40, 12, 3, 5, 9, 8, 1e-3, 1e-5


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.w1, self.w2 = nn.Linear(D, 17), nn.Linear(17, D)

    def forward(self, h):
        return h + self.w2(F.silu(self.w1(h)))


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Linear(INPUTS, D)
        self.blocks = nn.ModuleList(Block() for _ in range(BLOCKS))
        self.out_ln, self.head = nn.LayerNorm(D, eps=LN_EPS), nn.Linear(D, CLASSES)
        nn.init.normal_(self.out_ln.weight, 1, 0.2)
        nn.init.normal_(self.out_ln.bias, 0, 0.2)

    def forward(self, x):
        states = [self.embed(x)]
        for block in self.blocks:
            states.append(block(states[-1]))
        return states, self.head(self.out_ln(states[-1]))


def tensors(net, x, labels, feedback, directions):
    """The dump of one precision, as NumPy arrays."""
    states, logits = net(x)
    p = torch.autograd.grad(F.cross_entropy(logits, labels, reduction="sum"), states)
    error = torch.softmax(logits, 1) - F.one_hot(labels, CLASSES)
    dfa = [error @ b.T for b in feedback]
    # Between nothing and everything: a random projection, a vanishing one, and one mixed with the truth.
    credit = [dfa[0], dfa[1] * 1e-9, dfa[2] + 2 * p[BLOCKS]]
    out = {f"h.{l}": h for l, h in enumerate(states)} | {f"p.{l}": g for l, g in enumerate(p)}
    out |= {"a.embed": dfa[0] * 0.5 + p[0]} | {f"a.{l}": a for l, a in enumerate(credit)}
    out |= {"labels": labels, "logits": logits, "head.weight": net.head.weight, "head.bias": net.head.bias}
    out |= {"out_ln.weight": net.out_ln.weight, "out_ln.bias": net.out_ln.bias, "epoch": torch.tensor(7)}
    return {k: v.detach().numpy() for k, v in out.items()} | {"directions": directions}


def norms(rows):
    return np.sqrt((rows * rows).sum(-1))


def cosines(a, p):
    """Mean, spread and clamped mean of the cosine over samples."""
    dot, na, np_ = (a * p).sum(1), norms(a), norms(p)
    plain = dot / (na * np_)
    clamped = dot / (np.maximum(na, 1e-8) * np.maximum(np_, 1e-8))
    reference = F.cosine_similarity(torch.from_numpy(a), torch.from_numpy(p)).numpy()
    assert np.allclose(clamped, reference, rtol=1e-12, atol=0), "PyTorch's cosine is another"
    return plain.mean(), plain.std(ddof=1), clamped.mean()


def losses(h, t):
    """Cross-entropy of each row of h, by LayerNorm, head and softmax; h is samples × … × d."""
    centred = h - h.mean(-1, keepdims=True)
    normed = centred / np.sqrt((centred * centred).mean(-1, keepdims=True) + LN_EPS)
    z = (normed * t["out_ln.weight"] + t["out_ln.bias"]) @ t["head.weight"].T + t["head.bias"]
    z = z - z.max(-1, keepdims=True)
    labels = t["labels"].reshape(-1, *[1] * (z.ndim - 1))
    return np.log(np.exp(z).sum(-1)) - np.take_along_axis(z, labels, -1)[..., 0]


def rho(a, t):
    h, v = t[f"h.{BLOCKS}"][:, None, :], STEP * t["directions"]
    change = (losses(h + v, t) - losses(h - v, t)) / 2
    predicted = (a[:, None, :] * v).sum(-1)
    return np.corrcoef(predicted.ravel(), change.ravel())[0, 1]


def measure(saved):
    t = {k: v.astype(np.float64) if v.dtype.kind == "f" else v for k, v in saved.items()}
    units = [t["a.embed"]] + [t[f"a.{l}"] for l in range(BLOCKS)]
    p = [t[f"p.{l}"] for l in range(BLOCKS + 1)]
    here = [cosines(a, g) for a, g in zip(units, p)]
    paper = [cosines(a, g) for a, g in zip(units[1:], p)]
    out = {
        "hidden": [np.median(norms(t[f"h.{l}"])) for l in range(BLOCKS + 1)],
        "gradient": [np.median(norms(g)) for g in p],
        "credit": [np.median(norms(a)) for a in units],
        "error": np.median(norms(softmax(t["logits"]) - np.eye(CLASSES)[t["labels"]])),
        "rho": rho(units[-1], t),
        "rho_gradient": rho(p[-1], t),
        "loss": losses(t[f"h.{BLOCKS}"], t).tolist(),
    }
    for suffix, rows in (("", here), ("_paper", paper)):
        for name, column in zip(("cosine", "spread", "torch"), zip(*rows)):
            out[name + suffix] = list(column)
    return out


def softmax(z):
    e = np.exp(z - z.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def check(saved, found, tolerance):
    """The arrays and the measurements against what PyTorch says and what must hold."""
    logits, labels = torch.from_numpy(saved["logits"]), torch.from_numpy(saved["labels"])
    torch_loss = F.cross_entropy(logits.double(), labels, reduction="none").numpy()
    assert np.allclose(found["loss"], torch_loss, rtol=tolerance), "LayerNorm and head do not give the logits"
    assert found["rho_gradient"] > 0.999, "the gradient does not predict the loss"
    assert 0.2 < found["rho"] < 0.98 and found["credit"][2] < 1e-8, "the planted credits are not what they should be"


def layouts():
    """Values (i - 11) / 4 for i = 0, 1, …, in row-major order of 4 × 2 × 3, in many layouts."""
    values = ((np.arange(24) - 11) / 4).reshape(4, 2, 3)
    out = {"h.0": values.astype(">f4"), "h.1": np.asfortranarray(values.astype("<f8")), "h.2": values.astype("<f2")}
    out |= {"h.3": np.asfortranarray(values.astype(">f2")), "h.4": np.asfortranarray(values.astype(">f8"))}
    out |= {"g_0": values.astype("f4"), "g_1": values, "g_2": values, "g_3": values.transpose(0, 2, 1), "g_4": values}
    out |= {"labels": np.array([3, 0, 1, 2], ">i2"), "epoch": np.int8(3), "note": np.array(["kept", "aside"])}
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", type=pathlib.Path)
    out = parser.parse_args().out
    torch.manual_seed(20)
    torch.set_num_threads(1)
    net = Network()
    x, labels = torch.randn(SAMPLES, INPUTS), torch.randint(CLASSES, (SAMPLES,))
    feedback = [torch.randn(D, CLASSES) / CLASSES**0.5 for _ in range(BLOCKS)]
    directions = np.random.default_rng(21).standard_normal((SAMPLES, DIRECTIONS, D))
    directions /= norms(directions)[..., None]
    found = {"step": STEP}
    for precision, dtype, save in (("f32", torch.float32, np.savez_compressed), ("f64", torch.float64, np.savez)):
        net, x, feedback = net.to(dtype), x.to(dtype), [b.to(dtype) for b in feedback]
        saved = tensors(net, x, labels, feedback, directions)
        found[precision] = measure(saved)
        check(saved, found[precision], 1e-5 if precision == "f32" else 1e-12)
        save(out / f"dump_{precision}.npz", **saved)
    np.savez_compressed(out / "dump_layouts.npz", **layouts())
    (out / "dump.json").write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
