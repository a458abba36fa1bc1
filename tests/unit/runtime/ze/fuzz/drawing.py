"""The strategies from which the rules draw their examples."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.stateful import precondition

from tests.unit.runtime.ze.fuzz.model import Thing

PICK = st.integers(0, 1 << 16)
FEW = st.integers(0, 3)

BYTES = st.integers(0, 255)

COMMANDS = st.tuples(PICK, st.lists(PICK, max_size=2), st.integers(0, 9), st.tuples(BYTES, BYTES, BYTES, BYTES))
"""The ingredients of a command for `CommandRules.append`: the event to signal, those to wait for, the kind, numbers."""


def needs(kind: type[Thing]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The rule is for when there is, or was, such an object."""
    return precondition(lambda machine: machine.all(kind, dead=True))
