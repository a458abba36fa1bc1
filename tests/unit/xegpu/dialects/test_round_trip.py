"""Printing is a fixed point, and what is read back is what was printed: for programs and for FileCheck tests."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.irdl import IRDLOperation
from xdsl.traits import IsTerminator
from xdsl.transforms.canonicalize import CanonicalizePass
from xdsl.transforms.common_subexpression_elimination import CommonSubexpressionElimination

from tests.structure import offered
from tests.unit.xegpu.dialects.corpus import PROGRAMS, SNIPPETS, name, pieces
from tests.unit.xegpu.dialects.support import context, custom, generic, parse
from xegpu.dialects import xegpu, xetile
from xegpu.dialects.xe import GRFType, KernelOp, UndefOp, Xe
from xegpu.dialects.xe.ops import AluOp
from xegpu.mlir import verify

XE_OPERATIONS = {op.name: op for op in Xe.operations if not op.has_trait(IsTerminator) and op is not KernelOp}


def check_fixed_point(module: ModuleOp) -> None:
    """Checks that the text of either form is printed again when it is read."""
    custom_form, generic_form = custom(module), generic(module)
    assert custom(parse(custom_form)) == custom_form
    assert generic(parse(generic_form)) == generic_form
    assert custom(parse(generic_form)) == custom_form


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("path", [*PROGRAMS, *SNIPPETS], ids=name)
def test_both_forms_are_fixed_points(path):
    for text in pieces(path):
        check_fixed_point(parse(text))


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize("path", PROGRAMS, ids=name)
def test_both_forms_mean_the_program(path):
    for text in pieces(path):
        module = parse(text)
        assert parse(custom(module)).is_structurally_equivalent(module)
        assert parse(generic(module)).is_structurally_equivalent(module)


def test_copies_of_snippets_are_the_same():
    for path in SNIPPETS:
        if path.parent.name not in ("gpu", "memref", "scf", "vector"):  # ours with regions
            continue
        for text in pieces(path):
            module = parse(text)
            assert module.clone().is_structurally_equivalent(module), path


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("path", PROGRAMS, ids=name)
def test_simplified_programs_are_valid(path):
    for text in pieces(path):
        module = parse(text)
        CanonicalizePass().apply(context(), module)
        verify(module)
        CommonSubexpressionElimination().apply(context(), module)
        verify(module)
        check_fixed_point(module)


@pytest.mark.sampled(every=3)
def test_programs_use_every_operation():
    """A package of a dialect exports the operations that modules can hold."""
    exported = [getattr(package, name) for package in (xegpu, xetile) for name in offered(package.__name__)]
    names = {item.name for item in exported if isinstance(item, type) and issubclass(item, IRDLOperation)}
    seen = {op.name for path in PROGRAMS for text in pieces(path) for op in parse(text).walk()}
    assert names - seen == set()


def test_every_xe_operation_is_read_back_in_front_of_a_value():
    """An optional operand at the end of an operation must not take the result in the next line."""
    seen = set()
    for path in SNIPPETS:
        if path.parent.name != "xe":
            continue
        for text in pieces(path):
            module = parse(text)
            for op in list(module.walk()):
                if op.name in XE_OPERATIONS and isinstance(op.parent_op(), KernelOp):
                    seen.add(op.name)
                    op.parent_block().insert_op_after(UndefOp(GRFType(64, 64)), op)
            check_fixed_point(module)
    missing = {name: XE_OPERATIONS[name].__bases__ for name in XE_OPERATIONS.keys() - seen}
    assert {name for name, bases in missing.items() if AluOp not in bases} == set()
