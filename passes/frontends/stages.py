"""Shows the stages of a kernel on its way from another language to MLIR."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Observer = Callable[[str, str], None]
"""Takes the name of a stage, and the text of the kernels there."""
_observer: ContextVar[Observer | None] = ContextVar("observer of stages", default=None)


@contextmanager
def observing(observer: Observer) -> Iterator[None]:
    """Within the block, front ends show their stages to `observer`."""
    token = _observer.set(observer)
    try:
        yield
    finally:
        _observer.reset(token)


def show(name: str, text: Callable[[], str]) -> None:
    """Shows a stage to the observer, if there is one."""
    if (observer := _observer.get()) is not None:
        observer(name, text())
