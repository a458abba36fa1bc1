"""The GPU that a binary is to be chosen for, by any of the names that it has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from xegpu.targets import TARGETS, Target
from zebin.products import PRODUCT_FAMILIES, config_name

_VERSION = re.compile(r"(\d{1,4})\.(\d{1,3})(?:\.(\d{1,2}))?", re.ASCII)
_PRODUCT = re.compile(r"([a-z][a-z0-9_-]*)(?:\.(\d{1,3}))?", re.ASCII)

_KNOWN = {PRODUCT_FAMILIES[target.product_family].lower(): target for target in TARGETS.values()} | dict(TARGETS)
"""Targets of this package by the name of their product and by ours."""


@dataclass(frozen=True)
class TargetDevice:
    """A GPU: `config` is its product configuration (the GMD id), `product` what compilers call it; either may be empty.

    `has_revision` says that the configuration is of one revision, not of a whole release; `stepping` may be None.
    """

    config: int = 0
    product: str = ""
    stepping: int | None = None
    has_revision: bool = True
    pointer_bits: int = 64

    @classmethod
    def parse(cls, text: str) -> TargetDevice:
        """A target of ours or its product, `12.60.7`, `12.60`, `pvc` or `pvc.3`. Raises `ValueError` for others."""
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
        raise ValueError(f"no GPU is called {text!r}: expected {', '.join(TARGETS)}, a product or a version as 12.60.7")

    @classmethod
    def of_target(cls, target: Target) -> TargetDevice:
        """The GPU that a target describes."""
        return cls(target.product_config, PRODUCT_FAMILIES[target.product_family].lower())

    @property
    def member_name(self) -> str:
        """What archives call a member for exactly this GPU."""
        return next(self.member_prefixes())

    def member_prefixes(self) -> Iterator[str]:
        """How the names of archive members for this GPU begin, the best first."""
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
