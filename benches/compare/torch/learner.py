"""One network and the rule that trains it, as a PyTorch user would write them.

Backpropagation is one backward pass through everything. The local rules hold every hidden state constant: each unit
gets its own credit as the gradient at its output, so one backward pass over all units is the update of all of them.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "oracles"))

import torch
import torch.nn.functional as F

from network import Network

INPUTS, CLASSES = 3072, 10


def threads(count):
    torch.set_num_threads(count)
    torch.set_num_interop_threads(1)


def output_error(logits, labels):
    return logits.softmax(1) - F.one_hot(labels, CLASSES).to(logits.dtype)


def dfa_credit(error, feedback):
    """Credit of the embedding, block 0 and so on."""
    credit = [error @ matrix.T for matrix in feedback]
    return [credit[0], *credit]


def fa_credit(delta, feedback):
    """The same for a gradient that is carried down from the top."""
    credit = [delta]
    for matrix in reversed(feedback):
        credit.insert(0, credit[0] @ matrix.T)
    return credit


def draw_feedback(rule, d, blocks):
    columns = {"bp": None, "fa": d, "dfa": CLASSES}[rule]
    return [torch.randn(d, columns) / columns**0.5 for _ in range(blocks)] if columns else []


class Learner:
    def __init__(self, rule, d, blocks, seed=0, fused=True, compiled=False):
        torch.manual_seed(seed)
        self.rule = rule
        self.net = Network("resmlp", d=d, blocks=blocks, inputs=INPUTS, classes=CLASSES)
        self.feedback = draw_feedback(rule, d, blocks)
        options = {"fused": True} if fused else {}
        self.optimiser = torch.optim.AdamW(self.net.parameters(), lr=1e-3, weight_decay=0.01, **options)
        if compiled:
            for part in ("whole", "body", "head", "signals"):
                setattr(self, part, torch.compile(getattr(self, part)))

    def whole(self, x, labels):
        return F.cross_entropy(self.net(x), labels)

    def body(self, x):
        """h_0, the branch of every block, and h_L; no gradient passes from one unit to the next."""
        embedded = self.net.embed(x)
        h, branches = embedded.detach(), []
        for block in self.net.blocks:
            branches.append(block(h))
            h = (h + branches[-1]).detach()
        return embedded, branches, h

    def head(self, h, labels):
        logits = self.net.top(h)
        return logits, F.cross_entropy(logits, labels)

    @torch.no_grad()
    def signals(self, logits, labels, delta):
        """The gradient that each unit is given: its credit at unit size, shared over the batch."""
        if self.rule == "dfa":
            credit = dfa_credit(output_error(logits, labels), self.feedback)
        else:
            credit = fa_credit(delta, self.feedback)
        return [a / ((a.pow(2).mean(1, keepdim=True).sqrt() + 1e-6) * len(a)) for a in credit]

    def step(self, x, labels):
        self.optimiser.zero_grad(set_to_none=True)
        if self.rule == "bp":
            self.whole(x, labels).backward()
        else:
            embedded, branches, h = self.body(x)
            if self.rule == "fa":
                h.requires_grad_()
            logits, loss = self.head(h, labels)
            loss.backward()
            torch.autograd.backward([embedded, *branches], self.signals(logits.detach(), labels, h.grad))
        self.optimiser.step()
