"""The contents of `.ze_info`: records, the schema that defines them, and their text form."""

from __future__ import annotations

from zebin.ze_info.schema import (
    ArgInfo,
    BindingTableIndex,
    DebugEnv,
    ExecutionEnv,
    ExperimentalProperties,
    FunctionInfo,
    HostAccess,
    InlineSampler,
    KernelCostInfo,
    KernelInfo,
    KernelMiscInfo,
    PayloadArgument,
    PerThreadMemoryBuffer,
    PerThreadPayloadArgument,
    UserAttributes,
    ZeInfo,
)
from zebin.ze_info.text import parse_ze_info, read_ze_info, write_ze_info

__all__ = [
    "ArgInfo",
    "BindingTableIndex",
    "DebugEnv",
    "ExecutionEnv",
    "ExperimentalProperties",
    "FunctionInfo",
    "HostAccess",
    "InlineSampler",
    "KernelCostInfo",
    "KernelInfo",
    "KernelMiscInfo",
    "PayloadArgument",
    "PerThreadMemoryBuffer",
    "PerThreadPayloadArgument",
    "UserAttributes",
    "ZeInfo",
    "parse_ze_info",
    "read_ze_info",
    "write_ze_info",
]
