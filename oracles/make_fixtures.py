"""Makes the PyTorch fixtures that Creditscope's learning rules are tested against.

    python make_fixtures.py OUT_DIR

For four small networks, three rules (bp, fa, dfa) and two penalties, one fixed batch is pushed
through plain autograd in float64, and OUT_DIR/{network}.safetensors records

    param/{name}  x  labels  feedback/fa.{l}  feedback/dfa.{l}      where the case starts
    h/{l}  p/{l}  logits  loss                                      the same for every rule
    {rule}/pen{penalty}/credit/{embed|l}                            raw, before normalisation
    {rule}/pen{penalty}/grad/{name}                                 gradient of the update
    {rule}/pen{penalty}/after3/{name}                               parameters after 3 AdamW steps
    {rule}/pen0/after1/{name}                                       ... after 1 (without penalty only)

Every starting value is a float32 number held in a float64, so that a single-precision run starts
at the same point. The script checks its own results before it writes them (see `check` and
`check_conditioning`).
"""

import argparse
import json
import pathlib

import torch
import torch.nn.functional as F
from safetensors.torch import save_file

from network import Network
from rules import ADAMW, credit, forward, local_objective, per_sample_gradients, train, update_gradients

D, BLOCKS, INPUTS, CLASSES, BATCH = 12, 3, 7, 5, 6
RULES, PENALTIES = ("bp", "fa", "dfa"), (0, 0.05)
NETWORKS = {
    "resmlp": dict(network="resmlp", out_ln=True, skip=True),
    "resmlp_noln": dict(network="resmlp", out_ln=False, skip=True),
    "resmlp_noskip": dict(network="resmlp", out_ln=True, skip=False),
    "student": dict(network="student", out_ln=False, skip=True, alpha=0.5),
}
# Small seeds whose cases pass `check_conditioning` with room to spare.
SEEDS = {"resmlp": 3, "resmlp_noln": 3, "resmlp_noskip": 26, "student": 1}


# --- the starting point -------------------------------------------------------------------------


def normal(generator, *shape, mean=0.0, std=1.0):
    """Gaussian numbers that float32 represents exactly."""
    return (mean + std * torch.randn(*shape, generator=generator, dtype=torch.float64)).float().double()


def starting_point(network, seed):
    """Parameters, batch and feedback. Nothing is left at its default, zero or one: a forgotten
    bias, a LayerNorm weight used twice or a transposed matrix must all show."""
    g = torch.Generator().manual_seed(seed)

    def parameter(name, shape):
        if name.endswith("bias"):
            return normal(g, *shape, std=0.2)
        if len(shape) == 1:  # a LayerNorm's weight
            return normal(g, *shape, mean=1.0, std=0.3)
        return normal(g, *shape, std=0.3)

    start = {k: parameter(k, v.shape) for k, v in blank(network).state_dict().items()}
    x = normal(g, BATCH, INPUTS)
    labels = torch.randint(0, CLASSES, (BATCH,), generator=g)
    feedback = {
        "fa": [normal(g, D, D, std=D**-0.5) for _ in range(BLOCKS)],
        "dfa": [normal(g, D, CLASSES, std=CLASSES**-0.5) for _ in range(BLOCKS)],
    }
    return start, x, labels, feedback


def blank(network):
    return Network(d=D, blocks=BLOCKS, inputs=INPUTS, classes=CLASSES, **network).double()


# --- checks -------------------------------------------------------------------------------------


def distance(a, b):
    return ((a.double() - b.double()).norm() / b.double().norm()).item()


def require(condition, what):
    if not condition:
        raise SystemExit(f"make_fixtures: inconsistent: {what}")


def check(name, build, x, labels, feedback):
    """What must hold by definition, whatever the numbers are."""
    net = build()
    h, f, logits = forward(net, x)
    p = per_sample_gradients(h, logits, labels)

    # The error at the output: dz = softmax - onehot, so p_L = dz through head (and LayerNorm).
    error = logits.softmax(1) - F.one_hot(labels, CLASSES)
    through_top = torch.autograd.grad(net.top(h[-1]), h[-1], error, retain_graph=True)[0]
    require(distance(through_top, p[-1]) < 1e-13, f"{name}: p_L is not e_T through the top")

    # p_l against central differences of the rest of the network.
    for l in range(BLOCKS + 1):
        v = normal(torch.Generator().manual_seed(l), *h[l].shape)

        def loss_at(h_l):
            for block in net.blocks[l:]:
                h_l = net.advance(h_l, block(h_l))
            return F.cross_entropy(net.top(h_l), labels, reduction="sum")

        with torch.no_grad():
            slope = (loss_at(h[l] + 1e-5 * v) - loss_at(h[l] - 1e-5 * v)) / 2e-5
        require(abs(slope - (p[l] * v).sum()) < 1e-7, f"{name}: p_{l} against central differences")

    # BP is the local update whose signal at h_{l+1} is the gradient of everything above it: the
    # sample's cross-entropy and the penalties of the blocks above. So credit and update agree.
    for penalty in PENALTIES:
        above = F.cross_entropy(logits, labels, reduction="sum") + penalty * sum(f_l.pow(2).sum() for f_l in f)
        signals = torch.autograd.grad(above, h, retain_graph=True)
        local = local_objective(net, penalty, x, labels, signals[0], signals[1:])
        local = torch.autograd.grad(local, list(net.parameters()))
        exact = update_gradients(net, "bp", penalty, x, labels, feedback)
        for (key, g), g_local in zip(exact.items(), local):
            require(distance(g_local, g) < 1e-12, f"{name}: bp penalty {penalty}: {key}")
    a_embed, a = credit("bp", net, x, labels, feedback)
    require(torch.equal(a_embed, p[0]) and all(map(torch.equal, a, p[1:])), f"{name}: bp credit is not p")

    # FA's last block receives the true direction, DFA's embedding the credit of block 0.
    a_embed, a = credit("fa", net, x, labels, feedback)
    require(distance(BATCH * a[-1], p[-1]) < 1e-15, f"{name}: fa credit of the last block")
    sample = feedback["fa"][0] @ feedback["fa"][1] @ feedback["fa"][2] @ (p[-1][0] / BATCH)
    require(distance(a_embed[0], sample) < 1e-13, f"{name}: fa credit of the embedding")
    a_embed, a = credit("dfa", net, x, labels, feedback)
    require(torch.equal(a_embed, a[0]), f"{name}: dfa credit of the embedding")


def check_conditioning(case, build, recorded, rule, penalty, x, labels, feedback):
    """Adam divides by |g|: where an entry of the gradient is near its rounding error, the step is
    noise, and no correct float32 program could meet a tolerance there. So the case is repeated in
    float32, and twice in float64 with every gradient disturbed at random by 1e-6 of its size; a
    case that does not stay near the record is refused (choose another seed). Returns distances."""

    def worst(tensors, kind):
        return max(distance(v, recorded[kind][k]) for k, v in tensors.items())

    single = x.float(), labels, {k: [B.float() for B in v] for k, v in feedback.items()}
    gradients = worst(update_gradients(build().float(), rule, penalty, *single), "grad")
    a_embed, a = credit(rule, build().float(), *single)
    credits = worst({"embed": a_embed, **{str(l): a_l for l, a_l in enumerate(a)}}, "credit")
    after3 = worst(train(build().float(), 3, rule, penalty, *single)[2], "after3")
    g = torch.Generator().manual_seed(0)

    def disturb(gradient):
        return gradient + 1e-6 * gradient.pow(2).mean().sqrt() * normal(g, *gradient.shape)

    disturbed = max(
        worst(train(build(), 3, rule, penalty, x, labels, feedback, disturb)[2], "after3") for _ in range(2)
    )
    require(credits < 2e-6, f"{case}: float32 credits differ by {credits:.1e}")
    require(gradients < 1e-6, f"{case}: float32 gradients differ by {gradients:.1e}")
    require(after3 < 5e-7, f"{case}: float32 parameters differ by {after3:.1e} after 3 steps")
    require(disturbed < 2e-6, f"{case}: disturbed parameters differ by {disturbed:.1e} after 3 steps")
    return credits, gradients, after3, disturbed


# --- the files ----------------------------------------------------------------------------------


def make(name, network, seed):
    start, x, labels, feedback = starting_point(network, seed)

    def build():
        net = blank(network)
        net.load_state_dict(start, strict=True)
        return net

    check(name, build, x, labels, feedback)

    tensors = {"x": x, "labels": labels}
    tensors.update({f"param/{k}": v for k, v in start.items()})
    tensors.update({f"feedback/{rule}.{l}": B for rule, Bs in feedback.items() for l, B in enumerate(Bs)})
    h, _, logits = forward(build(), x)
    p = per_sample_gradients(h, logits, labels)
    for l in range(BLOCKS + 1):
        tensors[f"h/{l}"], tensors[f"p/{l}"] = h[l], p[l]
    tensors["logits"], tensors["loss"] = logits, F.cross_entropy(logits, labels)

    for rule in RULES:
        for penalty in PENALTIES:
            case = f"{rule}/pen{penalty}"
            arguments = (rule, penalty, x, labels, feedback)
            a_embed, a = credit(rule, build(), x, labels, feedback)
            after1, _, after3 = train(build(), 3, *arguments)
            recorded = {
                "credit": {"embed": a_embed, **{str(l): a_l for l, a_l in enumerate(a)}},
                "grad": update_gradients(build(), *arguments),
                "after3": after3,
            }
            if penalty == 0:
                recorded["after1"] = after1
            distances = check_conditioning(f"{name}/{case}", build, recorded, *arguments)
            print(f"{name}/{case}: float32 credits, gradients, after 3 steps; disturbed:", *(f"{v:.1e}" for v in distances))
            tensors.update({f"{case}/{kind}/{k}": v for kind, group in recorded.items() for k, v in group.items()})
    return {k: v.detach().clone().contiguous() for k, v in tensors.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out_dir", type=pathlib.Path)
    out_dir = parser.parse_args().out_dir
    out_dir.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    for name, network in NETWORKS.items():
        tensors = make(name, network, SEEDS[name])
        # One metadata key: safetensors does not promise an order of several, and the bytes should repeat.
        options = dict(network, d=D, blocks=BLOCKS, inputs=INPUTS, classes=CLASSES, batch=BATCH)
        about = json.dumps(dict(torch=torch.__version__, seed=SEEDS[name], options=options, adamw=ADAMW), sort_keys=True)
        path = out_dir / f"{name}.safetensors"
        save_file(tensors, path, metadata={"oracle": about})
        path.chmod(0o644)  # safetensors leaves it private
        print(f"{path}: {len(tensors)} tensors, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
