"""Attributes of the xevm dialect."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import IntAttr, NoneAttr, StringAttr
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum

from xegpu.dialects.upstream.enums import InAngleBrackets
from xegpu.mlir import OpaqueTextAttr


@irdl_attr_definition
class XevmTargetAttr(OpaqueTextAttr):
    """The GPU and the options that a module is compiled for. Its text is kept; only the chip is interpreted.

    `#xevm.target<O = 3, chip = "pvc">`
    """

    name = "xevm.target"

    @property
    def chip(self) -> str | None:
        """The name of the GPU, or None if the attribute has none."""
        found = re.search(r'\bchip\s*=\s*"([^"]*)"', self.body.data)
        return found[1] if found else None


def chips_of(targets: Iterable[Attribute]) -> list[str]:
    """Returns the names of GPUs among the targets of a `gpu.module`."""
    chips = [target.chip for target in targets if isinstance(target, XevmTargetAttr)]
    return [chip for chip in chips if chip is not None]


class AddrSpace(StrEnum):
    """The memory that a pointer or a fence is about."""

    PRIVATE = "private"
    GLOBAL = "global"
    CONSTANT = "constant"
    SHARED = "shared"
    GENERIC = "generic"

    @property
    def number(self) -> int:
        """The number of the memory space of a memref."""
        return _NUMBERS[self]


_NUMBERS = {
    AddrSpace.PRIVATE: 5,
    AddrSpace.GLOBAL: 0,
    AddrSpace.CONSTANT: 0,
    AddrSpace.SHARED: 3,
    AddrSpace.GENERIC: 0,
}


@irdl_attr_definition
class AddrSpaceAttr(InAngleBrackets[AddrSpace], EnumAttribute[AddrSpace]):
    """The memory that a pointer or a fence is about: `#xevm.addr_space<global>`."""

    name = "xevm.addr_space"


class MemScope(StrEnum):
    """Names those for whom a fence orders accesses."""

    LANE = "lane"
    SUBGROUP = "subgroup"
    WORKGROUP = "workgroup"
    CLUSTER = "cluster"
    DEVICE = "device"
    SYSTEM = "system"


@irdl_attr_definition
class MemScopeAttr(InAngleBrackets[MemScope], EnumAttribute[MemScope]):
    """Names those for whom a fence orders accesses: `#xevm.mem_scope<workgroup>`."""

    name = "xevm.mem_scope"


class LoadCacheControl(StrEnum):
    """Names what loads do at each cache level: `uc` uncached, `c` cached, `s` streaming, `ir` invalidated once read;
    `Use_Default` leaves that to the surface.
    """

    L1UC_L2UC_L3UC = "L1uc_L2uc_L3uc"
    L1UC_L2UC_L3C = "L1uc_L2uc_L3c"
    L1UC_L2C_L3UC = "L1uc_L2c_L3uc"
    L1UC_L2C_L3C = "L1uc_L2c_L3c"
    L1C_L2UC_L3UC = "L1c_L2uc_L3uc"
    L1C_L2UC_L3C = "L1c_L2uc_L3c"
    L1C_L2C_L3UC = "L1c_L2c_L3uc"
    L1C_L2C_L3C = "L1c_L2c_L3c"
    L1S_L2UC_L3UC = "L1s_L2uc_L3uc"
    L1S_L2UC_L3C = "L1s_L2uc_L3c"
    L1S_L2C_L3UC = "L1s_L2c_L3uc"
    L1S_L2C_L3C = "L1s_L2c_L3c"
    IR = "ir"
    USE_DEFAULT = "Use_Default"


class StoreCacheControl(StrEnum):
    """Names what stores do at each level: `wt` written through, `wb` written back, `uc` uncached, `s` streaming;
    `Use_Default` leaves that to the surface.
    """

    L1UC_L2UC_L3UC = "L1uc_L2uc_L3uc"
    L1UC_L2UC_L3WB = "L1uc_L2uc_L3wb"
    L1UC_L2WB_L3UC = "L1uc_L2wb_L3uc"
    L1UC_L2WB_L3WB = "L1uc_L2wb_L3wb"
    L1WT_L2UC_L3UC = "L1wt_L2uc_L3uc"
    L1WT_L2UC_L3WB = "L1wt_L2uc_L3wb"
    L1WT_L2WB_L3UC = "L1wt_L2wb_L3uc"
    L1WT_L2WB_L3WB = "L1wt_L2wb_L3wb"
    L1S_L2UC_L3UC = "L1s_L2uc_L3uc"
    L1S_L2UC_L3WB = "L1s_L2uc_L3wb"
    L1S_L2WB_L3UC = "L1s_L2wb_L3uc"
    L1S_L2WB_L3WB = "L1s_L2wb_L3wb"
    L1WB_L2UC_L3UC = "L1wb_L2uc_L3uc"
    L1WB_L2WB_L3UC = "L1wb_L2wb_L3uc"
    L1WB_L2UC_L3WB = "L1wb_L2uc_L3wb"
    USE_DEFAULT = "Use_Default"


@irdl_attr_definition
class LoadCacheControlAttr(InAngleBrackets[LoadCacheControl], EnumAttribute[LoadCacheControl]):
    """The behavior of loads at each cache level: `#xevm.load_cache_control<L1c_L2uc_L3c>`."""

    name = "xevm.load_cache_control"


@irdl_attr_definition
class StoreCacheControlAttr(InAngleBrackets[StoreCacheControl], EnumAttribute[StoreCacheControl]):
    """The behavior of stores at each cache level: `#xevm.store_cache_control<L1wb_L2uc_L3wb>`."""

    name = "xevm.store_cache_control"


ELEMENT_TYPES = ("bf16", "f16", "s8", "u8", "s4", "u4", "tf32", "f32", "s32")
"""The element types of matrix products, by their names."""


@irdl_attr_definition
class MmaShapeAttr(ParametrizedAttribute):
    """The sizes of a matrix product: `#xevm.mma_shape<m = 8, n = 16, k = 16>`."""

    name = "xevm.mma_shape"
    m: IntAttr
    n: IntAttr
    k: IntAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        def size(key: str) -> IntAttr:
            parser.parse_keyword(key)
            parser.parse_punctuation("=")
            return IntAttr(parser.parse_integer(allow_boolean=False, allow_negative=False))

        with parser.in_angle_brackets():
            sizes = [size("m")]
            for key in ("n", "k"):
                parser.parse_punctuation(",")
                sizes.append(size(key))
        return sizes

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(f"<m = {self.m.data}, n = {self.n.data}, k = {self.k.data}>")


@irdl_attr_definition
class MmaTypesAttr(ParametrizedAttribute):
    """The element types of a matrix product: `#xevm.mma_types<d = f32, a = f16, b = f16, c = f32>`; `c` is optional."""

    name = "xevm.mma_types"
    d: StringAttr
    a: StringAttr
    b: StringAttr
    c: StringAttr | NoneAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        def word(key: str) -> StringAttr:
            parser.parse_keyword(key)
            parser.parse_punctuation("=")
            position = parser.pos
            name = parser.parse_identifier()
            if name not in ELEMENT_TYPES:
                known = ", ".join(ELEMENT_TYPES)
                parser.raise_error(f"expected one of [{known}] for XeVM element type, got: {name}", position)
            return StringAttr(name)

        with parser.in_angle_brackets():
            types: list[Attribute] = [word("d")]
            for key in ("a", "b"):
                parser.parse_punctuation(",")
                types.append(word(key))
            has_c = parser.parse_optional_punctuation(",") is not None
            types.append(word("c") if has_c else NoneAttr())
        return types

    def print_parameters(self, printer: Printer) -> None:
        given = {"d": self.d, "a": self.a, "b": self.b, "c": self.c}
        texts = (f"{key} = {type.data}" for key, type in given.items() if isinstance(type, StringAttr))
        printer.print_string(f"<{', '.join(texts)}>")
