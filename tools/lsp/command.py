"""The options of `xegpu-lsp`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from tools.cli import CommandParser, ExitStatus, seconds


class LspOptions(argparse.Namespace):
    """The parsed command line."""

    allow_unregistered_dialect: bool
    timeout: float
    grammars: str | None


def parse(argv: Sequence[str] | None) -> LspOptions:
    """Parses the command line. Exits with status 2 if it is wrong."""
    parser = CommandParser(
        "xegpu-lsp",
        "Serve an editor that shows MLIR: errors while typing, the pages of operations, definitions, references and "
        "completion. Speaks the Language Server Protocol on standard input and output; editors start it.",
        examples=(
            "xegpu-lsp",
            "xegpu-lsp --allow-unregistered-dialect",
            "xegpu-lsp --grammars=xegpu-syntax",
        ),
        statuses={ExitStatus.FAILURE: "the extra 'lsp' is not installed, or a file cannot be written"},
    )
    parser.add_argument(
        "--allow-unregistered-dialect", action="store_true", help="accept operations of dialects that are not known"
    )
    parser.add_argument(
        "--timeout",
        type=seconds,
        default=10.0,
        metavar="SECONDS",
        help="time that checking one text may take (default: 10)",
    )
    parser.add_argument(
        "--grammars",
        metavar="FOLDER",
        help="write an extension of Visual Studio Code with TextMate grammars for MLIR and Xe assembly, and exit",
    )
    return parser.parse(argv, LspOptions())
