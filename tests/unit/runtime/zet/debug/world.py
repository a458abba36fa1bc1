"""A program that can be debugged, in this very process, and a debugger that is attached to it."""

from __future__ import annotations

import os
import struct
import threading
from collections.abc import Callable
from dataclasses import replace

import pytest

from runtime import ze, zet
from runtime.debuggee import RegisterSet
from runtime.debuggee.code import LoadedCode
from runtime.ze import simulated_driver
from tests.unit.runtime.ze.kernels import binary, compiled, pointer
from xegpu.isa import assemble, decode_program
from xegpu.isa.code import LineTable, SourcePlace
from xegpu.targets import ARC, PVC, Target

ALL = zet.ze_device_thread_t(*4 * (0xFFFF_FFFF,))
"""All threads."""

PATIENCE = 20_000
"""Milliseconds after which something that should happen does not."""

TEXT = """
    mov (16|M0) r10.0<1>:ud 0x5:ud
    add (16|M0) r10.0<1>:ud r10.0<1;1,0>:ud 0x1:ud
    barrier
    add (16|M0) r10.0<1>:ud r10.0<1;1,0>:ud 0x1:ud
    (W) store.ugm.d32.a64 (1|M0) flat[r4] r10
    eot
"""
LINES = (1, 2, 3, 3, 4, 5)


def kernel_binary(text: str, lines: tuple[int, ...] = (), target: Target = PVC) -> bytes:
    """A ZEBIN with a kernel `k` of 16 lanes in assembly, which takes a pointer in r4 on a PVC."""
    code = assemble(text, grf_bytes=target.platform.grf_bytes)
    places = [
        (offset, SourcePlace("held.mlir", line, 1))
        for offset, line in zip(decode_program(code).offsets, lines, strict=False)
    ]
    made = compiled("k", [pointer("target", "memref<16xi32>", 0)], target=target, simd_size=16, slm_size=1024)
    facts = replace(made.facts, barrier_count=2 if target is PVC else 1, spill_size=1024)
    return binary(replace(made, facts=facts, code=code, lines=LineTable.of(places, len(code))), target=target)


class DebuggedWorld:
    """A driver of PVC and ARC, a kernel, memory with what it writes, and a debugger."""

    def __init__(self, patch: pytest.MonkeyPatch, text: str = TEXT, *, attaches: bool = True) -> None:
        self.patch = patch
        self.driver = simulated_driver([PVC, ARC])
        self.device, self.arc = ze.zeDeviceGet(self.driver)
        self.context = ze.zeContextCreate(self.driver, ze.ze_context_desc_t())
        self.memory = ze.zeMemAllocShared(
            self.context, ze.ze_device_mem_alloc_desc_t(), ze.ze_host_mem_alloc_desc_t(), 64, 64, self.device
        )
        self.code = kernel_binary(text, LINES)
        self.module = self.load()
        self.kernel = ze.zeKernelCreate(self.module, ze.ze_kernel_desc_t(pKernelName="k"))
        mode = ze.ze_command_queue_mode_t.ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS
        self.list = ze.zeCommandListCreateImmediate(self.context, self.device, ze.ze_command_queue_desc_t(mode=mode))
        self.error: Exception | None = None
        self._launch: threading.Thread | None = None
        self._session: zet.zet_debug_session_handle_t | None = None
        if attaches:
            self.attach()

    @property
    def session(self) -> zet.zet_debug_session_handle_t:
        assert self._session is not None
        return self._session

    def load(self) -> ze.ze_module_handle_t:
        native = ze.ze_module_format_t.ZE_MODULE_FORMAT_NATIVE
        module, _ = ze.zeModuleCreate(self.context, self.device, ze.ze_module_desc_t(native, self.code))
        return module

    def cards_modules(self) -> list[LoadedCode]:
        """Returns the code loaded on the card."""
        assert self.driver.machine.debugged is not None
        card = self.driver.machine.debugged.card(self.device.board_name)
        assert card is not None
        return card.modules

    def attach(self) -> zet.zet_debug_session_handle_t:
        self._session = zet.zetDebugAttach(self.device, zet.zet_debug_config_t(os.getpid()))
        return self._session

    def event(self) -> zet.zet_debug_event_t:
        return zet.zetDebugReadEvent(self.session, PATIENCE)

    def loaded(self, *breakpoints: int) -> zet.zet_debug_event_info_module_t:
        """Takes events up to that of the module, sets breakpoints in its code, and acknowledges it."""
        event = self.event()
        while event.info.module is None:
            event = self.event()
        for offset in breakpoints:
            self.break_at(event.info.module.load + offset)
        zet.zetDebugAcknowledgeEvent(self.session, event)
        return event.info.module

    def stopped(self) -> zet.ze_device_thread_t:
        """The thread that the next event says is stopped; the entry of the process may come before."""
        event = self.event()
        if event.type is zet.zet_debug_event_type_t.ZET_DEBUG_EVENT_TYPE_PROCESS_ENTRY:
            event = self.event()
        assert event.type is zet.zet_debug_event_type_t.ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED, event
        assert event.info.thread is not None
        return event.info.thread.thread

    def break_at(self, address: int) -> None:
        zet.zetDebugWriteMemory(self.session, ALL, zet.zet_debug_memory_space_desc_t(0, address), b"\xff")

    def control(self, thread: zet.ze_device_thread_t) -> tuple[int, ...]:
        data = zet.zetDebugReadRegisters(self.session, thread, RegisterSet.CONTROL, 0, 1)
        return struct.unpack("<4I", data)

    def go(self, thread: zet.ze_device_thread_t, *, step: bool = False) -> None:
        """Resumes a thread behind the breakpoint at which it is stopped."""
        modes, _, instruction, _ = self.control(thread)
        data = struct.pack("<4I", modes | 1 << 15, step << 31, instruction, 0)
        zet.zetDebugWriteRegisters(self.session, thread, RegisterSet.CONTROL, 0, 1, data)
        zet.zetDebugResume(self.session, thread)

    def launch_on_arc(self, text: str, lines: tuple[int, ...]) -> int:
        """Launches a kernel on the other card, waits for it, and returns what it has written."""
        desc = ze.ze_module_desc_t(ze.ze_module_format_t.ZE_MODULE_FORMAT_NATIVE, kernel_binary(text, lines, ARC))
        module, _ = ze.zeModuleCreate(self.context, self.arc, desc)
        kernel = ze.zeKernelCreate(module, ze.ze_kernel_desc_t(pKernelName="k"))
        ze.zeKernelSetGroupSize(kernel, 16, 1, 1)
        ze.zeKernelSetArgumentValue(kernel, 0, 8, self.memory)
        mode = ze.ze_command_queue_mode_t.ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS
        commands = ze.zeCommandListCreateImmediate(self.context, self.arc, ze.ze_command_queue_desc_t(mode=mode))
        ze.zeCommandListAppendLaunchKernel(commands, kernel, ze.ze_group_count_t(1, 1, 1))
        return self._written()

    def launch(self, groups: int = 1, size: int = 16) -> None:
        """Launches the kernel on another thread."""
        ze.zeKernelSetGroupSize(self.kernel, size, 1, 1)
        ze.zeKernelSetArgumentValue(self.kernel, 0, 8, self.memory)
        grid = ze.ze_group_count_t(groups, 1, 1)
        self._launch = threading.Thread(target=self._run, args=(grid,), daemon=True)
        self._launch.start()

    def _run(self, grid: ze.ze_group_count_t) -> None:
        try:
            ze.zeCommandListAppendLaunchKernel(self.list, self.kernel, grid)
        except ze.ZeError as error:
            self.error = error

    def result(self) -> int:
        """Waits for the launch, and returns what the kernel has written."""
        assert self._launch is not None
        self._launch.join(PATIENCE / 1000)
        assert not self._launch.is_alive()
        return self._written()

    def _written(self) -> int:
        return int.from_bytes(self.driver.machine.memory.find(self.memory).view()[:4], "little")

    def close(self) -> None:
        for session in (*self.device.children, *self.arc.children):
            session.retire()
        if self._launch is not None:
            self._launch.join(PATIENCE / 1000)
        if self.kernel.alive:
            self.kernel.retire()
        for handle in tuple(self.context.children):
            handle.retire()


def refused(result: str, call: Callable[[], object]) -> None:
    """Checks that a call fails with a result."""
    with pytest.raises(ze.ZeError) as caught:
        call()
    assert caught.value.result.name == f"ZE_RESULT_{result}"
