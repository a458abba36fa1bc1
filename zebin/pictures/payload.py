"""The payload of a kernel: the data in its registers when it starts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xegpu.on_demand import dataclass
from zebin.binary.model import ZebinKernel
from zebin.rules.arguments import PAYLOAD_LIMIT
from zebin.ze_info.schema import PayloadArgument
from zebin.ze_info.vocabulary import ArgType

_UNIT = 32
"""Bytes of which cross-thread data is a multiple."""

_PLAIN = (ArgType.ARG_BYVALUE, ArgType.ARG_BYPOINTER, ArgType.BUFFER_ADDRESS)
"""Argument types that are the argument itself instead of a property of it."""

_COVERAGE = 16
"""The number of times that slots may cover a complete payload; drawing takes time for each byte of each slot."""


@dataclass(frozen=True)
class DrawnSlot:
    """Bytes of the payload. `argument` is the name of the kernel argument to which they belong, if any."""

    offset: int
    size: int
    kind: str
    argument: str = ""

    @property
    def end(self) -> int:
        return self.offset + self.size

    @property
    def label(self) -> str:
        """The shortest description of the contents."""
        if not self.argument:
            return self.kind
        return self.argument if self.kind in _PLAIN else f"{self.argument} {self.kind.removeprefix('image_')}"


@dataclass(frozen=True)
class Payload:
    """The payload of one kernel. Slots are ordered by offset; sizes are in bytes.

    The first `inline_size` bytes of cross-thread data are part of the launch command. `misplaced` are slots that lie
    outside the largest possible payload, or that would cover the others many times.
    """

    kernel: str
    cross_thread: Sequence[DrawnSlot]
    per_thread: Sequence[DrawnSlot]
    inline_size: int = 0
    misplaced: Sequence[DrawnSlot] = ()

    @property
    def size(self) -> int:
        """The size of cross-thread data that a driver allocates."""
        end = max((slot.end for slot in self.cross_thread), default=0)
        return end + -end % _UNIT

    @property
    def per_thread_size(self) -> int:
        return max((slot.end for slot in self.per_thread), default=0)


def payload_of(kernel: ZebinKernel) -> Payload:
    """Returns the payload that `.ze_info` describes. Arguments that have no bytes are left out."""
    names = {info.index: info.name or "" for info in kernel.args_info}
    cross_thread, outside = _placed(_slot(argument, names) for argument in kernel.payload_arguments if argument.size)
    per_thread, also_outside = _placed(
        DrawnSlot(argument.offset, argument.size, argument.arg_type) for argument in kernel.per_thread_payload_arguments
    )
    inline_size = kernel.execution_env.inline_data_payload_size
    return Payload(kernel.name, cross_thread, per_thread, inline_size, outside + also_outside)


def _slot(argument: PayloadArgument, names: dict[int, str]) -> DrawnSlot:
    name = ""
    if argument.arg_index >= 0:
        name = names.get(argument.arg_index) or f"argument {argument.arg_index}"
        if argument.source_offset > 0:
            name += f"+{argument.source_offset}"
    return DrawnSlot(argument.offset, argument.size, argument.arg_type, name)


def _placed(slots: Iterable[DrawnSlot]) -> tuple[list[DrawnSlot], list[DrawnSlot]]:
    """Returns the slots that can be drawn, in order, and the others."""
    inside: list[DrawnSlot] = []
    others: list[DrawnSlot] = []
    room = _COVERAGE * PAYLOAD_LIMIT
    for slot in slots:
        if slot.offset >= 0 and 0 < slot.size <= room and slot.end <= PAYLOAD_LIMIT:
            inside.append(slot)
            room -= slot.size
        else:
            others.append(slot)
    return sorted(inside, key=lambda slot: (slot.offset, slot.end)), others
