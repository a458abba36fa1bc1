"""The session of one debugger: answers its requests."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping

import numpy as np

from runtime.debuggee.card import DebuggedCard
from runtime.debuggee.code import NotCode
from runtime.debuggee.launch import DebuggedLaunch
from runtime.debuggee.places import ALL_THREADS
from runtime.debuggee.program import DebuggedProgram
from runtime.debuggee.protocol import (
    CHUNK_BYTES,
    PACKET_BYTES,
    PROTOCOL_VERSION,
    Answer,
    AnswerStatus,
    BadPacket,
    DebugSpace,
    Notice,
    Request,
    RequestKind,
)
from runtime.debuggee.threads import Invalid, Refused
from runtime.simulator.interpreter.alu import Bytes

_HIGHEST_ADDRESS = 1 << 47


class DebugSession:
    """A session with the debugger at the other end of a connection, from its first packet to its last.

    It ends with the connection, with `DETACH`, or with a packet that is no request.
    """

    def __init__(self, program: DebuggedProgram, connection: socket.socket) -> None:
        self._program = program
        self._connection = connection
        self._card: DebuggedCard | None = None

    def send(self, notice: Notice) -> None:
        """Sends a notice. A debugger that does not take it in time has gone."""
        self._put(notice.pack())

    def run(self) -> None:
        """Answers requests until the session ends, and detaches the debugger."""
        try:
            while self._answer_next():
                pass
        finally:
            if self._card is not None:
                self._card.detach(self)
            self._connection.close()

    def _answer_next(self) -> bool:
        try:
            packet = self._connection.recv(PACKET_BYTES + 1)
            request = Request.unpack(packet)
        except (BadPacket, OSError):
            return False
        return self._answer(request) and request.kind is not RequestKind.DETACH

    def _put(self, packet: bytes) -> bool:
        try:
            self._connection.send(packet)
        except OSError:  # it has gone, or reads nothing: the end of the connection ends the session
            self._shut()
            return False
        return True

    def _shut(self) -> None:
        try:
            self._connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            return

    def _answer(self, request: Request) -> bool:
        """Answers a request. Returns whether the debugger is still there."""
        try:
            if self._card is None:
                return self._put(self._attach(request).pack())
            with self._card.lock:
                data = _REQUESTS[request.kind](self, self._card, request)
                # Before the program goes on: it may end, and the connection with it.
                is_there = self._put(Answer(data=data).pack())
            self._card.changed()
            return is_there
        except Refused as error:
            return self._put(_refusal(AnswerStatus.UNAVAILABLE, error).pack())
        except Invalid as error:
            return self._put(_refusal(AnswerStatus.INVALID, error).pack())

    def _attach(self, request: Request) -> Answer:
        if request.kind is not RequestKind.ATTACH:
            raise Refused("the debugger is not attached")
        if request.count != PROTOCOL_VERSION:
            raise Invalid(f"the debugger speaks version {request.count}, the program {PROTOCOL_VERSION}")
        name = request.data.decode("ascii", "replace")
        card = self._program.card(name)
        if card is None:
            known = ", ".join(sorted(card.name for card in self._program.cards())) or "none yet"
            raise Refused(f"the program does not use card '{name}'; it uses: {known}")
        if not card.attach(self):
            return Answer(AnswerStatus.ATTACHED_ALREADY, b"another debugger is attached")
        self._card = card
        return Answer()

    # Requests, with the lock of the card

    def _again(self, card: DebuggedCard, request: Request) -> bytes:
        raise Refused("the debugger is attached")

    def _detach(self, card: DebuggedCard, request: Request) -> bytes:
        card.detach(self)
        return b""

    def _interrupt(self, card: DebuggedCard, request: Request) -> bytes:
        launch, place = card.launch, request.thread
        if launch is not None and (launch.is_all_stopped if place == ALL_THREADS else launch.is_stopped(place)):
            raise Refused("what is to be stopped is stopped")
        card.interrupts.append(place)
        if launch is None:
            card.refuse_interrupts()
        elif launch.is_held:
            launch.interrupt()
        return b""

    def _resume(self, card: DebuggedCard, request: Request) -> bytes:
        _launch(card).resume(request.thread)
        return b""

    def _read_memory(self, card: DebuggedCard, request: Request) -> bytes:
        size = request.count
        if size > CHUNK_BYTES:
            raise Invalid(f"{size} bytes at a time, at most {CHUNK_BYTES}")
        local = self._local(card, request, size)
        if local is not None:
            return local.tobytes()
        for module in card.modules:
            data = module.read(request.first, size)
            if data is not None:
                return data
        self._require_memory(card, request.first, size, writes=False)
        with open("/proc/self/mem", "rb") as memory:  # which fails where there is no page, unlike a pointer
            try:
                return os.pread(memory.fileno(), size, request.first)
            except OSError as error:
                raise Refused(f"{size} bytes at {request.first:#x}: {error.strerror}") from None

    def _write_memory(self, card: DebuggedCard, request: Request) -> bytes:
        data, address = request.data, request.first
        local = self._local(card, request, len(data))
        if local is not None:
            local[:] = np.frombuffer(data, np.uint8)
            return b""
        try:
            if any(module.write(address, data) for module in card.modules):
                return b""
        except NotCode as error:
            raise Refused(str(error)) from None
        self._require_memory(card, address, len(data), writes=True)
        with open("/proc/self/mem", "r+b", buffering=0) as memory:
            try:
                os.pwrite(memory.fileno(), data, address)
            except OSError as error:
                raise Refused(f"{len(data)} bytes at {address:#x}: {error.strerror}") from None
        return b""

    def _local(self, card: DebuggedCard, request: Request, size: int) -> Bytes | None:
        """Returns the bytes of a memory that belongs to a thread or its work-group; None for global memory."""
        if request.selector not in set(DebugSpace):
            raise Invalid(f"memory space {request.selector}")
        is_slm = request.selector == DebugSpace.SLM
        if request.thread == ALL_THREADS:
            if is_slm:
                raise Refused("shared local memory is that of a thread")
            return None
        state = _launch(card).state(request.thread)
        if not is_slm:
            return state.scratch_at(request.first, size)
        if request.first + size > len(state.slm):
            raise Invalid(f"byte {request.first + size - 1:#x} of shared local memory, which has {len(state.slm)}")
        return state.slm[request.first : request.first + size]

    def _require_memory(self, card: DebuggedCard, address: int, size: int, *, writes: bool) -> None:
        for memory in card.memories:
            found = memory.find(address)
            if found is not None and address + size <= found.end and address + size <= _HIGHEST_ADDRESS:
                if writes and not found.writable:
                    raise Refused(f"{found} is read-only")
                return
        raise Invalid(f"there is no memory of {size} bytes at {address:#x}")

    def _read_registers(self, card: DebuggedCard, request: Request) -> bytes:
        state = _launch(card).state(request.thread)
        return _bounded(state.read(request.selector, request.first, request.count))

    def _write_registers(self, card: DebuggedCard, request: Request) -> bytes:
        state = _launch(card).state(request.thread)
        state.write(request.selector, request.first, request.count, request.data)
        return b""

    def _register_sets(self, card: DebuggedCard, request: Request) -> bytes:
        return b"".join(shape.pack() for shape in _launch(card).state(request.thread).shapes)

    def _acknowledge(self, card: DebuggedCard, request: Request) -> bytes:
        if not card.acknowledge(request.first):
            raise Invalid("nothing waits for this acknowledgement")
        return b""


def _launch(card: DebuggedCard) -> DebuggedLaunch:
    if card.launch is None:
        raise Refused("no kernel is running")
    return card.launch


def _bounded(data: bytes) -> bytes:
    if len(data) > CHUNK_BYTES:
        raise Invalid(f"{len(data)} bytes at a time, at most {CHUNK_BYTES}")
    return data


def _refusal(status: AnswerStatus, error: Exception) -> Answer:
    return Answer(status, str(error).encode())


_REQUESTS: Mapping[RequestKind, Callable[[DebugSession, DebuggedCard, Request], bytes]] = {
    RequestKind.ATTACH: DebugSession._again,
    RequestKind.DETACH: DebugSession._detach,
    RequestKind.INTERRUPT: DebugSession._interrupt,
    RequestKind.RESUME: DebugSession._resume,
    RequestKind.READ_MEMORY: DebugSession._read_memory,
    RequestKind.WRITE_MEMORY: DebugSession._write_memory,
    RequestKind.READ_REGISTERS: DebugSession._read_registers,
    RequestKind.WRITE_REGISTERS: DebugSession._write_registers,
    RequestKind.REGISTER_SETS: DebugSession._register_sets,
    RequestKind.ACKNOWLEDGE: DebugSession._acknowledge,
}
