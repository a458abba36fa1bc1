"""Errors of a card: those that its processes have caused. The simulated hardware itself makes none."""

from __future__ import annotations

import os
from collections.abc import Mapping

from runtime.card import CardCount, SettingValue
from runtime.ze.spec import ZeError, ze_result_t
from runtime.zes.spec import ZES_MAX_RAS_ERROR_CATEGORY_COUNT, zes_ras_error_cat_t, zes_ras_error_type_t
from runtime.zes.system.components import RasErrorSet

_COUNTS: Mapping[int, CardCount] = {
    zes_ras_error_cat_t.ZES_RAS_ERROR_CAT_RESET: CardCount.RESETS,
    zes_ras_error_cat_t.ZES_RAS_ERROR_CAT_PROGRAMMING_ERRORS: CardCount.PROGRAMMING_ERRORS,
}
"""The categories that are counted: resets, and faults of kernels. Both are of the card, whose first tile has them."""


def all_errors(errors: RasErrorSet) -> list[int]:
    """Returns the errors by category since the card's file was made."""
    found = [0] * ZES_MAX_RAS_ERROR_CATEGORY_COUNT
    if errors.kind is zes_ras_error_type_t.ZES_RAS_ERROR_TYPE_UNCORRECTABLE and not errors.tile:
        for category, count in _COUNTS.items():
            found[category] = errors.board.card_count(count)
    return found


def current_errors(errors: RasErrorSet) -> tuple[int, ...]:
    """Returns the errors by category since they were cleared."""
    cleared = errors.board.settings.numbers(errors.key("cleared"), [0.0] * ZES_MAX_RAS_ERROR_CATEGORY_COUNT)
    return tuple(max(count - int(before), 0) for count, before in zip(all_errors(errors), cleared, strict=True))


def thresholds(errors: RasErrorSet) -> tuple[int, tuple[int, ...]]:
    """Returns the thresholds of the total and of each category above which an event happens; 0 for none."""
    found = errors.board.settings.numbers(errors.key("thresholds"), [0.0] * (ZES_MAX_RAS_ERROR_CATEGORY_COUNT + 1))
    return int(found[0]), tuple(map(int, found[1:]))


def is_above(errors: RasErrorSet) -> bool:
    """Returns whether there are more errors than a threshold says."""
    total, detailed = thresholds(errors)
    counts = current_errors(errors)
    return (0 < total < sum(counts)) or any(0 < most < count for most, count in zip(detailed, counts, strict=True))


def owner_of(errors: RasErrorSet) -> int:
    """Returns the process that has set thresholds; 0 if none has."""
    return int(errors.number("owner", 0))


def require_owner(errors: RasErrorSet, settings: Mapping[str, SettingValue]) -> None:
    """Raises `NOT_AVAILABLE` if another process that lives has set thresholds."""
    owner = settings.get(errors.key("owner"))
    users = {user.process for user in errors.board.users()}
    if isinstance(owner, int | float) and int(owner) != os.getpid() and int(owner) in users:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_NOT_AVAILABLE, f"process {int(owner)} has set those of {errors!r}")
