"""Stores that bypass the host's caches: those of messages whose cache control says that nobody reads the data soon.

The host then need not read lines of memory that are overwritten as a whole. Such stores are ordered by fences only; the
CPU that has executed them sees them in program order.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.llvm import IRFunction, Value, count_of, element_of, integer
from xegpu.isa import Instruction
from xegpu.isa.model import MemoryAccessKind, Message

LINE = 64
"""Bytes of a line of the host's caches."""


def streams(instruction: Instruction) -> bool:
    """Returns whether an instruction stores data that caches should not keep."""
    message = instruction.message
    return message is not None and instruction.spec.access is MemoryAccessKind.STORE and message.cache.is_streaming


def store_rows(
    code: IRFunction, message: Message, rows: Sequence[tuple[Value, Value]], alignment: int, pitch: Value | None = None
) -> None:
    """Stores vectors at pointers that are `pitch` bytes apart (None: one vector follows the other).

    They bypass the caches if the message says so and they are whole lines, which only their addresses tell.
    """
    sizes = {count_of(values.type) * int(element_of(values.type)[1:]) // 8 for values, _ in rows}
    if not message.cache.is_streaming or any(size % LINE for size in sizes):
        _store(code, rows, alignment, "")
        return
    low_bits = code.cast("ptrtoint", rows[0][1], "i64")
    if pitch is not None:
        low_bits = code.binary("or", low_bits, pitch)
    are_lines = code.compare("icmp eq", code.binary("and", low_bits, integer(LINE - 1)), integer(0))
    with code.if_(are_lines) as choice:
        _store(code, rows, LINE, ", !nontemporal !1")
    with choice.else_():
        _store(code, rows, alignment, "")


def _store(code: IRFunction, rows: Sequence[tuple[Value, Value]], alignment: int, suffix: str) -> None:
    for values, pointer in rows:
        code.line(f"store {values}, {pointer}, align {alignment}{suffix}")
