"""Finds ids that are uniform in a subgroup: `gpu.thread_id x` divided by the subgroup's size, and the like.

Along x, lane l of a full subgroup has a multiple of the subgroup's size, plus l, as its id. Arithmetic on such *ramps*
can have uniform results, which are computed once from the first lane's id.

A launch may have an offset of global ids (Level Zero, zeKernelSetGlobalOffsetExp), which is seldom used and need not be
a multiple of the subgroup's size. So results that are uniform without one are computed for each lane, and where an
operation needs an operand that all lanes share, it is the first lane's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, IntegerType, i32
from xdsl.ir import Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import ConstantLike
from xdsl.utils.hints import isa

from passes.analysis.divisibility import known_factors
from passes.analysis.facts import divergent_values
from passes.kernel.dimensions import dimension_index
from passes.support.control_flow import operations_in
from xegpu.dialects.upstream.gpu import FuncOp, SubgroupBroadcastOp

_IDS = ("gpu.thread_id", "gpu.global_id")
_LOCAL_BITS, _BITS = 16, 63
"""Bits that hold an id within a group, and within a grid."""
CASTS = frozenset(f"arith.{name}" for name in ("extsi", "extui", "index_cast", "index_castui", "trunci"))
"""Operations that change nothing but the number of bits."""


def _is_multiple(number: int, lanes: int) -> bool:
    return number > 0 and number % lanes == 0


def _is_far_shift(number: int, lanes: int) -> bool:
    return 0 <= number < 64 and (1 << number) % lanes == 0


def _clears_lanes(number: int, lanes: int) -> bool:
    return number & (lanes - 1) == 0


def _keeps_lanes(number: int, lanes: int) -> bool:
    return number & (lanes - 1) == lanes - 1


Rule = Callable[[int, int], bool]
"""Returns whether a rule holds for a constant second operand and the number of lanes, a power of two."""

_COMMON: Mapping[str, Rule] = {
    **dict.fromkeys(("arith.divui", "arith.floordivsi"), _is_multiple),
    **dict.fromkeys(("arith.shrui", "arith.shrsi"), _is_far_shift),
    "arith.andi": _clears_lanes,
}
"""Operations with the same result for all lanes of a ramp."""
RAMP_RULES: Mapping[str, Rule] = {
    "arith.remui": _is_multiple,
    "arith.andi": _keeps_lanes,
}
"""Operations that make a ramp of a ramp that begins at a multiple of the number of lanes."""
_SIGNED = {
    "arith.divsi": "arith.divui",
    "arith.remsi": "arith.remui",
}
"""Operations that round toward zero, and the ones that do the same to non-negative numbers."""

_TAKES_UNIFORM = frozenset(
    {"gpu.subgroup_broadcast", *(f"memref.{name}" for name in ("dim", "reinterpret_cast", "subview", "view"))}
)
"""Operations besides those of XeGPU that refuse operands which differ between lanes."""


def share_common_ids(function: FuncOp, lanes: int) -> None:
    """Computes uniform results of ids from the first lane's ids.

    Ids along x are ramps where `known_block_size` fills subgroups; then ids along y and z are uniform.
    """
    if lanes == 1:
        return
    full = fills_subgroups(function, lanes)
    operations = operations_in(function.body)
    if not full and not any(op.name == "gpu.lane_id" for op in operations):
        return
    ids = _Ids(function.body, lanes, full)
    for op in operations:
        ids.visit(op)


def fills_subgroups(function: FuncOp, lanes: int) -> bool:
    """Returns whether work-groups have a known size that fills subgroups along x."""
    size = function.block_size
    return size is not None and size[0] % lanes == 0


def missing_size_hint(value: SSAValue, lanes: int) -> str:
    """Returns the end of a message about a value that differs between lanes: the effect of a known work-group size.

    It is empty for a value that no id of a work-item determines, and for kernels that state their size.
    """
    seen: set[SSAValue] = set()
    pending = [value]
    while pending:
        if (found := pending.pop()) in seen or not isinstance(owner := found.owner, Operation):
            continue
        seen.add(found)
        if owner.name in _IDS:
            function = owner
            while not isinstance(function, FuncOp):
                if (parent := function.parent_op()) is None:
                    return ""
                function = parent
            if (size := function.block_size) is None:
                return (
                    f": {owner.name} divided by {lanes} is, if known_block_size or the constant sizes of all launches "
                    "in the module tell that work-groups fill subgroups"
                )
            if size[0] % lanes != 0:
                return f": work-groups have {size[0]} work-items along x, which do not fill subgroups of {lanes}"
        pending.extend(owner.operands)
    return ""


class _Ids:
    """The ramps of a kernel; `natural` holds the size in bits of those that are not negative, as ids are.

    `shifted` are the ramps that begin at a multiple of the subgroup's size unless the launch has another offset of
    global ids, and `broken` those of them that are ramps only then. `common` and `shared` are the uniform results, and
    those that are uniform only then.
    """

    def __init__(self, body: Region, lanes: int, full: bool):
        self.lanes, self.full = lanes, full
        self.divergent = divergent_values(body, lanes)
        self.factors = known_factors(body)
        self.ramps: set[SSAValue] = set()
        self.shifted: set[SSAValue] = set()
        self.broken: set[SSAValue] = set()
        self.common: set[SSAValue] = set()
        self.shared: set[SSAValue] = set()
        self.natural: dict[SSAValue, int] = {}
        self.first: dict[SSAValue, SSAValue] = {}

    def visit(self, op: Operation) -> None:
        if op.name == "gpu.lane_id" or (op.name in _IDS and self.full and dimension_index(op) == 0):
            self.ramps.add(op.results[0])
            self.natural[op.results[0]] = _BITS if op.name == "gpu.global_id" else _LOCAL_BITS
            if op.name == "gpu.global_id":
                self.shifted.add(op.results[0])
        elif op.name in _IDS and self.full:
            self._replace_by_first(op.results[0])
        elif op.operands and op.operands[0] in self.ramps:
            self._derive(op)
        elif op.name == "arith.addi" and op.operands[1] in self.ramps:
            self._add(op, op.operands[1], op.operands[0])
        elif op.name.startswith("arith."):
            self._follow(op)
        elif op.name.startswith("xegpu.") or op.name in _TAKES_UNIFORM:
            for index, operand in enumerate(op.operands):
                if operand in self.shared:
                    op.operands[index] = self._of_first(operand)

    def _derive(self, op: Operation) -> None:
        ramp, second = op.operands[0], op.operands[1] if len(op.operands) == 2 else None
        name = _SIGNED.get(op.name, op.name) if ramp in self.natural else op.name
        if op.name in CASTS:
            self._extend(op, ramp)
        elif second is None:
            return
        elif op.name == "arith.subi" and second in self.ramps:
            self._make_common(op, op.operands, self.broken)
        elif op.name == "arith.addi":
            self._add(op, ramp, second)
        elif (constant := _constant(second)) is None:
            return
        elif name in _COMMON and _COMMON[name](constant, self.lanes):
            self._make_common(op, [ramp], self.shifted)
        elif name in RAMP_RULES and RAMP_RULES[name](constant, self.lanes):
            self._extend(op, ramp)
            if ramp in self.shifted:
                self.broken.add(op.results[0])

    def _make_common(self, op: Operation, ramps: Sequence[SSAValue], unsure: Set[SSAValue]) -> None:
        """Computes a result of ramps, the first operands, from the first lane's; unless one of them is `unsure`."""
        if any(ramp in unsure for ramp in ramps):
            self.shared.add(op.results[0])
            return
        self.common.add(op.results[0])
        for index, ramp in enumerate(ramps):
            op.operands[index] = self._of_first(ramp)

    def _extend(self, op: Operation, ramp: SSAValue) -> None:
        """Adds a ramp that is made of another one, or of the lower bits of it."""
        bits = _bits(op.results[0])
        if 1 << bits <= self.lanes:
            return
        self._add_ramp(op.results[0], ramp)
        if self.natural.get(ramp, _BITS + 1) < bits:
            self.natural[op.results[0]] = self.natural[ramp]

    def _add(self, op: Operation, ramp: SSAValue, start: SSAValue) -> None:
        """Adds a ramp that starts elsewhere, possibly below zero."""
        if start not in self.divergent and self.factors.get(start, 1) % self.lanes == 0:
            self._add_ramp(op.results[0], ramp)

    def _add_ramp(self, value: SSAValue, source: SSAValue) -> None:
        self.ramps.add(value)
        for kind in (self.shifted, self.broken):
            if source in kind:
                kind.add(value)

    def _follow(self, op: Operation) -> None:
        """Adds the result of arithmetic on values that the lanes share."""
        if all(value in self.shared or value in self.common or value not in self.divergent for value in op.operands):
            if any(value in self.shared for value in op.operands):
                self.shared.update(op.results)
            elif any(value in self.common for value in op.operands):
                self.common.update(op.results)

    def _of_first(self, value: SSAValue) -> SSAValue:
        """Returns the value of the first lane."""
        if value not in self.first:
            owner = value.owner
            assert isinstance(owner, Operation)
            zero = arith.ConstantOp(IntegerAttr(0, i32))
            first = SubgroupBroadcastOp(value, zero)
            zero.location = first.location = owner.location
            Rewriter.insert_op([zero, first], InsertPoint.after(owner))
            self.first[value] = first.result
        return self.first[value]

    def _replace_by_first(self, value: SSAValue) -> None:
        first = self._of_first(value)
        value.replace_uses_with_if(first, lambda use: use.operation is not first.owner)


def _bits(value: SSAValue) -> int:
    return value.type.width.data if isinstance(value.type, IntegerType) else _BITS + 1


def _constant(value: SSAValue) -> int | None:
    """Returns a constant integer, or a natural one that a cast does not change."""
    attribute = ConstantLike.get_constant_value(value)
    if isa(attribute, IntegerAttr):
        return attribute.value.data
    if isinstance(value.owner, Operation) and value.owner.name in CASTS:
        inner = _constant(value.owner.operands[0])
        return inner if inner is not None and 0 <= inner < 1 << _bits(value) - 1 else None
    return None
