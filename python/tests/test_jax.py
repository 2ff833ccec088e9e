"""The audit of a network in JAX, against the probe on the same network in PyTorch and against what must come out."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="needs JAX")
torch = pytest.importorskip("torch", reason="needs PyTorch, which the audit is compared with")

import jax.numpy as jnp  # noqa: E402
from torch_models import Resmlp  # noqa: E402

import creditscope as cs  # noqa: E402
from creditscope.torch import Probe  # noqa: E402

N, INPUTS, D, CLASSES, BLOCKS = 128, 6, 12, 3, 2
COUNTS: dict[str, Any] = {"directions": 8, "draws": 4}
FAR = 3 / (N * COUNTS["directions"]) ** 0.5
STATES: dict[str, Any] = {"states": ["embed", "blocks.*"], "norm": "out_ln", "head": "out_head"}
Function = Callable[[Any], Any]

# Compiling takes longer here than computing.
jax.config.update("jax_disable_most_optimizations", True)


def samples() -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(1)
    return random.normal(size=(N, INPUTS)).astype(np.float32), random.integers(CLASSES, size=N)


@functools.cache
def weights() -> dict[str, np.ndarray]:
    random = np.random.default_rng(2)
    shapes = {name: tuple(value.shape) for name, value in Resmlp(INPUTS, D, BLOCKS, CLASSES).state_dict().items()}
    return {name: (0.4 * random.normal(size=shape) + 0.5 * (len(shape) == 1)).astype(np.float32) for name, shape in shapes.items()}


@functools.cache
def feedback() -> list[np.ndarray]:
    """One matrix for each state, features × classes."""
    random = np.random.default_rng(3)
    return [random.normal(size=(D, CLASSES)).astype(np.float32) for _ in range(BLOCKS + 1)]


def in_torch() -> Probe:
    model = Resmlp(INPUTS, D, BLOCKS, CLASSES)
    model.load_state_dict({name: torch.from_numpy(value) for name, value in weights().items()})
    return Probe(model, **STATES)


def normed(h: Any, name: str) -> Any:
    w = weights()
    centred = h - h.mean(-1, keepdims=True)
    return centred / jnp.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5) * w[f"{name}.weight"] + w[f"{name}.bias"]


def linear(h: Any, name: str) -> Any:
    return h @ weights()[f"{name}.weight"].T + weights()[f"{name}.bias"]


def block(l: int) -> Function:
    at = f"blocks.{l}"
    return lambda h: h + linear(jax.nn.gelu(linear(normed(h, f"{at}.ln"), f"{at}.w1"), approximate=False), f"{at}.w2")


def head(h: Any) -> Any:
    return linear(normed(h, "out_ln"), "out_head")


def blocks() -> list[Function]:
    return [lambda x: linear(x, "embed"), *map(block, range(BLOCKS))]


def rule(seen: Any) -> list[Any]:
    """Direct feedback of the error at the logits."""
    return [seen.e @ matrix.T for matrix in feedback()]


def with_backward(forward: Function, linear_map: np.ndarray) -> Function:
    """A function whose backward pass is a fixed linear map."""
    made = jax.custom_vjp(forward)
    made.defvjp(lambda h: (forward(h), None), lambda kept, above: (above @ linear_map.astype(above.dtype),))
    return made  # type: ignore[no-any-return]


def dfa() -> tuple[list[Function], Function]:
    """The network whose backward pass is the rule: the head gives e·B_Lᵀ, and each block turns e·B_{l+1}ᵀ into e·B_lᵀ."""
    b = feedback()
    down = [np.linalg.pinv(b[l + 1].T.astype(np.float64)) @ b[l].T for l in range(BLOCKS)]
    return [blocks()[0], *(with_backward(block(l), down[l]) for l in range(BLOCKS))], with_backward(head, b[BLOCKS].T)


def audited(functions: list[Function], credit: Any, head: Function | None = head, loss: Any = "cross_entropy", **options: Any) -> Any:
    return cs.jax.audit(functions, loss, *samples(), credit, head=head, **(COUNTS | options))


def assert_alike(found: cs.Audit, other: cs.Audit, cosine: float = 1e-5, rho: float = FAR) -> None:
    """Cosines, ρ, norms and nudges agree; so do standings and verdict."""
    ours, theirs = found.layers(), other.layers()
    assert len(ours["cosine"]) == BLOCKS + 1
    for name, most in (("cosine", cosine), ("cosine_at_input", cosine), ("rho", rho), ("rho_of_gradient", rho)):
        assert (ours[f"{name}_state"] == theirs[f"{name}_state"]).all(), name
        assert np.nanmax(np.abs(ours[name] - theirs[name])) < most, name
    for name in ("hidden", "gradient", "credit", "nudge_0.01", "nudge_0.1"):
        assert np.allclose(ours[name], theirs[name], rtol=1e-3 if rho == FAR else 1e-4), name
    assert ours["standing"].tolist() == theirs["standing"].tolist()
    one, two = found.verdicts(), other.verdicts()
    for check in ("verdict", "D1", "D2", "D3"):
        assert one[check][0] == two[check][0], check
    for statistic in ("D1_statistic", "D2_statistic", "accuracy"):
        assert np.isclose(one[statistic][0], two[statistic][0]), statistic


def bands(audit: cs.Audit) -> list[tuple[Any, ...]]:
    units = audit.to_dict()["audits"][0]["units"]
    return [(unit["unit"], null["kind"], null["of"], null["low"], null["high"]) for unit in units for null in unit["here"]["nulls"]]


def test_the_audit_is_that_of_the_probe() -> None:
    found, other = audited(blocks(), rule, chunk=64), in_torch().audit(*samples(), credit=lambda_torch, **COUNTS)
    # The core draws the same directions for both, and the same orders of the labels.
    assert_alike(found, other, rho=1e-4)
    ours, theirs = bands(found), bands(other)
    assert {row[1] for row in ours} == {"permuted_labels", "turned_features"} and len(ours) == len(theirs)
    for one, two in zip(ours, theirs):
        assert one[:3] == two[:3] and np.allclose(one[3:], two[3:], atol=1e-4, rtol=1e-3)
    assert all(check.outcome != "refused" for check in found.checks)


def lambda_torch(seen: Any) -> list[Any]:
    return [seen.e @ torch.from_numpy(matrix).T for matrix in feedback()]


def test_backpropagation_is_its_own_reference() -> None:
    found = audited(blocks(), "autograd")
    layers = found.layers()
    assert np.abs(layers["cosine"] - 1).max() < 1e-6 and layers["rho"].min() > 0.99
    assert_alike(found, in_torch().audit(*samples(), credit="autograd", **COUNTS), rho=1e-4)


def test_a_backward_that_is_the_rule_is_judged_against_differences_and_against_plain_functions() -> None:
    functions, ruled = dfa()
    wanted = audited(blocks(), rule)
    found = audited(functions, "autograd", ruled)
    assert "this backward is not the gradient of this forward" in found.checks["gradient at h_1"].words
    assert_alike(found, wanted, cosine=1e-4, rho=1e-4)
    assert found.layers()["cosine"].max() < 0.9 and found.layers()["rho_of_gradient"].min() > 0.999
    by_twin = audited(functions, "autograd", ruled, reference=blocks(), reference_head=head)
    assert_alike(by_twin, wanted, rho=1e-4)
    assert by_twin.checks["reference"].outcome == "passed"


def test_the_naive_use_is_refused() -> None:
    """Credit that is handed over for functions whose backward pass is a rule would be compared with itself."""
    functions, ruled = dfa()
    x, y = samples()
    h, gradients = [functions[0](x)], []
    pulls = []
    for function in (*functions[1:], ruled):
        above, pull = jax.vjp(function, h[-1])
        h.append(above)
        pulls.append(pull)
    g = jax.nn.softmax(h.pop()) - jax.nn.one_hot(y, CLASSES)
    for pull in reversed(pulls):
        (g,) = pull(g)
        gradients.append(np.asarray(g))
    naive = dict(zip(["embed", *range(BLOCKS)], reversed(gradients)))
    # It is the rule's credit, so there is nothing wrong with it but that it would be taken for the gradient.
    assert np.allclose(naive["embed"], (jax.nn.softmax(ruled(h[-1])) - jax.nn.one_hot(y, CLASSES)) @ feedback()[0].T, atol=1e-4)
    with pytest.raises(cs.ProbeError, match="this backward is not the gradient of this forward"):
        audited(functions, naive, ruled)
    # A head with a rule of its own is enough.
    with pytest.raises(cs.ProbeError, match="gradient at h_0: this backward is not the gradient of this forward"):
        audited(blocks(), rule, ruled)
    with pytest.raises(cs.ProbeError, match="not the gradient"):
        audited(functions, "autograd", ruled, reference=blocks())
    with pytest.raises(cs.ProbeError, match="its logits differ from the model's"):
        audited(functions, "autograd", ruled, reference=blocks(), reference_head=lambda h: 1.1 * head(h))
    # Over plain functions the same arrays are judged for what they are.
    assert np.allclose(audited(blocks(), naive).layers()["cosine"], audited(blocks(), rule).layers()["cosine"], atol=1e-5)


def test_credit_may_be_arrays_functions_and_redrawn() -> None:
    seen: list[Any] = []

    def keep(what: Any) -> list[Any]:
        seen.append(what)
        return rule(what)

    by_rule = audited(blocks(), keep, chunk=N)
    whole = [np.asarray(part) for part in rule(seen[0])]
    assert seen[0].h[0].dtype == jnp.float32 and np.array_equal(seen[0].samples, np.arange(N))
    named = {"embed": whole[0], 0: lambda what: whole[1][what.samples], 1: jnp.asarray(whole[2])}
    assert np.allclose(audited(blocks(), named, chunk=64).layers()["cosine"], by_rule.layers()["cosine"], atol=1e-6)
    given = audited(blocks(), {"embed": whole[0], 0: whole[1], 1: whole[2]})
    assert {row[1] for row in bands(given)} == {"shuffled_samples", "turned_features"}

    def redraw(draw: int) -> Any:
        random = np.random.default_rng(draw)
        fresh = [random.normal(size=(D, CLASSES)).astype(np.float32) for _ in range(BLOCKS + 1)]
        return lambda seen: [seen.e @ matrix.T for matrix in fresh]

    assert {row[1] for row in bands(audited(blocks(), rule, redraw=redraw))} == {"permuted_labels", "fresh_feedback"}
    with pytest.raises(cs.ProbeError, match="1: no credit: give the credit of every state, under 1"):
        audited(blocks(), {"embed": whole[0], 0: whole[1]})
    with pytest.raises(cs.ProbeError, match=r"block 1: the credit has the shape \(128, 6\)"):
        audited(blocks(), {"embed": whole[0], 0: whole[1], 1: samples()[0]})
    with pytest.raises(cs.ProbeError, match="a list of 3 tensors"):
        audited(blocks(), lambda seen: [seen.e])


def test_a_loss_may_read_the_last_state() -> None:
    """Its gradient there is e, so that D2 is about h_L itself, and nothing is said about accuracy."""

    def squares(h: Any, y: Any) -> Any:
        return ((head(h) - jax.nn.one_hot(y, CLASSES)) ** 2).sum(1)

    of_squares = lambda z, y: (z - torch.nn.functional.one_hot(y, CLASSES)).square().sum(1)  # noqa: E731
    found = audited(blocks(), "autograd", None, squares)
    other = in_torch().audit(*samples(), credit="autograd", loss=of_squares, **COUNTS)
    for name in ("cosine", "rho", "gradient", "nudge_0.01"):
        assert np.allclose(found.layers()[name], other.layers()[name], rtol=1e-4), name
    record = found.to_dict()["audits"][0]
    assert record["accuracy"] is None and np.isclose(record["error"], found.layers()["gradient"][-1])


@pytest.mark.parametrize("x64", [False, True])
def test_settings_and_random_states_are_left_as_they_were_found(x64: bool) -> None:
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", x64)
    try:
        np.random.seed(4)
        numpys, torchs = np.random.get_state()[1].copy(), torch.random.get_rng_state()  # type: ignore[index]
        dtypes = []

        def watched(h: Any) -> Any:
            dtypes.append(h.dtype)
            return block(0)(h)

        functions = [blocks()[0], watched, blocks()[2]]
        found = audited(functions, rule)
        assert jax.config.jax_enable_x64 is x64 and set(dtypes) == {jnp.dtype("float32"), jnp.dtype("float64")}
        assert np.array_equal(np.random.get_state()[1], numpys) and torch.equal(torch.random.get_rng_state(), torchs)  # type: ignore[index]
        if x64:
            assert_alike(found, in_torch().audit(*samples(), credit=lambda_torch, **COUNTS), rho=1e-4)

        def failing(h: Any) -> Any:
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            audited([*blocks(), failing], rule)
        assert jax.config.jax_enable_x64 is x64
    finally:
        jax.config.update("jax_enable_x64", before)


def test_what_cannot_be_measured_is_refused() -> None:
    def centred(h: Any) -> Any:
        return h - h.mean(0)

    def half(h: Any) -> Any:
        return h.astype(jnp.float32)

    noise = np.random.default_rng(0)

    def noisy(h: Any) -> Any:
        return h + noise.normal(size=h.shape)

    mean = lambda z, y: z.mean()  # noqa: E731
    refused: list[tuple[str, Callable[[], Any]]] = [
        ("independent samples: .*others in its batch", lambda: audited([*blocks(), centred], "autograd")),
        ("block 2: the state arrives in float32, not in float64", lambda: audited([*blocks(), half], "autograd")),
        ("head: the logits arrive in float32", lambda: audited(blocks(), "autograd", lambda h: half(head(h)))),
        ("repeatable: .*draws random numbers", lambda: audited([*blocks(), noisy], "autograd")),
        ("block 2: the function gives a tuple", lambda: audited([*blocks(), lambda h: (h, h)], "autograd")),
        (r"block 2: the state has the shape \(16,\)", lambda: audited([*blocks(), lambda h: h[:, 0]], "autograd")),
        (r"the loss has the shape \(\).*return the loss of each sample", lambda: audited(blocks(), "autograd", loss=mean)),
        ("cross_entropy wants samples by classes", lambda: audited(blocks(), "autograd", lambda h: h[:, None])),
        ("is no list of functions", lambda: audited([], "autograd")),
        ("reference= has 1 functions and blocks 3", lambda: audited(blocks(), "autograd", reference=blocks()[:1])),
        ("give \"autograd\"", lambda: audited(blocks(), "autograd?")),
    ]
    for words, attempt in refused:
        with pytest.raises(cs.ProbeError, match=words):
            attempt()
    with pytest.raises(cs.UsageError, match="128 samples and 127 labels"):
        cs.jax.audit(blocks(), "cross_entropy", samples()[0], samples()[1][1:], "autograd", head=head)


def test_a_rule_over_wide_states_is_compared_with_an_estimate() -> None:
    wide = np.random.default_rng(0).normal(size=(INPUTS, 520)).astype(np.float32) / 20
    embed, narrow = (lambda x: x @ wide), (lambda h: h @ wide.T[:, :CLASSES])
    ruled = with_backward(narrow, np.ones((CLASSES, 520)))
    with pytest.raises(cs.UsageError, match="directions=2"):
        audited([embed], "autograd", ruled, directions=2, draws=1)
    found = audited([embed], "autograd", ruled, directions=32, draws=1)
    assert "520 features are too many" in found.checks["reference at h_0"].words
    estimated = found.layers()
    layers = audited([embed], "autograd", ruled, reference_head=narrow, directions=2, draws=1).layers()
    assert abs(layers["cosine"][0]) < 0.9 and layers["rho_of_gradient"][0] > 0.99
    assert estimated["cosine_low"][0] <= layers["cosine"][0] <= estimated["cosine_high"][0]
    assert estimated["cosine_state"][0] == "unreliable" and np.isnan(layers["cosine_low"][0])


def test_states_may_have_more_dimensions_and_functions_may_be_compiled() -> None:
    shaped = [lambda x: linear(x, "embed").reshape(-1, 3, 4), *(jax.jit(reshaped(block(l))) for l in range(BLOCKS))]
    found = audited(shaped, rule, lambda h: head(h.reshape(-1, D)))
    assert_alike(found, audited(blocks(), rule), rho=1e-4)


def reshaped(function: Function) -> Function:
    def reshape(h: Any) -> Any:
        assert h.shape[1:] == (3, 4)
        return function(h.reshape(-1, D)).reshape(-1, 3, 4)

    return reshape
