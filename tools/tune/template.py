"""Templates: texts in which `${...}` stands for the value of an expression of parameters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import product

from tools.cli import UsageError
from tools.tune.expressions import Operand, evaluate, names_in

Setting = int | str
"""The value of a parameter: a whole number or a word."""

Settings = Mapping[str, Setting]

_PLACE = re.compile(r"\$\{([^{}]*)\}")
_MOST_SETTINGS = 1 << 20


def fill(template: str, settings: Settings, name: str | None = None) -> str:
    """Returns the text with the values of its expressions; a quotient that is whole is written as a whole number.

    Args:
        template: The text.
        settings: The values of parameters.
        name: The file that the text is from, for messages.

    Raises:
        NoValueError: For an expression that has no value for these settings.
        UsageError: For an expression that is wrong.
    """

    def value(place: re.Match[str]) -> str:
        try:
            return _written(evaluate(place[1], settings))
        except UsageError as error:
            if name is None:
                raise
            line, column = (
                template.count("\n", 0, place.start()) + 1,
                place.start() - template.rfind("\n", 0, place.start()),
            )
            raise type(error)(str(error), f"{name}:{line}:{column}") from None

    return _PLACE.sub(value, template)


def has_places(template: str) -> bool:
    """Returns whether a text depends on parameters."""
    return _PLACE.search(template) is not None


def names_of(template: str) -> set[str]:
    """Returns the names of parameters that a text depends on."""
    return {name for place in _PLACE.finditer(template) for name in names_in(place[1])}


def all_settings(parameters: Mapping[str, tuple[Setting, ...]], conditions: tuple[str, ...]) -> list[Settings]:
    """Returns all combinations of values that meet the conditions, the last parameter changing fastest.

    Raises:
        UsageError: If there are too many of them, or a condition is wrong.
    """
    count = 1
    for values in parameters.values():
        count *= len(values)
    if count > _MOST_SETTINGS:
        raise UsageError(f"{count} combinations of parameters, at most {_MOST_SETTINGS} can be listed")
    found = (dict(zip(parameters, values, strict=True)) for values in product(*parameters.values()))
    return [settings for settings in found if is_allowed(settings, conditions)]


def is_allowed(settings: Settings, conditions: tuple[str, ...]) -> bool:
    """Returns whether a combination of values meets all conditions. Raises `UsageError` for one that is wrong."""
    return all(bool(evaluate(condition, settings)) for condition in conditions)


def _written(value: Operand) -> str:
    return (
        str(int(value)) if isinstance(value, bool) or (isinstance(value, float) and value.is_integer()) else str(value)
    )
