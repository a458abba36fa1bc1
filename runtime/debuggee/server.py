"""The socket of a debugged program."""

from __future__ import annotations

import atexit
import math
import os
import socket
import struct
import time
from functools import partial

from runtime.card import NoRuntimeDirectory, runtime_directory
from runtime.concurrency import PROCESS, LockRank, ranked_lock, start_thread
from runtime.debuggee import WAIT_VARIABLE
from runtime.debuggee.program import DebuggedProgram
from runtime.debuggee.protocol import socket_name
from runtime.debuggee.session import DebugSession

_MOST_CONNECTIONS = 8

_SEND_SECONDS = 5
"""The time after which a debugger that reads nothing has gone."""

_OTHERS_SECONDS = 0.05
"""The time in which a debugger that has attached to a card attaches to the others, if it wants them."""

_CREDENTIALS = struct.Struct("3i")


class DebugServer:
    """Listens at the socket of this process, for debuggers of the same user."""

    def __init__(self, program: DebuggedProgram) -> None:
        directory = os.open(runtime_directory(), os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            # A path of any length fits into an address by way of the directory's descriptor.
            short = f"/proc/self/fd/{directory}"
            self._file = f"{os.readlink(short)}/{socket_name(os.getpid())}"
            self._hidden = f"{self._file}.new"
            if os.path.lexists(self._hidden):  # of a process that had this number
                os.unlink(self._hidden)
            self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            self._listener.bind(f"{short}/{socket_name(os.getpid())}.new")
            os.chmod(self._hidden, 0o600)
            self._listener.listen(_MOST_CONNECTIONS)
        finally:
            os.close(directory)
        self._program = program
        self._connections: set[socket.socket] = set()
        start_thread(self._accept)

    def publish(self) -> None:
        """Gives the socket its name, once the cards are known."""
        if os.path.lexists(self._hidden):
            os.rename(self._hidden, self._file)

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:  # closed
                return
            if len(self._connections) >= _MOST_CONNECTIONS or not _is_permitted(connection):
                connection.close()
                continue
            self._connections.add(connection)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", _SEND_SECONDS, 0))
            start_thread(partial(self._serve, connection))

    def _serve(self, connection: socket.socket) -> None:
        try:
            DebugSession(self._program, connection).run()
        finally:
            self._connections.discard(connection)

    def close(self) -> None:
        """Removes the socket and ends all sessions, so that nothing waits for a debugger."""
        for name in (self._file, self._hidden):
            if os.path.lexists(name):
                os.unlink(name)
        for card in self._program.cards():
            with card.lock:  # an answer that is on its way arrives
                continue
        self.abandon()
        for card in self._program.cards():
            if card.debugger is not None:
                card.detach(card.debugger)

    def abandon(self) -> None:
        """Closes the connections."""
        for listener in (self._listener, *self._connections):
            try:
                listener.shutdown(socket.SHUT_RDWR)
            except OSError:  # it was not connected
                continue

    def drop(self) -> None:
        """Closes this process's copies of the connections, which belong to its parent."""
        self._listener.close()
        for connection in self._connections:
            connection.close()


def _is_permitted(connection: socket.socket) -> bool:
    """Returns whether a process of the same user, or of the administrator, is at the other end."""
    data = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    _, user, _ = _CREDENTIALS.unpack(data)
    return user in (0, os.getuid())


_served: dict[int, tuple[DebuggedProgram, DebugServer]] = {}
"""The program that is served, by the number of forks that led to the process."""

_making = ranked_lock(LockRank.DEBUGGEE)


def served_program() -> DebuggedProgram:
    """Returns this process as a program that debuggers can attach to.

    Raises:
        ValueError: There is no directory for its socket, or the environment says nonsense.
    """
    with _making:
        if PROCESS.forks not in _served:
            _waiting_seconds()
            program = DebuggedProgram()
            try:
                _served[PROCESS.forks] = program, DebugServer(program)
            except (NoRuntimeDirectory, OSError) as error:
                raise ValueError(f"there is no socket for debuggers: {error}") from error
        return _served[PROCESS.forks][0]


def wait_for_debugger(program: DebuggedProgram) -> None:
    """Lets debuggers come, and waits for one as long as the environment says; once in the life of a process."""
    _served[PROCESS.forks][1].publish()
    seconds = _waiting_seconds()
    os.environ.pop(WAIT_VARIABLE, None)
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and not any(card.was_debugged for card in program.cards()):
        time.sleep(0.005)
    deadline = min(deadline, time.monotonic() + _OTHERS_SECONDS)
    while time.monotonic() < deadline and not all(card.was_debugged for card in program.cards()):
        time.sleep(0.005)


def _waiting_seconds() -> float:
    text = os.environ.get(WAIT_VARIABLE, "") or "0"
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= 1e6:
        raise ValueError(f"{WAIT_VARIABLE}={text} in the environment is no number of seconds")
    return seconds


@atexit.register
def _close() -> None:
    for forks, (_, server) in _served.items():
        if forks == PROCESS.forks:
            server.close()


def _forked() -> None:
    for _, server in _served.values():
        server.drop()
    _served.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
