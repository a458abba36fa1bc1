"""The start of the language server."""

from __future__ import annotations

import logging
from importlib.util import find_spec

from tools.cli import CommandError, ExitStatus
from tools.lsp.command import LspOptions
from tools.lsp.grammars import write_grammars

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
    if find_spec("pygls") is None:
        raise CommandError("needs pygls: pip install 'xegpu-toolkit[lsp]'")
    from tools.lsp.server import serve  # imported late: it needs pygls

    logs = logging.StreamHandler()
    logs.setFormatter(_OneLine())
    logging.basicConfig(level=logging.WARNING, handlers=[logs])
    serve(options)
    return ExitStatus.SUCCESS


class _OneLine(logging.Formatter):
    """Formats pygls's reports of broken messages: a line, without the traceback."""

    def format(self, record: logging.LogRecord) -> str:
        lines = record.getMessage().split("\n")
        reason = record.exc_info[1] if record.exc_info else None
        said = lines[0] if reason is None else f"{lines[0]}: {type(reason).__name__}: {reason}"
        return f"xegpu-lsp: {record.levelname.lower()}: {' '.join(said.split())[:_LONGEST]}"
