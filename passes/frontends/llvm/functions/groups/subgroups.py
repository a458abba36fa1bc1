"""Imports collective operations of a subgroup or work-group."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseArrayBase, FixedBitwidthType, IntegerType, VectorType, i1, i64
from xdsl.dialects.math import CountLeadingZerosOp, CountTrailingZerosOp, CtPopOp
from xdsl.ir import Attribute, Operation, Region, SSAValue

from passes.frontends.llvm.functions.groups.lanes import lane_number, shuffled
from passes.frontends.llvm.functions.groups.scans import Scan
from passes.frontends.llvm.functions.intrinsics import Integers
from passes.frontends.llvm.functions.work_items import DIMENSIONS, SUBGROUP, WORK_GROUP
from passes.frontends.llvm.importer.builder import i32
from passes.frontends.llvm.importer.calls import Call, builtin
from xegpu.dialects.upstream.arith import CmpfOp, CmpiOp, ExtUIOp, SelectOp, TruncIOp
from xegpu.dialects.upstream.gpu import (
    AllReduceOp,
    Reduction,
    ReductionAttr,
    ShuffleMode,
    SubgroupBroadcastOp,
    SubgroupReduceOp,
    ThreadIdOp,
)
from xegpu.dialects.upstream.vector import ExtractOp, InsertOp

_REDUCE, _INCLUSIVE, _EXCLUSIVE, _CLUSTERED = range(4)
"""The numbers of group operations in SPIR-V."""
_KINDS: dict[str, tuple[Reduction, Callable[[SSAValue, SSAValue], Operation]]] = {
    "IAdd": (Reduction.ADD, arith.AddiOp),
    "FAdd": (Reduction.ADD, arith.AddfOp),
    "IMul": (Reduction.MUL, arith.MuliOp),
    "FMul": (Reduction.MUL, arith.MulfOp),
    "SMin": (Reduction.MINSI, arith.MinSIOp),
    "UMin": (Reduction.MINUI, arith.MinUIOp),
    "FMin": (Reduction.MINNUMF, arith.MinnumfOp),
    "SMax": (Reduction.MAXSI, arith.MaxSIOp),
    "UMax": (Reduction.MAXUI, arith.MaxUIOp),
    "FMax": (Reduction.MAXNUMF, arith.MaxnumfOp),
    "BitwiseAnd": (Reduction.AND, arith.AndIOp),
    "BitwiseOr": (Reduction.OR, arith.OrIOp),
    "BitwiseXor": (Reduction.XOR, arith.XOrIOp),
    "LogicalAnd": (Reduction.AND, arith.AndIOp),
    "LogicalOr": (Reduction.OR, arith.OrIOp),
    "LogicalXor": (Reduction.XOR, arith.XOrIOp),
}


def _names(name: str) -> tuple[str, str, str]:
    return f"__spirv_Group{name}", f"__spirv_Group{name}KHR", f"__spirv_GroupNonUniform{name}"


_BY_NAME = {spelled: kind for name, kind in _KINDS.items() for spelled in _names(name)}


def _combined(call: Call, scope: int, kind: Reduction, value: SSAValue, cluster: int | None = None) -> SSAValue:
    """Returns the values of a subgroup or work-group combined."""
    if value.type == i1:
        wide = _combined(call, scope, kind, call.builder.add(ExtUIOp(value, i32)), cluster)
        return call.builder.add(TruncIOp(wide, i1))
    if scope == SUBGROUP:
        return call.builder.add(SubgroupReduceOp(value, kind, cluster_size=cluster))
    if scope != WORK_GROUP:
        call.builder.error(f"works together in scope {scope}: expected a work-group (2) or a subgroup (3)")
    op = AllReduceOp(
        operands=[value], result_types=[value.type], properties={"op": ReductionAttr(kind)}, regions=[Region()]
    )
    return call.builder.add(op)


@builtin(*_BY_NAME)
def group_operation(call: Call) -> SSAValue:
    scope, operation = call.number(0), call.number(1)
    kind, combine = _BY_NAME[call.name]
    if operation == _REDUCE:
        return _combined(call, scope, kind, call.value(2))
    if operation == _CLUSTERED:
        return _combined(call, scope, kind, call.value(2), call.number(3))
    if operation not in (_INCLUSIVE, _EXCLUSIVE):
        call.builder.error(f"calls '{call.name}' with operation {operation}, which does not exist")
    value, exclusive = call.value(2), operation == _EXCLUSIVE
    if value.type == i1:
        value = call.builder.add(ExtUIOp(value, i32))
    scan = Scan(call, combine, value, _neutral(call, kind, value.type), exclusive)
    if scope == WORK_GROUP:
        found = scan.work_group(_combined(call, SUBGROUP, kind, value))
    elif "NonUniform" in call.name:
        found = scan.active_lanes(_ballot_word(call, call.builder.constant(i1, 1)))
    else:
        found = scan.subgroup()
    return call.builder.add(TruncIOp(found, i1)) if call.type == i1 else found


def _neutral(call: Call, kind: Reduction, type: Attribute) -> SSAValue:
    """Returns the identity element of a combination."""
    if isinstance(type, IntegerType):
        most = (1 << type.width.data - 1) - 1
        value: int | float = {
            Reduction.MUL: 1,
            Reduction.MINSI: most,
            Reduction.MAXSI: -most - 1,
            Reduction.MINUI: -1,
            Reduction.AND: -1,
        }.get(kind, 0)
    else:
        infinity = float("inf")
        value = {Reduction.ADD: -0.0, Reduction.MUL: 1.0, Reduction.MINNUMF: infinity}.get(kind, -infinity)
    return call.builder.constant(type, value)


@builtin(*("__spirv_GroupAll", "__spirv_GroupNonUniformAll", "__spirv_GroupAny", "__spirv_GroupNonUniformAny"))
def vote(call: Call) -> SSAValue:
    kind = Reduction.AND if call.name.endswith("All") else Reduction.OR
    return _combined(call, call.number(0), kind, call.value(1))


@builtin("__spirv_GroupNonUniformAllEqual")
def all_equal(call: Call) -> SSAValue:
    value = call.value(1)
    first = _first(call, value)
    if isinstance(value.type, IntegerType):
        same = call.builder.add(CmpiOp(value, first, "eq"))
    else:
        same = call.builder.add(CmpfOp(value, first, "oeq"))
    return _combined(call, SUBGROUP, Reduction.AND, same)


@builtin("__spirv_GroupNonUniformBroadcastFirst")
def broadcast_first(call: Call) -> SSAValue:
    return _first(call, call.value(1))


def _first(call: Call, value: SSAValue) -> SSAValue:
    """Returns the value of the first active lane."""
    return call.builder.add(SubgroupBroadcastOp(value))


@builtin("__spirv_GroupNonUniformElect")
def elect(call: Call) -> SSAValue:
    lane = lane_number(call)
    return call.builder.add(CmpiOp(lane, _first(call, lane), "eq"))


@builtin("__spirv_GroupBroadcast")
def broadcast(call: Call) -> SSAValue:
    """In a work-group, all but one work-item contribute 0 to a bitwise or."""
    scope, value, place = call.number(0), call.value(1), call.value(2)
    if scope == SUBGROUP:
        return shuffled(call, value, place)
    builder = call.builder
    here: SSAValue | None = None
    for position, dimension in enumerate(DIMENSIONS):
        if isinstance(place.type, VectorType):
            if position == place.type.element_count():
                break
            wanted = builder.add(ExtractOp(place, [position]))
        elif position:
            break
        else:
            wanted = place
        own = builder.from_index(builder.add(ThreadIdOp(dimension)), wanted.type)
        same = builder.add(CmpiOp(own, wanted, "eq"))
        here = same if here is None else builder.add(arith.AndIOp(here, same))
    assert here is not None
    width = value.type.bitwidth if isinstance(value.type, FixedBitwidthType) else 0
    if not width:
        builder.error(f"broadcasts a value of type {value.type} to a work-group, which is not supported")
    bits = value if isinstance(value.type, IntegerType) else builder.add(arith.BitcastOp(value, IntegerType(width)))
    chosen = builder.add(SelectOp(here, bits, builder.constant(bits.type, 0)))
    found = _combined(call, scope, Reduction.OR, chosen)
    return found if found.type == value.type else builder.add(arith.BitcastOp(found, value.type))


@builtin("__spirv_SubgroupShuffleINTEL")
def shuffle(call: Call) -> SSAValue:
    return shuffled(call, call.value(0), call.value(1))


@builtin("__spirv_SubgroupShuffleXorINTEL")
def shuffle_xor(call: Call) -> SSAValue:
    return shuffled(call, call.value(0), call.value(1), ShuffleMode.XOR)


@builtin("__spirv_SubgroupShuffleDownINTEL", "__spirv_SubgroupShuffleUpINTEL")
def shuffle_between(call: Call) -> SSAValue:
    """Two values of all lanes lie behind one another; each lane looks a distance further up or down in them."""
    a, b, distance = call.values
    lane, lanes = Integers(call.builder, i32), call.importer.lanes
    up = call.name.endswith("DownINTEL")
    place = lane.add(lane_number(call), distance) if up else lane.subtract(lane_number(call), distance)
    inside = lane.both(place, lane.constant(lanes - 1))
    lower, upper = (shuffled(call, value, inside) for value in (a, b))
    if up:
        return lane.choose(lane.compare("ult", place, lane.constant(lanes)), lower, upper)
    return lane.choose(lane.compare("slt", place, lane.constant(0)), lower, upper)


_MODES = {
    "Shuffle": ShuffleMode.IDX,
    "Broadcast": ShuffleMode.IDX,
    "ShuffleXor": ShuffleMode.XOR,
    "ShuffleUp": ShuffleMode.UP,
    "ShuffleDown": ShuffleMode.DOWN,
}


@builtin(*(f"__spirv_GroupNonUniform{name}" for name in _MODES))
def shuffle_active(call: Call) -> SSAValue:
    mode = _MODES[call.name.removeprefix("__spirv_GroupNonUniform")]
    return shuffled(call, call.value(1), call.value(2), mode)


_QUAD = 4


@builtin("__spirv_GroupNonUniformQuadBroadcast")
def broadcast_in_quad(call: Call) -> SSAValue:
    """From the lane with a number among four neighbors."""
    i = Integers(call.builder, i32)
    start = i.both(lane_number(call), i.constant(-_QUAD))
    return shuffled(call, call.value(1), i.either(start, call.value(2)))


@builtin("__spirv_GroupNonUniformQuadSwap")
def swap_in_quad(call: Call) -> SSAValue:
    """With the neighbor in a row (0), in a column (1), or across (2)."""
    mask = call.builder.i32(call.number(2) + 1)
    return shuffled(call, call.value(1), mask, ShuffleMode.XOR)


@builtin("__spirv_GroupNonUniformRotateKHR")
def rotate(call: Call) -> SSAValue:
    """Within clusters, or within the whole subgroup."""
    value, distance = call.value(1), call.value(2)
    size = call.number(3) if len(call.operands) > 3 else call.importer.lanes
    lane, i = lane_number(call), Integers(call.builder, i32)
    start = i.both(lane, i.constant(-size))
    inside = i.both(i.add(lane, distance), i.constant(size - 1))
    return shuffled(call, value, i.either(start, inside))


def _ballot_word(call: Call, predicate: SSAValue) -> SSAValue:
    """Returns the bits of the active lanes where a predicate holds."""
    i = Integers(call.builder, i32)
    bit = i.left(i.constant(1), lane_number(call))
    own = call.builder.add(SelectOp(predicate, bit, i.constant(0)))
    return call.builder.add(SubgroupReduceOp(own, Reduction.OR))


@builtin("__spirv_GroupNonUniformBallot")
def ballot(call: Call) -> SSAValue:
    """A bit for each active lane where the predicate holds, in the first of four words."""
    builder, word = call.builder, _ballot_word(call, call.value(1))
    vector = builder.constant(call.type, 0)
    op = InsertOp(
        operands=[word, vector, []],
        result_types=[call.type],
        properties={"static_position": DenseArrayBase.from_list(i64, [0])},
    )
    return builder.add(op)


def _word(call: Call, index: int) -> SSAValue:
    """Returns the word of a ballot that holds the lanes' bits."""
    return call.builder.add(ExtractOp(call.value(index), [0]))


@builtin("__spirv_GroupNonUniformInverseBallot", "__spirv_GroupNonUniformBallotBitExtract")
def ballot_bit(call: Call) -> SSAValue:
    lane = call.value(2) if len(call.operands) > 2 else lane_number(call)
    i = Integers(call.builder, i32)
    return call.builder.add(TruncIOp(i.right(_word(call, 1), lane), i1))


@builtin("__spirv_GroupNonUniformBallotBitCount")
def ballot_count(call: Call) -> SSAValue:
    """Counts the bits of all lanes, of those up to the own one, or below it."""
    operation, i, word = call.number(1), Integers(call.builder, i32), _word(call, 2)
    if operation != _REDUCE:
        bit = i.left(i.constant(1), lane_number(call))
        below = i.subtract(bit, i.constant(1))
        word = i.both(word, below if operation == _EXCLUSIVE else i.either(below, bit))
    return call.builder.add(CtPopOp(word))


@builtin("__spirv_GroupNonUniformBallotFindLSB")
def ballot_first(call: Call) -> SSAValue:
    return call.builder.add(CountTrailingZerosOp(_word(call, 1)))


@builtin("__spirv_GroupNonUniformBallotFindMSB")
def ballot_last(call: Call) -> SSAValue:
    i = Integers(call.builder, i32)
    return i.subtract(i.constant(31), call.builder.add(CountLeadingZerosOp(_word(call, 1))))
