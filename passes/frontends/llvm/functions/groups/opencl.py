"""OpenCL C's functions of work-groups and subgroups: other names for those of SPIR-V."""

from __future__ import annotations

import re
from dataclasses import replace

from xdsl.dialects.builtin import VectorType, i1, i32
from xdsl.ir import SSAValue

from passes.frontends.llvm.functions.work_items import SUBGROUP, WORK_GROUP
from passes.frontends.llvm.importer.builder import is_float
from passes.frontends.llvm.importer.calls import BUILTINS, Call, builtin, builtins_like
from passes.frontends.llvm.importer.function import Parts
from passes.frontends.llvm.reader import Constant, Local, Value
from xegpu.dialects.upstream.arith import CmpiOp, ExtUIOp
from xegpu.dialects.upstream.vector import FromElementsOp

_SHUFFLES = {
    "intel_sub_group_shuffle": "SubgroupShuffleINTEL",
    "intel_sub_group_shuffle_down": "SubgroupShuffleDownINTEL",
    "intel_sub_group_shuffle_up": "SubgroupShuffleUpINTEL",
    "intel_sub_group_shuffle_xor": "SubgroupShuffleXorINTEL",
}
_SCOPED = {
    "sub_group_ballot": "GroupNonUniformBallot",
    "sub_group_inverse_ballot": "GroupNonUniformInverseBallot",
    "sub_group_ballot_bit_extract": "GroupNonUniformBallotBitExtract",
    "sub_group_ballot_find_lsb": "GroupNonUniformBallotFindLSB",
    "sub_group_ballot_find_msb": "GroupNonUniformBallotFindMSB",
    "sub_group_broadcast": "GroupBroadcast",
    "sub_group_broadcast_first": "GroupNonUniformBroadcastFirst",
    "sub_group_elect": "GroupNonUniformElect",
    "sub_group_non_uniform_all_equal": "GroupNonUniformAllEqual",
    "sub_group_non_uniform_broadcast": "GroupNonUniformBroadcast",
    "sub_group_rotate": "GroupNonUniformRotateKHR",
    "sub_group_shuffle": "GroupNonUniformShuffle",
    "sub_group_shuffle_down": "GroupNonUniformShuffleDown",
    "sub_group_shuffle_up": "GroupNonUniformShuffleUp",
    "sub_group_shuffle_xor": "GroupNonUniformShuffleXor",
}
_COUNTS = {"sub_group_ballot_bit_count": 0, "sub_group_ballot_inclusive_scan": 1, "sub_group_ballot_exclusive_scan": 2}
_OPERATIONS = {
    "add": ("IAdd", "IAdd", "FAdd"),
    "mul": ("IMulKHR", "IMulKHR", "FMulKHR"),
    "min": ("SMin", "UMin", "FMin"),
    "max": ("SMax", "UMax", "FMax"),
    "and": ("BitwiseAndKHR", "BitwiseAndKHR", ""),
    "or": ("BitwiseOrKHR", "BitwiseOrKHR", ""),
    "xor": ("BitwiseXorKHR", "BitwiseXorKHR", ""),
    "logical_and": ("LogicalAndKHR", "LogicalAndKHR", ""),
    "logical_or": ("LogicalOrKHR", "LogicalOrKHR", ""),
    "logical_xor": ("LogicalXorKHR", "LogicalXorKHR", ""),
}
"""By the word in a function's name: the operation on signed integers, unsigned ones, and floats."""
_CLUSTERED = 3
_FORMS = {"reduce": 0, "scan_inclusive": 1, "scan_exclusive": 2}


def _number(value: int) -> Value:
    return Constant(i32, value)


def _as(call: Call, name: str, *operands: Value) -> SSAValue | Parts | None:
    """Calls the function of SPIR-V; operands are those of the call unless others are given."""
    name = f"__spirv_{name}"
    return BUILTINS[name](replace(call, name=name, operands=operands or call.operands))


@builtin(*_SHUFFLES)
def shuffle(call: Call) -> SSAValue | Parts | None:
    return _as(call, _SHUFFLES[call.name])


@builtin(*_SCOPED)
def of_subgroup(call: Call) -> SSAValue | Parts | None:
    """Predicates are integers in OpenCL C, both those that are passed and those that are returned."""
    operands = call.operands
    if call.name == "sub_group_ballot":
        operands = (_named(call, _truth(call, call.value(0))),)
    result = _as(call, _SCOPED[call.name], _number(SUBGROUP), *operands)
    if isinstance(result, SSAValue) and result.type == i1 and call.type != i1:
        return call.builder.add(ExtUIOp(result, call.type))
    return result


def _truth(call: Call, value: SSAValue) -> SSAValue:
    """Returns whether an integer is not 0."""
    return call.builder.add(CmpiOp(value, call.builder.constant(value.type, 0), "ne"))


def _named(call: Call, value: SSAValue) -> Value:
    """Returns a value of MLIR as an operand."""
    name = f"%.{len(call.importer.values)}"
    call.importer.values[name] = (value,)
    return Local(value.type, name)


@builtin(*_COUNTS)
def count_ballot(call: Call) -> SSAValue | Parts | None:
    return _as(call, "GroupNonUniformBallotBitCount", _number(SUBGROUP), _number(_COUNTS[call.name]), *call.operands)


_COMBINATION = re.compile(
    "(sub|work)_group_(non_uniform_|clustered_)?(reduce|scan_inclusive|scan_exclusive)_"
    "(add|mul|min|max|and|or|xor|logical_and|logical_or|logical_xor)"
)


@builtins_like(_COMBINATION.pattern)
def combine(call: Call) -> SSAValue | Parts | None:
    """Truth values are integers in OpenCL C; clusters follow the value."""
    found = _COMBINATION.fullmatch(call.name)
    assert found is not None
    scope, group, form, operation = found.groups()
    kind = 2 if is_float(call.type) else 0 if call.signed(0) else 1
    name = f"Group{_OPERATIONS[operation][kind]}"
    if group == "non_uniform_":
        name = f"GroupNonUniform{name.removeprefix('Group').removesuffix('KHR')}"
    operands = list(call.operands)
    if operation.startswith("logical"):
        operands[0] = _named(call, _truth(call, call.value(0)))
        found_truth = _as(replace(call, type=i1), name, _number(_scope(scope)), _number(_form(group, form)), *operands)
        assert isinstance(found_truth, SSAValue)
        return call.builder.add(ExtUIOp(found_truth, call.type))
    return _as(call, name, _number(_scope(scope)), _number(_form(group, form)), *operands)


def _form(group: str | None, form: str) -> int:
    return _CLUSTERED if group == "clustered_" else _FORMS[form]


def _scope(word: str) -> int:
    return SUBGROUP if word == "sub" else WORK_GROUP


@builtins_like("(sub|work)_group_(non_uniform_)?(all|any)")
def vote(call: Call) -> SSAValue:
    """Votes by integers: any number but 0 agrees."""
    words = call.name.split("_")
    kind = "All" if words[-1] == "all" else "Any"
    predicate = _named(call, _truth(call, call.value(0)))
    result = _as(call, f"Group{kind}", _number(_scope(words[0])), predicate)
    assert isinstance(result, SSAValue)
    return call.builder.add(ExtUIOp(result, call.type))


@builtin("work_group_broadcast")
def broadcast(call: Call) -> SSAValue:
    """From the work-item with the given ids."""
    value, *ids = call.values
    type = VectorType(ids[0].type, [len(ids)])
    place = ids[0] if len(ids) == 1 else call.builder.add(FromElementsOp(ids, type))
    result = _as(call, "GroupBroadcast", _number(WORK_GROUP), call.operand(0), _named(call, place))
    assert isinstance(result, SSAValue) and result.type == value.type
    return result
