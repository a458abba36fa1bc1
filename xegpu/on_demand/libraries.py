"""Libraries that few need, which an extra of the distribution brings."""

from __future__ import annotations

from importlib.util import find_spec


def missing_library(name: str, extra: str) -> str | None:
    """Returns what to say of a library that is not installed, `NAME: pip install ...`; None if it is."""
    return None if find_spec(name) is not None else f"{name}: pip install 'xegpu-toolkit[{extra}]'"
