"""A program on its way from a source to a binary (specification: chapter Module)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from passes.frontends.ir import FEWEST_STEPS, STEPS, check, link, prepare
from passes.frontends.llvm import (
    KernelDetails,
    PrintfCall,
    kernels_of,
    prints_of,
    read_module,
    with_places,
)
from passes.frontends.mux import PASSES as MUX_PASSES, define_builtins, uses_builtins
from passes.frontends.spirv import translate
from runtime.mux.compilation.kernels import check_kernels, check_subgroup_sizes, compile_ir
from runtime.mux.compilation.languages import compile_opencl_c
from runtime.mux.context import SpirvCode, spirv_bytes
from runtime.mux.options.parsing import Options, OptionsMode, parse_options
from runtime.mux.program.kernel import Kernel, kernel_options
from runtime.mux.program.pass_machinery import PassMachinery
from runtime.mux.program.serialization import ModuleContents, SerializationError, deserialized, serialized
from runtime.mux.program.spirv_device import SpirvDeviceInfo, SpirvModuleInfo, module_info
from runtime.mux.program.states import EMPTY, FINALIZABLE, LINKABLE, ModuleState
from runtime.mux.program.steps import BuildLog, ModuleMessages, ModuleStep
from runtime.mux.program.symbols import unresolved
from runtime.mux.results import MuxError, Result
from xegpu.diagnostics import CompileError, failing_as

if TYPE_CHECKING:
    from runtime.mux.context import Context
    from runtime.mux.program.target import Target

FULL_PROFILE = "FULL_PROFILE"
EMBEDDED_PROFILE = "EMBEDDED_PROFILE"
_PROFILES: Mapping[str, tuple[str, ...]] = {
    FULL_PROFILE: (),
    EMBEDDED_PROFILE: ("-D__EMBEDDED_PROFILE__=1",),
}
"""The options of the compiler of OpenCL C by the profiles of a device."""


@dataclass(frozen=True)
class InputHeader:
    """A header, and the name with which sources include it (specification: `compiler::InputHeader`)."""

    source: str
    name: str


@dataclass(frozen=True)
class ProgramInfo:
    """The kernels and prints of a finalised module (specification: `ProgramInfo`, `builtins::printf::descriptor`)."""

    kernels: tuple[KernelDetails, ...]
    printf_calls: tuple[PrintfCall, ...]

    def kernel(self, name: str) -> KernelDetails | None:
        """Returns the kernel with a name (specification: `getKernelByName`)."""
        return next((kernel for kernel in self.kernels if kernel.name == name), None)


class Module:
    """A program: compiled from a source or linked from others, then finalised (specification: `compiler::BaseModule`).

    Calls that fail raise `MuxError` and leave their messages in `log`; the module is as it was before. Threads may
    share a module: each call holds the lock of the context.

    Attributes:
        target: The compiler that it belongs to.
        context: The context whose lock it takes.
        log: Its messages, and the number of errors among them.
        options: The options of its next step.
        filename: The name of its source in messages.
        llvm_module: Its LLVM IR before it is finalised.
        finalized_llvm_module: Its LLVM IR once it is finalised.

    """

    def __init__(self, target: Target, context: Context, log: BuildLog) -> None:
        self.target = target
        self.context = context
        self.log = log
        self.filename = "<module>"
        self.options = Options()
        self.llvm_module: str | None = None
        self.finalized_llvm_module: str | None = None
        self._messages = ModuleMessages(log, target.callback)
        self._state = ModuleState.NONE
        self._info: ProgramInfo | None = None
        self._kernels: dict[str, Kernel] = {}

    @property
    def state(self) -> ModuleState:
        """The step that the module has reached (specification: `getState`)."""
        return self._state

    def clear(self) -> None:
        """Makes the module empty, its log and options too (specification: `clear`)."""
        with self.context:
            self.log.clear()
            self.options = Options()
            self._become(ModuleState.NONE, None)

    # Options

    def parse_options(self, text: str, mode: OptionsMode = OptionsMode.BUILD) -> Options:
        """Sets the options to those in a text, and returns them (specification: `parseOptions`).

        Raises:
            MuxError: `INVALID_BUILD_OPTIONS`, `INVALID_COMPILER_OPTIONS` or `INVALID_LINKER_OPTIONS`, as the mode asks.
        """
        with self.step(mode.value):
            self.options = parse_options(text, mode, self.target.gpu)
            return self.options

    # Sources

    def compile_opencl_c(self, device_profile: str, source: str, input_headers: Sequence[InputHeader] = ()) -> None:
        """Compiles a program in OpenCL C (specification: `compileOpenCLC`).

        Args:
            device_profile: `FULL_PROFILE` or `EMBEDDED_PROFILE`.
            source: The program.
            input_headers: The headers that it may include.

        Raises:
            MuxError: `INVALID_VALUE` for another profile; `COMPILE_PROGRAM_FAILURE` if the program is wrong, there is
                no compiler for it, or the module is not empty; `OUT_OF_MEMORY`.
        """
        with self.step(Result.COMPILE_PROGRAM_FAILURE) as step:
            step.require(self._state, EMPTY, "compiled")
            if device_profile not in _PROFILES:
                raise MuxError(
                    Result.INVALID_VALUE, f"unknown profile '{device_profile}': expected {' or '.join(_PROFILES)}"
                )
            options = [*_PROFILES[device_profile], *self.options.compiler]
            headers = {header.name: header.source for header in input_headers}
            self._compiled(compile_opencl_c(source, self.filename, options, headers))

    def compile_spirv(
        self,
        code: SpirvCode,
        device_info: SpirvDeviceInfo | None = None,
        specialization: Mapping[int, bytes] | None = None,
    ) -> SpirvModuleInfo:
        """Compiles a program in SPIR-V and returns facts of it (specification: `compileSPIRV`).

        Args:
            code: The program.
            device_info: What it may use; by default all that the compiler knows.
            specialization: The bytes of specialization constants by their ids.

        Raises:
            MuxError: `INVALID_VALUE` for a device with other models than the compiler's; `COMPILE_PROGRAM_FAILURE` if
                the program is wrong, or the module is not empty; `OUT_OF_MEMORY`.
        """
        with self.step(Result.COMPILE_PROGRAM_FAILURE) as step:
            step.require(self._state, EMPTY, "compiled")
            device = device_info or SpirvDeviceInfo()
            device.check()
            translation = translate(spirv_bytes(code), specialization or {})
            step.refuse(device.missing(translation.information))
            self._compiled(translation.text)
            return module_info(translation.information)

    def compile_llvm_ir(self, text: str) -> None:
        """Takes a program in LLVM IR, with the builtins of the specification or of OpenCL C.

        Raises:
            MuxError: `COMPILE_PROGRAM_FAILURE` if it is wrong, or the module is not empty; `OUT_OF_MEMORY`.
        """
        with self.step(Result.COMPILE_PROGRAM_FAILURE) as step:
            step.require(self._state, EMPTY, "compiled")
            check(text)
            self._compiled(with_places(text, self.filename))

    def _compiled(self, text: str) -> None:
        machinery = self.create_pass_machinery()
        self.initialize_pass_machinery_for_frontend(machinery)
        self._become(ModuleState.COMPILED_OBJECT, machinery.run(text))

    # Linking and finalisation

    def link(self, input_modules: Sequence[Module]) -> None:
        """Makes the module one that holds all of some others, or a library (specification: `link`).

        Raises:
            MuxError: `INVALID_VALUE` for no module, or the module itself; `LINK_PROGRAM_FAILURE` if one has not been
                compiled or belongs to another device, if a name is defined twice or, unless a library is made, not at
                all, or if this module is not empty; `OUT_OF_MEMORY`.
        """
        with self.step(Result.LINK_PROGRAM_FAILURE) as step:
            step.require(self._state, EMPTY, "linked")
            if not input_modules or any(module is self for module in input_modules):
                raise MuxError(Result.INVALID_VALUE, "linking takes one or more other modules")
            texts = []
            for number, module in enumerate(input_modules):
                text = module.llvm_module
                if module.state not in LINKABLE or text is None:
                    step.refuse(f"module {number} is {module.state.value}")
                elif module.target.gpu != self.target.gpu:
                    step.refuse(f"module {number} is for {module.target.gpu}")
                else:
                    texts.append(text)
            whole = link(texts)
            if self.options.create_library:
                self._become(ModuleState.LIBRARY, whole)
                return
            missing = unresolved(self.target.with_builtins(whole))
            step.refuse(f"undefined: {', '.join(missing)}" if missing else None)
            self._become(ModuleState.EXECUTABLE, whole)

    def finalize(self) -> ProgramInfo:
        """Runs the passes that make kernels of the program, and returns what it holds (specification: `finalize`).

        Raises:
            MuxError: `FINALIZE_PROGRAM_FAILURE` if the module is neither compiled nor linked, or if it holds what no
                kernel can do; `OUT_OF_MEMORY`.
        """
        with self.step(Result.FINALIZE_PROGRAM_FAILURE) as step:
            step.require(self._state, FINALIZABLE, "finalised")
            machinery = self.create_pass_machinery()
            self.initialize_pass_machinery_for_finalize(machinery)
            late = self.get_late_target_passes(machinery)
            text = machinery.run(self.target.with_builtins(self.llvm_module or ""))
            text = machinery.run(text, late)
            module = read_module(text, self.filename)
            check_kernels(module)
            kernels = kernels_of(module)
            check_subgroup_sizes(kernels, self.target.gpu)
            self._become(ModuleState.FINALIZED, text, ProgramInfo(kernels, tuple(prints_of(module))))
            for size in self.options.precache_local_sizes:
                for details in self.program_info.kernels:
                    kernel = self.get_kernel(details.name)
                    if kernel is not None and kernel.takes_local_size(size):
                        kernel.precache_local_size(*size)
            return self.program_info

    @property
    def program_info(self) -> ProgramInfo:
        """The kernels and prints of the finalised module.

        Raises:
            MuxError: `FINALIZE_PROGRAM_FAILURE` if it is not finalised.
        """
        if self._info is None:
            raise MuxError(Result.FINALIZE_PROGRAM_FAILURE, f"the module is {self._state.value}: finalize it first")
        return self._info

    def create_binary(self) -> bytes:
        """Returns a ZEBIN with all kernels (specification: `createBinary`).

        Raises:
            MuxError: `FINALIZE_PROGRAM_FAILURE` if the module is not finalised, or a kernel cannot be compiled;
                `OUT_OF_MEMORY`.
        """
        with self.step(Result.FINALIZE_PROGRAM_FAILURE) as step:
            text = self.finalized_llvm_module
            if text is None:
                step.require(self._state, (ModuleState.FINALIZED,), "made a binary")
            return compile_ir(text or "", self.target.gpu, self.filename, kernel_options(self.options))

    def get_kernel(self, name: str) -> Kernel | None:
        """Returns the kernel with a name, always the same; None if there is none (specification: `getKernel`)."""
        with self.context:
            if name not in self._kernels:
                kernel = self.create_kernel(name)
                if kernel is None:
                    return None
                self._kernels[name] = kernel
            return self._kernels[name]

    def create_kernel(self, name: str) -> Kernel | None:
        """Returns a new object for a kernel of the finalised module (specification: `createKernel`).

        None is returned if there is no such kernel or not enough memory, or if the compiler does not compile kernels
        one by one.
        """
        if self._info is None or not self.target.compiler_info.supports_deferred_compilation:
            return None
        details = self._info.kernel(name)
        try:
            return None if details is None else Kernel(self, details)
        except MemoryError:
            return None

    # Bytes

    def size(self) -> int:
        """Returns the number of bytes that `serialize` gives (specification: `size`)."""
        return len(self.serialize())

    def serialize(self) -> bytes:
        """Returns the module as bytes, for any process (specification: `serialize`).

        Raises:
            MuxError: `INVALID_VALUE` for an empty module.
        """
        with self.step(Result.FAILURE) as step:
            step.require(self._state, set(ModuleState) - {*EMPTY}, "serialised", Result.INVALID_VALUE)
            text = self.llvm_module if self.finalized_llvm_module is None else self.finalized_llvm_module
            return serialized(ModuleContents(self.target.gpu, self._state, text or "", self.options))

    def deserialize(self, data: bytes) -> bool:
        """Becomes the module in some bytes, and says whether it could (specification: `deserialize`).

        The log has the reason why not; the module is then as it was.
        """
        with self.context:
            try:
                contents = deserialized(data)
                if contents.target != self.target.gpu:
                    raise SerializationError(f"is for {contents.target}, not for {self.target.gpu}")
                finalized = contents.state is ModuleState.FINALIZED
                with failing_as("reading the module"):
                    module = read_module(contents.text, self.filename) if finalized else None
            except (SerializationError, CompileError, MemoryError) as error:
                self.add_build_error(f"{self.filename}: error: {error}")
                return False
            self.options = contents.options
            self._become(contents.state, contents.text)
            if module is not None:
                self._become(contents.state, contents.text, ProgramInfo(kernels_of(module), tuple(prints_of(module))))
            return True

    # Passes, which subclasses extend

    def create_pass_machinery(self) -> PassMachinery:
        """Returns the passes for one step (specification: `createPassMachinery`)."""
        return PassMachinery()

    def initialize_pass_machinery_for_frontend(self, machinery: PassMachinery) -> None:
        """Chooses the passes behind a front end: none (specification: `initializePassMachineryForFrontend`)."""

    def initialize_pass_machinery_for_finalize(self, machinery: PassMachinery) -> None:
        """Chooses the passes of finalisation (specification: `initializePassMachineryForFinalize`)."""
        for name, function in ({**MUX_PASSES, "define-mux-builtins": _with_mux_builtins}).items():
            machinery.register_pass(name, function)
        machinery.register_pass("define-builtins", prepare)
        machinery.pipeline += [
            "define-mux-builtins",
            "define-builtins",
            *(STEPS if self.options.is_optimised else FEWEST_STEPS),
        ]

    def get_late_target_passes(self, machinery: PassMachinery) -> Sequence[str]:
        """Returns the passes behind all others: none (specification: `getLateTargetPasses`)."""
        return ()

    # Messages

    def add_diagnostic(self, message: str) -> None:
        """Adds a message to the log, and tells the target's callback (specification: `addDiagnostic`)."""
        self._messages.add(message, is_error=False)

    def add_build_error(self, message: str) -> None:
        """Adds an error to the log and counts it (specification: `addBuildError`)."""
        self._messages.add(message, is_error=True)

    def step(self, failure: Result) -> AbstractContextManager[ModuleStep]:
        """Begins a step: holds the lock; messages go to the log, and errors of the compiler become a result."""
        return ModuleStep(failure, self.filename, self._messages).holding(self.context)

    def _become(self, state: ModuleState, text: str | None, info: ProgramInfo | None = None) -> None:
        """Takes the outcome of a step: LLVM IR, which is finalised if it comes with facts of the program."""
        self._state, self._info, self._kernels = state, info, {}
        self.finalized_llvm_module = None if info is None else text
        if info is None:
            self.llvm_module = text


def _with_mux_builtins(text: str) -> str:
    """Returns a module with definitions of the builtins `__mux_*` that it uses."""
    return define_builtins(text) if uses_builtins(text) else text
