"""Names for the numbers by which target notes identify a GPU."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from xegpu.on_demand import dataclass


class ProductFamily(NamedTuple):
    """A family of GPUs: its number in notes, its name, its name in older fat binaries, and its graphics core.

    The core is 0 if it is not known with certainty.
    """

    number: int
    name: str
    prefix: str
    core: int = 0


FAMILIES: Sequence[ProductFamily] = (
    ProductFamily(16, "BDW", "bdw", 11),
    ProductFamily(18, "SKL", "skl", 12),
    ProductFamily(19, "KBL", "kbl", 12),
    ProductFamily(20, "CFL", "cfl", 12),
    ProductFamily(22, "BXT/APL", "bxt", 12),
    ProductFamily(23, "GLK", "glk", 12),
    ProductFamily(26, "ICL-LP", "icllp", 15),
    ProductFamily(27, "LKF", "lkf", 15),
    ProductFamily(28, "EHL/JSL", "ehl", 15),
    ProductFamily(29, "TGL-LP", "tgllp", 18),
    ProductFamily(30, "RKL", "rkl", 18),
    ProductFamily(31, "ADL-S", "adls", 18),
    ProductFamily(32, "ADL-P", "adlp", 18),
    ProductFamily(33, "ADL-N", "adln", 18),
    ProductFamily(1210, "DG1", "dg1", 18),
    ProductFamily(1250, "XE_HP_SDV", "xe_hp_sdv", 0xC05),
    ProductFamily(1270, "DG2", "dg2", 0xC07),
    ProductFamily(1271, "PVC", "pvc", 0xC08),
    ProductFamily(1272, "MTL", "mtl", 0xC07),
    ProductFamily(1273, "ARL", "arl"),
    ProductFamily(1274, "BMG", "bmg", 0xC09),
    ProductFamily(1275, "LNL", "lnl", 0xC09),
    ProductFamily(1300, "PTL", "ptl", 0x1E00),
    ProductFamily(1340, "NVL-XE3G", "nvl"),
    ProductFamily(1360, "NVL", "nvl"),
    ProductFamily(1380, "CRI", "cri"),
)

PRODUCT_FAMILIES: Mapping[int, str] = {family.number: family.name for family in FAMILIES}
CORE_OF_FAMILY: Mapping[int, int] = {family.number: family.core for family in FAMILIES if family.core}
PRODUCT_PREFIXES: Mapping[int, str] = {family.number: family.prefix for family in FAMILIES}


RELEASE_BIT = 14
"""The lowest bit of the release in a product configuration."""


def config_word(architecture: int, release: int, revision: int) -> int:
    """Returns the product configuration of a GPU version."""
    return architecture << 22 | release << RELEASE_BIT | revision


GPUS: Mapping[str, tuple[int, str]] = {
    "bdw": (config_word(8, 0, 0), "bdw"),
    "skl": (config_word(9, 0, 9), "skl"),
    "kbl": (config_word(9, 1, 9), "kbl"),
    "cfl": (config_word(9, 2, 9), "cfl"),
    **dict.fromkeys(("apl", "bxt"), (config_word(9, 3, 0), "bxt")),
    "glk": (config_word(9, 4, 0), "glk"),
    "whl": (config_word(9, 5, 0), ""),
    "aml": (config_word(9, 6, 0), ""),
    "cml": (config_word(9, 7, 0), ""),
    "icllp": (config_word(11, 0, 0), "icllp"),
    "lkf": (config_word(11, 1, 0), "lkf"),
    **dict.fromkeys(("ehl", "jsl"), (config_word(11, 2, 0), "ehl")),
    "tgllp": (config_word(12, 0, 0), "tgllp"),
    "rkl": (config_word(12, 1, 0), "rkl"),
    "adl-s": (config_word(12, 2, 0), "adls"),
    "adl-p": (config_word(12, 3, 0), "adlp"),
    "adl-n": (config_word(12, 4, 0), "adln"),
    "dg1": (config_word(12, 10, 0), "dg1"),
    "xe_hp_sdv": (config_word(12, 50, 4), "xe_hp_sdv"),
    **dict.fromkeys(("acm-g10", "ats-m150", "dg2-g10", "dg2"), (config_word(12, 55, 8), "dg2")),
    **dict.fromkeys(("acm-g11", "ats-m75", "dg2-g11"), (config_word(12, 56, 5), "dg2")),
    **dict.fromkeys(("acm-g12", "dg2-g12"), (config_word(12, 57, 0), "dg2")),
    "pvc-sdv": (config_word(12, 60, 1), "pvc"),
    "pvc": (config_word(12, 60, 7), "pvc"),
    "mtl-u": (config_word(12, 70, 4), "mtl"),
    "mtl-h": (config_word(12, 71, 4), "mtl"),
    "arl-h": (config_word(12, 74, 4), "arl"),
    **dict.fromkeys(("bmg-g21", "bmg"), (config_word(20, 1, 0), "bmg")),
    "bmg-g31": (config_word(20, 2, 0), "bmg"),
    **dict.fromkeys(("lnl-m", "lnl"), (config_word(20, 4, 4), "lnl")),
    **dict.fromkeys(("ptl-h", "ptl"), (config_word(30, 0, 4), "ptl")),
    "ptl-u": (config_word(30, 1, 0), "ptl"),
}
"""GPUs by the names that `ocloc -device` takes: the configuration that it compiles for, and the product family's name
in older fat binaries, empty for GPUs that these do not have.
"""

_GEN9 = ("skl", "kbl", "cfl", "apl", "glk", "whl", "aml", "cml")
_GEN12LP = ("tgllp", "rkl", "adl-s", "adl-p", "adl-n", "dg1")
_XE_HPG, _XE_HPC = ("acm-g10", "acm-g11", "acm-g12"), ("pvc-sdv", "pvc")
GPU_GROUPS: Mapping[str, Sequence[str]] = {
    "gen8": ("bdw",),
    "gen9": _GEN9,
    "gen11": ("icllp", "lkf", "ehl"),
    "gen12lp": _GEN12LP,
    "xe": ("xe_hp_sdv", *_XE_HPG, *_XE_HPC),
    "xe-hp": ("xe_hp_sdv",),
    "xe-hpg": _XE_HPG,
    "xe-hpc": _XE_HPC,
    "mtl": ("mtl-u", "mtl-h"),
}
"""Names that `ocloc -device` takes for all GPUs of a generation."""

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

COMPATIBLE_CONFIGS: Mapping[int, Sequence[int]] = {
    config_word(12, 55, 8): (config_word(12, 56, 5), config_word(12, 57, 0)),
    config_word(12, 70, 4): (config_word(12, 71, 4),),
    config_word(20, 1, 0): (config_word(20, 2, 0), config_word(20, 4, 4)),
    config_word(30, 0, 4): (
        config_word(30, 1, 0),
        config_word(30, 3, 1),
        config_word(30, 4, 4),
        config_word(30, 5, 4),
    ),
}
"""The configurations of other GPUs on which Intel's driver runs code for one."""

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
    """Returns the name of a product family."""
    return PRODUCT_FAMILIES.get(number, "unknown")


def product_of(word: int) -> str:
    """Returns the product family's name in older fat binaries of a configuration, empty if it is not known."""
    release = word >> RELEASE_BIT
    return next((product for known, product in GPUS.values() if known >> RELEASE_BIT == release), "")


def core_name(number: int) -> str:
    """Returns the name of a graphics core."""
    return GFX_CORES.get(number, "unknown") if number else "unspecified"


def config_name(word: int) -> str:
    """Returns a product configuration as `architecture.release.revision`, with the product's name if it is known."""
    version = f"{word >> 22}.{word >> 14 & 0xFF}.{word & 0x3F}"
    return f"{version} ({PRODUCT_CONFIGS[word]})" if word in PRODUCT_CONFIGS else version


def legacy_target(machine: int, flags: int) -> str | None:
    """Returns the target that a legacy file names in `e_machine`, None if the number is not an Intel GPU."""
    names = GFX_CORES if flags & _LEGACY_MACHINE_IS_CORE else PRODUCT_FAMILIES
    return names.get(machine)
