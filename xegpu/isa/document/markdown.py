"""Markdown, and how types and numbers are listed in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xegpu.isa.model.types import DataType


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def types_text(types: Iterable[DataType]) -> str:
    return " ".join(t.text for t in sorted(types, key=lambda t: (t.is_float, t.bits, t.code)))


def bullets(items: Iterable[str]) -> list[str]:
    return [f"* {item}" for item in items]


def numbers_text(values: Iterable[int]) -> str:
    return ", ".join(map(str, values))


def indented(text: str) -> str:
    return "\n".join(f"    {line}" if line else "" for line in text.splitlines())
