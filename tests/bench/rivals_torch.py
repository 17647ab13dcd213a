"""What PyTorch is measured at: name of a benchmark → function that prepares the call to time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch  # type: ignore[import-not-found, unused-ignore]

torch.set_num_threads(1)
_generator = torch.Generator().manual_seed(0)


def _rand(*shape: int) -> Any:
    return torch.randn(*shape, generator=_generator)


def _add() -> Callable[[], Any]:
    x, y = _rand(2, 2), _rand(2, 2)
    return lambda: x + y


def _matmul() -> Callable[[], Any]:
    x, y = _rand(10, 10), _rand(10, 10)
    return lambda: x @ y


def _sum() -> Callable[[], Any]:
    x = _rand(10, 10)
    return lambda: torch.sum(x)


def _slice() -> Callable[[], Any]:
    x = _rand(10, 10)
    return lambda: x[1:3]


def _tape() -> Callable[[], Any]:
    x, y = _rand(10, 10).requires_grad_(), _rand(10, 10)

    def run() -> Any:
        z = x
        for _ in range(100):
            z = z * y
        return torch.autograd.grad(z.sum(), x)

    return run


def _chain(size: int) -> Callable[[], Any]:
    x = _rand(size)

    def run() -> Any:
        v = ((x * 1.01 + 0.5) * 0.9 - 0.25) * 1.1
        v = torch.clamp(v, min=0.3)
        return ((v + 1.01) * 0.9 - 0.5) * 1.1

    return run


def _step() -> Callable[[], Any]:
    model = torch.nn.Sequential(torch.nn.Linear(784, 128), torch.nn.ReLU(), torch.nn.Linear(128, 10))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    x, y = _rand(32, 784).abs(), torch.randint(0, 10, (32,), generator=_generator)

    def run() -> Any:
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        return loss

    return run


def _power() -> Callable[[], Any]:
    x = torch.randint(-1, 2, (10, 10), generator=_generator, dtype=torch.int32)

    def run() -> Any:
        result = torch.eye(10, dtype=torch.int32)
        for _ in range(100):
            result = x @ result
        return result

    return run


def _lstm() -> Callable[[], Any]:
    wx, wh, b = _rand(10, 40) * 0.1, _rand(10, 40) * 0.1, torch.zeros(40)
    x, h, c = _rand(10, 10), _rand(10, 10), _rand(10, 10)

    def run() -> Any:
        i, f, g, o = (x @ wx + h @ wh + b).chunk(4, 1)
        new = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        return torch.sigmoid(o) * torch.tanh(new), new

    return run


BENCHMARKS: dict[str, Callable[[], Callable[[], Any]]] = {
    "eager add, 2×2": _add,
    "eager matmul, 10×10": _matmul,
    "eager reduce_sum, 10×10": _sum,
    "eager slice, x[1:3]": _slice,
    "tape: record and gradient of 100 multiplications": _tape,
    "MLP 784-128-10, batch 32: SGD step, eager": _step,
    "eager: 100 matmuls, int32 10×10": _power,
    "LSTM cell 10×10, eager": _lstm,
    **{
        f"10 elementwise ops, {size:,} floats": (lambda size=size: _chain(size))
        for size in (10**4, 10**5, 10**6, 10**7)
    },
}
