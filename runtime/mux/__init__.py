"""The ComputeMux compiler: kernels in OpenCL C, SPIR-V, LLVM IR and MLIR become ZEBINs.

`docs/computemux.md` has the chapters of its specification; `runtime.mux.compilation` has the functions below it, which
the other interfaces share. Names are imported when they are used, since loading a binary needs none.
"""

from runtime.mux.compilation.code_options import CodeOptions as CodeOptions
from runtime.mux.compilation.languages import compile_source as compile_source
from runtime.mux.compilation.spirv import (
    SpirvLinkage as SpirvLinkage,
    SpirvProgram as SpirvProgram,
    compile_spirv as compile_spirv,
    spirv_linkage as spirv_linkage,
)
from xegpu.diagnostics import CompileError as CompileError
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):
    from runtime.mux.compilation.compiler import (
        CompileOptions as CompileOptions,
        assembly as assembly,
        compile_module as compile_module,
        compile_text as compile_text,
        has_kernels as has_kernels,
    )
    from runtime.mux.compilation.igc import (
        compile_with_igc as compile_with_igc,
        compile_with_igc_log as compile_with_igc_log,
        fetched_programs as fetched_programs,
        find_igc as find_igc,
        igc_version as igc_version,
    )
    from runtime.mux.context import (
        ConstantKind as ConstantKind,
        Context as Context,
        SpecializableConstant as SpecializableConstant,
    )
    from runtime.mux.device_info import DeviceInfo as DeviceInfo
    from runtime.mux.options.parsing import Options as Options, OptionsMode as OptionsMode
    from runtime.mux.options.syntax import (
        CompilationOption as CompilationOption,
        parse_compilation_options as parse_compilation_options,
    )
    from runtime.mux.program.info import (
        BuiltinCapabilities as BuiltinCapabilities,
        Info as Info,
        get_compilers as get_compilers,
        get_info as get_info,
        infos as infos,
    )
    from runtime.mux.program.kernel import Kernel as Kernel
    from runtime.mux.program.module import InputHeader as InputHeader, Module as Module, ProgramInfo as ProgramInfo
    from runtime.mux.program.ndrange import (
        ArgumentDescriptor as ArgumentDescriptor,
        DescriptorKind as DescriptorKind,
        NDRangeOptions as NDRangeOptions,
    )
    from runtime.mux.program.pass_machinery import PassMachinery as PassMachinery
    from runtime.mux.program.spirv_device import SpirvDeviceInfo as SpirvDeviceInfo, SpirvModuleInfo as SpirvModuleInfo
    from runtime.mux.program.states import ModuleState as ModuleState
    from runtime.mux.program.steps import BuildLog as BuildLog
    from runtime.mux.program.target import Target as Target
    from runtime.mux.results import MuxError as MuxError, Result as Result
