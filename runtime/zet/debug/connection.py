"""The connection of a debugger with a program: requests with their answers, and events."""

from __future__ import annotations

import math
import os
import socket
from queue import Empty, SimpleQueue

from runtime.card import NoRuntimeDirectory, runtime_directory
from runtime.concurrency import LockRank, ranked_lock, start_thread
from runtime.debuggee import (
    PACKET_BYTES,
    PROTOCOL_VERSION,
    Answer,
    AnswerStatus,
    BadPacket,
    Notice,
    Request,
    RequestKind,
    received,
    socket_name,
)
from runtime.ze.spec import ZeError, ze_result_t

_RESULTS = {
    AnswerStatus.UNAVAILABLE: ze_result_t.ZE_RESULT_ERROR_NOT_AVAILABLE,
    AnswerStatus.INVALID: ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
    AnswerStatus.ATTACHED_ALREADY: ze_result_t.ZE_RESULT_ERROR_NOT_AVAILABLE,
}

_PATIENCE_SECONDS = 30.0
"""The time in which a program answers; one that is stopped does not."""

_GONE = Answer(AnswerStatus.UNAVAILABLE, b"the program has ended, or has closed the session")


class ProgramConnection:
    """A connection with the program that process `process` is. A thread takes what arrives.

    Raises:
        ZeError: `INVALID_ARGUMENT` if there is no such process, `INSUFFICIENT_PERMISSIONS` if it is another user's,
            `UNSUPPORTED_FEATURE` if it cannot be debugged.
    """

    def __init__(self, process: int) -> None:
        self._socket = _connected(process)
        self._serial = ranked_lock(LockRank.DEBUGGER)
        self._answers: SimpleQueue[Answer] = SimpleQueue()
        self._notices: SimpleQueue[Notice | None] = SimpleQueue()
        self.is_open = True
        start_thread(self._receive)

    def ask(self, request: Request) -> bytes:
        """Returns the bytes of the answer to a request.

        Raises:
            ZeError: The program refuses it, with the reason; `NOT_AVAILABLE` if it has ended or does not answer.
        """
        with self._serial:
            answer = self._exchange(request)
        if answer.status is AnswerStatus.DONE:
            return answer.data
        raise ZeError(_RESULTS[answer.status], answer.data.decode("utf-8", "replace"))

    def _exchange(self, request: Request) -> Answer:
        if not self.is_open:
            return _GONE
        try:
            self._socket.send(request.pack())
            return self._answers.get(timeout=_PATIENCE_SECONDS)
        except (OSError, Empty):
            self.close()
            return _GONE

    def notice(self, seconds: float) -> Notice | None:
        """Returns the next notice, None when the program has ended.

        Raises:
            TimeoutError: There is none in time.
        """
        try:
            found = self._notices.get(timeout=None if math.isinf(seconds) else seconds)
        except Empty:
            raise TimeoutError from None
        if found is None:
            self._notices.put(None)
        return found

    def close(self) -> None:
        """Ends the connection."""
        self.is_open = False
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:  # the other end has done so
            return

    def _receive(self) -> None:
        try:
            while packet := self._socket.recv(PACKET_BYTES + 1):
                message = received(packet)
                if isinstance(message, Notice):
                    self._notices.put(message)
                else:
                    self._answers.put(message)
        except (OSError, BadPacket):
            self.close()
        finally:
            self.is_open = False
            self._answers.put(_GONE)
            self._notices.put(None)
            self._socket.close()


def attached(process: int, card: str) -> ProgramConnection:
    """Returns the connection of a debugger that is attached to a card of a process. Raises `ZeError`."""
    connection = ProgramConnection(process)
    try:
        connection.ask(Request(RequestKind.ATTACH, count=PROTOCOL_VERSION, data=card.encode()))
    except ZeError:
        connection.close()
        raise
    return connection


def _connected(process: int) -> socket.socket:
    try:
        owner = os.stat(f"/proc/{process}").st_uid
    except OSError:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"there is no process {process}") from None
    if os.getuid() not in (0, owner):
        text = f"process {process} is that of user {owner}"
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS, text)
    found = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        directory = os.open(runtime_directory(), os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            found.connect(f"/proc/self/fd/{directory}/{socket_name(process)}")
        finally:
            os.close(directory)
    except (OSError, NoRuntimeDirectory) as error:
        found.close()
        if isinstance(error, PermissionError):
            text = f"process {process}: {error.strerror}"
            raise ZeError(ze_result_t.ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS, text) from None
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
            f"process {process} cannot be debugged: it must have initialized Level Zero with "
            "ZET_ENABLE_PROGRAM_DEBUGGING=1, and with the same runtime directory",
        ) from None
    return found
