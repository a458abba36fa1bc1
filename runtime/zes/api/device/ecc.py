"""Error correction of memory (specification: Sysman ECC)."""

from __future__ import annotations

from runtime.ze.declaration import api
from runtime.ze.driver import Device, enumerator, required
from runtime.ze.spec import ZeError, ze_result_t
from runtime.zes.chapters import GETS, SETS, SysmanChapter
from runtime.zes.spec import (
    zes_device_action_t,
    zes_device_ecc_desc_t,
    zes_device_ecc_properties_t,
    zes_device_ecc_state_t,
)
from runtime.zes.system.access import board, card_of, set_all, unsupported

_STATE = zes_device_ecc_state_t

_PENDING = "ecc.card.pending"

_SINCE = "ecc.card.epoch"
"""The number of resets of the card when its pending state was set."""


def _has_ecc(card: Device) -> bool:
    """Returns whether the memory corrects errors: stacked memory does."""
    return card.target.memory_bus_bits >= 1024


def _properties(card: Device) -> zes_device_ecc_properties_t:
    """Returns the state of error correction: what was set counts after the next reset."""
    settings = board(card).settings
    pending = _STATE(int(settings.number(_PENDING, _STATE.ZES_DEVICE_ECC_STATE_ENABLED)))
    if settings.number(_SINCE, -1) != board(card).epoch:
        return zes_device_ecc_properties_t(pending, pending, zes_device_action_t.ZES_DEVICE_ACTION_NONE)
    current = _STATE(int(settings.number("ecc.card.current", _STATE.ZES_DEVICE_ECC_STATE_ENABLED)))
    action = zes_device_action_t
    return zes_device_ecc_properties_t(
        current,
        pending,
        action.ZES_DEVICE_ACTION_NONE if pending is current else action.ZES_DEVICE_ACTION_WARM_CARD_RESET,
    )


@api(SysmanChapter.ECC, GETS, since=(1, 4))
def zesDeviceEccAvailable(hDevice: Device) -> bool:
    """Returns whether a card can correct errors of its memory: one with stacked memory can."""
    return _has_ecc(card_of(hDevice))


@api(SysmanChapter.ECC, GETS, since=(1, 4))
def zesDeviceEccConfigurable(hDevice: Device) -> bool:
    """Returns whether error correction can be switched."""
    return _has_ecc(card_of(hDevice))


@api(SysmanChapter.ECC, f"{GETS} UNSUPPORTED_FEATURE", since=(1, 4))
def zesDeviceGetEccState(hDevice: Device) -> zes_device_ecc_properties_t:
    """Returns the state of error correction, and that after the next reset."""
    card = card_of(hDevice)
    _require(card)
    return _properties(card)


@api(SysmanChapter.ECC, f"{GETS} {SETS} INVALID_ENUMERATION UNSUPPORTED_FEATURE", pointers="newState", since=(1, 4))
def zesDeviceSetEccState(hDevice: Device, newState: zes_device_ecc_desc_t) -> zes_device_ecc_properties_t:
    """Switches error correction with the next reset. The memory of a simulated card has no errors either way.

    Raises:
        ZeError: `INVALID_ENUMERATION` for another state than enabled and disabled.
    """
    card = card_of(hDevice)
    required(newState, "newState")
    wanted = enumerator(newState.state, _STATE)
    if wanted is _STATE.ZES_DEVICE_ECC_STATE_UNAVAILABLE:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ENUMERATION, f"{wanted.name} cannot be set")
    _require(card)
    current = _properties(card).currentState
    values = {_PENDING: int(wanted), _SINCE: board(card).epoch, "ecc.card.current": int(current)}
    set_all(card, "switch error correction", **values)
    return _properties(card)


def _require(card: Device) -> None:
    if not _has_ecc(card):
        raise unsupported(f"the memory of {card!r} does not correct errors")
