"""The server of the warm commands: `python -m tests.warm.server LISTENER`, with the number of a listening socket."""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import os
import select
import signal
import socket
import sys
from typing import NoReturn

from passes import registry
from tests.warm import COMMANDS
from xegpu.dialects import dialects


def serve(listener: socket.socket) -> None:
    """Forks a process for each client. Returns when standard input has closed, and never in the forks."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # reaps those processes
    events = select.poll()  # its descriptors may have any number
    for stream in (listener, sys.stdin):
        events.register(stream, select.POLLIN)
    while True:
        ready = dict(events.poll())
        if sys.stdin.fileno() in ready:
            return
        client, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            _attend(client)
        client.close()


def _attend(client: socket.socket) -> NoReturn:
    """Runs the command that a client asks for, and tells it the status. Ends the command if the client goes away."""
    _, streams, _, _ = socket.recv_fds(client, 1, 3)
    request = b"".join(iter(lambda: client.recv(1 << 16), b""))
    command = os.fork()
    if command == 0:
        client.close()
        _become(request.split(b"\0"), streams)
    for stream in streams:
        os.close(stream)
    events = select.poll()
    events.register(client, 0)  # a hang-up is always told
    ended = os.pidfd_open(command)
    events.register(ended, select.POLLIN)
    if ended not in dict(events.poll()):
        os.kill(command, signal.SIGKILL)
    _, status = os.waitpid(command, 0)
    with contextlib.suppress(BrokenPipeError):
        client.sendall(bytes([os.waitstatus_to_exitcode(status) & 0xFF]))
    os._exit(0)


def _become(request: list[bytes], streams: list[int]) -> NoReturn:
    """Becomes the command: the streams, the working folder, the arguments and the environment are the client's."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    # Python's own streams are of the kind that the server's are: of files, pipes or terminals.
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout = os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, closefd=False)
    folder, count, *words = (os.fsdecode(word) for word in request)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(variable.split("=", 1) for variable in words[int(count) :])
    sys.argv = words[: int(count)]
    main = importlib.import_module(COMMANDS[os.path.basename(sys.argv[0])]).main
    try:
        status = main()
    except SystemExit as end:
        status = end.code
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status or 0)  # at once: taking all that was imported apart takes longer than most commands


def _import_all() -> None:
    """Imports the commands and what they import late, which the forks share then."""
    for module in [*COMMANDS.values(), "tools.opt.driver", "tools.run.driver", "tools.mux.driver"]:
        importlib.import_module(module)
    for load in [*dialects().values(), *registry().values()]:
        load()


def _compile_once() -> None:
    """Compiles a kernel: what is made when it is first needed, such as patterns and data classes, is made for all.

    Where it does not compile, the server starts all the same: the tests tell, and clients would wait for it for ever.
    """
    sys.argv = ["xegpu-opt", "examples/softmax.mlir", "--target", "pvc", "-t", "xe-asm", "-o", os.devnull]
    importlib.import_module(COMMANDS["xegpu-opt"]).main()


if __name__ == "__main__":
    number = int(sys.argv[1])
    _import_all()
    _compile_once()
    gc.freeze()
    with socket.socket(fileno=number) as listening:
        serve(listening)
