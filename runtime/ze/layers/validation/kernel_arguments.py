"""Values of kernels' arguments (validation: parameter).

The driver sets the bytes that a value and an argument have in common, and ignores values of local memory.
"""

from __future__ import annotations

from runtime.ze.driver.modules.kernel import Kernel
from runtime.ze.layers.validation.call import ApiCall
from runtime.ze.spec.results import ze_result_t
from xegpu.isa.model import ArgumentKind


def check_argument_value(call: ApiCall) -> None:
    """Raises `ZeError` for a size that is not the argument's, and for local memory with a value or without a size."""
    kernel, index, size = (call.arguments[name] for name in ("hKernel", "argIndex", "argSize"))
    if not isinstance(kernel, Kernel) or not isinstance(index, int) or not isinstance(size, int):
        return
    if not 0 <= index < len(kernel.facts.arguments):
        return
    argument = kernel.facts.arguments[index]
    label = f"argument {kernel.facts.label(index)} of {kernel!r}"
    is_local = argument.kind is ArgumentKind.LOCAL
    if is_local and call.arguments["pArgValue"] is not None:
        text = f"{label} is local memory and takes a size, but no value"
        raise call.error(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, "pArgValue", text)
    if size < 1 if is_local else argument.slots and size != argument.size:
        expected = "local memory of some size" if is_local else f"of {argument.size} bytes"
        text = f"{label} is {expected}, {size} bytes given"
        raise call.error(ze_result_t.ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE, "argSize", text)
