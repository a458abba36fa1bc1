"""The start of the explorer."""

from __future__ import annotations

import secrets
import socket
import threading
import webbrowser
from pathlib import PurePath

from tools.cli import CommandError, ExitStatus, display_name, read_bytes, reason
from tools.explore.command import ExploreOptions
from tools.explore.protocol import SUFFIXES
from tools.explore.start import Example, start_document
from xegpu.on_demand import imports_on_demand, missing_library

with imports_on_demand(globals()):  # it needs Starlette and uvicorn
    import tools.explore.server as server

MAX_FILE = 1 << 20
"""The bytes of the largest kernel that the editor holds."""

_LOOPBACK = "127.0.0.1"
_TOKEN_BYTES = 18


def run(options: ExploreOptions) -> int:
    """Serves the page until it is interrupted.

    Raises:
        CommandError: If Starlette or uvicorn is missing, the file cannot be read, or the port is taken.
    """
    for package in ("starlette", "uvicorn"):
        missing = missing_library(package, "explore")
        if missing is not None:
            raise CommandError(f"needs {missing}")
    kernel = None if options.file is None else _kernel(options.file)
    with _listening(options.port) as listener:
        port: int = listener.getsockname()[1]
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        address = f"http://{_LOOPBACK}:{port}/{token}/"
        print(f"The explorer is at {address}  (Ctrl-C ends it)", flush=True)
        if not options.no_browser:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        server.serve(listener, token, start_document(kernel), options.timeout, includes=not options.no_includes)
    return ExitStatus.SUCCESS


def _listening(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((_LOOPBACK, port))
        listener.listen()  # so that who reads the address can connect at once
    except OSError as error:
        listener.close()
        raise CommandError(f"port {port} cannot be used: {reason(error)}") from None
    return listener


def _kernel(file: str) -> Example:
    name, data = display_name(file), read_bytes(file, MAX_FILE)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise CommandError(
            f"byte 0x{data[error.start]:02x} at offset {error.start} is not UTF-8: expected text", name
        ) from None
    suffix = PurePath(file).suffix
    language = next((language for language, own in SUFFIXES.items() if own == suffix), "mlir")
    return Example(PurePath(name).name, language, text.replace("\r\n", "\n"))
