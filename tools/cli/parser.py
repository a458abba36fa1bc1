"""The parser of command lines."""

from __future__ import annotations

import argparse
import os
import sys
import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NoReturn, TypeVar

from tools.cli.execution import ExitStatus
from tools.cli.files import STANDARD_STREAM
from xegpu import __version__, suggestion
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):  # for completion and --version
    import importlib.metadata as metadata

    import argcomplete as argcomplete

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

N = TypeVar("N", bound=argparse.Namespace)

_STATUSES: Mapping[int, str] = {
    ExitStatus.SUCCESS: "success",
    ExitStatus.FAILURE: "the input is wrong, or a file cannot be read or written",
    ExitStatus.USAGE: "wrong usage",
    ExitStatus.INTERRUPTED: "interrupted",
    ExitStatus.READER_GONE: "the reader of the output closed its pipe",
}

_WIDTH = 80

_COMPLETING = "_ARGCOMPLETE"
"""The variable that is set where a shell asks for completions."""


class CommandParser(argparse.ArgumentParser):
    """A parser whose errors are one line, whose options are spelled out, and whose help has examples and exit statuses.

    Args:
        command: The name of the command.
        description: The sentence at the top of the help.
        examples: Command lines for the end of the help.
        statuses: Meanings of exit statuses that differ from the common ones.
        notes: Text that stands in front of the examples as it is.
        components: Packages whose versions `--version` also prints.
        usage: The first line of the help, where that of argparse is too long.
    """

    def __init__(
        self,
        command: str,
        description: str,
        *,
        examples: Sequence[str],
        statuses: Mapping[int, str] | None = None,
        notes: str = "",
        components: Sequence[str] = (),
        usage: str | None = None,
    ) -> None:
        lines = ["examples:", *(f"  {example}" for example in examples), "", "exit status:"]
        lines += [f"  {status:<4} {meaning}" for status, meaning in {**_STATUSES, **(statuses or {})}.items()]
        super().__init__(
            prog=command,
            usage=usage,
            description=textwrap.fill(description, _WIDTH),
            epilog="\n".join([*([notes, ""] if notes else []), *lines]),
            formatter_class=_HelpFormatter,
            allow_abbrev=False,
        )
        self.components = components
        self.add_argument("--version", action=_Version)

    def with_two_dashes(self, words: Sequence[str]) -> list[str]:
        """Returns the command line with `--option` in place of `-option`, as LLVM's commands accept it."""
        end = words.index("--") if "--" in words else len(words)
        return [
            f"-{word}" if f"-{word}".partition("=")[0] in self._option_string_actions else word for word in words[:end]
        ] + list(words[end:])

    def parse(self, argv: Sequence[str] | None, options: N) -> N:
        """Fills `options` from the command line. Exits with status 2 if it is wrong."""
        self._complete()
        parsed, others = self.parse_known_args(argv, options)
        if others:
            self._refuse(others)
        return parsed

    def parse_files(self, argv: Sequence[str] | None, options: N) -> tuple[N, Sequence[str]]:
        """Parses a command line with at least one file, between whose files options may stand.

        All that follows `--` is a file. Exits with status 2 if the command line is wrong.

        Returns:
            The options and the files.
        """
        self._complete()
        words = sys.argv[1:] if argv is None else list(argv)
        end = words.index("--") if "--" in words else len(words)
        parsed, others = self.parse_known_args(words[:end], options)
        unknown = [word for word in others if word.startswith("-") and word != STANDARD_STREAM]
        if unknown:
            self._refuse(unknown)
        files = [*others, *words[end + 1 :]]
        if not files:
            self.error("expected a FILE")
        return parsed, files

    def _complete(self) -> None:
        """Prints completions and exits, if that is what a shell asks for."""
        if _COMPLETING in os.environ:
            argcomplete.autocomplete(self)

    def _refuse(self, unknown: Sequence[str]) -> NoReturn:
        known = [option for option in self._option_string_actions if option.startswith("--")]
        hint = suggestion(unknown[0].partition("=")[0], known) if unknown[0].startswith("-") else ""
        self.error(f"unrecognized arguments: {' '.join(unknown)}{hint}")

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        # That of argparse ignores failures, and so tells scripts that the help was printed.
        (file or sys.stderr).write(message)

    def error(self, message: str) -> NoReturn:
        self.exit(ExitStatus.USAGE, f"{self.prog}: error: {message} (see --help)\n")


class _Version(argparse.Action):
    """Prints the version of the toolkit and exits."""

    def __init__(self, option_strings: Sequence[str], dest: str) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, 0, help="print the version and exit")

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> NoReturn:
        components = parser.components if isinstance(parser, CommandParser) else ()
        told = ", ".join(f"{name} {metadata.version(name)}" for name in components)
        print(f"{parser.prog} {__version__}{f' ({told})' if told else ''}")
        parser.exit()


class _HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Keeps the lines of examples, wraps descriptions, and breaks no word at a hyphen."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False)
