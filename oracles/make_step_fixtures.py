"""Makes the PyTorch fixtures of what is done to credit and to gradients on the way to AdamW.

    python make_step_fixtures.py OUT_DIR

On the `resmlp` of make_fixtures.py, in float64, OUT_DIR/steps.safetensors records

    {rule}/pen{penalty}/clip_{blocks|all}/after3/{name}     parameters after 3 AdamW steps on gradients that
                                                            `clip_grad_norm_` has clipped, unit by unit
    {rule}/pen{penalty}/clip_{blocks|all}/first/{name}      AdamW's first moments then, which forgive no factor
    {rule}/{sample|batch|none}/grad/{name}                  gradient of the update with credit normalised that way
    {rule}/{sample|batch|none}/after3/{name}                parameters after 3 AdamW steps

for bp, fa and dfa. Where they start is in resmlp.safetensors. The script checks that clipping takes hold of some
units and leaves others alone, and that no two cases agree.
"""

import argparse
import pathlib

import torch
from safetensors.torch import save_file

from make_fixtures import NETWORKS, PENALTIES, RULES, SEEDS, blank, distance, require, starting_point
from rules import train, update_gradients

# Between the smallest and the largest norm of a unit's gradient in every case.
CLIP = {"bp": 1.75, "fa": 4.65, "dfa": 5.0}


def units(net, which):
    blocks = [list(block.parameters()) for block in net.blocks]
    head = [*net.out_ln.parameters(), *net.out_head.parameters()]
    return blocks if which == "blocks" else [list(net.embed.parameters()), *blocks, head]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out_dir", type=pathlib.Path)
    out_dir = parser.parse_args().out_dir
    torch.set_num_threads(1)
    start, x, labels, feedback = starting_point(NETWORKS["resmlp"], SEEDS["resmlp"])

    def build():
        net = blank(NETWORKS["resmlp"])
        net.load_state_dict(start, strict=True)
        return net

    tensors = {}
    for rule in RULES:
        for penalty in PENALTIES:
            for which in ("blocks", "all"):
                norms, first, unclipped = [], {}, {}

                def clip(net):
                    def add(moments):
                        for name, parameter in net.named_parameters():
                            moments[name] = 0.9 * moments.get(name, 0.0) + 0.1 * parameter.grad.clone()

                    add(unclipped)
                    norms.extend(torch.nn.utils.clip_grad_norm_(unit, CLIP[rule]).item() for unit in units(net, which))
                    add(first)

                after3 = train(build(), 3, rule, penalty, x, labels, feedback, clip=clip)[-1]
                case = f"{rule}/pen{penalty}/clip_{which}"
                print(case, "norms", *(f"{norm:.3g}" for norm in norms))
                require(min(norms) < CLIP[rule] < max(norms), f"{case}: clipping takes hold of all units or of none")
                apart = [distance(first[k], unclipped[k]) for k in first]
                require(min(apart) == 0 and max(apart) > 0.1, f"{case}: clipping changes nothing, or everything")
                tensors.update({f"{case}/after3/{k}": v for k, v in after3.items()})
                tensors.update({f"{case}/first/{k}": v for k, v in first.items()})
        gradients = {}
        for how in ("sample", "batch", "none"):
            gradients[how] = update_gradients(build(), rule, 0, x, labels, feedback, how)
            after3 = train(build(), 3, rule, 0, x, labels, feedback, normalise=how)[-1]
            tensors.update({f"{rule}/{how}/grad/{k}": v for k, v in gradients[how].items()})
            tensors.update({f"{rule}/{how}/after3/{k}": v for k, v in after3.items()})
        for one, other in (("sample", "batch"), ("batch", "none"), ("none", "sample")):
            for name in ("embed.weight", "blocks.1.w1.weight"):
                apart = distance(gradients[one][name], gradients[other][name])
                require(apart > 1e-2, f"{rule}: {one} and {other} agree at {name}")

    path = out_dir / "steps.safetensors"
    save_file({k: v.detach().clone().contiguous() for k, v in tensors.items()}, path, metadata={"oracle": f"torch {torch.__version__}, clip {CLIP}"})
    path.chmod(0o644)
    print(f"{path}: {len(tensors)} tensors, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
