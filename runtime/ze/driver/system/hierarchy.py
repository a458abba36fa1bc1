"""Which cards and tiles an application sees, and what it sees as a device (environment variables of the driver)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum


class Hierarchy(Enum):
    """What a device is: a card whose tiles are sub-devices, a tile, or a tile that is a sub-device of a hidden card."""

    COMPOSITE = "COMPOSITE"
    FLAT = "FLAT"
    COMBINED = "COMBINED"


@dataclass(frozen=True)
class DeviceSelection:
    """What the environment says about devices. `affinity` is the mask as given, None without one.

    With `by_address` devices are in the order of their PCI addresses, else the most capable come first. With
    `seed_mask` digits alone are a hexadecimal mask, as in specification 0.91, rather than the number of a device.
    """

    hierarchy: Hierarchy = Hierarchy.COMPOSITE
    affinity: str | None = None
    seed_mask: bool = False
    by_address: bool = False


ALL_DEVICES = DeviceSelection()


def selection_from(environment: Mapping[str, str]) -> DeviceSelection:
    """What the variables `ZE_FLAT_DEVICE_HIERARCHY`, `ZE_AFFINITY_MASK` (`XEGPU_AFFINITY_FORM`: `list`, or `mask` for
    digits alone to be hexadecimal) and `ZE_ENABLE_PCI_ID_DEVICE_ORDER` say.

    Raises `ValueError` for a hierarchy or a form that does not exist.
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
    """The tiles that the application sees of each card, of which `tiles` are the numbers of tiles."""
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
    """Whether the mask is of the older form: hexadecimal, one bit a tile. The newer one lists decimal numbers."""
    text = selection.affinity or ""
    return bool(_SEED_MASK.fullmatch(text)) and (selection.seed_mask or not _DIGITS.fullmatch(text))


def _named(entry: str, places: Sequence[tuple[int, int]], *, flat: bool) -> list[tuple[int, int]]:
    """The tiles that `D` or `D.S` names: card D, and its tile S.

    Where tiles are devices, D counts them and S is ignored. What is malformed or out of range names none.
    """
    match = _ENTRY.fullmatch(entry)
    if match is None:
        return []
    device = int(match[1])
    if flat:
        return list(places[device : device + 1])
    return [(card, tile) for card, tile in places if card == device and match[2] in (None, str(tile))]
