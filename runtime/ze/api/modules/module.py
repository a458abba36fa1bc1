"""Modules, their build logs and dynamic linking (specification: Module)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import reduce
from operator import or_

from runtime.ze.conversion import chained
from runtime.ze.declaration import NOT_EMPTY, Chapter, api
from runtime.ze.driver.handle import enumerator, items, known_flags, live, required
from runtime.ze.driver.modules.build import (
    FREE_REGISTER_INFO,
    ModuleBuildError,
    ModuleBuildLog,
    check_build_flags,
    code_options,
    compile_igc,
    compile_text,
    profile_flags,
    wants_igc,
)
from runtime.ze.driver.modules.linking import LinkedVariable
from runtime.ze.driver.modules.loading import LoadedModule, LoadError, load_module
from runtime.ze.driver.modules.module import Module
from runtime.ze.driver.modules.program import Contents, ModuleProgram, OpenContents, libraries_of, providers
from runtime.ze.driver.system.context import Context
from runtime.ze.driver.system.device import Device
from runtime.ze.driver.system.ending import destroy
from runtime.ze.spec.enums import ze_linkage_inspection_ext_flags_t, ze_module_format_t, ze_module_property_flags_t
from runtime.ze.spec.results import ZeError, ze_result_t
from runtime.ze.spec.structs import (
    ze_linkage_inspection_ext_desc_t,
    ze_module_constants_t,
    ze_module_desc_t,
    ze_module_program_exp_desc_t,
    ze_module_properties_t,
)

_SPIRV_MAGICS = (b"\x03\x02\x23\x07", b"\x07\x23\x02\x03")

_Flags = ze_linkage_inspection_ext_flags_t


@api(
    Chapter.MODULE,
    "DEVICE_LOST OUT_OF_DEVICE_MEMORY INVALID_SIZE INVALID_ENUMERATION INVALID_NATIVE_BINARY MODULE_BUILD_FAILURE",
    pointers="desc",
    rules={"desc.pInputModule": NOT_EMPTY},
)
def zeModuleCreate(hContext: Context, hDevice: Device, desc: ze_module_desc_t) -> tuple[Module, ModuleBuildLog]:
    """Creates a module from a ZEBIN, from SPIR-V or from MLIR text, and returns it with its build log.

    Build flags are for SPIR-V and MLIR text, and specialization constants for SPIR-V; a native module is already built.
    Of its flags, `-zet-profile-flags 0x2` counts, as the registers that code leaves free can be told from the code.
    `-ze-opt-large-register-file` gives threads the most registers that they can have, and `-ze-opt-disable` or
    `-ze-opt-level=0` leaves out the passes that only make code fast.
    The flag `-xegpu-compiler=igc` has SPIR-V compiled to native code by Intel's compiler (`ocloc`).
    With `ze_module_program_exp_desc_t` in `desc.pNext`, several modules in SPIR-V become one, with flags and constants
    of their own; `desc.pInputModule` is ignored then. A module in SPIR-V that imports functions is built when it is
    linked, and each kernel of a module with many when it is created.

    Raises:
        ModuleBuildError: with the build log. `INVALID_NATIVE_BINARY` for a ZEBIN that is broken or not for this
            device; `MODULE_BUILD_FAILURE` for an input that is called SPIR-V and is not, for SPIR-V and MLIR that do
            not compile, and for unknown flags or constants.
    """
    context = live(hContext, Context)
    device = context.device(hDevice)
    required(desc, "desc")
    module_format = enumerator(desc.format, ze_module_format_t)
    inputs = _inputs(desc)
    profile = reduce(or_, (profile_flags(flags) for _, flags, _ in inputs))
    warnings: list[str] = []
    program: ModuleProgram | None = None
    if module_format == ze_module_format_t.ZE_MODULE_FORMAT_IL_SPIRV:
        if not all(data.startswith(_SPIRV_MAGICS) for data, _, _ in inputs):
            raise ModuleBuildError(ze_result_t.ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, "the input module is not SPIR-V")
        if any(wants_igc(flags) for _, flags, _ in inputs):
            return _built_by_igc(context, device, inputs, profile & FREE_REGISTER_INFO)
        warnings = [warning for _, flags, _ in inputs for warning in check_build_flags(flags or "")]
        sources = [(data, _constants(constants)) for data, _, constants in inputs]
        code = code_options([flags for _, flags, _ in inputs], device.target)
        program = ModuleProgram(sources, device.simulator, code)
    else:
        ((data, flags, constants),) = inputs
        if constants is not None and constants.pConstantIds:
            raise _no_constants(module_format, constants)
        if module_format == ze_module_format_t.ZE_MODULE_FORMAT_MLIR_EXP:
            warnings = check_build_flags(flags or "")
            data = compile_text(data, device.target, flags)
        else:
            profile &= FREE_REGISTER_INFO
    binary, loaded = _loaded(
        lambda: (data, load_module(data, device.simulator, device.tile)) if program is None else program.load()
    )
    log = ModuleBuildLog("\n".join((*warnings, *loaded.warnings)))
    module = Module(context, device, binary, loaded, program, profile)
    try:
        module.announce()
    except ModuleBuildError:
        module.retire()
        raise
    return module, log


def _built_by_igc(
    context: Context, device: Device, inputs: Sequence[_Input], profile: int
) -> tuple[Module, ModuleBuildLog]:
    """Returns a module in SPIR-V as native code of Intel's compiler."""
    data, flags, constants = inputs[0]
    if len(inputs) > 1 or (constants is not None and constants.pConstantIds):
        raise ModuleBuildError(
            ze_result_t.ZE_RESULT_ERROR_MODULE_BUILD_FAILURE,
            "Intel's compiler is given one module, without specialization constants",
        )
    built, warnings = compile_igc(data, flags or "", device.target)
    binary, loaded = _loaded(lambda: (built, load_module(built, device.simulator, device.tile)))
    module = Module(context, device, binary, loaded, profile_flags=profile)
    return module, ModuleBuildLog("\n".join((*warnings, *loaded.warnings)))


_Input = tuple[bytes, str | None, ze_module_constants_t | None]
"""A module, its build flags and its specialization constants."""


def _inputs(desc: ze_module_desc_t) -> list[_Input]:
    """Returns the modules that a descriptor names: one, or those of a program in SPIR-V."""
    program = chained(desc.pNext, ze_module_program_exp_desc_t)
    if program is None or desc.format != ze_module_format_t.ZE_MODULE_FORMAT_IL_SPIRV:
        required(desc.pInputModule, "desc.pInputModule")
        inputs: list[_Input] = [(bytes(desc.pInputModule or b""), desc.pBuildFlags, desc.pConstants)]
    else:
        modules = items(program.pInputModules, "pInputModules")
        empty = [None] * len(modules)
        flags, constants = program.pBuildFlags or empty, program.pConstants or empty
        if not len(modules) == len(flags) == len(constants):
            what = f"{len(modules)} modules, {len(flags)} build flags and {len(constants)} sets of constants"
            raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE, f"the program has {what}")
        inputs = list(zip(map(bytes, modules), flags, constants, strict=True))
    if not inputs or not all(data for data, _, _ in inputs):
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE, "the input module is empty")
    return inputs


def _loaded(load: Callable[[], tuple[bytes | None, Contents]]) -> tuple[bytes | None, Contents]:
    """Returns the binary and its contents; failures become those of a build."""
    try:
        return load()
    except LoadError as error:
        raise ModuleBuildError(ze_result_t.ZE_RESULT_ERROR_INVALID_NATIVE_BINARY, str(error)) from error
    except MemoryError as error:
        raise ModuleBuildError(ze_result_t.ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, str(error)) from error


def _constants(constants: ze_module_constants_t | None) -> dict[int, bytes]:
    if constants is None:
        return {}
    return dict(zip(constants.pConstantIds, map(bytes, constants.pConstantValues), strict=False))


def _no_constants(module_format: ze_module_format_t, constants: ze_module_constants_t) -> ZeError:
    if module_format == ze_module_format_t.ZE_MODULE_FORMAT_NATIVE:
        text = "a native module takes no specialization constants"
        return ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, text)
    ids = ", ".join(map(str, constants.pConstantIds))
    text = f"the module has no specialization constants, {ids} cannot be set"
    return ModuleBuildError(ze_result_t.ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, text)


@api(Chapter.MODULE, validated="HANDLE_OBJECT_IN_USE")
def zeModuleDestroy(hModule: Module) -> None:
    """Destroys a module with its kernels and variables."""
    if destroy(hModule, Module):
        hModule.free()


@api(Chapter.MODULE)
def zeModuleBuildLogDestroy(hModuleBuildLog: ModuleBuildLog) -> None:
    """Destroys a build log."""
    destroy(hModuleBuildLog, ModuleBuildLog)


@api(Chapter.MODULE)
def zeModuleBuildLogGetString(hModuleBuildLog: ModuleBuildLog) -> str:
    """Returns the text of a build log; empty if there are neither warnings nor errors."""
    return live(hModuleBuildLog, ModuleBuildLog).text


@api(Chapter.MODULE, "INVALID_GLOBAL_NAME INVALID_MODULE_UNLINKED", pointers="pGlobalName")
def zeModuleGetGlobalPointer(hModule: Module, pGlobalName: str) -> tuple[int, int]:
    """Returns the size in bytes and the address of a variable that a module has, or imports and is linked with.

    Raises:
        ZeError: `INVALID_GLOBAL_NAME` if no variable has the name, even if a kernel has.
    """
    module = live(hModule, Module)
    required(pGlobalName, "pGlobalName")
    linked = module.loaded.linked
    variable = linked.variables.get(pGlobalName) or linked.imported.get(pGlobalName)
    if variable is None:
        if pGlobalName in linked.imports:
            module.require_linked()
        known = ", ".join(f"'{name}'" for name in linked.variables) or "it has none"
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_GLOBAL_NAME, f"no variable is called {pGlobalName!r}, expected {known}"
        )
    return variable.size, variable.address


@api(
    Chapter.MODULE,
    "INVALID_FUNCTION_NAME INVALID_MODULE_UNLINKED",
    pointers="pFunctionName",
    note="Kernels call a function by its address if their module, or one that was linked with it, has the function.",
)
def zeModuleGetFunctionPointer(hModule: Module, pFunctionName: str) -> int:
    """Returns the address of a function, which kernels take as an argument and call.

    In native code, it is the operand of `calla`: the offset from the code of the kernel. What is compiled from SPIR-V
    inlines functions, and calls by `OpFunctionPointerCallINTEL` the one that has the address.

    Raises:
        ZeError: `INVALID_FUNCTION_NAME`, and `INVALID_MODULE_UNLINKED` for a module whose imports are not resolved.
    """
    module = live(hModule, Module)
    required(pFunctionName, "pFunctionName")
    module.require_linked()
    addresses: Mapping[str, int] = {} if module.program is None else module.program.addresses
    functions = module.loaded.linked.functions
    place = functions[pFunctionName] if pFunctionName in functions else addresses.get(pFunctionName)
    if place is None:
        known = ", ".join(f"'{name}'" for name in dict.fromkeys((*addresses, *functions))) or "it has none"
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_FUNCTION_NAME,
            f"no function is called {pFunctionName!r}, expected {known}",
        )
    return place


def _modules(phModules: Sequence[Module]) -> list[Module]:
    """Returns live modules of one device and context, each once."""
    phModules = items(phModules, "phModules")
    modules = list(dict.fromkeys(live(module, Module) for module in phModules))
    if not modules:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE, "there are no modules")
    first = modules[0]
    for module in modules:
        if (module.context, module.device) != (first.context, first.device):
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{module!r} and {first!r} are not for one device"
            )
    return modules


def _exporters(modules: Sequence[Module]) -> dict[str, list[LinkedVariable]]:
    """Returns variables by name, one for each module that exports a variable of the name."""
    found: dict[str, list[LinkedVariable]] = {}
    for module in modules:
        for name, variable in module.loaded.linked.exports.items():
            found.setdefault(name, []).append(variable)
    return found


@api(
    Chapter.MODULE,
    "INVALID_SIZE MODULE_LINK_FAILURE",
    pointers="phModules",
    seed=None,
)
def zeModuleDynamicLink(phModules: Sequence[Module]) -> ModuleBuildLog:
    """Gives modules the functions and variables that they import from each other, and returns the log.

    Modules in SPIR-V import functions, which become part of their kernels, and which work on the variables of the
    module that exports them. Modules that are already linked, or import nothing, may be among them.

    Raises:
        ModuleBuildError: `MODULE_LINK_FAILURE`, with the log, for names that no module exports or several do; then
            nothing is linked.
    """
    modules = _modules(phModules)
    counts = _exports(modules)
    problems = []
    for module in modules:
        for name in module.loaded.linked.imports if not module.loaded.is_linked else ():
            if (count := counts[name]) != 1:
                what = "is defined nowhere" if not count else f"is defined in {count} modules"
                problems.append(f"error: '{name}', imported by {module!r}, {what}")
    if problems:
        raise _link_failure("\n".join(problems))
    programs = [module.program for module in modules if module.program is not None]
    with ExitStack() as undo:
        built = []
        for module in modules:
            if isinstance(module.loaded, OpenContents) and module.program is not None:
                try:
                    binary, loaded = module.program.load(libraries_of(module.program, programs))
                except (LoadError, MemoryError, ModuleBuildError) as error:
                    reason = error.text if isinstance(error, ModuleBuildError) else str(error)
                    raise _link_failure(f"error: {module!r}: {reason}") from error
                undo.callback(loaded.linked.free, module.device.simulator.memory)
                built.append((module, binary, loaded))
        undo.pop_all()
    for module, binary, loaded in built:
        module.replace(binary, loaded)
    exports = {name: variables[0] for name, variables in _exporters(modules).items()}
    for module in modules:
        if isinstance(module.loaded, LoadedModule) and not module.loaded.is_linked:
            try:
                module.loaded.link(exports)
            except LoadError as error:
                raise _link_failure(str(error)) from error
        module.announce()
    return ModuleBuildLog("")


def _link_failure(text: str) -> ModuleBuildError:
    return ModuleBuildError(ze_result_t.ZE_RESULT_ERROR_MODULE_LINK_FAILURE, text)


def _exports(modules: Sequence[Module]) -> Counter[str]:
    """Returns the number of definitions of each name that modules export."""
    found = providers([module.program for module in modules if module.program is not None])
    found.update({name: len(variables) for name, variables in _exporters(modules).items()})
    # The variables of programs that are not built yet have no addresses.
    for module in modules:
        if isinstance(module.loaded, OpenContents) and module.program is not None:
            found.update(module.program.exported_variables)
    return found


def _imports(module: Module) -> Iterator[str]:
    """Yields the functions and variables that a module imports, whether it is linked or not."""
    yield from module.loaded.linked.imports
    yield from module.program.imports if module.program is not None else ()


@api(
    Chapter.MODULE,
    "INVALID_SIZE",
    pointers="pInspectDesc phModules",
    since=(1, 3),
    validated="INVALID_ENUMERATION",
)
def zeModuleInspectLinkageExt(
    pInspectDesc: ze_linkage_inspection_ext_desc_t, phModules: Sequence[Module]
) -> ModuleBuildLog:
    """Returns a log with the imports, the imports that no module resolves, and the exports of modules, as the flags
    say.

    Each list has a heading, and each name a line.
    """
    required(pInspectDesc, "pInspectDesc")
    flags = known_flags(pInspectDesc.flags, ze_linkage_inspection_ext_flags_t)
    modules = _modules(phModules)
    exports = list(_exports(modules))
    imports = list(dict.fromkeys(name for module in modules for name in _imports(module)))
    parts = (
        (_Flags.ZE_LINKAGE_INSPECTION_EXT_FLAG_IMPORTS, "Imports:", imports),
        (
            _Flags.ZE_LINKAGE_INSPECTION_EXT_FLAG_UNRESOLVABLE_IMPORTS,
            "Unresolvable imports:",
            [name for name in imports if name not in exports],
        ),
        (_Flags.ZE_LINKAGE_INSPECTION_EXT_FLAG_EXPORTS, "Exports:", exports),
    )
    return ModuleBuildLog("\n".join("\n".join((heading, *names)) for flag, heading, names in parts if flags & flag))


@api(Chapter.MODULE, "MODULE_BUILD_FAILURE INVALID_MODULE_UNLINKED")
def zeModuleGetNativeBinary(hModule: Module) -> bytes:
    """Returns bytes from which the same module can be created again.

    Raises:
        ModuleBuildError: `MODULE_BUILD_FAILURE` for a module with many kernels of which one does not compile.
        ZeError: `INVALID_MODULE_UNLINKED` for a module in SPIR-V whose imports are not resolved.
    """
    module = live(hModule, Module)
    if isinstance(module.loaded, OpenContents):
        module.require_linked()
    return module.binary()


@api(Chapter.MODULE)
def zeModuleGetKernelNames(hModule: Module) -> list[str]:
    """Returns the names of the kernels, in the order of the binary."""
    return list(live(hModule, Module).loaded.kernel_names)


@api(Chapter.MODULE, seed=None)
def zeModuleGetProperties(hModule: Module) -> ze_module_properties_t:
    """Returns the properties of a module: whether it imports functions or variables of other modules."""
    imports = any(_imports(live(hModule, Module)))
    return ze_module_properties_t(ze_module_property_flags_t(imports))
