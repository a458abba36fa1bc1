"""Modules of ComputeMux with words taken out, exchanged or replaced end in an error with a place, or are taken."""

from __future__ import annotations

import random
import re

import pytest

from passes.frontends.llvm import import_kernels
from passes.frontends.mux import BUILTINS
from tests.amounts import examples
from tests.paths import ROOT
from tests.unit.passes.frontends.mux.harness import KernelText
from xegpu.diagnostics import CompileError

_WORD = re.compile(r'"[^"]*"|[%@$!#][-\w.$]+|\w+|\s+|\S')


def degenerate() -> str:
    kernel = KernelText()
    value = kernel.load("i32")
    total = kernel.call(BUILTINS["__mux_sub_group_reduce_add_i32"], f"i32 {value}")
    kernel.call(BUILTINS["__mux_mem_barrier"], "i32 2", "i32 264")
    kernel.store("i32", kernel.call(BUILTINS["__mux_sub_group_shuffle_i32"], f"i32 {total}", "i32 3"))
    return kernel.text(attributes='"mux-degenerate-subgroups" "mux-local-mem-usage"="4" "mux-orig-fn"="kernel"')


SEEDS = [
    (ROOT / "tests/lit/tools/xegpu-opt/Inputs/computemux.ll").read_text(),
    degenerate(),
]
WORDS = sorted({word for seed in SEEDS for word in _WORD.findall(seed)})


def mutated(text: str, source: random.Random) -> str:
    words = _WORD.findall(text)
    for _ in range(source.choice([1, 1, 2, 3])):
        place = source.randrange(len(words))
        match source.randrange(4):
            case 0:
                del words[place]
            case 1:
                words[place] = source.choice(WORDS)
            case 2:
                words.insert(place, source.choice(WORDS))
            case _:
                other = source.randrange(len(words))
                words[place], words[other] = words[other], words[place]
    return "".join(words)


@pytest.mark.parametrize("seed", range(examples(12)))
def test_mutations(seed: int) -> None:
    source = random.Random(seed)
    texts = [mutated(SEEDS[number % len(SEEDS)], source) for number in range(40)]
    reports = {text: report for text in texts if (report := refusal(text)) is not None}
    assert reports
    assert [text for text, report in reports.items() if not re.match(r"k\.ll:\d+:\d+: error: ", report)] == []


def refusal(text: str) -> str | None:
    """Returns why a module is not taken."""
    try:
        import_kernels(text, "k.ll")
    except CompileError as error:
        return str(error)
    return None
