"""The GPU for which a binary is chosen, under any of its names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from xegpu.targets import TARGETS, Target
from zebin.products import PRODUCT_FAMILIES, config_name

_VERSION = re.compile(r"(\d{1,4})\.(\d{1,3})(?:\.(\d{1,2}))?", re.ASCII)
_PRODUCT = re.compile(r"([a-z][a-z0-9_-]*)(?:\.(\d{1,3}))?", re.ASCII)

_KNOWN = {PRODUCT_FAMILIES[target.product_family].lower(): target for target in TARGETS.values()} | dict(TARGETS)
"""The targets of this package by the name of their product and by their own."""


@dataclass(frozen=True)
class TargetDevice:
    """A GPU for which a binary is chosen.

    `config` is its product configuration (the GMD id) and `product` its name in compilers; either may be empty.
    `has_revision` is False for a configuration that stands for all revisions of a release. `stepping` may be None.
    """

    config: int = 0
    product: str = ""
    stepping: int | None = None
    has_revision: bool = True
    pointer_bits: int = 64

    @classmethod
    def parse(cls, text: str) -> TargetDevice:
        """Returns the GPU for a target of this package, its product, `12.60.7`, `12.60`, `pvc` or `pvc.3`.

        Raises:
            ValueError: If the text is none of these.
        """
        name = text.strip().lower()
        if name in _KNOWN:
            target = _KNOWN[name]
            return cls(target.product_config, PRODUCT_FAMILIES[target.product_family].lower())
        if match := _VERSION.fullmatch(name):
            architecture, release, revision = (int(part or 0) for part in match.groups())
            if architecture < 1 << 10 and release < 1 << 8 and revision < 1 << 6:
                return cls(architecture << 22 | release << 14 | revision, has_revision=match[3] is not None)
        elif match := _PRODUCT.fullmatch(name):
            return cls(product=match[1], stepping=None if match[2] is None else int(match[2]))
        raise ValueError(f"unknown GPU {text!r}: expected {', '.join(TARGETS)}, a product or a version as 12.60.7")

    @classmethod
    def of_target(cls, target: Target) -> TargetDevice:
        """Returns the GPU that a target describes."""
        return cls(target.product_config, PRODUCT_FAMILIES[target.product_family].lower())

    @property
    def member_name(self) -> str:
        """The name of an archive member for exactly this GPU."""
        return next(self.member_prefixes())

    def member_prefixes(self) -> Iterator[str]:
        """Yields the prefixes of member names that match this GPU, the best match first."""
        release = f"{self.pointer_bits}.{self.config >> 22}.{self.config >> 14 & 0xFF}"
        product = f"{self.pointer_bits}.{self.product}"
        if self.config and self.has_revision:
            yield f"{release}.{self.config & 0x3F}"
        if self.product and self.stepping is not None:
            yield f"{product}.{self.stepping}"
        if self.config:
            yield release
        if self.product:
            yield product

    def __str__(self) -> str:
        return config_name(self.config) if self.config else self.product
