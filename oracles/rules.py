"""Backpropagation, feedback alignment and direct feedback alignment, by plain autograd.

`credit` is what a rule sends to each unit (the embedding, and every block); `update_gradients` is
what the parameters descend; `train` is AdamW on it. Written to be read beside the definitions,
not to be fast, and in whatever precision it is given.
"""

import torch
import torch.nn.functional as F

ADAMW = dict(lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01)


# --- forward pass and credit --------------------------------------------------------------------


def forward(net, x):
    """Hidden states h_0 ... h_L, residuals f_0 ... f_{L-1} and logits, in one graph."""
    h, f = [net.embed(x)], []
    for block in net.blocks:
        f.append(block(h[-1]))
        h.append(net.advance(h[-1], f[-1]))
    return h, f, net.top(h[-1])


def per_sample_gradients(h, logits, labels):
    """p_l: gradient of each sample's own cross-entropy with respect to its h_l. Samples do not
    interact, so the gradient of the sum over the batch is all of them at once."""
    return list(torch.autograd.grad(F.cross_entropy(logits, labels, reduction="sum"), h, retain_graph=True))


def credit(rule, net, x, labels, feedback, normalise="sample"):
    """a_embed and a_0 ... a_{L-1}: what the rule puts in the place of p_0 and p_1 ... p_L. FA starts
    from the gradient of the batch mean where credit is normalised by sample, else from p_L."""
    h, _, logits = forward(net, x)
    p = per_sample_gradients(h, logits, labels)
    if rule == "bp":
        return p[0], p[1:]
    if rule == "fa":
        a = p[-1] / len(x) if normalise == "sample" else p[-1]
        credits = [a]
        for B in reversed(feedback["fa"]):  # B_{L-1} ... B_1, then B_0 for the embedding
            a = a @ B.T
            credits.insert(0, a)
        return credits[0], credits[1:]
    if rule == "dfa":
        error = (logits.softmax(1) - F.one_hot(labels, logits.shape[1])).detach()
        credits = [error @ B.T for B in feedback["dfa"]]
        return credits[0], credits
    raise ValueError(rule)


# --- the update ---------------------------------------------------------------------------------


def squared(f):
    return f.pow(2).sum(1).mean()


def exact_objective(net, penalty, x, labels):
    """Backpropagation: the mean cross-entropy plus the penalty on every residual."""
    _, f, logits = forward(net, x)
    return F.cross_entropy(logits, labels) + penalty * sum(squared(f_l) for f_l in f)


def local_objective(net, penalty, x, labels, at_embed, at_blocks):
    """Each unit descends <its output, the signal it gets>, its input held constant; out_ln and
    head see the cross-entropy of a constant h_L."""
    h = net.embed(x)
    objective = (h * at_embed).sum(1).mean()
    for block, signal in zip(net.blocks, at_blocks):
        h = h.detach()
        f = block(h)
        objective = objective + (f * signal).sum(1).mean() + penalty * squared(f)
        h = net.advance(h, f)
    return objective + F.cross_entropy(net.top(h.detach()), labels)


def normalised(a, normalise="sample"):
    """Unit root mean square over the features of one sample, or over the whole batch; the 1e-6 lets
    tiny credit stay small."""
    if normalise == "none":
        return a
    mean = a.pow(2).mean(1, keepdim=True) if normalise == "sample" else a.pow(2).mean()
    return a / (mean.sqrt() + 1e-6)


def update_gradients(net, rule, penalty, x, labels, feedback, normalise=None):
    normalise = normalise or ("none" if rule == "bp" else "sample")
    if rule == "bp" and normalise == "none":
        objective = exact_objective(net, penalty, x, labels)
    else:
        a_embed, a = credit(rule, net, x, labels, feedback, normalise)
        signals = [normalised(a_l, normalise) for a_l in a]
        objective = local_objective(net, penalty, x, labels, normalised(a_embed, normalise), signals)
    names, parameters = zip(*net.named_parameters())
    return dict(zip(names, torch.autograd.grad(objective, parameters)))


def train(net, steps, rule, penalty, x, labels, feedback, disturb=lambda g: g, normalise=None, clip=lambda net: None):
    """AdamW on every parameter; credits and gradients are computed afresh at each step.
    Returns the parameters after each step. `disturb` lets a caller ask how much rounding matters;
    `clip` may change the gradients before the optimiser sees them."""
    optimiser = torch.optim.AdamW(net.parameters(), **ADAMW)
    after = []
    for _ in range(steps):
        gradients = update_gradients(net, rule, penalty, x, labels, feedback, normalise)
        for name, parameter in net.named_parameters():
            parameter.grad = disturb(gradients[name])
        clip(net)
        optimiser.step()
        after.append({k: v.detach().clone() for k, v in net.named_parameters()})
    return after
