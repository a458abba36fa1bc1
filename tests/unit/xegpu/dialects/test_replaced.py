"""Operations of xDSL are replaced for what they lack, and no longer than that."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import version

import pytest
from xdsl.dialects import get_all_dialects
from xdsl.dialects.builtin import IndexType, VectorType, f32, i32
from xdsl.interfaces import HasFolderInterface
from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation
from xdsl.traits import MemoryEffect

from docs.dialects.generator.replaced import REPLACED, Lack
from xegpu.dialects import DIALECTS, dialects

OURS, THEIRS = dialects(), get_all_dialects()

XDSL_75 = tuple(map(int, version("xdsl").split(".")[:2])) >= (0, 75)


def operations(factory: Callable[[], object]) -> dict[str, type[IRDLOperation]]:
    return {op.name: op for op in factory().operations}


def replaced() -> Iterator[tuple[str, type[IRDLOperation], type[IRDLOperation]]]:
    """Yields the names of the operations that we replace, xDSL's class and ours."""
    for prefix in DIALECTS.keys() & THEIRS.keys():
        ours = operations(OURS[prefix])
        for name, theirs in operations(THEIRS[prefix]).items():
            if ours[name] is not theirs:
                yield name, theirs, ours[name]


CLASSES = {name: (theirs, ours) for name, theirs, ours in replaced()}


def has_assembly(op: type[IRDLOperation]) -> bool:
    own_print = op.print not in (Operation.print, IRDLOperation.print)
    return own_print or op.get_irdl_definition().assembly_format is not None


def states_effects(op: type[IRDLOperation]) -> bool:
    return any(isinstance(trait, MemoryEffect) for trait in op.traits.traits)


def takes_vectors(op: type[IRDLOperation]) -> bool:
    _, operand = op.get_irdl_definition().operands[0]
    return any(operand.constr.verifies([VectorType(element, [4])]) for element in (i32, f32, IndexType()))


HAS: Mapping[Lack, Callable[[type[IRDLOperation]], bool]] = {
    Lack.ASSEMBLY: has_assembly,
    Lack.ASSEMBLY_BEFORE_75: has_assembly,
    Lack.EFFECTS: states_effects,
    Lack.FOLDING: lambda op: issubclass(op, HasFolderInterface),
    Lack.SHAPES: takes_vectors,
}


def test_the_table_has_each_operation_that_is_replaced() -> None:
    assert CLASSES.keys() == REPLACED.keys()


@pytest.mark.parametrize("name", sorted(REPLACED))
def test_xdsl_lacks_what_the_table_says(name: str) -> None:
    theirs, ours = CLASSES[name]
    row = REPLACED[name]
    assert str(row)
    for lack in row.lacks:
        assert HAS[lack](theirs) == (XDSL_75 and lack is Lack.ASSEMBLY_BEFORE_75), f"xDSL's has {lack.value}"
        assert HAS[lack](ours)
    has = [{**op.get_irdl_definition().properties, **op.get_irdl_definition().attributes} for op in (theirs, ours)]
    assert has[0].keys().isdisjoint(row.properties)
    assert has[1].keys() >= {*row.properties}
