"""The callables behind the functions of C: arguments become those of `runtime.ze`, and answers what C expects."""

from __future__ import annotations

from runtime.driver.marshalling import described as described  # declares its readers
from runtime.driver.marshalling import described_tools as described_tools
from runtime.driver.marshalling.by_hand import STUBS, answer_by_hand
from runtime.driver.marshalling.callables import Answer, answer
from runtime.driver.marshalling.failures import note
from runtime.driver.marshalling.handles import HANDLES, HEAD_BYTES
from runtime.driver.marshalling.structures import class_of, package_of, reader, types_of, writer

__all__ = [
    "HANDLES",
    "HEAD_BYTES",
    "STUBS",
    "Answer",
    "answer",
    "answer_by_hand",
    "class_of",
    "note",
    "package_of",
    "reader",
    "types_of",
    "writer",
]
