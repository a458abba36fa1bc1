"""Properties and state of cards, who uses them, and their reset (specification: Sysman device)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

from runtime.card import CardBusy
from runtime.ze.declaration import api
from runtime.ze.driver import Device, drivers_of_process, enumerator, items, live, required
from runtime.ze.spec import ZeError, ze_result_t
from runtime.zes.chapters import GETS, SETS, SysmanChapter
from runtime.zes.spec import (
    ZES_STRING_PROPERTY_SIZE,
    zes_device_ext_properties_t,
    zes_device_properties_t,
    zes_device_property_flags_t,
    zes_device_state_t,
    zes_device_type_t,
    zes_engine_type_flags_t,
    zes_process_state_t,
    zes_repair_status_t,
    zes_reset_properties_t,
    zes_reset_reason_flags_t,
    zes_reset_type_t,
    zes_subdevice_exp_properties_t,
    zes_uuid_t,
)
from runtime.zes.system.access import board, card_of, drivers, require_rights

_VENDOR = "Intel(R) Corporation"


def _string(text: str) -> str:
    """Returns a text that fits into a string property, with the zero that ends it."""
    return text[: ZES_STRING_PROPERTY_SIZE - 1]


@api(SysmanChapter.SYSMAN_DEVICE, GETS, seed="zetSysmanDeviceGetProperties")
def zesDeviceGetProperties(hDevice: Device, pNext: Sequence[type] = ()) -> zes_device_properties_t:
    """Returns identity and strings of a card; its numbers are those of a simulated one."""
    card = card_of(hDevice)
    found = zes_device_properties_t(
        core=card.properties,
        numSubdevices=card.target.tiles if card.target.tiles > 1 else 0,
        serialNumber=_string(f"simulated-{card.board_name}"),
        boardNumber=_string(f"simulated-{card.target.name}"),
        brandName=_string("Xe (simulated)"),
        modelName=_string(card.target.title),
        vendorName=_VENDOR,
        driverVersion="1.0",
    )
    if zes_device_ext_properties_t not in (items(pNext, "pNext") if pNext else ()):
        return found
    flags = zes_device_property_flags_t(0)
    kind = zes_device_type_t.ZES_DEVICE_TYPE_GPU
    return replace(found, pNext=(zes_device_ext_properties_t(zes_uuid_t(card.properties.uuid), kind, flags),))


@api(SysmanChapter.SYSMAN_DEVICE, GETS, since=(1, 9))
def zesDeviceGetSubDevicePropertiesExp(hDevice: Device) -> list[zes_subdevice_exp_properties_t]:
    """Returns the tiles of a card that has several."""
    card = card_of(hDevice)
    return [zes_subdevice_exp_properties_t(t.properties.subdeviceId, zes_uuid_t(t.properties.uuid)) for t in card.tiles]


@api(SysmanChapter.SYSMAN_DEVICE, GETS, seed="zetSysmanDeviceGetRepairStatus")
def zesDeviceGetState(hDevice: Device) -> zes_device_state_t:
    """Returns whether a card must be reset, because work of some process has faulted; cards cannot be repaired."""
    card = card_of(hDevice)
    is_lost = any(user.losses for user in board(card).users())
    reasons = zes_reset_reason_flags_t.ZES_RESET_REASON_FLAG_WEDGED if is_lost else zes_reset_reason_flags_t(0)
    return zes_device_state_t(reasons, zes_repair_status_t.ZES_REPAIR_STATUS_UNSUPPORTED)


@api(SysmanChapter.SYSMAN_DEVICE, GETS, seed="zetSysmanProcessesGetState")
def zesDeviceProcessesGetState(hDevice: Device) -> list[zes_process_state_t]:
    """Returns the processes that have memory on a card or have used it, each with its number in the system."""
    card = card_of(hDevice)
    return [
        zes_process_state_t(user.process, sum(user.memory), user.shared, zes_engine_type_flags_t(user.engines))
        for user in board(card).users()
    ]


_RESETS = f"{GETS} {SETS} HANDLE_OBJECT_IN_USE"


@api(SysmanChapter.SYSMAN_DEVICE, _RESETS, seed="zetSysmanDeviceReset")
def zesDeviceReset(hDevice: Device, force: bool) -> None:
    """Resets a card. Work that other processes submit is lost then; devices of this process are in service again.

    Raises:
        ZeError: `HANDLE_OBJECT_IN_USE` if a process uses the card and the reset is not forced.
    """
    reset_card(card_of(hDevice), force=force)


@api(SysmanChapter.SYSMAN_DEVICE, f"{_RESETS} INVALID_ENUMERATION", pointers="pProperties", since=(1, 7))
def zesDeviceResetExt(hDevice: Device, pProperties: zes_reset_properties_t) -> None:
    """Resets a card; all types of reset are alike."""
    card = card_of(hDevice)
    required(pProperties, "pProperties")
    enumerator(pProperties.resetType, zes_reset_type_t)
    reset_card(card, force=pProperties.force)


def reset_card(card: Device, *, force: bool) -> None:
    """Resets a card, unless others use it."""
    require_rights("reset a card")
    state = board(card)
    others = [user.process for user in state.users() if sum(user.memory) or user.process != os.getpid()]
    if others and not force:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE, f"processes use {card!r}: {', '.join(map(str, others))}"
        )
    try:
        state.reset()
    except CardBusy as error:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_NOT_AVAILABLE, str(error)) from None
    for driver in (*drivers(), *drivers_of_process(), live(card.driver, type(card.driver))):
        for device in getattr(driver, "devices", ()):
            if device.card.board_name == card.board_name:
                device.processor.recover()
