"""The APIs that functions and types belong to: their names begin with it."""

from __future__ import annotations

import re

_API = re.compile(r"ze[rst]?(?=[A-Z_])")


def api_of(name: str) -> str:
    """Returns the API of a function or a type: `ze`, `zer`, `zet` or `zes`."""
    match = _API.match(name)
    assert match is not None, name
    return match[0]
