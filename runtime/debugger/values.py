"""Values as text and JSON: elements of registers and memory in the types of the ISA."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import ml_dtypes
import numpy as np

from runtime.simulator.interpreter.alu import DTYPES, Array, Bools, bits_dtype
from xegpu.isa import DataType

NUMBERS: Mapping[DataType, np.dtype[np.generic]] = {**DTYPES, DataType.BF: np.dtype(ml_dtypes.bfloat16)}
"""The types in which elements can be shown, and their numpy types."""

_MOST_SHOWN = 64
"""Elements of one value that text shows."""


@dataclass(frozen=True)
class Values:
    """Elements that were read from registers or memory, as unsigned integers of `type`'s size.

    `name` is their origin. `on` marks the elements of enabled lanes, None if they do not belong to lanes; `first_lane`
    is the first of these lanes. `is_raw` is set for bits of unknown type, which are shown in hexadecimal.
    """

    name: str
    type: DataType
    bits: Array
    on: Bools | None = None
    first_lane: int = 0
    is_raw: bool = False

    def only(self, keep: Bools) -> Values:
        """Returns the elements that `keep` marks."""
        return replace(self, bits=self.bits[keep], on=None if self.on is None else self.on[keep])

    def texts(self) -> list[str]:
        """Returns each element as text."""
        if self.is_raw or self.type not in NUMBERS:
            digits = self.bits.dtype.itemsize * 2
            return [f"{int(element):#0{digits + 2}x}" for element in self.bits]
        return [_text(number) for number in self.numbers()]

    def numbers(self) -> Array:
        """Returns the elements as numbers of their type."""
        return self.bits.view(NUMBERS[self.type])

    def text(self) -> str:
        """Returns the elements on one line: a single one alone, several in brackets, `-` for disabled lanes."""
        texts = self.texts()[:_MOST_SHOWN]
        if self.on is not None:
            texts = [text if on else "-" for text, on in zip(texts, self.on, strict=False)]
        if len(self.bits) == 1:
            return texts[0]
        more = f" ... {len(self.bits) - len(texts)} more" if len(self.bits) > len(texts) else ""
        return f"[{' '.join(texts)}{more}]"

    def json(self) -> dict[str, object]:
        """Returns the elements for JSON: numbers, hexadecimal text for unknown types, null for disabled lanes."""
        elements: list[object]
        if self.is_raw or self.type not in NUMBERS:
            elements = list(self.texts())
        else:
            elements = [_json_number(number) for number in self.numbers().tolist()]
        if self.on is not None:
            elements = [element if on else None for element, on in zip(elements, self.on, strict=True)]
        return {"name": self.name, "type": self.type.text, "values": elements}


def _text(number: np.generic) -> str:
    """Returns the shortest decimal of a number; floats are distinguishable from integers in every type."""
    text = str(number)
    is_whole_float = number.dtype.kind not in "biu" and text.lstrip("-").isdecimal()
    return f"{text}.0" if is_whole_float else text


def of_bytes(name: str, type: DataType, data: Array) -> Values:
    """Returns the values in some bytes, as many whole ones as there are; bits if the type is none of `NUMBERS`."""
    dtype = bits_dtype(type) if type in NUMBERS else np.dtype(np.uint32)
    whole = len(data) // dtype.itemsize * dtype.itemsize
    return Values(name, type, np.ascontiguousarray(data[:whole]).view(dtype))


def _json_number(number: float) -> float | str:
    """Converts infinities and NaN, which JSON lacks, to text."""
    return number if math.isfinite(number) else str(number)
