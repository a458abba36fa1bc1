"""The GPU for which a binary is chosen, under any of its names."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from xegpu.on_demand import dataclass
from xegpu.targets import TARGETS, Target
from zebin.products import (
    COMPATIBLE_CONFIGS,
    GPU_GROUPS,
    GPUS,
    PRODUCT_PREFIXES,
    RELEASE_BIT,
    config_name,
    config_word,
    product_of,
)

VERSION = re.compile(r"(\d{1,4})\.(\d{1,3})(?:\.(\d{1,2}))?", re.ASCII)
_PRODUCT = re.compile(r"([a-z][a-z0-9_-]*)(?:\.(\d{1,3}))?", re.ASCII)
_LONGEST_NAME = 64
"""Characters of an unknown name that are compared with the known ones, for a suggestion."""

_EXAMPLES = "pvc, acm-g10, tgllp, 12.60.7"


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
        """Returns the GPU for a target of this package, a name that `ocloc` knows, `12.60.7`, `12.60` or `pvc.3`.

        Raises:
            ValueError: If the text is none of these.
        """
        name = text.strip().lower()
        if name in TARGETS:
            return cls.of_target(TARGETS[name])
        if name in GPUS:
            config, product = GPUS[name]
            return cls(config, product)
        if (version := VERSION.fullmatch(name)) is not None:
            architecture, release, revision = (int(part or 0) for part in version.groups())
            if architecture < 1 << 10 and release < 1 << 8 and revision < 1 << 6:
                word = config_word(architecture, release, revision)
                return cls(word, product_of(word), has_revision=version[3] is not None)
        match = _PRODUCT.fullmatch(name)
        if match is not None and match[2] is not None and match[1] in PRODUCT_PREFIXES.values():
            return cls(product=match[1], stepping=int(match[2]))
        if name in GPU_GROUPS:
            raise ValueError(f"{text!r} stands for several GPUs: expected one of {', '.join(GPU_GROUPS[name])}")
        close = difflib.get_close_matches(name[:_LONGEST_NAME], [*TARGETS, *GPUS], n=1)
        hint = f", perhaps {close[0]}" if close else ""
        raise ValueError(f"unknown GPU {text!r}: expected a name or version as {_EXAMPLES}{hint}")

    @classmethod
    def of_target(cls, target: Target) -> TargetDevice:
        """Returns the GPU that a target describes."""
        return cls(target.product_config, PRODUCT_PREFIXES.get(target.product_family, ""))

    def executes(self, config: int) -> bool:
        """Returns whether code for another configuration runs here: with Intel's driver, or on our GPU."""
        shift = 0 if self.has_revision else RELEASE_BIT
        own = next((target for target in TARGETS.values() if target.product_config == self.config), None)
        known = (self.config >> shift == other >> shift for other in COMPATIBLE_CONFIGS.get(config, ()))
        return any(known) or (own is not None and own.executes(config))

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
