"""Modules that refer to variables of other modules (specification: Module, dynamic linking)."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.ze.enums import ze_linkage_inspection_ext_flags_t
from runtime.ze.handle import flag_set, items, live, required
from runtime.ze.kernel_image import ImageError
from runtime.ze.module import Module
from runtime.ze.module_build import ModuleBuildError, ModuleBuildLog
from runtime.ze.results import ZeError, ze_result_t
from runtime.ze.structs import ze_linkage_inspection_ext_desc_t

_Flags = ze_linkage_inspection_ext_flags_t


def _modules(phModules: Sequence[Module]) -> list[Module]:
    """Live modules of one device and context, each once."""
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


def _exporters(modules: Sequence[Module]) -> dict[str, list[int]]:
    """Addresses by name, one for each module that has a variable of the name."""
    found: dict[str, list[int]] = {}
    for module in modules:
        for name, address in module.image.linked.exports.items():
            found.setdefault(name, []).append(address)
    return found


def zeModuleDynamicLink(phModules: Sequence[Module]) -> ModuleBuildLog:
    """Give modules the addresses of the variables that they import from each other; returns the log.

    Modules that are linked already, or import nothing, may be among them. Raises `ModuleBuildError` (module link
    failure), which carries the log, for names that no module has or several have; then nothing is linked.
    """
    modules = _modules(phModules)
    exporters = _exporters(modules)
    problems = []
    for module in modules:
        for name in module.image.linked.imports if not module.image.is_linked else ():
            count = len(exporters.get(name, ()))
            if count != 1:
                what = "is defined nowhere" if not count else f"is defined in {count} modules"
                problems.append(f"error: '{name}', imported by {module!r}, {what}")
    if problems:
        raise ModuleBuildError(ze_result_t.ZE_RESULT_ERROR_MODULE_LINK_FAILURE, "\n".join(problems))
    addresses = {name: places[0] for name, places in exporters.items()}
    for module in modules:
        if not module.image.is_linked:
            try:
                module.image.link(addresses)
            except ImageError as error:
                raise ModuleBuildError(ze_result_t.ZE_RESULT_ERROR_MODULE_LINK_FAILURE, str(error)) from error
    return ModuleBuildLog("")


def zeModuleInspectLinkageExt(
    pInspectDesc: ze_linkage_inspection_ext_desc_t, phModules: Sequence[Module]
) -> ModuleBuildLog:
    """A log with the imports, imports that no module resolves, and exports of modules, as far as flags ask for them.

    Each list has a heading; names stand one on a line.
    """
    required(pInspectDesc, "pInspectDesc", ze_linkage_inspection_ext_desc_t)
    flags = flag_set(pInspectDesc.flags, ze_linkage_inspection_ext_flags_t)
    modules = _modules(phModules)
    exports = list(_exporters(modules))
    imports = list(dict.fromkeys(name for module in modules for name in module.image.linked.imports))
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
