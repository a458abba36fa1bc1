"""What the function table says of one function of the API."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from runtime.ze.spec.results import ze_result_t

Implementation = Callable[..., object]


class Chapter(Enum):
    """Chapters of the specification's API reference, in its order."""

    DRIVER = "Driver"
    DEVICE = "Device"
    CONTEXT = "Context"
    COMMAND_QUEUE = "Command Queue"
    COMMAND_LIST = "Command List"
    BARRIER = "Barrier"
    COPY = "Memory Copies and Hints"
    EVENT = "Event"
    FENCE = "Fence"
    IMAGE = "Image"
    SAMPLER = "Sampler"
    MEMORY = "Memory"
    VIRTUAL_MEMORY = "Virtual Memory"
    RESIDENCY = "Residency"
    MODULE = "Module"
    KERNEL = "Kernel"
    LAUNCH = "Kernel Launch"


@dataclass(frozen=True)
class Function:
    """One function of the API.

    `name` is its 1.x name, or the older one if 1.x dropped it; `since` the version, major and minor, that has it first.
    `results` are those that a call may end with other than success. `pointers` are the parameters that must not be
    null besides handles. `seed` is what specification 0.91 calls it, None where it has no such function;
    `seed_implementation` is what is called under that name. `note` says what is special here, and `inexpressible`
    which results of the specification no call can cause, and why.
    """

    name: str
    chapter: Chapter
    implementation: Implementation
    results: tuple[ze_result_t, ...]
    pointers: tuple[str, ...] = ()
    seed: str | None = None
    seed_implementation: Implementation | None = None
    since: tuple[int, int] = (1, 0)
    note: str = ""
    inexpressible: str = ""

    @property
    def callables(self) -> dict[str, Implementation]:
        """What there is to call, by name."""
        found = {self.name: self.implementation}
        if self.seed is not None and self.seed_implementation is not None:
            found.setdefault(self.seed, self.seed_implementation)
        return found


_ALWAYS = ("INVALID_NULL_HANDLE", "INVALID_ARGUMENT")
"""What every function gives that takes a handle: for null, and for one that is stale or of another kind."""

SAME = "="
"""As the seed's name of a function: it is the same."""


def row(
    implementation: Implementation,
    results: str = "",
    *,
    pointers: str = "",
    seed: str | Implementation | None = SAME,
    since: tuple[int, int] = (1, 0),
    takes_handle: bool = True,
    note: str = "",
    inexpressible: str = "",
) -> Callable[[Chapter], Function]:
    """A row of the table, which still lacks its chapter.

    `results` and `pointers` are names with blanks between, those of results without `ZE_RESULT_` and `ERROR_`. What
    every function gives that takes a handle needs no mention. `seed` is `SAME`, another name or function, or None.
    """
    names = results.split()
    if takes_handle:
        names = [*_ALWAYS, *(name for name in names if name not in _ALWAYS)]
    if pointers:
        names.append("INVALID_NULL_POINTER")
    name = implementation.__name__
    seed_implementation = seed if callable(seed) else None if seed is None else implementation
    seed_name = seed.__name__ if callable(seed) else name if seed == SAME else seed

    def complete(chapter: Chapter) -> Function:
        return Function(
            name,
            chapter,
            implementation,
            tuple(map(_result, names)),
            tuple(pointers.split()),
            seed_name,
            seed_implementation,
            since,
            note,
            inexpressible,
        )

    return complete


def _result(name: str) -> ze_result_t:
    members = ze_result_t.__members__
    prefixes = ("ZE_RESULT_ERROR_", "ZE_RESULT_EXP_ERROR_", "ZE_RESULT_")
    return next(members[prefix + name] for prefix in prefixes if prefix + name in members)
