"""The PCI link of cards (specification: Sysman device, PCI)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from runtime.card import CardCount
from runtime.ze.declaration import api
from runtime.ze.driver import Device, items, pci_properties
from runtime.zes.chapters import GETS, SETS, SysmanChapter
from runtime.zes.spec import (
    zes_device_action_t,
    zes_pci_address_t,
    zes_pci_bar_properties_1_2_t,
    zes_pci_bar_properties_t,
    zes_pci_bar_type_t,
    zes_pci_link_qual_issue_flags_t,
    zes_pci_link_speed_downgrade_ext_properties_t,
    zes_pci_link_speed_downgrade_ext_state_t,
    zes_pci_link_stab_issue_flags_t,
    zes_pci_link_status_t,
    zes_pci_properties_t,
    zes_pci_speed_t,
    zes_pci_state_t,
    zes_pci_stats_t,
)
from runtime.zes.system.access import board, card_of, require_rights, set_all, unsupported
from runtime.zes.system.readings import timestamp

_MMIO_BYTES = 16 << 20

_WINDOW = 0x20_0000_0000_00
"""The address of the first card's window of memory; those of others follow by their buses."""

_DOWNGRADED_GENERATION = 4

_DOWNGRADE = "pci.card.downgrade"


def _address(card: Device) -> zes_pci_address_t:
    place = card.address
    return zes_pci_address_t(place.domain, place.bus, place.device, place.function)


def _is_downgraded(card: Device) -> bool:
    return board(card).settings.number(_DOWNGRADE, 0) != 0


def _speed(card: Device, *, current: bool) -> zes_pci_speed_t:
    most = pci_properties(card.target, card.address).maxSpeed
    if not current or not _is_downgraded(card) or most.genVersion <= _DOWNGRADED_GENERATION:
        return zes_pci_speed_t(most.genVersion, most.width, most.maxBandwidth)
    return zes_pci_speed_t(_DOWNGRADED_GENERATION, most.width, most.maxBandwidth // 2)


@api(SysmanChapter.PCI, GETS, seed="zetSysmanPciGetProperties")
def zesDevicePciGetProperties(hDevice: Device, pNext: Sequence[type] = ()) -> zes_pci_properties_t:
    """Returns address and highest speed of a card's link. Bytes and packets are counted; replays do not happen."""
    card = card_of(hDevice)
    found = zes_pci_properties_t(_address(card), _speed(card, current=False), True, True, True)
    if zes_pci_link_speed_downgrade_ext_properties_t not in (items(pNext, "pNext") if pNext else ()):
        return found
    generation = card.target.pci_generation
    capable = generation > _DOWNGRADED_GENERATION
    return replace(found, pNext=(zes_pci_link_speed_downgrade_ext_properties_t(capable, generation),))


@api(SysmanChapter.PCI, GETS, seed="zetSysmanPciGetState")
def zesDevicePciGetState(hDevice: Device, pNext: Sequence[type] = ()) -> zes_pci_state_t:
    """Returns the state of a card's link: it has issues of quality while its speed is reduced."""
    card = card_of(hDevice)
    is_slow = _speed(card, current=True) != _speed(card, current=False)
    status, issues = zes_pci_link_status_t, zes_pci_link_qual_issue_flags_t
    found = zes_pci_state_t(
        status.ZES_PCI_LINK_STATUS_QUALITY_ISSUES if is_slow else status.ZES_PCI_LINK_STATUS_GOOD,
        issues.ZES_PCI_LINK_QUAL_ISSUE_FLAG_SPEED if is_slow else issues(0),
        zes_pci_link_stab_issue_flags_t(0),
        _speed(card, current=True),
    )
    if zes_pci_link_speed_downgrade_ext_state_t not in (items(pNext, "pNext") if pNext else ()):
        return found
    return replace(found, pNext=(zes_pci_link_speed_downgrade_ext_state_t(_is_downgraded(card)),))


@api(SysmanChapter.PCI, GETS, seed="zetSysmanPciGetBars")
def zesDevicePciGetBars(
    hDevice: Device, pNext: Sequence[type] = ()
) -> list[zes_pci_bar_properties_t | zes_pci_bar_properties_1_2_t]:
    """Returns the windows of a card: its registers, and its memory as a whole.

    `zes_pci_bar_properties_1_2_t` in `pNext` asks for that structure in place of the other.
    """
    card = card_of(hDevice)
    size = card.target.memory_bytes * card.target.tiles
    base = _WINDOW + card.address.bus * (1 << 40)
    kinds = zes_pci_bar_type_t
    bars = [(kinds.ZES_PCI_BAR_TYPE_MMIO, 0, base, _MMIO_BYTES), (kinds.ZES_PCI_BAR_TYPE_MEM, 2, base + size, size)]
    if zes_pci_bar_properties_1_2_t in (items(pNext, "pNext") if pNext else ()):
        return [zes_pci_bar_properties_1_2_t(*bar, index == 1, index == 1) for index, bar in enumerate(bars)]
    return [zes_pci_bar_properties_t(*bar) for bar in bars]


@api(SysmanChapter.PCI, f"{GETS} INSUFFICIENT_PERMISSIONS", seed="zetSysmanPciGetStats")
def zesDevicePciGetStats(hDevice: Device) -> zes_pci_stats_t:
    """Returns the bytes that copies have moved over a card's link, and the packets that these take."""
    card = card_of(hDevice)
    require_rights("read what the link of a card carries")
    state = board(card)
    return zes_pci_stats_t(
        timestamp(),
        0,
        state.card_count(CardCount.PACKETS),
        state.card_count(CardCount.RECEIVED_BYTES),
        state.card_count(CardCount.SENT_BYTES),
        _speed(card, current=True),
    )


@api(SysmanChapter.PCI, f"{GETS} {SETS} UNSUPPORTED_FEATURE", since=(1, 15))
def zesDevicePciLinkSpeedUpdateExt(hDevice: Device, shouldDowngrade: bool) -> zes_device_action_t:
    """Reduces the speed of a card's link to that of generation 4, or restores it, and returns what must be done.

    The link has its new speed at once.

    Raises:
        ZeError: `UNSUPPORTED_FEATURE` if the link has no higher generation.
    """
    card = card_of(hDevice)
    require_generation(card)
    set_all(card, "change the speed of a link", **{_DOWNGRADE: int(shouldDowngrade)})
    return zes_device_action_t.ZES_DEVICE_ACTION_NONE


def require_generation(card: Device) -> None:
    """Raises `UNSUPPORTED_FEATURE` if the speed of a card's link cannot be reduced."""
    if card.target.pci_generation <= _DOWNGRADED_GENERATION:
        raise unsupported(f"the link of {card!r} has generation {card.target.pci_generation}")
