"""Programs in SPIR-V: modules that are linked with others, and whose kernels are compiled when they are needed."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from runtime.ze.driver.modules.build import ModuleBuildError, compiled
from runtime.ze.driver.modules.linking import Linked
from runtime.ze.driver.modules.loading import LoadedModule, LoadError, load_module
from runtime.ze.driver.modules.on_use import OnUse
from runtime.ze.spec.results import ze_result_t
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):  # loading binaries needs no compiler
    import runtime.mux as mux

if TYPE_CHECKING:
    from runtime.simulator import Executable, Simulator

Source = tuple[bytes, Mapping[int, bytes]]
"""A module in SPIR-V, and the bytes of its specialization constants by their ids."""

_MOST_AT_ONCE = 16
"""The largest number of kernels that are compiled before the first one is needed."""


class ModuleProgram:
    """Modules in SPIR-V that are one, for one GPU, whose code has the properties that `code` chooses.

    Raises:
        ModuleBuildError: A module is wrong.
    """

    def __init__(self, sources: Sequence[Source], simulator: Simulator, code: mux.CodeOptions) -> None:
        self.sources = sources
        self._code = code
        self._simulator = simulator
        self._parts = [compiled(mux.spirv_linkage, source) for source in sources]
        self._binaries = mux.SpirvProgram(sources)

    @property
    def kernel_names(self) -> tuple[str, ...]:
        return tuple(name for part in self._parts for name in part.kernels)

    @property
    def imports(self) -> tuple[str, ...]:
        """The functions that other programs must define."""
        own = {name for part in self._parts for name in part.exports}
        return tuple(dict.fromkeys(name for part in self._parts for name in part.imports if name not in own))

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables that other programs must define."""
        own = {name for part in self._parts for name in part.exported_variables}
        return tuple(dict.fromkeys(name for part in self._parts for name in part.imported_variables if name not in own))

    @property
    def exports(self) -> tuple[str, ...]:
        """The functions that others can call."""
        return tuple(dict.fromkeys(name for part in self._parts for name in part.exports))

    @property
    def addresses(self) -> Mapping[str, int]:
        """The addresses of the functions that others can call, as all code has them that takes these."""
        return {name: address for part in self._parts for name, address in part.addresses.items()}

    @property
    def exported_variables(self) -> tuple[str, ...]:
        """The variables that others can use."""
        return tuple(dict.fromkeys(name for part in self._parts for name in part.exported_variables))

    def repeats(self, name: str) -> bool:
        """Returns whether others may define an export of this program in the same way."""
        return any(name in part.repeated for part in self._parts)

    @property
    def identity(self) -> bytes:
        """A digest that tells this program from others."""
        return hashlib.sha256(repr((self.sources, self._code)).encode()).digest()

    def load(self, libraries: Sequence[ModuleProgram] = ()) -> tuple[bytes | None, Contents]:
        """Returns the binary and its contents; no binary while functions are missing, or kernels not compiled.

        Raises:
            ModuleBuildError: It does not compile.
            LoadError: It cannot be loaded.
            MemoryError: There is no room for the variables.
        """
        if self.imports and not libraries:
            return None, OpenContents(self)
        is_stateless = all(part.is_stateless and not part.imported_variables for part in self._parts)
        if is_stateless and not libraries and len(self.kernel_names) > _MOST_AT_ONCE:
            return None, DeferredContents(self)
        binary = self.compile(libraries)
        return binary, load_module(binary, self._simulator)

    def compile(self, libraries: Sequence[ModuleProgram] = ()) -> bytes:
        """Compiles all kernels; `libraries` have the functions that are missing. Raises `ModuleBuildError`."""
        binaries = self._binaries
        if libraries:
            others = [source for library in libraries for source in library.sources]
            binaries = mux.SpirvProgram(self.sources, "<module>", others)
        return compiled(binaries.compile, self._simulator.target.name, None, self._code)

    def compiled_kernel(self, name: str) -> LoadedModule:
        """Returns a module with one kernel, which is compiled for it. Raises `ModuleBuildError`."""
        binary = compiled(self._binaries.compile, self._simulator.target.name, [name], self._code)
        try:
            return load_module(binary, self._simulator)
        except LoadError as error:
            raise ModuleBuildError(ze_result_t.ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, str(error)) from error


class OpenContents:
    """The contents of a program that needs functions of others: none before it is linked."""

    def __init__(self, program: ModuleProgram) -> None:
        self.kernel_names = program.kernel_names
        self.kernels: Mapping[str, Executable] = {}
        self.linked = Linked(imports=(*program.imports, *program.variables))
        self.warnings: Sequence[str] = ()
        self.is_linked = False


class DeferredContents:
    """The contents of a program with many kernels and no variables: each kernel is compiled when it is created."""

    def __init__(self, program: ModuleProgram) -> None:
        self.kernel_names = program.kernel_names
        names = program.kernel_names
        modules = OnUse(names, program.compiled_kernel)
        self.kernels: Mapping[str, Executable] = OnUse(names, lambda name: modules[name].kernels[name])
        self.linked = Linked(functions=OnUse(names, lambda name: modules[name].linked.functions[name]))
        self.warnings: Sequence[str] = ()
        self.is_linked = True


Contents = LoadedModule | OpenContents | DeferredContents
"""The contents of a module: read whole, opened, or compiled kernel by kernel."""


def libraries_of(program: ModuleProgram, programs: Sequence[ModuleProgram]) -> list[ModuleProgram]:
    """Returns the programs whose functions one needs, itself not among them, each once for each name."""
    found: dict[ModuleProgram, None] = {}
    wanted = list(program.imports)
    seen = {*wanted, *program.exports}
    while wanted:
        name = wanted.pop()
        provider = next((each for each in programs if name in each.exports), None)
        if provider is not None and provider is not program and provider not in found:
            found[provider] = None
            more = [each for each in provider.imports if each not in seen]
            seen.update(more)
            wanted += more
    return list(found)


def providers(programs: Sequence[ModuleProgram]) -> Counter[str]:
    """Returns how many different definitions the exported functions of programs have, by name."""
    found: Counter[str] = Counter()
    for program in programs:
        for name in program.exports:
            found[name] = found[name] + 1 if not program.repeats(name) else max(found[name], 1)
    return found
