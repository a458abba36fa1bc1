"""The paths through native code that the proof of its scoreboard follows."""

from __future__ import annotations

from collections.abc import Sequence

from xegpu.isa.native.encoding.instruction import NativeInstruction
from xegpu.isa.native.layouts.forms import NativeForm
from xegpu.isa.native.scoreboard.footprint import jump_distances
from xegpu.on_demand import dataclass


@dataclass(frozen=True)
class FlowNode:
    """An instruction, and the nodes that follow: by going on, and by jumping there.

    A `join` is two nodes: where channels that jumped to it go on, and where it may find none and jump itself. Channels
    that a `goto` sends behind the next join wait there; the thread goes to that join for the `others`.
    """

    index: int
    next: int | None
    jumps: tuple[int, ...]
    others: tuple[int, ...] = ()


def flow_graph(instructions: Sequence[NativeInstruction], offsets: Sequence[int]) -> tuple[FlowNode, ...]:
    """Returns the nodes of code: first one for each instruction, then one for each that channels have jumped to.

    Returns go behind every call.
    """
    count = len(instructions)
    index_of = {offset: index for index, offset in enumerate(offsets)}
    returns = tuple(
        index + 1 for index, instruction in enumerate(instructions[:-1]) if instruction.opcode.mnemonic == "call"
    )
    nodes = []
    for index, (offset, instruction) in enumerate(zip(offsets, instructions, strict=True)):
        found = dict.fromkeys(index_of.get(offset + distance) for distance in jump_distances(instruction))
        targets = tuple(target for target in found if target is not None)
        others: tuple[int, ...] = ()
        following = index + 1 if _goes_on(instruction) and index + 1 < count else None
        if instruction.opcode.mnemonic == "goto" and targets:
            *others_here, there = targets
            if instruction["back"]:
                targets, following = (there,), None if following is None else following + count
            else:
                targets, others = (there + count,), tuple(others_here)
        elif instruction.opcode.mnemonic == "ret":
            targets = returns
        nodes.append(FlowNode(index, following, targets, others))
    arrived = [
        FlowNode(node.index, node.next, node.jumps if instruction.opcode.mnemonic != "join" else (), node.others)
        for node, instruction in zip(nodes, instructions, strict=True)
    ]
    return (*nodes, *arrived)


def _goes_on(instruction: NativeInstruction) -> bool:
    if instruction.opcode.mnemonic in ("jmpi", "ret", "goto") and not instruction["back"]:
        return bool(instruction["predicate"])
    ends = instruction.opcode.form is NativeForm.ILLEGAL or bool(instruction["eot"])
    return not ends and instruction.opcode.mnemonic != "call"
