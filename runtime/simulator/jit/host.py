"""The CPU that kernels are compiled for: what it can do, and machine code from LLVM IR."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cache

import llvmlite.binding as llvm


@dataclass(frozen=True)
class Host:
    """A CPU by LLVM's names, with the features that may be used. The properties are what code generation asks about."""

    triple: str
    cpu: str
    features: frozenset[str]

    def _has(self, feature: str) -> bool:
        return feature in self.features

    @property
    def is_x86(self) -> bool:
        return self.triple.startswith(("x86_64", "i386", "i686", "amd64"))

    @property
    def flushes_after_rounding(self) -> bool:
        """Whether the CPU can turn subnormal results into zeros after rounding, as `MXCSR` does on x86."""
        return self.is_x86

    @property
    def converts_half(self) -> bool:
        """Whether LLVM converts between half and float without calling a library."""
        return self._has("f16c") if self.is_x86 else self.triple.startswith(("aarch64", "arm64"))

    @property
    def dot_products(self) -> bool:
        """Whether there are AVX-512 instructions that add up products of four bytes."""
        return self.is_x86 and self._has("avx512vnni") and self._has("avx512vl")

    @property
    def function_attributes(self) -> str:
        """Keeps LLVM from halving 512-bit vectors on CPUs where it prefers to."""
        wide = ' "prefer-vector-width"="512" "min-legal-vector-width"="512"' if self._has("avx512f") else ""
        return "nounwind" + wide

    @property
    def feature_text(self) -> str:
        """The features as LLVM's code generator takes them; those of `cpu` that are not listed are switched off."""
        known = sorted(_host_features())
        return ",".join(f"{'+' if name in self.features else '-'}{name}" for name in known)


@cache
def this_host() -> Host:
    """The CPU that this process runs on."""
    _initialize()
    features = frozenset(name for name, on in _host_features().items() if on)
    return Host(str(llvm.get_process_triple()), str(llvm.get_host_cpu_name()), features)


@cache
def _host_features() -> dict[str, bool]:
    """All features that LLVM knows for this kind of CPU, and whether this CPU has them."""
    return {str(name): bool(on) for name, on in llvm.get_host_cpu_features().items()}


@cache
def _initialize() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


class CompiledCode:
    """Machine code in memory, for as long as this object lives."""

    def __init__(self, tracker: llvm.ResourceTracker, symbol: str):
        self._tracker = tracker
        self.address = int(tracker[symbol])


_OPTIMIZATION_LEVEL = 1
"""Of LLVM's pass pipeline: higher levels double the compile time and do not make these kernels faster."""

_CODE_GENERATION_LEVEL = 2

_lock = threading.Lock()
_libraries = iter(range(1 << 62))


@cache
def _linker() -> llvm.LLJIT:
    return llvm.create_lljit_compiler()


def object_code(ir: str, host: Host) -> bytes:
    """Machine code of a module as an object file. Raises `RuntimeError` for IR that LLVM does not take."""
    _initialize()
    machine = llvm.Target.from_triple(host.triple).create_target_machine(
        cpu=host.cpu, features=host.feature_text, opt=_CODE_GENERATION_LEVEL, jit=True
    )
    module = llvm.parse_assembly(ir)
    module.verify()
    module.triple, module.data_layout = machine.triple, str(machine.target_data)
    with (
        llvm.create_pipeline_tuning_options(speed_level=_OPTIMIZATION_LEVEL) as options,
        llvm.create_pass_builder(machine, options) as builder,
        builder.getModulePassManager() as passes,
    ):
        passes.run(module, builder)
    return bytes(machine.emit_object(module))


def compile_ir(ir: str, symbol: str, host: Host) -> CompiledCode:
    """Compiles a module and links it into this process; `symbol` names the function to call. Thread-safe."""
    with _lock:
        code = object_code(ir, host)
        library = llvm.JITLibraryBuilder().add_object_img(code).export_symbol(symbol).add_current_process()
        return CompiledCode(library.link(_linker(), f"kernel-{next(_libraries)}"), symbol)
