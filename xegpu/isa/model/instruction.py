"""One instruction, decoded: its row of the table, its operands, its predicate and its condition."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum

from xegpu.isa.model.flow import NextInstruction
from xegpu.isa.model.image_messages import ImageMessage
from xegpu.isa.model.messages import FenceFields, Message
from xegpu.isa.model.operands import Destination, Flag, Immediate, Register, SourceRegister
from xegpu.isa.model.table import Condition, OpSpec
from xegpu.on_demand import dataclass

EXECUTION_SIZES = (1, 2, 4, 8, 16, 32)
MAX_CHANNELS = EXECUTION_SIZES[-1]


class IllegalInstruction(ValueError):
    """An instruction breaks a rule of the ISA; the text names the rule and the values."""


class Combination(Enum):
    """The function of a predicate on the flag bits of all channels of an instruction: (name, code)."""

    NONE = ("", 1)
    ANY = ("any", 2)
    ALL = ("all", 3)

    def __init__(self, text: str, code: int):
        self.text = text
        self.code = code


@dataclass(frozen=True, slots=True)
class Predicate:
    """Flag bits by which channels execute an instruction or choose a source; `inverted` is written `~`.

    A `combination` gives all channels the same truth value, which is inverted last.
    """

    flag: Flag
    inverted: bool = False
    combination: Combination = Combination.NONE


@dataclass(frozen=True, slots=True)
class ConditionModifier:
    """A condition whose outcome is written to a flag; `flag` is absent on instructions that choose by the condition."""

    condition: Condition
    flag: Flag | None


@dataclass(frozen=True, slots=True)
class Instruction:
    """An instruction of the virtual Xe ISA.

    `exec_size` channels starting at `channel_offset` take part; `no_mask` ignores the execution mask. Of a message
    `address` and `data` are the first payload registers and `returned` the first register that it writes (its data
    operands follow each other in whole blocks); of an image message `address` holds the coordinates, `surface` and
    `sampler` the addresses of its states. `returned` of a call, and `address` of a return, hold the return address.
    `repeat` is the number of rows of a dpas, whose sources are C (or null), B and A. `target` is the distance in bytes
    from a branch to its target, `join` that to the instruction that control goes to when no channel is left. `table` is
    the truth table of a boolean function, `carry` the register that gets a carry or borrow, as contiguous `ud`. Which
    fields an instruction has follows from `spec.format` and `spec.extra`.
    """

    spec: OpSpec
    exec_size: int = 1
    channel_offset: int = 0
    no_mask: bool = False
    predicate: Predicate | None = None
    condition: ConditionModifier | None = None
    saturate: bool = False
    destination: Destination | None = None
    sources: tuple[SourceRegister | Immediate, ...] = ()
    message: Message | None = None
    returned: Register | None = None
    address: Register | None = None
    data: Register | None = None
    repeat: int = 0
    target: int = 0
    table: int = 0
    carry: Register | None = None
    fence: FenceFields | None = None
    join: int = 0
    image: ImageMessage | None = None
    surface: Register | None = None
    sampler: Register | None = None

    @property
    def mnemonic(self) -> str:
        return self.spec.mnemonic

    @property
    def words(self) -> int:
        """Number of 128-bit words of the encoding: a 64-bit immediate takes a second one."""
        for source in self.sources:
            if isinstance(source, Immediate) and source.type.bits == 64:
                return 2
        return 1

    @property
    def distances(self) -> tuple[int, ...]:
        """The distances in bytes to the instructions that this one names, in the order in which they are written."""
        return tuple(getattr(self, field) for field in self.spec.flow.distances)

    def with_distance(self, field: str, distance: int) -> Instruction:
        """Returns the instruction with one of its distances set."""
        return replace(self, join=distance) if field == "join" else replace(self, target=distance)

    @property
    def runs_on(self) -> bool:
        """Returns whether control may get to the instruction behind it: next, or by a return to it."""
        flow = self.spec.flow
        if flow.following is NextInstruction.UNTAKEN:
            return self.predicate is not None or flow.calls
        return flow.following is NextInstruction.ALWAYS

    @property
    def ends_thread(self) -> bool:
        return self.spec.flow.ends_thread
