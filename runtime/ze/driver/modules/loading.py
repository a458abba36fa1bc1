"""Loads a ZEBIN: from its bytes to kernels that can be launched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod

import zebin
from runtime.simulator import Executable, IllegalCode, KernelDescription, Simulator
from runtime.ze.driver.modules.linking import Linked, LinkError, link
from runtime.ze.driver.modules.payload import PayloadError, PayloadLayout, payload_layout
from xegpu.isa.code import NO_LINES, LineTable
from xegpu.targets import Target
from zebin.ze_info import UserAttributes

Size3 = tuple[int, int, int]

_LOCAL_ID_BYTES = 2


class LoadError(Exception):
    """A binary that cannot be loaded; the text says why."""


@dataclass(frozen=True)
class LoadedKernel:
    """One kernel of a module, ready to be launched. Sizes are in bytes.

    Attributes:
        name: Its name.
        simd_size: The lanes of its subgroups.
        required_size: The group size that it must be launched with; None for any.
        size_hint: The group size that its code was made for, if the program says so.
        required_subgroup: The subgroup size that the program asks for; 0 for none.
        max_group_size: The work-items of the largest work-group that fits a core with this kernel's registers.
        slm_size: Shared local memory of a work-group, without that of arguments.
        private_size: Private memory of a thread.
        spill_size: Spilled registers of a thread.
        layout: The cross-thread data.
        executable: The kernel as the simulator loads it.
        printf_strings: The strings that it prints.
        source_attributes: The attributes of the kernel in its source, separated by blanks.
    """

    name: str
    simd_size: int
    required_size: Size3 | None
    size_hint: Size3 | None
    required_subgroup: int
    max_group_size: int
    slm_size: int
    private_size: int
    spill_size: int
    layout: PayloadLayout
    executable: Executable
    printf_strings: tuple[str, ...] = ()
    source_attributes: str = ""
    """What the program says about the kernel, with blanks between."""


class LoadedModule:
    """A loaded module: its kernels by name, in the order of the ZEBIN, its memory, and warnings.

    There are no `kernels` as long as the module has unresolved imports: their code is not complete before it is linked.
    """

    def __init__(self, binary: zebin.Zebin, linked: Linked, simulator: Simulator) -> None:
        lines, findings = zebin.line_tables(binary)
        self.kernel_names = tuple(binary.kernels)
        self.kernels: dict[str, LoadedKernel] = {}
        self.linked = linked
        self.warnings = [str(finding) for finding in (*binary.findings, *findings)]
        self._binary = binary
        self._lines = lines
        self._simulator = simulator

    @property
    def is_linked(self) -> bool:
        """True if no import is unresolved."""
        return not self.linked.open

    def load_kernels(self) -> None:
        """Loads the kernels of a module that is linked. Raises `LoadError`."""
        self.kernels = {
            kernel.name: _load_kernel(
                kernel, self.linked.code_of(kernel), self._lines.get(kernel.name, NO_LINES), self._simulator
            )
            for kernel in self._binary.kernels.values()
        }

    def link(self, exports: Mapping[str, int]) -> None:
        """Resolves all imports, and loads the kernels. Raises `LoadError`."""
        self.linked.resolve(exports, self._simulator.memory)
        self.load_kernels()


def load_module(data: bytes, simulator: Simulator) -> LoadedModule:
    """Loads a ZEBIN; its variables are allocated in the simulator's memory and are the caller's to free.

    Of a fat binary, the member for the simulator's target is loaded.

    Raises:
        LoadError: The binary is broken, made for another device, or not of the simulator's instruction set.
        MemoryError: There is no room for the variables.
    """
    binary = _read(data, simulator.target)
    _check_target(binary, simulator.target)
    try:
        linked = link(binary, simulator.memory)
    except LinkError as error:
        raise LoadError(str(error)) from error
    module = LoadedModule(binary, linked, simulator)
    try:
        if module.is_linked:
            module.load_kernels()
    except LoadError:
        linked.free(simulator.memory)
        raise
    return module


_IMPORT = "sym.undefined"
"""The code of a finding that readers call an error, and that linking with other modules resolves."""


def _read(data: bytes, target: Target) -> zebin.Zebin:
    try:
        binary = zebin.read(data, device=zebin.TargetDevice.of_target(target), lenient=True)
    except zebin.ZebinError as error:
        raise LoadError(str(error)) from error
    findings = [finding for finding in binary.findings if finding.code != _IMPORT]
    if any(finding.severity is zebin.FindingSeverity.ERROR for finding in findings):
        raise LoadError(str(zebin.ZebinError(findings)))
    binary.findings = findings
    return binary


def _check_target(binary: zebin.Zebin, target: Target) -> None:
    """Checks the target: a product configuration alone decides; without one, product family and core, if they are
    given.
    """
    notes = binary.target
    pairs: Iterable[tuple[str, int, int]]
    if notes.product_config:
        pairs = [("product configuration", notes.product_config, target.product_config)]
    else:
        pairs = [
            ("product family", notes.product_family, target.product_family),
            ("core family", notes.gfx_core, target.gfx_core),
        ]
    for what, found, expected in pairs:
        if found and found != expected:
            raise LoadError(f"the binary is for {what} {found:#x}, {target.name} is {expected:#x}")


def _load_kernel(kernel: zebin.ZebinKernel, code: bytes, lines: LineTable, simulator: Simulator) -> LoadedKernel:
    name, env, target = kernel.name, kernel.execution_env, simulator.target
    names = {argument.index: (argument.name or "", argument.type_name) for argument in kernel.args_info}
    try:
        layout = payload_layout(kernel.payload_arguments, names)
        executable = simulator.load(_describe(kernel, code, layout, lines, target))
    except (PayloadError, IllegalCode) as error:
        raise LoadError(f"kernel '{name}': {error}") from error
    max_group_size = min(target.max_group_items, target.max_group_threads(env.grf_count) * env.simd_size)
    required_size = env.required_work_group_size if any(env.required_work_group_size) else None
    if required_size is not None and not 0 < prod(required_size) <= max_group_size:
        raise LoadError(f"kernel '{name}': required group size {required_size}, at most {max_group_size} fit")
    if env.slm_size > target.max_slm_bytes:
        raise LoadError(
            f"kernel '{name}': {env.slm_size} bytes of shared local memory, {target.name} has {target.max_slm_bytes}"
        )
    user = kernel.info.user_attributes
    return LoadedKernel(
        name=name,
        simd_size=env.simd_size,
        required_size=required_size,
        size_hint=user.work_group_size_hint if user is not None and any(user.work_group_size_hint) else None,
        required_subgroup=env.required_sub_group_size or (user.intel_reqd_sub_group_size if user else 0),
        max_group_size=max_group_size,
        slm_size=env.slm_size,
        private_size=env.private_size,
        spill_size=env.spill_size,
        layout=layout,
        executable=executable,
        printf_strings=tuple(kernel.printf_strings),
        source_attributes="" if user is None else _attributes(user),
    )


def _attributes(user: UserAttributes) -> str:
    """Returns attributes in the spelling of OpenCL C."""
    sizes = {
        "reqd_work_group_size": user.reqd_work_group_size,
        "work_group_size_hint": user.work_group_size_hint,
        "intel_reqd_workgroup_walk_order": user.intel_reqd_workgroup_walk_order,
    }
    found = [f"{name}({','.join(map(str, size))})" for name, size in sizes.items() if any(size)]
    if user.intel_reqd_sub_group_size:
        found.append(f"intel_reqd_sub_group_size({user.intel_reqd_sub_group_size})")
    if user.vec_type_hint:
        found.append(f"vec_type_hint({user.vec_type_hint})")
    return " ".join(found)


def _describe(
    kernel: zebin.ZebinKernel, code: bytes, layout: PayloadLayout, lines: LineTable, target: Target
) -> KernelDescription:
    env = kernel.execution_env
    return KernelDescription(
        name=kernel.name,
        code=code,
        target=target,
        simd_size=env.simd_size,
        grf_count=env.grf_count,
        local_id_dimensions=_local_id_dimensions(kernel, target),
        walk_order=env.work_group_walk_order_dimensions,
        cross_thread_size=layout.size,
        barrier_count=env.barrier_count,
        slm_size=env.slm_size,
        scratch_size=sum(buffer.size for buffer in kernel.per_thread_memory_buffers if buffer.type == "scratch"),
        lines=lines,
    )


def _local_id_dimensions(kernel: zebin.ZebinKernel, target: Target) -> int:
    """Returns the number of local ids of a thread: rows of 16-bit lanes in whole registers, or packed numbers."""
    simd_size = kernel.execution_env.simd_size
    for argument in kernel.per_thread_payload_arguments:
        if argument.arg_type == "packed_local_ids":
            return argument.size // _LOCAL_ID_BYTES
        if argument.arg_type == "local_id":
            row = -(-max(simd_size, 16) * _LOCAL_ID_BYTES // target.grf_bytes) * target.grf_bytes
            return argument.size // row
    return 0
