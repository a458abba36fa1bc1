"""Whole programs, and random ones, go through real mlir-opt and back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, Phase, given, settings, strategies as st
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region

from tests.amounts import examples
from tests.peer.mlir_opt import accepted, check_exchange, meaning, needs
from tests.unit.xegpu.dialects.corpus import PROGRAMS, name, pieces
from tests.unit.xegpu.dialects.generators import ATOMICS, TILES, UPSTREAM, XEGPU, modules
from tests.unit.xegpu.dialects.support import custom, generic, parse
from tools.opt.inputs import SPLIT_MARKER, split
from xegpu.diagnostics import SourceBuffer
from xegpu.dialects.upstream import gpu
from xegpu.dialects.xegpu import AtomicKind, AtomicRMWOp, CompileHintOp, CreateNdDescOp, LoadNdOp, LoadOp, StoreOp

UNREGISTERED = "--allow-unregistered-dialect"

SAME_KINDS = (AtomicKind.ADDF, AtomicKind.ADDI)
"""Kinds of atomic operations with the same number in the generic form of every release."""

UNKNOWN_TO_22: dict[str, Callable[[Operation], bool]] = {
    "the dialect": lambda op: op.name.startswith("xetile."),
    "sg_map": lambda op: not op.regions and "#xegpu.sg_map<" in str(op),
    "sizes and strides without keywords": lambda op: isinstance(op, CreateNdDescOp) and op.const_shape is not None,
    "transposed gathers": lambda op: isinstance(op, LoadOp | StoreOp) and op.transpose is not None,
    "numbers of atomic kinds": lambda op: isinstance(op, AtomicRMWOp) and op.atomic_kind not in SAME_KINDS,
    "transposition by words": lambda op: isinstance(op, LoadNdOp) and op.transpose_bit_width is not None,
}
"""The features that LLVM 22 lacks, or writes in another way."""


def program(text: str) -> ModuleOp:
    """A program without the hints that no release of LLVM has."""
    module = parse(text)
    for op in list(module.walk()):
        if isinstance(op, CompileHintOp):
            op.detach()
    return module


def is_known(op: Operation) -> bool:
    return not any(is_unknown(op) for is_unknown in UNKNOWN_TO_22.values())


def without_unknown_kernels(module: ModuleOp) -> ModuleOp:
    """The module with nothing in those functions of the device that LLVM 22 does not know."""
    for kernel in [op for op in module.walk() if isinstance(op, gpu.FuncOp)]:
        if not all(is_known(op) for op in kernel.walk()):
            signature = kernel.body.blocks[0].arg_types
            kernel.detach_region(kernel.body)
            kernel.add_region(Region(Block([gpu.ReturnOp()], arg_types=signature)))
    return module


@pytest.mark.sampled(every=24)
@needs(22)
@pytest.mark.parametrize("path", PROGRAMS, ids=name)
def test_exchange_of_programs(path):
    for text in pieces(path):
        check_exchange(22, custom(without_unknown_kernels(program(text))))


TILE_PROGRAMS = [path for path in PROGRAMS if "xetile." in path.read_text()]


@pytest.mark.sampled(every=20)
@needs(22)
@pytest.mark.parametrize("path", TILE_PROGRAMS, ids=name)
def test_exchange_of_tiles_as_an_unregistered_dialect(path):
    for text in pieces(path):
        ours = program(text)
        printed = accepted(22, generic(ours), UNREGISTERED)
        assert meaning(parse(printed)) == meaning(ours)


def random_modules(productions, count: int) -> list[ModuleOp]:
    """The same modules in every run."""
    found: list[ModuleOp] = []

    @settings(
        max_examples=count,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def collect(data):
        found.append(data.draw(modules(productions)))

    collect()
    return found


@needs(22)
@pytest.mark.parametrize(
    ("productions", "print_ours", "options"),
    [
        ((*UPSTREAM, *XEGPU, *ATOMICS), str, ()),
        ((*UPSTREAM, *XEGPU), generic, ("--mlir-print-op-generic",)),
        ((*UPSTREAM, *TILES), generic, (UNREGISTERED,)),
    ],
    ids=["xegpu, custom", "xegpu, generic", "xetile"],
)
def test_exchange_of_random_modules(productions, print_ours, options):
    """In one run of mlir-opt, which is given every module as a piece of its own."""
    ours = random_modules(productions, examples(120))
    sent = f"\n{SPLIT_MARKER}\n".join(print_ours(module) for module in ours)
    printed = accepted(22, sent, "--split-input-file", *options)
    theirs = [parse(piece.text) for piece in split(SourceBuffer("mlir-opt", printed))]
    assert [meaning(module) for module in theirs] == [meaning(module) for module in ours]
