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

    A `join` is two nodes: where channels that jumped to it go on, and where it may find none and jump itself.
    """

    index: int
    next: int | None
    jumps: tuple[int, ...]


def flow_graph(instructions: Sequence[NativeInstruction], offsets: Sequence[int]) -> tuple[FlowNode, ...]:
    """Returns the nodes of code: first one for each instruction, then one for each that channels have jumped to.

    A `goto` with one target jumps if all its channels do, which then are there. Returns go behind every call.
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
        if instruction.opcode.mnemonic == "goto" and len(found) == 1:
            targets = tuple(target + count for target in targets)
        if instruction.opcode.mnemonic == "ret":
            targets = returns
        goes_on = _goes_on(instruction) and index + 1 < count
        nodes.append(FlowNode(index, index + 1 if goes_on else None, targets))
    arrived = [
        FlowNode(node.index, node.next, () if instructions[node.index].opcode.mnemonic == "join" else node.jumps)
        for node in nodes
    ]
    return (*nodes, *arrived)


def _goes_on(instruction: NativeInstruction) -> bool:
    if instruction.opcode.mnemonic in ("jmpi", "ret"):
        return bool(instruction["predicate"])
    ends = instruction.opcode.form is NativeForm.ILLEGAL or bool(instruction["eot"])
    return not ends and instruction.opcode.mnemonic != "call"
