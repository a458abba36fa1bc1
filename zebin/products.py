"""Names for the numbers by which target notes identify a GPU."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

PRODUCT_FAMILIES: Mapping[int, str] = {
    16: "BDW",
    18: "SKL",
    19: "KBL",
    20: "CFL",
    22: "BXT/APL",
    23: "GLK",
    26: "ICL-LP",
    27: "LKF",
    28: "EHL/JSL",
    29: "TGL-LP",
    30: "RKL",
    31: "ADL-S",
    32: "ADL-P",
    33: "ADL-N",
    1210: "DG1",
    1250: "XE_HP_SDV",
    1270: "DG2",
    1271: "PVC",
    1272: "MTL",
    1273: "ARL",
    1274: "BMG",
    1275: "LNL",
    1300: "PTL",
    1340: "NVL-XE3G",
    1360: "NVL",
    1380: "CRI",
}

GFX_CORES: Mapping[int, str] = {
    11: "GEN8",
    12: "GEN9",
    15: "GEN11",
    16: "GEN11LP",
    17: "GEN12",
    18: "GEN12LP",
    0xC05: "XE_HP",
    0xC07: "XE_HPG",
    0xC08: "XE_HPC",
    0xC09: "XE2",
    0x1E00: "XE3",
    0x2300: "XE3P",
}

CORE_OF_FAMILY: Mapping[int, int] = {
    16: 11,
    **dict.fromkeys((18, 19, 20, 22, 23), 12),
    **dict.fromkeys((29, 30, 31, 32, 33, 1210), 18),
    1250: 0xC05,
    **dict.fromkeys((1270, 1272), 0xC07),
    1271: 0xC08,
    **dict.fromkeys((1274, 1275), 0xC09),
    1300: 0x1E00,
}
"""The core of the families for which it is known with certainty."""

PRODUCT_CONFIGS: Mapping[int, str] = {
    0x03000000: "TGL",
    0x03028000: "DG1",
    0x030DC008: "DG2 G10 C0",
    0x030E0005: "DG2 G11 B1",
    0x030E4000: "DG2 G12 A0",
    0x030F0001: "PVC XL A0P",
    0x030F0007: "PVC XT C0",
    0x030F4007: "PVC XT C0 VG",
    0x03118004: "MTL U B0",
    0x0311C004: "MTL H B0",
    0x03128004: "ARL H B0",
    0x05004000: "BMG G21 A0",
    0x05008000: "BMG G31",
    0x05010004: "LNL B0",
    0x07800004: "PTL H B0",
    0x07804000: "PTL U",
    0x08C28000: "NVL P A0",
    0x08C2C000: "CRI",
}

GENERATORS: Mapping[int, str] = {0: "unregistered", 1: "IGC", 2: "nGEN"}

_LEGACY_MACHINE_IS_CORE = 1 << 15


@dataclass(frozen=True)
class TargetMetadata:
    """The word of note 3, which legacy files keep in `e_flags`: the steppings that the code is for, and its
    generator.
    """

    word: int = 0

    @property
    def min_revision(self) -> int:
        return self.word >> 8 & 0x1F

    @property
    def max_revision(self) -> int:
        return self.word >> 16 & 0x1F

    @property
    def checks_revision(self) -> bool:
        """True if the driver compares the device's stepping with the two bounds."""
        return bool(self.word >> 13 & 1)

    @property
    def generator(self) -> str:
        number = self.word >> 21 & 7
        return GENERATORS.get(number, f"generator {number}")

    @property
    def reserved(self) -> int:
        """The bits that must be zero."""
        return self.word & 0xFF008000

    def __str__(self) -> str:
        checked = "checked" if self.checks_revision else "not checked"
        return f"generator {self.generator}, stepping {self.min_revision} to {self.max_revision} ({checked})"


def family_name(number: int) -> str:
    return PRODUCT_FAMILIES.get(number, "unknown")


def core_name(number: int) -> str:
    return GFX_CORES.get(number, "unknown") if number else "unspecified"


def config_name(word: int) -> str:
    """Returns a product configuration as `architecture.release.revision`, with the product's name if it is known."""
    version = f"{word >> 22}.{word >> 14 & 0xFF}.{word & 0x3F}"
    return f"{version} ({PRODUCT_CONFIGS[word]})" if word in PRODUCT_CONFIGS else version


def legacy_target(machine: int, flags: int) -> str | None:
    """Returns the target that a legacy file names in `e_machine`, None if the number is not an Intel GPU."""
    names = GFX_CORES if flags & _LEGACY_MACHINE_IS_CORE else PRODUCT_FAMILIES
    return names.get(machine)
