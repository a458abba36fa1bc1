"""The contents of `.ze_info`: records, the schema that defines them, and their text form."""

from zebin.ze_info.schema import (
    ArgInfo as ArgInfo,
    BindingTableIndex as BindingTableIndex,
    DebugEnv as DebugEnv,
    ExecutionEnv as ExecutionEnv,
    ExperimentalProperties as ExperimentalProperties,
    FunctionInfo as FunctionInfo,
    HostAccess as HostAccess,
    InlineSampler as InlineSampler,
    KernelCostInfo as KernelCostInfo,
    KernelInfo as KernelInfo,
    KernelMiscInfo as KernelMiscInfo,
    PayloadArgument as PayloadArgument,
    PerThreadMemoryBuffer as PerThreadMemoryBuffer,
    PerThreadPayloadArgument as PerThreadPayloadArgument,
    UserAttributes as UserAttributes,
    ZeInfo as ZeInfo,
)
from zebin.ze_info.text import (
    read_ze_info as read_ze_info,
    write_ze_info as write_ze_info,
)
