"""Memory from allocation to release (validation: memory tracker)."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from weakref import WeakKeyDictionary

from runtime.concurrency import LockRank, ranked_lock
from runtime.ze.declaration import function_called
from runtime.ze.driver.execution.command_list import CommandList
from runtime.ze.driver.memory.operands import is_of_host
from runtime.ze.driver.modules.kernel import Kernel
from runtime.ze.driver.system.context import Context, default_context
from runtime.ze.driver.system.driver import Driver
from runtime.ze.driver.system.usm import Usm
from runtime.ze.layers.validation.call import ApiCall, CallChecker, Moment
from runtime.ze.layers.validation.operands import MemoryOperand, context_of, operands_of
from runtime.ze.layers.validation.promises import HOST_WAITS, Promises
from runtime.ze.layers.validation.recorded import Recorded, executed_lists
from runtime.ze.layers.validation.report import report
from runtime.ze.layers.validation.site import CallSite
from runtime.ze.spec.results import ZeError, ze_result_t
from xegpu.isa.model import ArgumentKind
from xegpu.on_demand import dataclass, imports_on_demand

with imports_on_demand(globals()):
    import numpy as np

ALLOCATES = re.compile(r"zeMemAlloc(Device|Host|Shared)|zeDriverAlloc\w+Mem|ze(Driver|Mem)Open(Mem)?IpcHandle")
FREES = re.compile(r"zeMemFree(Ext)?|zeDriverFreeMem|ze(Driver|Mem)Close(Mem)?IpcHandle")
_USES = re.compile(r"zeCommandListAppendLaunch\w+|ze\w+CommandLists\w*")
_CHANGES = re.compile(r"zeContextDestroy|zeCommandListAppend\w+|zeCommandListReset|zeKernelSetArgumentValue")
_REMEMBERED = 1000
"""The number of freed allocations that are remembered for reports."""


@dataclass(frozen=True, eq=False)
class _Record:
    """An allocation that the application made."""

    context: Context
    usm: Usm
    site: CallSite

    @property
    def is_live(self) -> bool:
        return self.context.usm(self.usm.allocation.address) is self.usm

    def __str__(self) -> str:
        kind = self.usm.type.name.removeprefix("ZE_MEMORY_TYPE_").lower()
        address = self.usm.allocation.address
        return f"{self.usm.size} bytes of {kind} memory at {address:#x}, allocated at {self.site}"


@dataclass(frozen=True)
class _Freed:
    record: _Record
    site: CallSite


class MemoryChecker(CallChecker):
    """Knows where memory was allocated and freed, and which memory the commands of a list use."""

    def __init__(self) -> None:
        self._lock = ranked_lock(LockRank.VALIDATION)
        self._records: dict[Usm, _Record] = {}
        self._freed: deque[_Freed] = deque(maxlen=_REMEMBERED)
        self._used: Recorded[Usm] = Recorded()
        self._promises = Promises(self._text)
        self._pointers: WeakKeyDictionary[Kernel, dict[int, int]] = WeakKeyDictionary()

    def moments(self, name: str) -> Collection[Moment]:
        uses = bool(function_called(name).memory) or any(names.fullmatch(name) for names in (FREES, HOST_WAITS, _USES))
        changes = any(names.fullmatch(name) for names in (ALLOCATES, FREES, _CHANGES))
        return [moment for moment, looks in ((Moment.BEFORE, uses), (Moment.AFTER, changes)) if looks]

    def before(self, call: ApiCall) -> None:
        with self._lock:
            if FREES.fullmatch(call.name):
                self._check_free(call)
            elif HOST_WAITS.fullmatch(call.name):
                self._promises.wait(call)
            operands = [*operands_of(call), *self._kernel_operands(call)]
            for operand in operands:
                self._require(call, operand)
            for command_list in executed_lists(call):
                self._require_memory(call, command_list)

    def after(self, call: ApiCall, returned: object) -> None:
        with self._lock:
            if ALLOCATES.fullmatch(call.name):
                self._allocated(call, returned)
            elif FREES.fullmatch(call.name):
                self._forget(call)
            elif call.name == "zeContextDestroy":
                self._report_leaks(call.arguments["hContext"])
            elif call.name.startswith("zeCommandListAppend"):
                self._record_use(call)
            elif call.name == "zeCommandListReset":
                self._used.reset(call)
            elif call.name == "zeKernelSetArgumentValue":
                self._set_pointer(call)

    def finish(self) -> None:
        """Reports memory that was never freed."""
        with self._lock:
            self._report_leaks(None)

    # Allocations -----------------------------------------------------------------------------------------------------

    def _allocated(self, call: ApiCall, returned: object) -> None:
        context = _allocating_context(call)
        usm = context.usm(returned) if context is not None and isinstance(returned, int) else None
        if context is not None and usm is not None:
            self._records[usm] = _Record(context, usm, call.site)

    def _check_free(self, call: ApiCall) -> None:
        """Checks that memory is allocated and, unless a free policy is given, that no executing command uses it."""
        context, address = _allocating_context(call), call.arguments["ptr"]
        if context is None or not isinstance(address, int):
            return
        usm = context.usm(address)
        if usm is None:
            raise self._unknown(call, MemoryOperand("ptr", address, 1, context))
        policy = getattr(call.arguments.get("pMemFreeDesc"), "freePolicy", 0)
        user = self._used.user(usm)
        if user is not None and not policy:
            raise call.error(
                ze_result_t.ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE,
                "ptr",
                f"{self._text(usm)} is used by {user[0]!r}, which is executing; appended at {user[1]}",
            )

    def _forget(self, call: ApiCall) -> None:
        """Moves an allocation that was freed, or will be when nothing uses it, to the freed ones.

        A new allocation may already have its address.
        """
        address = call.arguments["ptr"]
        there = [record for usm, record in list(self._records.items()) if usm.allocation.address == address]
        for record in [record for record in there if not record.is_live] or there:
            del self._records[record.usm]
            self._freed.append(_Freed(record, call.site))

    def _report_leaks(self, context: object) -> None:
        """Reports the allocations that are left, in a context that was destroyed or in all contexts."""
        gone = [record for record in self._records.values() if context is None or record.context is context]
        for record in gone:
            del self._records[record.usm]
        left = [record for record in gone if not record.site.is_managed and (context is not None or record.is_live)]
        if left:
            total = sum(record.usm.size for record in left)
            where = "" if context is None else f" in {context!r}, which is destroyed"
            report(f"{len(left)} allocation(s) were never freed{where}, {total} bytes:", list(map(str, left)))

    # Use -------------------------------------------------------------------------------------------------------------

    def _require(self, call: ApiCall, operand: MemoryOperand) -> None:
        usm = operand.context.usm(operand.address)
        is_new = self._freed_at(operand.address) is None
        if usm is None and is_new and operand.may_be_of_host and is_of_host(*operand.range):
            return
        if usm is None:
            raise self._unknown(call, operand)
        behind = operand.address + operand.size - usm.allocation.address - usm.size
        if behind > 0:
            raise call.error(
                ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
                operand.name,
                f"{operand.size} bytes at {operand.address:#x} end {behind} byte(s) behind {self._text(usm)}",
            )

    def _unknown(self, call: ApiCall, operand: MemoryOperand) -> ZeError:
        """Returns the report of an address that is in no allocation."""
        text = f"{operand.address:#x} is not in an allocation of {operand.context!r}"
        freed = self._freed_at(operand.address)
        if freed is not None:
            text += f"; there were {freed.record}, freed at {freed.site}"
        return call.error(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, operand.name, text)

    def _freed_at(self, address: int) -> _Freed | None:
        """Returns the latest allocation that was at an address and was freed, if it is remembered."""
        for freed in reversed(self._freed):
            usm = freed.record.usm
            if 0 <= address - usm.allocation.address < usm.size:
                return freed
        return None

    def _text(self, usm: Usm) -> str:
        record = self._records.get(usm)
        return str(record) if record is not None else f"{usm.size} bytes at {usm.allocation.address:#x}"

    def _require_memory(self, call: ApiCall, command_list: CommandList) -> None:
        """Raises `INVALID_ARGUMENT` if memory that a list was recorded with is freed when the list is executed."""
        for usm, site in self._used.needs(command_list).items():
            address = usm.allocation.address
            if command_list.context.machine.memory.find(address) is not usm.allocation:
                raise call.error(
                    ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
                    "phCommandLists",
                    f"{command_list!r} uses memory that is freed, {usm.size} bytes at {address:#x}, for what was "
                    f"appended at {site}",
                )

    def _record_use(self, call: ApiCall) -> None:
        operands = (*operands_of(call), *self._kernel_operands(call))
        self._promises.append(call, operands)
        found = (operand.context.usm(operand.address) for operand in operands)
        self._used.add(call, (usm for usm in found if usm is not None))

    # Arguments of kernels --------------------------------------------------------------------------------------------

    def _set_pointer(self, call: ApiCall) -> None:
        kernel, index = call.arguments["hKernel"], call.arguments["argIndex"]
        assert isinstance(kernel, Kernel) and isinstance(index, int), "the driver has accepted them"
        if kernel.facts.arguments[index].kind is ArgumentKind.POINTER:
            self._pointers.setdefault(kernel, {})[index] = _address(call.arguments["pArgValue"])

    def _kernel_operands(self, call: ApiCall) -> Iterator[MemoryOperand]:
        """Yields the memory that a launch receives through pointers; null is an argument that is not used."""
        context = context_of(call)
        if context is None or not call.name.startswith("zeCommandListAppendLaunch"):
            return
        for _, kernel in call.handles():
            if not isinstance(kernel, Kernel):
                continue
            pointers = self._pointers.get(kernel, {})
            values = call.arguments.get("pArguments")
            if isinstance(values, Sequence):
                kinds = (argument.kind for argument in kernel.facts.arguments)
                given = enumerate(zip(kinds, values, strict=False))
                pointers = {index: _address(value) for index, (kind, value) in given if kind is ArgumentKind.POINTER}
            for index, address in pointers.items():
                if address:
                    name = f"argument {kernel.facts.label(index)} of kernel '{kernel.description.name}'"
                    is_written = kernel.facts.arguments[index].access != "readonly"
                    yield MemoryOperand(name, address, 1, context, is_written=is_written)


def _address(value: object) -> int:
    if isinstance(value, int | np.integer):
        return int(value)
    return int.from_bytes(bytes(value), "little") if isinstance(value, bytes | bytearray | memoryview) else 0


def _allocating_context(call: ApiCall) -> Context | None:
    """Returns the context that memory is allocated in: for functions of 0.91, the driver's default context."""
    driver = call.arguments.get("hDriver")
    return default_context(driver) if isinstance(driver, Driver) else context_of(call)
