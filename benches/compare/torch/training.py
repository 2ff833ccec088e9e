"""Epochs of CIFAR-10: training with crop and flip, the score on the test set, norms and cosines on its first samples."""

import math
import time

import torch
import torch.nn.functional as F

import cifar
from learner import Learner, dfa_credit, fa_credit, output_error

BATCH, SCORED, RATE = 128, 1000, 1e-3
WIDTH, BLOCKS, EVALUATED = 256, 4, 1024


class Data:
    def __init__(self, folder):
        self.train, self.test = cifar.training_set(folder), cifar.test_set(folder)


def train_epoch(learner, data, rate):
    for group in learner.optimiser.param_groups:
        group["lr"] = rate
    images, labels = data.train
    for chosen in torch.randperm(len(images)).split(BATCH):
        learner.step(cifar.scaled(cifar.cropped_and_flipped(images[chosen])), labels[chosen])


@torch.no_grad()
def score(learner, data):
    """Mean loss and accuracy on the test set."""
    loss = hits = 0.0
    for images, labels in zip(*(part.split(SCORED) for part in data.test)):
        logits = learner.net(cifar.scaled(images))
        loss += F.cross_entropy(logits, labels, reduction="sum").item()
        hits += (logits.argmax(1) == labels).sum().item()
    return loss / len(data.test[1]), hits / len(data.test[1])


def signals(net, rule, feedback, x, labels):
    """h_l, the gradient p_l of each sample's own loss there, the rule's credit, and e_T."""
    hidden = [net.embed(x)]
    for block in net.blocks:
        hidden.append(net.advance(hidden[-1], block(hidden[-1])))
    logits = net.top(hidden[-1])
    p = torch.autograd.grad(F.cross_entropy(logits, labels, reduction="sum"), hidden)
    error = output_error(logits.detach(), labels)
    credit = {
        "bp": lambda: list(p),
        "fa": lambda: fa_credit(p[-1] / BATCH, feedback),
        "dfa": lambda: dfa_credit(error, feedback),
    }[rule]()
    return [h.detach() for h in hidden], p, credit, error


def median_norm(rows):
    return rows.double().norm(dim=1).quantile(0.5).item()


def cosines(a, b):
    """Of each sample, in f64 and without a floor under the norms."""
    a, b = a.double(), b.double()
    return (a * b).sum(1) / a.norm(dim=1) / b.norm(dim=1)


def evaluate(learner, data):
    images, labels = (part[:EVALUATED] for part in data.test)
    hidden, p, credit, error = signals(learner.net, learner.rule, learner.feedback, cifar.scaled(images), labels)
    norms = [median_norm(h) for h in hidden]
    return {
        "hidden": norms,
        "gradient": [median_norm(rows) for rows in p],
        "credit": [median_norm(rows) for rows in credit],
        "error": median_norm(error),
        "growth": max(above / below for below, above in zip(norms, norms[1:])),
        "cosine": [cosines(a, g).mean().item() for a, g in zip(credit, p)],
        "cosine_at_input": [cosines(a, g).mean().item() for a, g in zip(credit[1:], p)],
    }


def run(data, rule, seed, epochs):
    """Trains for so many epochs; the record of each, the first of them before any training, and the learner."""
    learner, records = Learner(rule, WIDTH, BLOCKS, seed=seed), []
    for epoch in range(epochs + 1):
        moments = [time.perf_counter()]
        if epoch > 0:
            train_epoch(learner, data, 0.5 * RATE * (1 + math.cos(math.pi * (epoch - 1) / epochs)))
        moments.append(time.perf_counter())
        loss, accuracy = score(learner, data)
        moments.append(time.perf_counter())
        record = {"epoch": epoch, "loss": loss, "accuracy": accuracy} | evaluate(learner, data)
        moments.append(time.perf_counter())
        names = ("train_seconds", "test_seconds", "evaluation_seconds")
        records.append(record | {name: end - begin for name, begin, end in zip(names, moments, moments[1:])})
    return records, learner
