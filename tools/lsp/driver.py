"""The start of the language server."""

from __future__ import annotations

import logging

from tools.cli import CommandError, ExitStatus
from tools.lsp.command import LspOptions
from tools.lsp.grammars import write_grammars
from xegpu.on_demand import imports_on_demand, missing_library

with imports_on_demand(globals()):  # it needs pygls
    import tools.lsp.server as server

_LONGEST = 300
"""The maximum length of a line on standard error, which may quote the client's messages."""


def run(options: LspOptions) -> int:
    """Serves the client on the standard streams until it ends, and returns 0.

    Raises:
        CommandError: If pygls is missing, or a grammar cannot be written.
    """
    if options.grammars is not None:
        write_grammars(options.grammars)
        return ExitStatus.SUCCESS
    missing = missing_library("pygls", "lsp")
    if missing is not None:
        raise CommandError(f"needs {missing}")
    logs = logging.StreamHandler()
    logs.setFormatter(_OneLine())
    logging.basicConfig(level=logging.WARNING, handlers=[logs])
    server.serve(options)
    return ExitStatus.SUCCESS


class _OneLine(logging.Formatter):
    """Formats pygls's reports of broken messages: a line, without the traceback."""

    def format(self, record: logging.LogRecord) -> str:
        lines = record.getMessage().split("\n")
        reason = record.exc_info[1] if record.exc_info else None
        said = lines[0] if reason is None else f"{lines[0]}: {type(reason).__name__}: {reason}"
        return f"xegpu-lsp: {record.levelname.lower()}: {' '.join(said.split())[:_LONGEST]}"
