"""The messages between a debugger and a program: packets on a socket of this machine.

A packet is a header of fixed size and some bytes. Whatever else arrives ends the session. The debugger sends requests,
each of which is answered; the program sends notices when something happens.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from struct import Struct

from runtime.debuggee.places import ALL_THREADS, ThreadPlace

PROTOCOL_VERSION = 1

CHUNK_BYTES = 48 << 10
"""The most bytes of memory or registers in one packet."""

_REQUEST = Struct("<HH4IQQ")
_ANSWER = Struct("<HH")
_NOTICE = Struct("<HH4IQQQ")
_NOTICES = 0x100
"""The number from which on a packet's first number is that of a notice."""

PACKET_BYTES = CHUNK_BYTES + _NOTICE.size
"""The size of the largest packet."""


def socket_name(process: int) -> str:
    """Returns the name of a program's socket in the runtime directory."""
    return f"debug-{process}"


class BadPacket(ValueError):
    """A packet that is no message."""


class RequestKind(IntEnum):
    """The requests of a debugger."""

    ATTACH = 1
    """`count` is the version of the protocol, and the bytes are the name of a card."""
    DETACH = 2
    INTERRUPT = 3
    RESUME = 4
    READ_MEMORY = 5
    WRITE_MEMORY = 6
    READ_REGISTERS = 7
    WRITE_REGISTERS = 8
    REGISTER_SETS = 9
    """Asks for the shapes of the register sets of a thread."""
    ACKNOWLEDGE = 10
    """Acknowledges the load of the module whose image begins at `first`."""


class DebugSpace(IntEnum):
    """The memory spaces of a thread."""

    DEFAULT = 0
    SLM = 1


@dataclass(frozen=True)
class Request:
    """A request: for a memory space or register set `selector` of a thread, `count` bytes or registers from `first`."""

    kind: RequestKind
    thread: ThreadPlace = ALL_THREADS
    selector: int = 0
    first: int = 0
    count: int = 0
    data: bytes = b""

    def pack(self) -> bytes:
        """Returns the packet."""
        return _REQUEST.pack(self.kind, self.selector, *self.thread, self.first, self.count) + self.data

    @staticmethod
    def unpack(packet: bytes) -> Request:
        """Returns the request in a packet. Raises `BadPacket`."""
        if not _REQUEST.size <= len(packet) <= PACKET_BYTES:
            raise BadPacket(f"{len(packet)} bytes")
        number, selector, *place, first, count = _REQUEST.unpack_from(packet)
        if number not in _REQUESTS:
            raise BadPacket(f"request {number}")
        return Request(RequestKind(number), ThreadPlace(*place), selector, first, count, packet[_REQUEST.size :])


_REQUESTS = frozenset(RequestKind)


class AnswerStatus(IntEnum):
    """The outcomes of a request."""

    DONE = 0
    UNAVAILABLE = 1
    """The thread runs, or does not exist, or cannot access the requested data."""
    INVALID = 2
    ATTACHED_ALREADY = 3
    FORBIDDEN = 4


@dataclass(frozen=True)
class Answer:
    """The answer to a request. The bytes are the data read, or the reason in words."""

    status: AnswerStatus = AnswerStatus.DONE
    data: bytes = b""

    def pack(self) -> bytes:
        """Returns the packet."""
        return _ANSWER.pack(0, self.status) + self.data


class NoticeKind(IntEnum):
    """The notices of a program."""

    PROCESS_ENTRY = _NOTICES + 2
    PROCESS_EXIT = _NOTICES + 3
    MODULE_LOAD = _NOTICES + 4
    """`first` and `second` are where the module's image begins and ends, `third` is where its code is."""
    MODULE_UNLOAD = _NOTICES + 5
    THREAD_STOPPED = _NOTICES + 6
    THREAD_UNAVAILABLE = _NOTICES + 7
    PAGE_FAULT = _NOTICES + 8
    """`first` is the address, `second` the mask of its alignment, `third` the reason: not mapped (1), forbidden (2)."""


_NOTICE_KINDS = frozenset(NoticeKind)


@dataclass(frozen=True)
class Notice:
    """Something that has happened to the program; `needs_answer` if it waits for an acknowledgement."""

    kind: NoticeKind
    thread: ThreadPlace = ALL_THREADS
    first: int = 0
    second: int = 0
    third: int = 0
    needs_answer: bool = False

    def pack(self) -> bytes:
        """Returns the packet."""
        return _NOTICE.pack(self.kind, self.needs_answer, *self.thread, self.first, self.second, self.third)


def received(packet: bytes) -> Answer | Notice:
    """Returns the message in a packet for a debugger. Raises `BadPacket`."""
    if len(packet) < _ANSWER.size:
        raise BadPacket(f"{len(packet)} bytes")
    kind, second = _ANSWER.unpack_from(packet)
    if not kind and second in set(AnswerStatus):
        return Answer(AnswerStatus(second), packet[_ANSWER.size :])
    if kind not in _NOTICE_KINDS or len(packet) != _NOTICE.size:
        raise BadPacket(f"message {kind} of {len(packet)} bytes")
    _, needs_answer, *place, first, second, third = _NOTICE.unpack(packet)
    return Notice(NoticeKind(kind), ThreadPlace(*place), first, second, third, bool(needs_answer))
