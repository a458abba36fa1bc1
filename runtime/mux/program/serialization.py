"""Modules as bytes: a header with a digest, and the module behind it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TypeVar

from passes.frontends.ir import IrError, check
from runtime.mux.options.device import device_options
from runtime.mux.options.parsing import Options
from runtime.mux.program.states import ModuleState
from xegpu import targets

MAGIC = b"XEMUX\0\0\1"
"""The first bytes, the last of which is the version."""

T = TypeVar("T")


class SerializationError(Exception):
    """Bytes that are no module, and why."""


@dataclass(frozen=True)
class ModuleContents:
    """The complete state of a module; `text` is its LLVM IR."""

    target: str
    state: ModuleState
    text: str
    options: Options


def serialized(contents: ModuleContents) -> bytes:
    """Returns the bytes of a module."""
    body = json.dumps(
        {
            "target": contents.target,
            "state": contents.state.name,
            "text": contents.text,
            "options": asdict(contents.options),
        },
        sort_keys=True,
    ).encode()
    return MAGIC + hashlib.sha256(body).digest() + body


def deserialized(data: bytes) -> ModuleContents:
    """Returns the module in some bytes.

    Raises:
        SerializationError: They are no module; nothing of them has been used.
    """
    size = len(MAGIC) + hashlib.sha256().digest_size
    if not data.startswith(MAGIC):
        raise SerializationError("is no serialised module of this version")
    if hashlib.sha256(data[size:]).digest() != data[len(MAGIC) : size]:
        raise SerializationError("has been cut off or changed")
    try:
        fields = json.loads(data[size:])
        contents = ModuleContents(
            _of(fields, "target", str),
            ModuleState[_of(fields, "state", str)],
            _of(fields, "text", str),
            _options(_of(fields, "options", dict)),
        )
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise SerializationError(f"has a field that is missing or wrong: {error}") from error
    if contents.state is ModuleState.NONE:
        raise SerializationError("holds nothing")
    known = device_options(targets.get(contents.target)) if contents.target in targets.TARGETS else {}
    for name, value in contents.options.device.items():
        if name not in known or value not in (known[name] or ("",)):
            raise SerializationError(f"has the option {name}={value}, which {contents.target} does not have")
    try:
        check(contents.text)
    except IrError as error:
        raise SerializationError(f"holds no LLVM IR: {error}") from error
    return contents


def _of(fields: object, name: str, kind: type[T]) -> T:
    """Returns a field of one kind."""
    value = fields[name] if isinstance(fields, dict) else None
    if type(value) is not kind:
        raise TypeError(f"'{name}' is of another kind")
    return value


def _options(fields: Mapping[str, object]) -> Options:
    device: dict[object, object] = _of(fields, "device", dict)
    return Options(
        tuple(map(_word, _of(fields, "compiler", list))),
        _of(fields, "is_optimised", bool),
        _of(fields, "create_library", bool),
        tuple(map(_size, _of(fields, "precache_local_sizes", list))),
        {_word(name): _word(value) for name, value in device.items()},
    )


def _word(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("expected a word")
    return value


def _size(value: object) -> tuple[int, int, int]:
    if not isinstance(value, list) or len(value) != 3 or any(type(each) is not int or each < 1 for each in value):
        raise TypeError("expected a size of three numbers")
    return value[0], value[1], value[2]
