"""`--list`: the device code in a file, and its kernels."""

from __future__ import annotations

from collections.abc import Sequence

from tools.dump.inputs import InputBinary, InputFile
from tools.dump.output import DumpOutput
from zebin import SPIRV_MODULE, config_name, core_name, family_name, spirv_kernels
from zebin.dump import Json, Table, printable

_COLUMNS = ("name", "kind", "target", "device", "size", "kernels")


def show_list(source: InputFile, output: DumpOutput) -> None:
    """Shows a row for each piece of device code, and one for each of its kernels."""
    rows = [tuple(str(value) for value in _entry(binary).values()) for binary in source.binaries]
    output.table(Table(f"Device code in {source.name}", _COLUMNS, rows, frozenset({"size", "kernels"})))
    kernels = [(_name(binary), kernel) for binary in source.binaries for kernel in kernel_names(binary)]
    if kernels:
        output.table(Table("Kernels", ("in", "name"), kernels))


def list_json(source: InputFile) -> Sequence[Json]:
    """Returns the same as JSON."""
    return [{"file": binary.label, **_entry(binary), "kernels": kernel_names(binary)} for binary in source.binaries]


def kernel_names(binary: InputBinary) -> Sequence[str]:
    """Returns the kernels that a ZEBIN describes, or the entry points of SPIR-V."""
    if binary.image is not None and binary.image.kind == SPIRV_MODULE:
        return spirv_kernels(binary.data)
    ze_info = None if binary.zebin is None else binary.zebin.ze_info
    return [] if ze_info is None else [kernel.name for kernel in ze_info.kernels]


def _entry(binary: InputBinary) -> dict[str, Json]:
    image = binary.image
    kind, target = ("unreadable", "") if image is None else (image.kind, image.target)
    values = (_name(binary), kind, target, _device(binary), len(binary.data), len(kernel_names(binary)))
    return dict(zip(_COLUMNS, values, strict=True))


def _name(binary: InputBinary) -> str:
    return "" if binary.image is None else printable(binary.image.name)


def _device(binary: InputBinary) -> str:
    """Returns the GPU that a ZEBIN states."""
    if binary.zebin is None:
        return ""
    target = binary.zebin.target
    if target.product_config:
        return config_name(target.product_config)
    return family_name(target.product_family) if target.product_family else core_name(target.gfx_core)
