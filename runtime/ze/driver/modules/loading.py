"""Loads a ZEBIN: from its bytes to kernels that can be launched."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from math import prod
from typing import TYPE_CHECKING

import zebin
from runtime import simulator
from runtime.ze.driver.modules.build import ModuleBuildError
from runtime.ze.driver.modules.linking import Linked, LinkedVariable, LinkError, Numbers, link
from runtime.ze.driver.modules.on_use import OnUse
from runtime.ze.driver.modules.payload import PayloadError, check_payload
from runtime.ze.spec.results import ze_result_t
from xegpu import isa
from xegpu.isa.code import NO_LINES
from xegpu.on_demand import imports_on_demand
from xegpu.targets import Target
from zebin import contract

with imports_on_demand(globals()):  # the driver starts without native code
    import xegpu.isa.native as native

if TYPE_CHECKING:
    from runtime.simulator import Executable, Simulator
    from xegpu.isa.code import LineTable
    from zebin.elf import Section
    from zebin.ze_info import UserAttributes


class LoadError(Exception):
    """A binary that cannot be loaded; the text says why."""


class LoadedModule:
    """A loaded module: its `binary`, its kernels by name in the order of that, its memory, and warnings.

    There are no `kernels` as long as the module has unresolved imports: their code is not complete before it is linked.
    """

    def __init__(self, binary: zebin.Zebin, linked: Linked, simulator: Simulator) -> None:
        lines, findings = zebin.line_tables(binary)
        self.kernel_names = tuple(binary.kernels)
        self.kernels: Mapping[str, Executable] = {}
        self.linked = linked
        self.warnings = [str(finding) for finding in (*binary.findings, *findings)]
        self.binary = binary
        self._lines = lines
        self._simulator = simulator

    @property
    def is_linked(self) -> bool:
        """True if no import is unresolved."""
        return not self.linked.open

    def load_kernels(self) -> None:
        """Loads the kernels of a module that is linked, but for native ones, which are loaded when they are used.

        What one native kernel needs, and nothing here has, is no reason to refuse the others.

        Raises:
            LoadError: A kernel is wrong.
        """
        known = {
            name: self._load(kernel)
            for name, kernel in self.binary.kernels.items()
            if isa.has_header(bytes(kernel.code[: isa.WORD_BYTES]))
        }
        self.kernels = OnUse(self.kernel_names, self._load_native, known)

    def _load(self, kernel: zebin.ZebinKernel) -> Executable:
        lines = self._lines.get(kernel.name, NO_LINES)
        functions = self.linked.functions_of(kernel)
        version = self.binary.target.implicit_version
        return _load_kernel(kernel, self.linked.code_of(kernel), functions, lines, self._simulator, version)

    def _load_native(self, name: str) -> Executable:
        try:
            return self._load(self.binary.kernels[name])
        except LoadError as error:
            raise ModuleBuildError(ze_result_t.ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, str(error)) from error

    def executables(self) -> Iterator[tuple[str, Executable]]:
        """Yields the kernels that can be executed, by name."""
        for name in self.kernel_names:
            try:
                yield name, self.kernels[name]
            except ModuleBuildError:  # a native one with missing symbols, which nobody has asked for
                continue

    def link(self, exports: Mapping[str, LinkedVariable]) -> None:
        """Resolves all imports, and loads the kernels. Raises `LoadError`."""
        self.linked.resolve(exports, self._simulator.memory)
        self.load_kernels()


def load_module(data: bytes, simulator: Simulator, tile: int = 0) -> LoadedModule:
    """Loads a ZEBIN; its variables are allocated in the simulator's memory and are the caller's to free.

    Of a fat binary, the member for the simulator's target is loaded. Code may ask for the number of its `tile`.

    Raises:
        LoadError: The binary is broken, made for another device, or not of the simulator's instruction set.
        MemoryError: There is no room for the variables.
    """
    binary = _read(data, simulator.target)
    _check_target(binary, simulator.target)
    try:
        linked = link(binary, simulator.memory, _numbers(binary, tile))
    except LinkError as error:
        raise LoadError(str(error)) from error
    with ExitStack() as undo:
        undo.callback(linked.free, simulator.memory)
        module = LoadedModule(binary, linked, simulator)
        if module.is_linked:
            module.load_kernels()
        undo.pop_all()
    return module


def _read(data: bytes, target: Target) -> zebin.Zebin:
    try:
        return zebin.read(data, device=zebin.TargetDevice.of_target(target))
    except zebin.ZebinError as error:
        raise LoadError(str(error)) from error


def _numbers(binary: zebin.Zebin, tile: int) -> Numbers:
    """Returns the function that tells the numbers that are written into a section of code."""
    kernels = {kernel.section.index: kernel for kernel in binary.kernels.values()}
    layout = contract.implicit_layout(binary.target.implicit_version)

    def numbers(section: Section) -> Mapping[contract.DriverNumber, int]:
        kernel = kernels.get(section.index)
        has_implicit = kernel is not None and kernel.has_implicit_arguments and layout is not None
        return {
            contract.DriverNumber.IMPLICIT_ARGUMENTS: layout.room if has_implicit and layout is not None else 0,
            contract.DriverNumber.PER_THREAD_PAYLOAD: 0 if kernel is None else kernel.payload_in_memory,
            contract.DriverNumber.SURFACE_STATE: contract.SURFACE_STATE_BYTES,
            contract.DriverNumber.TILE: tile,
        }

    return numbers


def _check_target(binary: zebin.Zebin, target: Target) -> None:
    """Checks the target: a product configuration alone decides; without one, product family and core, if they are
    given.
    """
    notes = binary.target
    checks: Iterable[tuple[str, Callable[[int], str], int, int, bool]]
    if notes.product_config:
        found, own = notes.product_config, target.product_config
        checks = [("product configuration", zebin.config_name, found, own, target.executes(found))]
    else:
        family, core = notes.product_family, notes.gfx_core
        own_family, own_core = target.product_family, target.platform.gfx_core
        is_kin = family == own_family or zebin.CORE_OF_FAMILY.get(family) == own_core
        checks = [
            ("product family", zebin.family_name, family, own_family, is_kin),
            ("core family", zebin.core_name, core, own_core, core == own_core),
        ]
    for what, name_of, found, own, fits in checks:
        if found and not fits:
            raise LoadError(f"the binary is for {what} {name_of(found)}, {target.name} is {name_of(own)}")


def _load_kernel(
    kernel: zebin.ZebinKernel,
    code: bytes,
    functions: tuple[int, ...],
    lines: LineTable,
    card: Simulator,
    implicit_version: int,
) -> Executable:
    name, target, user = kernel.name, card.target, kernel.info.user_attributes
    if not isa.has_header(code) and not card.runs_native_code:
        raise LoadError(f"kernel '{name}': native code for {target.name} is not executed")
    if isa.has_header(code):
        entry = 0
    elif kernel.entry is None:
        entry = native.filled_at(target.platform, code)
    else:
        entry = kernel.entry_offset - kernel.start
    try:
        facts = zebin.read_facts(kernel, target)
        check_payload(facts)
        if facts.bindings and isa.has_header(code):
            raise PayloadError("stateful and bindless objects are for native code only, and are not supported here")
        source_attributes = "" if user is None else _attributes(user)
        description = simulator.KernelDescription(
            name,
            code,
            target,
            facts,
            lines,
            source_attributes,
            entry,
            kernel.private_memory,
            kernel.private_size,
            kernel.spill_size,
            implicit_version,
            functions,
        )
        executable = card.load(description)
    except (zebin.FactsError, PayloadError, simulator.IllegalCode) as error:
        raise LoadError(f"kernel '{name}': {error}") from error
    size, limit = facts.required_work_group_size, description.max_group_size
    if size is not None and not 0 < prod(size) <= limit:
        raise LoadError(f"kernel '{name}': required group size {size}, at most {limit} fit")
    if facts.slm_size > (most := target.platform.max_slm_bytes):
        raise LoadError(f"kernel '{name}': {facts.slm_size} bytes of shared local memory, {target.name} has {most}")
    return executable


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
