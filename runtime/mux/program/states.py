"""The states of a module, and the steps between them."""

from __future__ import annotations

from enum import Enum


class ModuleState(Enum):
    """The states of a module (specification: `ModuleState`).

    A module is compiled from a source, or linked from others, and then finalised.
    """

    NONE = "empty"
    COMPILED_OBJECT = "compiled"
    LIBRARY = "a library"
    EXECUTABLE = "linked"
    FINALIZED = "finalised"


EMPTY = (ModuleState.NONE,)
"""The state in which a module can be compiled or linked."""
LINKABLE = (ModuleState.COMPILED_OBJECT, ModuleState.LIBRARY, ModuleState.EXECUTABLE)
"""The states in which a module can be a part of another."""
FINALIZABLE = (ModuleState.COMPILED_OBJECT, ModuleState.EXECUTABLE)
"""The states in which a module can be finalised."""
