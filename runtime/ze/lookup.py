"""Functions by name (specification: Driver, extension functions)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

published: dict[str, Callable[..., object]] = {}


def publish(functions: Mapping[str, Callable[..., object]]) -> None:
    """Make functions known under their names."""
    published.update(functions)
