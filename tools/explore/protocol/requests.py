"""The requests of the page, which are JSON, and which anyone may have written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from passes.frontends import LANGUAGES
from xegpu.targets import DEFAULT_TARGET, TARGETS

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

ASSEMBLY, NATIVE_ASSEMBLY = "xe-asm", "xe-native"
ASSEMBLIES = (ASSEMBLY, NATIVE_ASSEMBLY)
SOURCE_LANGUAGES = (*LANGUAGES, *ASSEMBLIES)
"""The languages that the editor may hold."""

SUFFIXES: Mapping[str, str] = {
    **{name: ".mlir" if home is None else home[1] for name, home in LANGUAGES.items()},
    ASSEMBLY: ".xeasm",
    NATIVE_ASSEMBLY: ".asm",
}
"""The ends of files by their language."""

OP_LEVELS = ("auto", "workgroup", "subgroup", "lane")

_MOST_ARGUMENTS = 64
_MOST_FACTOR = 64
_LONGEST_WORD = 4096


class RequestError(ValueError):
    """A request is not what the page sends; the text says why."""


@dataclass(frozen=True)
class CompileRequest:
    """A text, and how to compile it. The options are those of `xe-pipeline`; `pipeline` replaces all its passes."""

    source: str
    language: str = "mlir"
    target: str = DEFAULT_TARGET
    op_level: str = "auto"
    grf_count: int = 0
    unroll_factor: int = 1
    pipeline_stages: int = 1
    pipeline: str = ""

    @property
    def filename(self) -> str:
        """The name of the text in messages and in debug information."""
        return f"kernel{SUFFIXES[self.language]}"


@dataclass(frozen=True)
class RunRequest:
    """A compilation, and a launch of one of its kernels or a call of a host function, `program`, that launches them.

    Arguments are those that `xegpu-run --arg` takes.
    """

    compilation: CompileRequest
    kernel: str = ""
    grid: tuple[int, ...] = ()
    group: tuple[int, ...] = ()
    arguments: tuple[str, ...] = field(default_factory=tuple)
    check: str = ""
    program: str = ""


def compile_request(data: bytes) -> CompileRequest:
    """Returns the request for a compilation. Raises `RequestError`."""
    return _compilation(_Fields.of(data))


def run_request(data: bytes) -> RunRequest:
    """Returns the request for a run. Raises `RequestError`."""
    fields = _Fields.of(data)
    return RunRequest(
        _compilation(fields),
        fields.text("kernel", "", _LONGEST_WORD),
        fields.sizes("grid"),
        fields.sizes("group"),
        fields.texts("arguments"),
        fields.text("check", "", _LONGEST_WORD),
        fields.text("program", "", _LONGEST_WORD),
    )


def _compilation(fields: _Fields) -> CompileRequest:
    return CompileRequest(
        fields.text("source", None, None),
        fields.choice("language", SOURCE_LANGUAGES),
        fields.choice("target", tuple(TARGETS)),
        fields.choice("op_level", OP_LEVELS),
        fields.number("grf_count", 0, 0, 1 << 10),
        fields.number("unroll_factor", 1, 1, _MOST_FACTOR),
        fields.number("pipeline_stages", 1, 1, _MOST_FACTOR),
        fields.text("pipeline", "", _LONGEST_WORD),
    )


@dataclass(frozen=True)
class _Fields:
    """The members of an object in JSON, which are checked as they are taken."""

    members: Mapping[str, Json]

    @staticmethod
    def of(data: bytes) -> _Fields:
        try:
            found: Json = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise RequestError(f"not JSON: {error}") from None
        if not isinstance(found, dict):
            raise RequestError("not an object in JSON")
        return _Fields(found)

    def text(self, name: str, default: str | None, longest: int | None) -> str:
        found = self.members.get(name, default)
        if not isinstance(found, str) or (longest is not None and len(found) > longest):
            raise RequestError(
                f"'{name}' is no text" + ("" if longest is None else f" of at most {longest} characters")
            )
        if "\0" in found or (not found.isascii() and not _is_unicode(found)):
            raise RequestError(f"'{name}' holds characters that no text has")
        return found

    def choice(self, name: str, known: tuple[str, ...]) -> str:
        found = self.members.get(name, known[0])
        if not isinstance(found, str) or found not in known:
            raise RequestError(f"'{name}' is none of {', '.join(known)}")
        return found

    def number(self, name: str, default: int, least: int, most: int) -> int:
        found = self.members.get(name, default)
        if not isinstance(found, int) or isinstance(found, bool) or not least <= found <= most:
            raise RequestError(f"'{name}' is no whole number from {least} to {most}")
        return found

    def sizes(self, name: str) -> tuple[int, ...]:
        found = self.members.get(name, [])
        if not isinstance(found, list) or len(found) > 3:
            raise RequestError(f"'{name}' is no list of at most 3 sizes")
        sizes = tuple(size for size in found if isinstance(size, int) and not isinstance(size, bool))
        if len(sizes) != len(found) or not all(1 <= size < 1 << 32 for size in sizes):
            raise RequestError(f"'{name}' holds what is no size from 1 to 2^32 - 1")
        return sizes

    def texts(self, name: str) -> tuple[str, ...]:
        found = self.members.get(name, [])
        if not isinstance(found, list) or len(found) > _MOST_ARGUMENTS:
            raise RequestError(f"'{name}' is no list of at most {_MOST_ARGUMENTS} texts")
        texts = tuple(text for text in found if isinstance(text, str) and len(text) <= _LONGEST_WORD)
        if len(texts) != len(found):
            raise RequestError(f"'{name}' holds what is no text of at most {_LONGEST_WORD} characters")
        return texts


def _is_unicode(text: str) -> bool:
    """Returns whether a text can be written as UTF-8: JSON can name halves of characters."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
