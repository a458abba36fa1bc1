"""Rules about attributes that xDSL leaves unchecked.

They are added to xDSL's own classes, which its passes know.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation
from xdsl.traits import OpTrait
from xdsl.utils.exceptions import VerifyException


def verify_dialect_names(attributes: Mapping[str, Attribute], message: Callable[[str], str]) -> None:
    """Raises `VerifyException` with `message` of the first name that has no prefix of a dialect."""
    for name in attributes:
        if "." not in name:
            raise VerifyException(message(name))


class ModuleAttributeRules(OpTrait):
    """Attributes of a module belong to a dialect, whose name they begin with."""

    def verify(self, op: Operation) -> None:
        verify_dialect_names(
            op.attributes, lambda name: f"can only contain attributes with dialect-prefixed names, found: '{name}'"
        )


def add_rules() -> None:
    """Adds the rules to xDSL's own classes, which its passes match on."""
    ModuleOp.traits.add_trait(ModuleAttributeRules())
