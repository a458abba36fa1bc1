"""Executes optimised kernels on the CPU, one work-item after the other, as an oracle-sized device for tests."""

from __future__ import annotations

import ctypes
import re

import llvmlite.binding as llvm

_IDS = "_Z33__spirv_BuiltInGlobalInvocationIdi"

_ID_BODY = f"""
@current = global [3 x i64] zeroinitializer
define i64 @{_IDS}(i32 %d) {{
  %p = getelementptr [3 x i64], ptr @current, i64 0, i32 %d
  %v = load i64, ptr %p
  ret i64 %v
}}
"""


class Cpu:
    """A module compiled for this machine."""

    def __init__(self, text: str) -> None:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        machine = llvm.Target.from_default_triple().create_target_machine(
            llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten(), opt=1
        )
        text = re.sub(r"^target (datalayout|triple).*$", "", text, flags=re.MULTILINE)
        text = re.sub(r"byval\([^)]*\) ", "", text.replace("spir_kernel ", "").replace("spir_func ", ""))
        text = re.sub(rf"^declare i64 @{_IDS}.*$", "", text, flags=re.MULTILINE) + _ID_BODY
        module = llvm.parse_assembly(text)
        module.triple, module.data_layout = llvm.get_default_triple(), str(machine.target_data)
        module.verify()
        self._engine = llvm.create_mcjit_compiler(module, machine)
        self._engine.finalize_object()
        self._ids = (ctypes.c_int64 * 3).from_address(self._engine.get_global_value_address("current"))

    def function(self, name: str, result: type | None, *arguments: type) -> ctypes._CFuncPtr:
        """Returns a function, which must not outlive this object."""
        return ctypes.CFUNCTYPE(result, *arguments)(self._engine.get_function_address(name))

    def launch(self, name: str, items: int, *arguments: object) -> None:
        """Executes a kernel for ids from 0; arguments are values of ctypes and buffers."""
        passed = [
            each if isinstance(each, ctypes._SimpleCData) else ctypes.c_void_p(_address(each)) for each in arguments
        ]
        run = self.function(name, None, *(type(each) for each in passed))
        for item in range(items):
            self._ids[0] = item
            run(*passed)


def _address(buffer: object) -> int:
    return int(buffer.ctypes.data)  # type: ignore[attr-defined]
