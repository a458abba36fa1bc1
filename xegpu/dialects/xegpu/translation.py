"""Ops of this dialect as other generations of it write them.

What means the same here is read and becomes canonical; the rest is refused with the canonical way to write it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, NoReturn, Self

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.utils.exceptions import VerifyException

Translation = Callable[[Attribute], Mapping[str, Attribute]]
"""Gives canonical inherent attributes for one of another generation; raises `VerifyException` where there are none."""


class TranslatedOp(IRDLOperation):
    """An op that other generations write otherwise.

    Translation happens when the op is made from its parts, that is for custom and generic form.
    """

    TRANSLATIONS: ClassVar[Mapping[str, Translation]] = {}
    """The translations of inherent attributes, by name."""

    @classmethod
    def create(
        cls,
        *,
        operands: Sequence[SSAValue] = (),
        result_types: Sequence[Attribute] = (),
        properties: Mapping[str, Attribute] = {},
        attributes: Mapping[str, Attribute] = {},
        location: LocationAttr | None = None,
        successors: Sequence[Block] = (),
        regions: Sequence[Region] = (),
    ) -> Self:
        return super().create(
            operands=operands,
            result_types=result_types,
            properties=cls.translated(operands, result_types, properties),
            attributes=attributes,
            location=location,
            successors=successors,
            regions=regions,
        )

    @classmethod
    def translated(
        cls, operands: Sequence[SSAValue], result_types: Sequence[Attribute], properties: Mapping[str, Attribute]
    ) -> Mapping[str, Attribute]:
        """The canonical inherent attributes of an op of these parts, of which nothing has been checked."""
        if cls.TRANSLATIONS.keys().isdisjoint(properties):
            return properties
        result: dict[str, Attribute] = {}
        for name, value in properties.items():
            result |= cls.TRANSLATIONS[name](value) if name in cls.TRANSLATIONS else {name: value}
        return result


def refuse(reason: str) -> Translation:
    """The translation of attributes and operations without a counterpart."""

    def translation(_: Attribute) -> NoReturn:
        raise VerifyException(reason)

    return translation
