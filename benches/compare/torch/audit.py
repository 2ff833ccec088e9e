"""The full audit of a dfa checkpoint in PyTorch: the measurements of `creditscope audit`, on the same samples.

    python audit.py RUN_FOLDER DATA_FOLDER --threads 1

Credit in f32 as training gives it; gradients in f64; the loss asked by f64 forward passes that begin at the layer that is
moved. All samples pass at once; Python loops over directions, draws and layers. Prints one JSON line.
"""

import argparse
import copy
import json
import pathlib
import time

import torch
import torch.nn.functional as F
from safetensors.torch import load_file

import cifar
from learner import CLASSES, Network, dfa_credit, output_error, threads
from training import cosines, median_norm, signals

SAMPLES, DIRECTIONS, DRAWS, NULL_SAMPLES = 1280, 32, 20, 256
STEP, ETAS, DIRECTION_BATCH = 1e-3, (0.003, 0.01, 0.1), 128
TRIAL_SAMPLES, TRIAL_DIRECTIONS, LONGER, FINE, REACH = 16, 8, 1.125, 1e-3, 1e-2


def load(folder):
    """Network in f32, feedback, and the credit that the run recorded."""
    tensors = load_file(pathlib.Path(folder) / "checkpoint.safetensors")
    blocks = sum(name.startswith("feedback.") for name in tensors)
    d, inputs = tensors["embed.weight"].shape
    net = Network("resmlp", d=d, blocks=blocks, inputs=inputs, classes=CLASSES)
    net.load_state_dict({name: tensors[name] for name in net.state_dict()})
    recorded = [tensors[f"credit.{unit}"] for unit in ("embed", *range(blocks))]
    return net, [tensors[f"feedback.{l}"] for l in range(blocks)], recorded


class Downstream:
    """The loss of each sample as a function of its state at some layer."""

    def __init__(self, net):
        self.net = net

    @torch.no_grad()
    def __call__(self, layer, h, labels):
        for block in self.net.blocks[layer:]:
            h = self.net.advance(h, block(h))
        return F.cross_entropy(self.net.top(h), labels, reduction="none")


def changes(rest, layer, h, labels, directions, length):
    """Half the difference of the loss between both ends of every step, by direction and sample."""
    ends = ((rest(layer, h + length * v, labels), rest(layer, h - length * v, labels)) for v in directions)
    return torch.stack([0.5 * (up - down) for up, down in ends])


def choose_length(rest, layer, h, labels, directions):
    """The shortest step, in factors of ten, whose changes of the loss are sound to a thousandth."""
    h, labels, few = h[:TRIAL_SAMPLES], labels[:TRIAL_SAMPLES], directions[:TRIAL_DIRECTIONS, :TRIAL_SAMPLES]
    rms = lambda values: values.pow(2).mean().sqrt().item()

    def error(length):
        near = changes(rest, layer, h, labels, few, length)
        far = changes(rest, layer, h, labels, few, LONGER * length)
        return rms(far - LONGER * near) / (1 + LONGER**2) ** 0.5 / rms(near)

    best, length, reach = (error(STEP), STEP), 10 * STEP, REACH * median_norm(h)
    while best[0] > FINE and length <= reach:
        best = min(best, (error(length), length))
        length *= 10
    return best[1]


def nudge(rest, layer, h, labels, losses, credit, eta):
    """Mean change of the loss against the credit."""
    moved = h - eta * credit / credit.pow(2).mean(1, keepdim=True).sqrt()
    return (rest(layer, moved, labels) - losses).mean().item()


def pearson(x, y):
    x, y = x - x.mean(), y - y.mean()
    return ((x * y).sum() / (x.norm() * y.norm())).item()


def band(values):
    return {"value": values[0], "fresh": _ends(values[1 : 1 + DRAWS]), "permuted": _ends(values[1 + DRAWS :])}


def _ends(draws):
    return [min(draws), max(draws)]


def direction_stability(p):
    """Mean pairwise cosine of the mean gradients of disjoint batches."""
    means = F.normalize(torch.stack([rows.mean(0) for rows in p.split(DIRECTION_BATCH)]), dim=1)
    pairs = (means @ means.T).triu(1)
    return (pairs.sum() / (len(means) * (len(means) - 1) / 2)).item()


def all_credits(net, feedback, logits_error, logits, labels):
    """The measured credit, that of fresh feedback, that of permuted labels; each by unit, widened to f64."""
    wide = lambda credit: [a.double() for a in credit]
    found = [wide(dfa_credit(logits_error, feedback))]
    for _ in range(DRAWS):
        fresh = [torch.randn_like(matrix) / CLASSES**0.5 for matrix in feedback]
        found.append(wide(dfa_credit(logits_error, fresh)))
    for _ in range(DRAWS):
        permuted = labels[torch.randperm(len(labels))]
        found.append(wide(dfa_credit(output_error(logits, permuted), feedback)))
    return found


@torch.no_grad()
def consistency(exact, feedback, recorded, x, labels):
    """Largest difference between the recorded credit and the same recomputed in f64, as a share of its norm."""
    n = len(recorded[0])
    error = output_error(exact(x[:n]), labels[:n])
    again = dfa_credit(error, [matrix.double() for matrix in feedback])
    return max(((a.double() - b).norm() / b.norm()).item() for a, b in zip(recorded, again))


def measure(net, feedback, recorded, x, labels):
    exact = copy.deepcopy(net).double()
    rest = Downstream(exact)
    hidden, p, _, error = signals(exact, "dfa", [matrix.double() for matrix in feedback], x.double(), labels)
    _, p32, _, error32 = signals(net, "dfa", feedback, x, labels)
    with torch.no_grad():
        logits = net(x)
    credits = all_credits(net, feedback, error32, logits, labels)
    layers = range(len(hidden))
    directions = F.normalize(torch.randn(DIRECTIONS, *hidden[0].shape, dtype=torch.float64), dim=2)
    by_sample = directions.permute(1, 2, 0).contiguous()
    # What each signal says about each step: by signal, unit, sample and direction.
    predict = lambda units: torch.stack(units, 1) @ by_sample
    predicted, predicted_p = [predict(credit) for credit in credits], predict(p)
    units = [{"here": None, "at_input": None, "credit": median_norm(credits[0][unit])} for unit in layers]
    states = []
    for l in layers:
        losses = rest(l, hidden[l], labels)
        length = choose_length(rest, l, hidden[l], labels, directions)
        moved = changes(rest, l, hidden[l], labels, directions, length).T / length
        own = [nudge(rest, l, hidden[l], labels, losses, p[l], eta) for eta in ETAS]
        rho_own = pearson(predicted_p[:, l], moved)
        for place, unit in (("here", l), ("at_input", l + 1)):
            if unit not in layers:
                continue
            of_unit = [credit[unit] for credit in credits]
            found = {
                "cosine": band([cosines(a, p[l]).mean().item() for a in of_unit]),
                "spread": cosines(of_unit[0], p[l]).std().item(),
                "torch": F.cosine_similarity(of_unit[0], p[l], dim=1).mean().item(),
                "rho": band([pearson(values[:, unit], moved) for values in predicted]),
                "rho_gradient": rho_own,
                "step": length,
                "nudges": [nudge(rest, l, hidden[l], labels, losses, of_unit[0], eta) for eta in ETAS],
                "nudges_gradient": own,
            }
            if place == "here":
                few = slice(NULL_SAMPLES)
                of_null = [
                    nudge(rest, l, hidden[l][few], labels[few], losses[few], a[few], ETAS[1]) for a in of_unit
                ]
                found["null_nudge"] = band(of_null)
            units[unit][place] = found
        precisions = cosines(p32[l], p[l]).mean().item()
        states.append({"hidden": median_norm(hidden[l]), "gradient": median_norm(p[l]), "precisions": precisions})
    return {
        "states": states,
        "units": units,
        "error": median_norm(error),
        "direction": direction_stability(p[(len(layers) - 1) // 2]),
        "consistency": consistency(exact, feedback, recorded, x.double(), labels),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("run")
    parser.add_argument("data")
    parser.add_argument("--threads", type=int, required=True)
    given = parser.parse_args()
    threads(given.threads)
    torch.manual_seed(0)
    images, labels = cifar.test_set(given.data)
    begun = time.perf_counter()
    found = measure(*load(given.run), cifar.scaled(images[:SAMPLES]), labels[:SAMPLES])
    print(json.dumps(found | {"seconds": time.perf_counter() - begun}))


if __name__ == "__main__":
    main()
