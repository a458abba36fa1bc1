"""Errors that were counted (specification: Sysman RAS)."""

from __future__ import annotations

import os
from collections.abc import Sequence

from runtime.ze.declaration import api
from runtime.ze.driver import Device, enumerator, live, required, unsigned
from runtime.zes.chapters import GETS, SETS, SysmanChapter
from runtime.zes.spec import (
    ZES_MAX_RAS_ERROR_CATEGORY_COUNT,
    zes_ras_config_exp_t,
    zes_ras_config_t,
    zes_ras_error_category_exp_t,
    zes_ras_properties_t,
    zes_ras_state_exp2_t,
    zes_ras_state_exp_t,
    zes_ras_state_t,
)
from runtime.zes.system.access import card_of, change, invalid
from runtime.zes.system.components import RasErrorSet, components
from runtime.zes.system.errors import all_errors, current_errors, require_owner, thresholds

_Settings = dict[str, float | str | list[float]]

_CATEGORIES = tuple(zes_ras_error_category_exp_t)[:ZES_MAX_RAS_ERROR_CATEGORY_COUNT]
"""The categories that are counted: those that version 1.0 has, too."""


@api(SysmanChapter.RAS, GETS, seed="zetSysmanRasGet")
def zesDeviceEnumRasErrorSets(hDevice: Device) -> list[RasErrorSet]:
    """Returns the sets of each tile: errors that were corrected, and those that were not."""
    return components(card_of(hDevice), RasErrorSet)


@api(SysmanChapter.RAS, seed="zetSysmanRasGetProperties")
def zesRasGetProperties(hRas: RasErrorSet) -> zes_ras_properties_t:
    """Returns the type of errors, and their tile."""
    errors = live(hRas, RasErrorSet)
    return zes_ras_properties_t(errors.kind, errors.onSubdevice, errors.subdeviceId)


@api(SysmanChapter.RAS, seed="zetSysmanRasGetConfig")
def zesRasGetConfig(hRas: RasErrorSet) -> zes_ras_config_t:
    """Returns the numbers of errors above which events happen; 0 for none."""
    total, detailed = thresholds(live(hRas, RasErrorSet))
    return zes_ras_config_t(total, zes_ras_state_t(detailed))


@api(SysmanChapter.RAS, SETS, pointers="pConfig", seed="zetSysmanRasSetConfig")
def zesRasSetConfig(hRas: RasErrorSet, pConfig: zes_ras_config_t) -> None:
    """Sets the numbers of errors above which events happen; 0 for none.

    Raises:
        ZeError: `NOT_AVAILABLE` if another process that lives has set them.
    """
    errors = live(hRas, RasErrorSet)
    required(pConfig, "pConfig")
    total = unsigned(pConfig.totalThreshold, "totalThreshold", 64)
    category = pConfig.detailedThresholds.category
    if len(category) != ZES_MAX_RAS_ERROR_CATEGORY_COUNT:
        raise invalid(f"{len(category)} categories, expected {ZES_MAX_RAS_ERROR_CATEGORY_COUNT}")
    _set_thresholds(errors, total, [unsigned(each, "category", 64) for each in category])


def _set_thresholds(errors: RasErrorSet, total: int, detailed: Sequence[int]) -> None:
    def edit(settings: _Settings) -> None:
        require_owner(errors, settings)
        settings[errors.key("thresholds")] = [total, *detailed]
        settings[errors.key("owner")] = os.getpid()

    change(errors.card, "set thresholds of errors", edit)
    errors.board.enter()


@api(SysmanChapter.RAS, SETS, seed="zetSysmanRasGetState")
def zesRasGetState(hRas: RasErrorSet, clear: bool) -> zes_ras_state_t:
    """Returns the errors by category. Resets and faults of kernels are counted; the hardware makes no errors.

    Raises:
        ZeError: `INSUFFICIENT_PERMISSIONS` if the errors are to be cleared.
    """
    errors = live(hRas, RasErrorSet)
    found = zes_ras_state_t(current_errors(errors))
    if clear:
        _clear(errors, range(ZES_MAX_RAS_ERROR_CATEGORY_COUNT))
    return found


def _clear(errors: RasErrorSet, categories: Sequence[int]) -> None:
    def edit(settings: _Settings) -> None:
        before = settings.get(errors.key("cleared"))
        cleared = list(before) if isinstance(before, list) else [0.0] * ZES_MAX_RAS_ERROR_CATEGORY_COUNT
        now = all_errors(errors)
        for category in categories:
            cleared[category] = now[category]
        settings[errors.key("cleared")] = cleared

    change(errors.card, "clear errors", edit)


@api(SysmanChapter.RAS, seed=None)
def zesRasGetStateExp(hRas: RasErrorSet) -> list[zes_ras_state_exp_t]:
    """Returns the errors of each category that is counted."""
    counts = current_errors(live(hRas, RasErrorSet))
    return [zes_ras_state_exp_t(category, counts[category]) for category in _CATEGORIES]


@api(SysmanChapter.RAS, f"{SETS} INVALID_ENUMERATION", seed=None)
def zesRasClearStateExp(hRas: RasErrorSet, category: int) -> None:
    """Clears the errors of a category.

    Raises:
        ZeError: `INVALID_ARGUMENT` for a category that is not counted.
    """
    errors = live(hRas, RasErrorSet)
    _clear(errors, [_counted(category)])


def _counted(category: int) -> zes_ras_error_category_exp_t:
    found = enumerator(category, zes_ras_error_category_exp_t)
    if found not in _CATEGORIES:
        raise invalid(f"{found.name} is not counted")
    return found


@api(SysmanChapter.RAS, since=(1, 16))
def zesRasGetSupportedCategoriesExp(hRas: RasErrorSet) -> list[zes_ras_error_category_exp_t]:
    """Returns the categories that are counted."""
    live(hRas, RasErrorSet)
    return list(_CATEGORIES)


@api(SysmanChapter.RAS, "INVALID_ENUMERATION", pointers="pCategories", since=(1, 16))
def zesRasGetStateExp2(hRas: RasErrorSet, pCategories: Sequence[int]) -> list[zes_ras_state_exp2_t]:
    """Returns the errors of some categories.

    Raises:
        ZeError: `INVALID_ARGUMENT` for a category that is not counted.
    """
    errors = live(hRas, RasErrorSet)
    required(pCategories, "pCategories")
    counts = current_errors(errors)
    return [zes_ras_state_exp2_t(found, counts[found]) for found in map(_counted, pCategories)]


@api(SysmanChapter.RAS, since=(1, 16))
def zesRasGetConfigExp(hRas: RasErrorSet) -> list[zes_ras_config_exp_t]:
    """Returns the threshold of each category that is counted."""
    _, detailed = thresholds(live(hRas, RasErrorSet))
    return [zes_ras_config_exp_t(category, detailed[category]) for category in _CATEGORIES]


@api(SysmanChapter.RAS, f"{SETS} INVALID_ENUMERATION", pointers="pConfig", since=(1, 16))
def zesRasSetConfigExp(hRas: RasErrorSet, pConfig: Sequence[zes_ras_config_exp_t]) -> None:
    """Sets the thresholds of some categories.

    Raises:
        ZeError: `INVALID_ARGUMENT` for a category that is not counted, `NOT_AVAILABLE` if another process that lives
            has set thresholds.
    """
    errors = live(hRas, RasErrorSet)
    required(pConfig, "pConfig")
    total, found = thresholds(errors)
    detailed = list(found)
    for each in pConfig:
        detailed[_counted(each.category)] = unsigned(each.threshold, "threshold", 64)
    _set_thresholds(errors, total, detailed)
