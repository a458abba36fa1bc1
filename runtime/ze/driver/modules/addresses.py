"""The addresses at which tools see the code of modules: no two modules of a process have one in common.

They stay below 4 GiB for as long as they can, as debuggers that do not know the GPU cut off what is above.
"""

from __future__ import annotations

import zebin
from runtime.concurrency import step

_ALIGNMENT = 1 << 16


class CodeAddresses:
    """Addresses that are given out once, in ascending order."""

    def __init__(self) -> None:
        self._taken = 0

    def take(self, size: int) -> int:
        """Returns the first of some addresses, which nobody else gets."""
        while True:
            before = self._taken
            if self._advance(before, before + (size // _ALIGNMENT + 1) * _ALIGNMENT):
                return zebin.FIRST_ADDRESS + before

    @step
    def _advance(self, before: int, after: int) -> bool:
        if self._taken != before:
            return False
        self._taken = after
        return True
