"""The syntax in which a compiler lists its own options (specification: Compilation Options Syntax)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from runtime.mux.results import MuxError, Result

_FIELDS = 3


@dataclass(frozen=True)
class CompilationOption:
    """An option of a compiler: its name, whether it takes a value, and a line of help."""

    name: str
    takes_value: bool
    help: str

    def __str__(self) -> str:
        return f"{self.name},{int(self.takes_value)},{self.help}"


def format_compilation_options(options: Iterable[CompilationOption]) -> str:
    """Returns options in the syntax of the specification: `--name,1,help;--other,0,help`.

    Raises:
        MuxError: `INVALID_VALUE` for a name or help that the syntax has no place for.
    """
    options = tuple(options)
    text = ";".join(map(str, options))
    if parse_compilation_options(text) != options:
        raise MuxError(Result.INVALID_VALUE, f"help has no semicolons: {text}")
    return text


def parse_compilation_options(text: str) -> tuple[CompilationOption, ...]:
    """Returns the options in a text; an empty one has none.

    Raises:
        MuxError: `INVALID_VALUE` with the option and the rule that it breaks.
    """
    options = tuple(map(_parsed, text.split(";"))) if text else ()
    names = [option.name for option in options]
    for name in names:
        if names.count(name) > 1:
            raise MuxError(Result.INVALID_VALUE, f"option {name!r} is listed twice")
    return options


def _parsed(text: str) -> CompilationOption:
    parts = text.split(",", _FIELDS - 1)
    if len(parts) < _FIELDS:
        raise _broken(text, "has a name, 1 or 0, and help, with commas between them")
    name, value, help = parts
    if not name.startswith("--") or name == "--":
        raise _broken(text, "has a name that starts with '--'")
    if any(letter.isspace() for letter in name):
        raise _broken(text, "has a name without white space")
    if value not in ("0", "1"):
        raise _broken(text, f"says by 1 or 0 whether it takes a value, got {value!r}")
    if any(letter.isspace() and letter != " " for letter in help):
        raise _broken(text, "has help without other white space than blanks")
    return CompilationOption(name, value == "1", help)


def _broken(text: str, rule: str) -> MuxError:
    return MuxError(Result.INVALID_VALUE, f"option {text!r}: each option {rule}")
