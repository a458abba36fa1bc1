"""The literal types of ze_info: how each is read from a node of the text and written back."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Container, Mapping as ReadOnly
from dataclasses import field
from enum import StrEnum
from typing import Generic, TypeVar

from xegpu.on_demand import dataclass
from zebin.errors import FindingSeverity, excerpt
from zebin.yaml.nodes import Mapping, Node, Scalar, Sequence
from zebin.yaml.source import TextReport
from zebin.yaml.writer import needs_quotes
from zebin.ze_info.budget import MemoryBudget

T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)

INT32_MIN, INT32_MAX = -(1 << 31), (1 << 31) - 1

_DECIMAL = re.compile(r"-?[0-9]+")
_HEXADECIMAL = re.compile(r"0x[0-9A-Fa-f]+")
_FLOAT = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]{1,4})?")
_TRUE = frozenset(("true", "yes", "y", "on"))
_FALSE = frozenset(("false", "no", "n", "off"))
_MAX_DIGITS = 20


@dataclass
class ReadContext:
    """The context in which values are read.

    `minor` is the version that the text declares, None if it declares none. `newer` means that this package does not
    know that version, so that unknown words and keys are to be expected. `strict` makes unknown keys errors, as in
    current drivers.
    """

    report: TextReport
    budget: MemoryBudget
    minor: int | None = None
    newer: bool = False
    strict: bool = False
    remarked: set[str] = field(default_factory=set)
    """Keys and words whose version or driver support has been reported; one finding each suffices."""
    orders: dict[tuple[str, ...], tuple[str, ...]] = field(default_factory=dict)
    """The key orders of records, each as one object."""

    def check_version(self, name: str, since: int, at: int) -> None:
        """Warns of a key or word that is newer than the version that the text declares."""
        if self.minor is not None and since > self.minor and name not in self.remarked:
            self.remarked.add(name)
            found, expected = f"{name!r} in version 1.{self.minor}", f"1.{since} or later"
            self.report.warning(
                "version.older", "newer than the version of the text", at, found=found, expected=expected
            )

    def check_driver(self, name: str, at: int) -> None:
        """Reports a key or word of the specification that current drivers do not know."""
        if self.strict or name not in self.remarked:
            self.remarked.add(name)
            severity = FindingSeverity.ERROR if self.strict else FindingSeverity.INFO
            self.report.add(severity, "key.driver", "current drivers refuse it", at, found=name)


class ValueKind(ABC, Generic[T]):
    """A type of values; `name` is its name in the specification."""

    name: str

    @abstractmethod
    def blank(self) -> T:
        """Returns the substitute for a missing required value."""

    @abstractmethod
    def read(self, node: Node, context: ReadContext) -> T | None:
        """Returns the value, or None after reporting why the node has none."""

    @abstractmethod
    def write(self, value: T) -> Node:
        """Returns the node that is read as `value`."""


def describe(node: Node) -> str:
    """Returns a short description of a node for messages."""
    match node:
        case Scalar(text, quoted):
            return excerpt(text) if quoted or text else "nothing"
        case Sequence():
            return "a list"
        case Mapping():
            return "a mapping"


class _Int32(ValueKind[int]):
    name = "int32"

    def blank(self) -> int:
        return 0

    def read(self, node: Node, context: ReadContext) -> int | None:
        if isinstance(node, Scalar) and not node.quoted:
            text = node.text
            if _DECIMAL.fullmatch(text):
                value = int(text) if len(text) <= _MAX_DIGITS else INT32_MAX + 1
                return self._in_range(value, node, context)
            if _HEXADECIMAL.fullmatch(text):
                context.report.warning(
                    "type.int", "hexadecimal number, which older drivers refuse", node.at, found=text
                )
                return self._in_range(int(text, 16), node, context)
        context.report.error("type.int", "not an integer", node.at, found=describe(node), expected="decimal digits")
        return None

    def _in_range(self, value: int, node: Scalar, context: ReadContext) -> int | None:
        if INT32_MIN <= value <= INT32_MAX:
            return value
        found = excerpt(node.text)
        context.report.error("range.int32", "does not fit 32 bits", node.at, found=found, expected="a 32-bit integer")
        return None

    def write(self, value: int) -> Node:
        return Scalar(str(value))


class _Bool(ValueKind[bool]):
    name = "bool"

    def blank(self) -> bool:
        return False

    def read(self, node: Node, context: ReadContext) -> bool | None:
        if isinstance(node, Scalar) and not node.quoted:
            word = node.text.lower()
            if word in _TRUE or word in _FALSE:
                if node.text not in ("true", "false"):
                    context.report.warning(
                        "type.bool-form",
                        "unusual form of a boolean",
                        node.at,
                        found=node.text,
                        expected="true or false",
                    )
                return word in _TRUE
        context.report.error("type.bool", "not a boolean", node.at, found=describe(node), expected="true or false")
        return None

    def write(self, value: bool) -> Node:
        return Scalar("true" if value else "false")


class _Text(ValueKind[str]):
    name = "str"

    def blank(self) -> str:
        return ""

    def read(self, node: Node, context: ReadContext) -> str | None:
        if isinstance(node, Scalar):
            return context.budget.share(node.text)
        context.report.error("type.str", "not text", node.at, found=describe(node), expected="a word or string")
        return None

    def write(self, value: str) -> Node:
        return Scalar(value, quoted=needs_quotes(value))


class _Float(ValueKind[float]):
    name = "float"

    def blank(self) -> float:
        return 0.0

    def read(self, node: Node, context: ReadContext) -> float | None:
        if isinstance(node, Scalar) and not node.quoted and len(node.text) <= 40 and _FLOAT.fullmatch(node.text):
            return float(node.text)
        context.report.warning("cost.float", "not a number", node.at, found=describe(node), expected="a number")
        return None

    def write(self, value: float) -> Node:
        """Writes six digits, as compilers do, unless the number needs more."""
        text = f"{value:g}"
        return Scalar(text if float(text) == value else repr(value))


class _Int32x3(ValueKind[tuple[int, int, int]]):
    name = "int32x3"

    def blank(self) -> tuple[int, int, int]:
        return (0, 0, 0)

    def read(self, node: Node, context: ReadContext) -> tuple[int, int, int] | None:
        if not isinstance(node, Sequence):
            context.report.error("type.list", "not a list", node.at, found=describe(node), expected="[ x, y, z ]")
            return None
        if len(node.items) != 3:
            found = f"{len(node.items)} elements"
            context.report.error("list.length", "list of the wrong length", node.at, found=found, expected="3 elements")
            return None
        x, y, z = (INT32.read(item, context) for item in node.items)
        if x is None or y is None or z is None:
            return None
        if min(x, y, z) < 0:
            found = f"[{x}, {y}, {z}]"
            context.report.error("list.negative", "drivers read no negative numbers in lists", node.at, found=found)
        return x, y, z

    def write(self, value: tuple[int, int, int]) -> Node:
        return Sequence([INT32.write(element) for element in value], inline=True)


class WordKind(ValueKind["E | str"], Generic[E]):
    """A word of an enumeration. Unknown words stay text."""

    def __init__(
        self,
        words: type[E],
        *,
        since: ReadOnly[E, int] | None = None,
        aliases: ReadOnly[str, E] | None = None,
        unknown_to_drivers: Container[E] = (),
    ):
        """Args:
        words: The enumeration.
        since: The minor version that introduced a word.
        aliases: Obsolete spellings.
        unknown_to_drivers: Words that current drivers refuse.
        """
        self.name = words.__name__
        self.words = {word.value: word for word in words}
        self.since: ReadOnly[str, int] = {word.value: minor for word, minor in (since or {}).items()}
        self.aliases = aliases or {}
        self.unknown_to_drivers = unknown_to_drivers

    def blank(self) -> str:
        return ""

    def read(self, node: Node, context: ReadContext) -> E | str | None:
        if not isinstance(node, Scalar):
            context.report.error("type.str", "not a word", node.at, found=describe(node), expected=self._allowed())
            return None
        word = self.words.get(node.text)
        if word is not None:
            context.check_version(word, self.since.get(word, 0), node.at)
            if word in self.unknown_to_drivers:
                context.check_driver(word, node.at)
            return word
        if node.text in self.aliases:
            word = self.aliases[node.text]
            context.report.warning("enum.misspelt", f"read as '{word}'", node.at, found=node.text, expected=word)
            return word
        severity = FindingSeverity.WARNING if context.newer else FindingSeverity.ERROR
        found = describe(node)
        context.report.add(severity, "enum.unknown", "unknown word", node.at, found=found, expected=self._allowed())
        return node.text

    def _allowed(self) -> str:
        return "one of " + ", ".join(self.words)

    def write(self, value: E | str) -> Node:
        return Scalar(str(value))


INT32: ValueKind[int] = _Int32()
BOOL: ValueKind[bool] = _Bool()
TEXT: ValueKind[str] = _Text()
FLOAT: ValueKind[float] = _Float()
INT32X3: ValueKind[tuple[int, int, int]] = _Int32x3()
