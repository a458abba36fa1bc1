"""Host and device share definitions: how many operations each still lowers by itself, and what expansion keeps."""

from collections import Counter
from typing import Any

from xdsl.dialects.memref import CollapseShapeOp, SubviewOp
from xdsl.ir import Operation

from passes import convert_xegpu_to_xe
from passes.pipelines import read_module
from passes.support.normal_forms import ELEMENT_MOVES, EXPANSIONS, INDEX, expand
from passes.support.op_table import OpTable
from runtime.host.emission import emitter
from xegpu.diagnostics import SourceBuffer, location_of
from xegpu.dialects import DIALECTS, dialects
from xegpu.dialects.upstream.memref import ExpandShapeOp, TransposeOp
from xegpu.mlir import verify

VIEWS = {CollapseShapeOp, ExpandShapeOp, SubviewOp, TransposeOp}
"""Views whose arithmetic `strided_views` defines."""


def lowered(table: OpTable[Any, None]) -> dict[type[Operation], object]:
    """Returns the rules of a table by the operations that they lower."""
    kinds = (kind for prefix in DIALECTS for kind in dialects()[prefix]().operations)
    found = {kind: next((table.rules[base] for base in kind.__mro__ if base in table.rules), None) for kind in kinds}
    return {kind: rule for kind, rule in found.items() if rule is not None}


def test_few_operations_are_lowered_twice() -> None:
    """A row is an entry of a table that one function lowers for several operations.

    `arith.truncf` is no such entry, because it rounds as its attribute says. Three casts of
    pointers follow the address spaces of kernels on the device.
    """
    on_device, on_host = lowered(convert_xegpu_to_xe.LOWERINGS), lowered(emitter.LOWERINGS)
    twice = (on_device.keys() & on_host.keys()) - ELEMENT_MOVES.rules.keys() - VIEWS
    rows = {kind for kind in twice if all(Counter(t.values())[t[kind]] > 1 for t in (on_device, on_host))}
    assert len(twice) <= 114
    assert len(twice - rows) <= 48


def test_every_expansion_is_needed() -> None:
    both = lowered(convert_xegpu_to_xe.LOWERINGS).keys() & lowered(emitter.LOWERINGS).keys()
    assert not EXPANSIONS.rules.keys() & both


PROGRAM = """
func.func @f(%a: index, %b: index, %x: vector<4xbf16>, %y: vector<4xbf16>, %t: tf32) -> index {
  %0 = index.ceildivs %a, %b
  %1 = index.floordivs %0, %b
  %2 = index.cmp ult(%0, %1)
  %3 = math.round %x : vector<4xbf16>
  %4 = math.copysign %3, %y : vector<4xbf16>
  %5 = math.copysign %t, %t : tf32
  %6 = math.isnormal %4 : vector<4xbf16>
  %7 = vector.create_mask %a : vector<4xi1>
  %8 = vector.multi_reduction <xor>, %7, %2 [0] : vector<4xi1> to i1
  %9 = vector.outerproduct %x, %y : vector<4xbf16>, vector<4xbf16>
  return %1 : index
}
"""


def test_expansions_are_legal_and_keep_locations() -> None:
    _, module = read_module(SourceBuffer("f.mlir", PROGRAM))
    function = module.body.block.first_op
    assert function is not None
    lines = {location_of(op).line for op in function.walk()}
    for table in (INDEX, EXPANSIONS):
        expand(function.regions[0], table)
    verify(module)
    assert not any(op in INDEX or op in EXPANSIONS for op in function.walk())
    assert {location_of(op).line for op in function.walk()} == lines
