"""Checks allocated `xe` kernels: whatever an instruction reads is what its operand's definition left there.

Knows nothing of liveness or webs. It follows, along all paths, which bytes of which values each byte of the register
file holds, and fails where an operand's bytes may be something else.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from xegpu.dialects.xe import (
    BranchOp,
    DpasOp,
    FlagType,
    GRFType,
    InstructionOp,
    KernelOp,
    MessageOp,
    SpillOp,
)

Place = tuple[str, int]
"""A byte of the register file, or a flag."""
Content = frozenset[tuple[SSAValue, int]]
"""The bytes of values that a place holds: several when values are known to be equal."""
State = dict[Place, Content]


def check(module: ModuleOp) -> int:
    """Checks every kernel; returns how many operands were looked at. Raises `AssertionError`."""
    return sum(_check_kernel(op) for op in module.walk() if isinstance(op, KernelOp))


def _places(value: SSAValue) -> list[Place]:
    match value.type:
        case GRFType() as type:
            assert type.address is not None, f"{value} has no place"
            return [("byte", type.address + i) for i in range(type.size.data)]
        case FlagType() as type:
            assert type.index is not None, f"{value} has no place"
            return [("flag", type.index // 2)]
        case _:
            return []


def _check_kernel(kernel: KernelOp) -> int:
    assert kernel.grf_count is not None
    blocks = list(kernel.body.blocks)
    entry: dict[Block, State] = {blocks[0]: _define({}, *blocks[0].args)}
    pending = [blocks[0]]
    while pending:
        block = pending.pop()
        state = dict(entry[block])
        for op in block.ops:
            state = _after(op, state)
        last = block.last_op
        assert last is not None
        for successor in last.successors:
            arriving = _arrive(last, successor, state)
            known = entry.get(successor)
            joined = arriving if known is None else _join(known, arriving)
            if joined != known:
                entry[successor] = joined
                pending.append(successor)
    checked = 0
    limit = kernel.grf_count.value.data * 64
    for block in blocks:
        if block not in entry:
            continue
        state = dict(entry[block])
        for op in block.ops:
            checked += _check_reads(op, state)
            _check_hazards(op)
            state = _after(op, state)
            for result in op.results:
                assert all(kind == "flag" or byte < limit for kind, byte in _places(result)), f"{op} leaves the file"
    return checked


def _define(state: State, *values: SSAValue) -> State:
    for value in values:
        for index, place in enumerate(_places(value)):
            state[place] = frozenset({(value, index)})
    return state


def _after(op: Operation, state: State) -> State:
    return _define(dict(state), *op.results)


def _arrive(branch: Operation, block: Block, state: State) -> State:
    """The state at the start of a block, whose arguments are names for the values that the branch passes."""
    if not isinstance(branch, BranchOp):
        return state
    renamed = set(block.args)
    arriving = {place: frozenset(c for c in content if c[0] not in renamed) for place, content in state.items()}
    for argument, operand in zip(block.args, branch.arguments, strict=True):
        assert _places(argument) == _places(operand), f"{branch} passes a value in another place"
        for index, place in enumerate(_places(argument)):
            if (operand, index) in state.get(place, frozenset()):
                arriving[place] |= {(argument, index)}
    return arriving


def _join(a: State, b: State) -> State:
    return {place: a[place] & b[place] for place in a.keys() & b.keys()}


def _check_reads(op: Operation, state: State) -> int:
    operands = [o for o in op.operands if _places(o)]
    for operand in operands:
        for index, place in enumerate(_places(operand)):
            assert (operand, index) in state.get(place, frozenset()), f"byte {index} of an operand of {op} is lost"
    return len(operands)


def _check_hazards(op: Operation) -> None:
    """Messages and dpas may write before they have read: only a tied operand shares bytes with the result."""
    if not isinstance(op, DpasOp | MessageOp | SpillOp) or not op.results:
        return
    tied = op.tied if isinstance(op, InstructionOp) else None
    written = set(_places(op.results[0]))
    for operand in op.operands:
        same = tied is not None and (operand is tied or _places(operand) == _places(tied))
        assert same or not written & set(_places(operand)), f"{op} overwrites an operand"
