"""The cards and tiles that an application sees, and what it sees as a device (environment variables of the driver)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import Enum

from xegpu.on_demand import dataclass


class Hierarchy(Enum):
    """The kinds of devices: cards with tiles as sub-devices, tiles, or tiles as sub-devices of hidden cards."""

    COMPOSITE = "COMPOSITE"
    FLAT = "FLAT"
    COMBINED = "COMBINED"


@dataclass(frozen=True)
class DeviceSelection:
    """The selection of devices in the environment.

    Attributes:
        hierarchy: What a device is.
        affinity: The affinity mask as given; None without one.
        seed_mask: True if digits alone are a hexadecimal mask, as in specification 0.91, not the number of a
            device.
        by_address: True if devices are in the order of their PCI addresses; else the most capable come first.
    """

    hierarchy: Hierarchy = Hierarchy.COMPOSITE
    affinity: str | None = None
    seed_mask: bool = False
    by_address: bool = False


ALL_DEVICES = DeviceSelection()


def selection_from(environment: Mapping[str, str]) -> DeviceSelection:
    """Returns the selection in the variables `ZE_FLAT_DEVICE_HIERARCHY`, `ZE_AFFINITY_MASK`, `XEGPU_AFFINITY_FORM`
    (`list`, or `mask` for digits alone to be hexadecimal) and `ZE_ENABLE_PCI_ID_DEVICE_ORDER`.

    Raises:
        ValueError: The hierarchy or the form does not exist.
    """
    hierarchy = environment.get("ZE_FLAT_DEVICE_HIERARCHY", "").strip() or Hierarchy.COMPOSITE.value
    if hierarchy.upper() not in Hierarchy.__members__:
        raise ValueError(f"ZE_FLAT_DEVICE_HIERARCHY is '{hierarchy}', expected {', '.join(Hierarchy.__members__)}")
    form = environment.get("XEGPU_AFFINITY_FORM", "").strip().lower() or "list"
    if form not in ("list", "mask"):
        raise ValueError(f"XEGPU_AFFINITY_FORM is '{form}', expected list or mask")
    affinity = environment.get("ZE_AFFINITY_MASK", "").strip()
    return DeviceSelection(
        Hierarchy[hierarchy.upper()],
        None if affinity.lower() in ("", "default") else affinity,
        form == "mask",
        environment.get("ZE_ENABLE_PCI_ID_DEVICE_ORDER", "").strip() == "1",
    )


def kept_tiles(selection: DeviceSelection, tiles: Sequence[int]) -> list[tuple[int, ...]]:
    """Returns the tiles of each card that the application sees; `tiles` are the numbers of tiles of the cards."""
    everything = [(card, tile) for card, count in enumerate(tiles) for tile in range(count)]
    if selection.affinity is None:
        kept = set(everything)
    elif _is_seed_mask(selection):
        mask = int(selection.affinity, 16)
        kept = {place for bit, place in enumerate(everything) if mask >> bit & 1}
    else:
        flat = selection.hierarchy is not Hierarchy.COMPOSITE
        kept = set()
        for entry in selection.affinity.split(","):
            kept.update(_named(entry.strip(), everything, flat=flat))
    return [tuple(tile for tile in range(count) if (card, tile) in kept) for card, count in enumerate(tiles)]


_SEED_MASK = re.compile(r"(0x)?[0-9a-f]{1,256}", re.IGNORECASE)

_DIGITS = re.compile(r"[0-9]+")

_ENTRY = re.compile(r"([0-9]{1,9})(?:\.([0-9]{1,9}))?")


def _is_seed_mask(selection: DeviceSelection) -> bool:
    """Returns whether the mask has the form of 0.91: hexadecimal, one bit for each tile. That of 1.x lists decimal
    numbers.
    """
    text = selection.affinity or ""
    return bool(_SEED_MASK.fullmatch(text)) and (selection.seed_mask or not _DIGITS.fullmatch(text))


def _named(entry: str, places: Sequence[tuple[int, int]], *, flat: bool) -> list[tuple[int, int]]:
    """Returns the tiles that `D` (all tiles of card D) or `D.S` (its tile S) names.

    Where tiles are devices, D is the number of a tile and S is ignored. An entry that is malformed or out of range
    names no tile.
    """
    match = _ENTRY.fullmatch(entry)
    if match is None:
        return []
    device = int(match[1])
    if flat:
        return list(places[device : device + 1])
    return [(card, tile) for card, tile in places if card == device and match[2] in (None, str(tile))]
