"""Lists of one offset for each lane, `[0, 8, %x]`, which older texts have instead of a vector of offsets."""

from __future__ import annotations

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseIntOrFPElementsAttr, IndexType, VectorType
from xdsl.dialects.utils import get_dynamic_index_list
from xdsl.ir import Operation, SSAValue
from xdsl.parser import Parser

from xegpu.dialects.upstream.vector import FromElementsOp
from xegpu.dialects.xegpu.folding import as_value
from xegpu.dialects.xegpu.generations.implied import place_before
from xegpu.dialects.xegpu.syntax import integers, parse_optional_index_list

MAX_OFFSETS = 4096
"""As many as the widest access has elements of one bit."""

VECTOR_INSTEAD = "takes its offsets as a vector, made by `arith.constant dense<[...]>` or `vector.from_elements`"


def parse_lane_list(parser: Parser) -> SSAValue:
    """Parses a list of offsets and gives the vector of them.

    The ops that make the vector are placed before the op that is being parsed.
    """
    position = parser.pos
    offsets = parse_optional_index_list(parser)
    if offsets is None:
        parser.raise_error("expected offsets: a vector, or a list in brackets", position, parser.pos)
    static = integers(offsets.static)
    if not static:
        parser.raise_error("expected an offset for each lane, got none", position, parser.pos)
    if len(static) > MAX_OFFSETS:
        parser.raise_error(f"expected at most {MAX_OFFSETS} offsets, got {len(static)}", position, parser.pos)
    made: list[Operation] = []
    lanes = VectorType(IndexType(), [len(static)])
    if offsets.dynamic:
        entries = get_dynamic_index_list(static, offsets.dynamic, DYNAMIC_INDEX)
        vector: Operation = FromElementsOp([as_value(entry, made) for entry in entries], lanes)
    else:
        vector = ConstantOp(DenseIntOrFPElementsAttr.from_list(lanes, static))
    place_before(parser, *made, vector)
    return vector.results[0]
