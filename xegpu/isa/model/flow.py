"""Control flow of instructions: facts of the rows of the instruction table.

Everything that follows control (basic blocks, spinning loops, the cost model, both engines, the debugger) reads these
facts, so that an instruction that behaves like a known one needs nothing but its row.
"""

from __future__ import annotations

from enum import Enum

from xegpu.on_demand import dataclass


class NextInstruction(Enum):
    """The condition under which control goes from an instruction to the one that follows it in the program."""

    ALWAYS = "always"
    """It may do so at every execution."""
    UNTAKEN = "untaken"
    """Only if a predicate keeps the instruction from being executed."""
    NEVER = "never"


@dataclass(frozen=True)
class ControlFlow:
    """The instructions that control may go to from an instruction.

    `distances` names the fields of the instruction that hold distances in bytes to other instructions, in the order in
    which they are written: `join`, where control goes when no channel is left, and `target`, where it goes otherwise.
    """

    distances: tuple[str, ...] = ()
    following: NextInstruction = NextInstruction.ALWAYS
    calls: bool = False
    """Control comes back to the next instruction by a return."""
    returns: bool = False
    """Control goes to the instruction after a call, whose offset is in a register."""
    ends_thread: bool = False

    @property
    def jumps(self) -> bool:
        """Returns whether the instruction names the one that it goes to."""
        return "target" in self.distances

    @property
    def parks(self) -> bool:
        """Returns whether channels may wait at a join while others go on."""
        return "join" in self.distances

    @property
    def is_join(self) -> bool:
        """Returns whether channels wait at this instruction and are switched on again by it."""
        return self.distances == ("join",)

    @property
    def repeats(self) -> bool:
        """Returns whether the instruction repeats a loop with some channels while the others wait at its join."""
        return self.parks and self.following is NextInstruction.NEVER

    @property
    def by_register(self) -> bool:
        """Returns whether the offset of the instruction that control goes to is in a register."""
        return (self.calls or self.returns) and not self.jumps

    @property
    def diverges(self) -> bool:
        """Returns whether the instruction may change the execution mask of its thread."""
        return self.parks or self.calls or self.returns

    @property
    def leaves(self) -> bool:
        """Returns whether control may go elsewhere than to the next instruction."""
        return self.jumps or self.diverges or self.following is NextInstruction.NEVER


SEQUENTIAL = ControlFlow()
JUMP = ControlFlow(("target",), NextInstruction.UNTAKEN)
GOTO = ControlFlow(("join", "target"))
REPEAT = ControlFlow(("join", "target"), NextInstruction.NEVER)
"""The jump back of a divergent loop; channels that leave the loop wait at its join."""
JOIN = ControlFlow(("join",))
CALL = ControlFlow(("target",), NextInstruction.UNTAKEN, calls=True)
INDIRECT_CALL = ControlFlow((), NextInstruction.UNTAKEN, calls=True)
RETURN = ControlFlow((), NextInstruction.UNTAKEN, returns=True)
END = ControlFlow((), NextInstruction.NEVER, ends_thread=True)
FAULT = ControlFlow((), NextInstruction.NEVER)
