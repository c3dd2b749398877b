"""Training loops and what models call now and then: no fault where there is none, and what fails stands apart."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import nn
from torch.nn import functional

import opspec.torch
from opspec.torch.mode import Calls
from opspec.validator.verdict import Verdict

MODEL = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))


def clipped(limit: float, foreach: bool | None) -> None:
    MODEL(torch.ones(3, 8)).sum().backward()
    nn.utils.clip_grad_norm_(MODEL.parameters(), limit, foreach=foreach)


def with_gradient() -> torch.Tensor:
    parameter = torch.ones(3, requires_grad=True)
    parameter.sum().backward()
    return parameter


def stepped(kind: Callable[..., torch.optim.Optimizer], **options: object) -> None:
    optimizer = kind(MODEL.parameters(), **options)
    MODEL(torch.ones(3, 8)).sum().backward()
    optimizer.step()


def normed(norm: Callable[..., torch.Tensor], *options: object) -> None:
    norm(torch.rand(2, 4, 8, 8, requires_grad=True), *options).sum().backward()


def many(count: int) -> None:
    """A step with more parameters than an operator takes in a list."""
    model = nn.Sequential(*(nn.Linear(4, 4) for _ in range(count)))
    optimizer = torch.optim.AdamW(model.parameters(), foreach=True)
    model(torch.ones(2, 4)).sum().backward()
    optimizer.step()


def indexed() -> None:
    x, index = torch.rand(4, 5, 6), torch.tensor([0, 1])
    x[:, index], x[index, :, index], x[..., index]
    x[:, index] = 0.0


def with_backward(result: torch.Tensor) -> None:
    result.sum().backward()


def picture() -> torch.Tensor:
    return torch.rand(2, 4, 8, 8, requires_grad=True)


def bags() -> None:
    functional.embedding_bag(torch.tensor([1, 2, 4]), torch.rand(8, 4), torch.tensor([0, 2]), mode="mean")


def without_alignment() -> None:
    scores = torch.rand(6, 2, 5, requires_grad=True).log_softmax(2)
    with_backward(functional.ctc_loss(scores, torch.ones(2, 3, dtype=torch.int64), (6, 6), (3, 3)))


RUNS: dict[str, Callable[[], object]] = {
    "clip the norm": lambda: clipped(1.0, None),
    "clip the norm, one by one": lambda: clipped(1.0, False),
    "clip the largest": lambda: clipped(float("inf"), True),
    "clip values": lambda: nn.utils.clip_grad_value_([with_gradient()], 1.0),
    "AdamW": lambda: stepped(torch.optim.AdamW, foreach=True),
    "SGD": lambda: stepped(torch.optim.SGD, lr=0.1, momentum=0.9, foreach=True),
    "RMSprop": lambda: stepped(torch.optim.RMSprop, foreach=True),
    "instance norm": lambda: normed(functional.instance_norm),
    "group norm": lambda: normed(functional.group_norm, 2),
    "layer norm": lambda: normed(functional.layer_norm, (8,)),
    "kl": lambda: functional.kl_div(torch.rand(4, 8).log(), torch.rand(4, 8), reduction="batchmean"),
    "unique": lambda: torch.unique(torch.tensor([1, 2, 1]), return_inverse=True, return_counts=True),
    "isin": lambda: torch.isin(torch.tensor([1, 2, 1]), 1),
    "bernoulli": lambda: torch.bernoulli(torch.rand(4, 8)),
    "many parameters": lambda: many(30),
    "axes that are not indexed": indexed,
    "batch norm that is not trained": lambda: nn.BatchNorm2d(4).eval()(picture()),
    "relu6": lambda: with_backward(functional.relu6(picture())),
    "prelu": lambda: with_backward(nn.PReLU(4)(picture())),
    "adaptive max pool": lambda: with_backward(functional.adaptive_max_pool2d(picture(), 2)),
    "grid sample": lambda: with_backward(
        functional.grid_sample(picture(), torch.rand(2, 6, 6, 2, requires_grad=True), align_corners=False)
    ),
    "fold": lambda: with_backward(functional.fold(functional.unfold(picture(), 3), (8, 8), 3)),
    "bags of words": bags,
    "labels without alignment": without_alignment,
    "distances": lambda: (torch.cdist(torch.rand(3, 4), torch.rand(2, 4)), functional.pdist(torch.rand(3, 4))),
}


@pytest.mark.parametrize("run", RUNS)
def test_a_common_call_is_judged_and_no_fault(run: str) -> None:
    """On processors, where PyTorch has data."""
    with opspec.torch.check(product="910b") as report:
        RUNS[run]()
    assert report, str(report)
    assert (report.unmapped, report.not_judged) == ({}, {})


def test_a_long_list_is_handed_over_in_parts() -> None:
    """None of them is longer than 950 takes; each counts, also when it is judged from memory."""
    with opspec.torch.check(product="950") as once:
        torch._foreach_add_([torch.ones(2)] * 60, 1.0)
    with opspec.torch.check(product="950") as twice:
        for _ in range(2):
            torch._foreach_add_([torch.ones(2)] * 60, 1.0)
    assert once, str(once)
    assert twice.judged == 2 * once.judged
    assert 3 <= once.judged < 60 + 60


def test_a_fault_in_the_last_part_is_told() -> None:
    """Whichever tensor of the list it is."""
    with opspec.torch.check(product="910b") as report:
        torch._foreach_add_([torch.ones(2)] * 59 + [torch.ones(2, dtype=torch.float64)], 1.0)
    assert not report


def test_what_no_operator_does_is_said_to_be_that() -> None:
    """Apart from what the table does not know."""
    with opspec.torch.check(product="910b") as report:
        torch.fft.fft(torch.rand(8))
    assert report.without_operator == {"aten::_fft_r2c": 1}
    assert "no operator does: aten::_fft_r2c (1)" in str(report)
    assert report.to_dict()["without_operator"] == {"aten::_fft_r2c": 1}


def test_what_will_fail_stands_apart() -> None:
    """First, below a title of its own; the sum says how many."""
    index = torch.zeros(4, 2, dtype=torch.int64)
    with opspec.torch.check(product="910b") as report:
        torch.zeros(4, 8).scatter_add(1, index, torch.ones(1, 1).expand(4, 2))
        torch.rand(4, dtype=torch.complex64)
    assert [(fault.operator, fault.fails) for fault in report.faults] == [
        ("aclnnScatterAdd", False),
        ("aclnnInplaceUniform", True),
    ]
    assert (report.failing, report.silent) == (report.faults[1:], report.faults[:1])
    lines = str(report).splitlines()
    assert lines[0] == "will fail:"
    assert lines.index("illegal, and no status will tell:") > 1
    assert lines[-1].endswith("2 illegal, of which 1 will fail")


def test_a_legal_call_is_judged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """And counted each time; one of another shape, stride or kind of number is another call."""
    calls: list[str] = []
    judged = Calls._judged

    def keep(self: Calls, operator: str, arguments: dict[str, object]) -> Verdict:
        calls.append(operator)
        return judged(self, operator, arguments)

    monkeypatch.setattr(Calls, "_judged", keep)
    x = torch.rand(4, 4)
    with opspec.torch.check(product="910b") as report:
        for _ in range(3):
            x + 1
        x + 1.0
        x.T + 1
        x[:2] + 1
    assert (report.judged, len(calls)) == (6, 4)
