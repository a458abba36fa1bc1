"""Members of requests, checked."""

from __future__ import annotations

from collections.abc import Mapping

from runtime.debugger import DebugError
from tools.debug.dap.messages import Json


def text(arguments: Json, name: str, default: str | None = None) -> str:
    """Returns a member that is a text. Raises `DebugError`."""
    value = arguments.get(name, default)
    if not isinstance(value, str):
        raise DebugError(f"'{name}' is no text")
    return value


def number(arguments: Json, name: str, default: int | None = None) -> int:
    """Returns a member that is a whole number. Raises `DebugError`."""
    value = arguments.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= 1 << 64:
        raise DebugError(f"'{name}' is no whole number")
    return value


def objects(arguments: Json, name: str) -> list[Json]:
    """Returns a member that is a list of objects, empty if it is absent. Raises `DebugError`."""
    value = arguments.get(name, [])
    if not isinstance(value, list) or not all(isinstance(item, Mapping) for item in value):
        raise DebugError(f"'{name}' is no list of objects")
    return value


def texts(arguments: Json, name: str) -> list[str]:
    """Returns a member that is a list of texts, empty if it is absent. Raises `DebugError`."""
    value = arguments.get(name, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise DebugError(f"'{name}' is no list of texts")
    return value


def member(arguments: Json, name: str) -> Json:
    """Returns a member that is an object, empty if it is absent. Raises `DebugError`."""
    value = {} if arguments.get(name) is None else arguments[name]
    if not isinstance(value, Mapping):
        raise DebugError(f"'{name}' is no object")
    return value


def address(arguments: Json, name: str) -> int:
    """Returns an address, which is a text such as `0x10`. Raises `DebugError`."""
    value = text(arguments, name)
    try:
        found = int(value, 0)
    except ValueError:
        found = -1
    if not 0 <= found < 1 << 64:
        raise DebugError(f"'{value[:40]}' is no address")
    return found
