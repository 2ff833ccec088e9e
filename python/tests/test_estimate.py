"""Where a rule is the model's own backward pass and a state is too wide for differences along each feature: the cosine is estimated,
and said to be."""

from __future__ import annotations

import json

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs PyTorch")

from torch_models import Dfa, Resmlp  # noqa: E402

import creditscope as cs  # noqa: E402
from creditscope.torch import Probe  # noqa: E402

STATES = {"states": ["embed", "blocks.*"], "norm": "out_ln", "head": "out_head"}
SAMPLES, INPUTS, CLASSES = 20, 12, 5


def network(width: int, blocks: int = 2) -> tuple[Dfa, Resmlp]:
    """Direct feedback by a custom Function, and its plain twin. Feedback that is partly the head's makes some cosines large."""
    torch.manual_seed(3)
    model = Dfa(INPUTS, width, blocks, CLASSES)
    with torch.no_grad():
        model.feedback[-1].mul_(0.1).add_(3 * model.out_head.weight.T)
    plain = Resmlp(INPUTS, width, blocks, CLASSES)
    plain.load_state_dict({name: value for name, value in model.state_dict().items() if not name.startswith("feedback")})
    return model, plain


def samples() -> tuple[torch.Tensor, torch.Tensor]:
    random = torch.Generator().manual_seed(5)
    return torch.randn(SAMPLES, INPUTS, generator=random), torch.randint(CLASSES, (SAMPLES,), generator=random)


@pytest.fixture(scope="module")
def audits() -> tuple[cs.Audit, cs.Audit]:
    """Of 600 features: estimated, and with the twin's exact reference."""
    model, plain = network(600)
    x, y = samples()
    probe = Probe(model, **STATES)
    estimated = probe.audit(x, y, credit="autograd", directions=32, draws=3)
    return estimated, probe.audit(x, y, credit="autograd", reference=plain, directions=8, draws=3)


def test_the_interval_holds_the_exact_cosine(audits: tuple) -> None:
    ours, exact = (audit.layers() for audit in audits)
    # The credit at a block's output goes through its own weights before it is the one below; all of them differ.
    assert np.ptp(exact["cosine"]) > 0.2 and set(exact["cosine_state"]) == {"defined"}
    assert np.all(ours["cosine_low"] <= exact["cosine"]) and np.all(exact["cosine"] <= ours["cosine_high"])
    assert np.all(ours["cosine_high"] - ours["cosine_low"] < 0.1)
    assert set(ours["cosine_state"]) == {"unreliable"} and set(ours["rho_of_gradient_state"]) == {"undefined"}
    assert np.all(np.isnan(ours["gradient"])) and np.all(np.isnan(exact["cosine_low"]))
    ours_at, exact_at = (audit.to_dict()["audits"][0]["units"][1:] for audit in audits)
    for own, right in zip(ours_at, exact_at):
        estimate = own["at_input"]["estimate"]
        assert estimate["low"] <= right["at_input"]["cosine"]["value"] <= estimate["high"] and estimate["directions"] == 32


def test_it_is_shown_as_an_estimate(audits: tuple) -> None:
    estimated, exact = audits
    for page in (str(estimated), estimated._repr_html_()):
        assert "≈" in page and "estimated from 32 random directions of each sample" in page
    assert "≈" not in str(exact) and "estimate" not in exact.json()
    first = json.loads(estimated.json())["audits"][0]["units"][0]["here"]
    assert first["cosine"]["why"] == "reference_estimated" and first["estimate"]["low"] < first["cosine"]["value"] < first["estimate"]["high"]
    verdict = estimated.verdicts()
    assert verdict["D2"][0] == "not assessed" and np.isnan(verdict["gradient_n128"][0])
    # Without the gradient's own nudge, large credit is neither useful nor small.
    standings = [audit.layers()["standing"] for audit in audits]
    assert standings[1][-1] == "useful" and standings[0][-1] == "cannot_be_judged"


def test_each_state_says_where_its_reference_comes_from() -> None:
    x, y = samples()
    for width, outcome, words in [(512, "passed", "each of its 512 features"), (513, "assumed", "513 features are too many")]:
        model, plain = network(width, blocks=1)
        probe = Probe(model, **STATES)
        for l in range(2):
            check = probe.check(x, y, credit="autograd")[f"reference at h_{l}"]
            assert check.outcome == outcome and words in check.words
        assert "its backward pass is the reference" in probe.check(x, y, credit="autograd", reference=plain)["reference"].words
    # With a gradient of its own, nothing stands in for it.
    assert not [check for check in Probe(plain, **STATES).check(x, y, credit="autograd") if check.hazard.startswith("reference")]


def test_at_the_border_differences_give_way_to_an_estimate() -> None:
    x, y = (values[:4] for values in samples())
    states = {width: Probe(network(width, blocks=1)[0], **STATES).audit(x, y, credit="autograd", directions=8, draws=0).layers()["cosine_state"]
              for width in (512, 513)}  # fmt: skip
    assert set(states[512]) == {"defined"} and set(states[513]) == {"unreliable"}


def test_what_needs_the_gradient_itself_is_refused(tmp_path: object) -> None:
    x, y = samples()
    model, _ = network(600, blocks=1)
    probe = Probe(model, **STATES)
    with pytest.raises(cs.ProbeError, match="600 features.*give reference="):
        probe.dump(f"{tmp_path}/dump.npz", x, y, credit="autograd")
    with pytest.raises(cs.UsageError, match="directions=7"):
        probe.audit(x, y, credit="autograd", directions=7)
