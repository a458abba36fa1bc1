"""Attributes of the spirv dialect that kernels and their modules carry; ops and types are not supported.

xDSL has no such dialect.

https://mlir.llvm.org/docs/Dialects/SPIR-V/
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, IntAttr, NoneAttr
from xdsl.ir import Attribute, Dialect, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xegpu.mlir import OpaqueTextAttr

_INTEGER_FIELDS = ("subgroup_size", "target_width")


@irdl_attr_definition
class EntryPointABIAttr(ParametrizedAttribute):
    """The requirements of a kernel: work-group size, lanes of a subgroup, bits of a pointer. All fields are optional.

    `#spirv.entry_point_abi<workgroup_size = [16, 1, 1], subgroup_size = 16, target_width = 32>`
    """

    name = "spirv.entry_point_abi"
    workgroup_size: ArrayAttr[IntAttr] | NoneAttr
    subgroup_size: IntAttr | NoneAttr
    target_width: IntAttr | NoneAttr

    def __init__(
        self,
        workgroup_size: Sequence[int] | None = None,
        subgroup_size: int | None = None,
        target_width: int | None = None,
    ):
        super().__init__(
            NoneAttr() if workgroup_size is None else ArrayAttr(IntAttr(size) for size in workgroup_size),
            NoneAttr() if subgroup_size is None else IntAttr(subgroup_size),
            NoneAttr() if target_width is None else IntAttr(target_width),
        )

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        found: dict[str, Attribute] = {}

        def integer() -> IntAttr:
            return IntAttr(parser.parse_integer(allow_boolean=False))

        def field() -> None:
            position = parser.pos
            key = parser.parse_identifier()
            if key in found or key not in ("workgroup_size", *_INTEGER_FIELDS):
                parser.raise_error(f"unexpected field '{key}'", position, parser.pos)
            parser.parse_punctuation("=")
            if key == "workgroup_size":
                found[key] = ArrayAttr(parser.parse_comma_separated_list(parser.Delimiter.SQUARE, integer))
            else:
                found[key] = integer()

        parser.parse_comma_separated_list(parser.Delimiter.ANGLE, field)
        return [found.get(key, NoneAttr()) for key in ("workgroup_size", *_INTEGER_FIELDS)]

    def print_parameters(self, printer: Printer) -> None:
        fields: list[str] = []
        if not isinstance(self.workgroup_size, NoneAttr):
            fields.append(f"workgroup_size = {[size.data for size in self.workgroup_size]}")
        if not isinstance(self.subgroup_size, NoneAttr):
            fields.append(f"subgroup_size = {self.subgroup_size.data}")
        if not isinstance(self.target_width, NoneAttr):
            fields.append(f"target_width = {self.target_width.data}")
        printer.print_string(f"<{', '.join(fields)}>")

    def verify(self) -> None:
        if not isinstance(self.workgroup_size, NoneAttr) and len(self.workgroup_size) != 3:
            raise VerifyException(f"expected workgroup_size of 3 entries, got {len(self.workgroup_size)}")
        for name in _INTEGER_FIELDS:
            value = getattr(self, name)
            if isinstance(value, IntAttr) and value.data < 1:
                raise VerifyException(f"expected {name} of at least 1, got {value.data}")


@irdl_attr_definition
class TargetEnvAttr(OpaqueTextAttr):
    """The environment that a module is compiled for. Its text is kept and not interpreted.

    `#spirv.target_env<#spirv.vce<v1.4, [Kernel], []>, api=OpenCL, #spirv.resource_limits<>>`
    """

    name = "spirv.target_env"


@irdl_attr_definition
class VerCapExtAttr(OpaqueTextAttr):
    """Version, capabilities and extensions of SPIR-V. Its text is kept and not looked into.

    `#spirv.vce<v1.4, [Kernel], [SPV_INTEL_subgroups]>`
    """

    name = "spirv.vce"


@irdl_attr_definition
class ResourceLimitsAttr(OpaqueTextAttr):
    """The resource limits of a device. Its text is kept and not interpreted.

    `#spirv.resource_limits<max_compute_workgroup_invocations = 128>`
    """

    name = "spirv.resource_limits"


@irdl_attr_definition
class StorageClassAttr(OpaqueTextAttr):
    """`#spirv.storage_class<CrossWorkgroup>`: the memory that a buffer is in."""

    name = "spirv.storage_class"

    @property
    def storage_class(self) -> str:
        """The name of the class."""
        return self.body.data.strip("<> ")


SPIRV = Dialect("spirv", [], [EntryPointABIAttr, ResourceLimitsAttr, StorageClassAttr, TargetEnvAttr, VerCapExtAttr])
