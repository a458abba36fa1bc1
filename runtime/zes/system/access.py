"""The devices that system management may use, and the user's rights.

A device is that of `zesDeviceGet`, or one of the core API if `ZES_ENABLE_SYSMAN` is 1. The devices of `zesDeviceGet`
are all cards of the system, whatever the environment leaves the core API of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from weakref import WeakSet

from runtime.card import Board, CardBusy, SettingValue, board_of
from runtime.concurrency import PROCESS
from runtime.ze.driver import Device, Driver, Handle, live, simulated_driver, system_cards
from runtime.ze.spec import ZeError, ze_result_t

ENABLE = "ZES_ENABLE_SYSMAN"

RIGHTS = "XEGPU_SYSMAN_RIGHTS"
"""The environment variable that gives a user the rights of an administrator, `write`, or takes them away, `read`."""

_drivers: dict[int, Driver] = {}
"""The driver of system management, by the number of forks that led to the process."""


def initialize() -> Driver:
    """Returns the driver of system management, which is made once.

    Raises:
        ZeError: `UNINITIALIZED` if the environment asks for cards that do not exist.
    """
    found = _drivers.get(PROCESS.forks)
    if found is not None:
        return found
    try:
        return _drivers.setdefault(PROCESS.forks, simulated_driver(system_cards()))
    except ValueError as error:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNINITIALIZED, str(error)) from None


def drivers() -> list[Driver]:
    """Returns the drivers of system management: one, or none before `initialize`."""
    found = _drivers.get(PROCESS.forks)
    return [] if found is None else [found]


_allowed: WeakSet[Driver] = WeakSet()
"""The drivers of the core API of which a handle for system management was taken, as in specification 0.91."""


def allow(device: Device) -> None:
    """Lets system management use the devices of a driver of the core API."""
    _allowed.add(live_driver(device))


def managed(driver: Driver) -> Driver:
    """Returns a driver whose devices system management may use.

    Raises:
        ZeError: `UNINITIALIZED` if it is one of the core API only.
    """
    if driver in drivers() or driver in _allowed or os.environ.get(ENABLE) == "1":
        return driver
    raise ZeError(
        ze_result_t.ZE_RESULT_ERROR_UNINITIALIZED,
        f"{driver!r} is of the core API: take that of zesDriverGet, or set {ENABLE}=1 before zeInit",
    )


def card_of(hDevice: Device) -> Device:
    """Returns the card of a device: system management is about whole cards, whose components say what tile they are on.

    Raises:
        ZeError: `UNINITIALIZED` if it is a device of the core API only, and as for every handle.
    """
    device = live(hDevice, Device)
    managed(live_driver(device))
    return device.card


def live_driver(device: Device) -> Driver:
    """Returns the driver of a device."""
    assert isinstance(device.driver, Driver)
    return device.driver


def board(card: Device) -> Board:
    """Returns the state of a card that all processes share."""
    return board_of(card.board_name)


def has_rights() -> bool:
    """Returns whether the user may change settings and read facts about other users, as administrators may."""
    chosen = os.environ.get(RIGHTS)
    return chosen == "write" or (chosen != "read" and os.geteuid() == 0)


def require_rights(action: str) -> None:
    """Raises `INSUFFICIENT_PERMISSIONS` unless the user is an administrator."""
    if not has_rights():
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS, f"user {os.geteuid()} may not {action}: see {RIGHTS}"
        )


def change(card: Device, action: str, edit: Callable[[dict[str, SettingValue]], None]) -> None:
    """Changes settings of a card.

    Raises:
        ZeError: `INSUFFICIENT_PERMISSIONS`, and `NOT_AVAILABLE` if another process does not let go of the settings.
    """
    require_rights(action)
    try:
        board(card).settings.change(edit)
    except CardBusy as error:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_NOT_AVAILABLE, str(error)) from None


def set_all(card: Device, action: str, **values: SettingValue) -> None:
    """Sets settings of a card together, as `change` does."""
    change(card, action, lambda found: found.update(values))


def invalid(text: str) -> ZeError:
    """Returns the error for an argument that is not valid here."""
    return ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, text)


def unsupported(text: str) -> ZeError:
    """Returns the error for a feature that the device does not have."""
    return ZeError(ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, text)


def not_simulated(part: Handle) -> ZeError:
    """Returns the error for a part of a kind that simulated cards do not have."""
    return unsupported(f"{part!r} is not simulated")


def not_overclocked(part: Handle) -> ZeError:
    """Returns the error for a card, a clock or a domain that is to be overclocked."""
    return unsupported(f"{part!r} cannot be overclocked")
