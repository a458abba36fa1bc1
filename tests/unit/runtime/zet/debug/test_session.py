"""A debugger sees modules, stops threads, steps them, and reads and changes their state."""

from __future__ import annotations

import struct
import threading
from collections.abc import Callable

import pytest

import zebin
from runtime import ze, zet
from runtime.debuggee import INSTRUCTION_BASE, SCRATCH_BASE, ExceptionStatus, RegisterSet
from runtime.simulator import stop_launches
from runtime.zet.debug.session import place_of
from tests.unit.runtime.zet.debug.world import ALL, PATIENCE, DebuggedWorld, refused

Make = Callable[..., DebuggedWorld]
Event = zet.zet_debug_event_type_t
FIRST = zet.ze_device_thread_t(0, 0, 0, 0)
SECOND = zet.ze_device_thread_t(0, 0, 1, 0)


def memory(address: int, space: int = 0) -> zet.zet_debug_memory_space_desc_t:
    return zet.zet_debug_memory_space_desc_t(space, address)


def stopped_at(world: DebuggedWorld, index: int, *, size: int = 16, groups: int = 1) -> zet.ze_device_thread_t:
    """The thread that stops first, at an instruction of one word each."""
    world.loaded(address_of(index))
    world.launch(groups, size)
    return world.stopped()


def address_of(index: int) -> int:
    return 16 * (index + 1)


class TestModules:
    def test_entry_and_load(self, world: DebuggedWorld) -> None:
        assert world.event().type is Event.ZET_DEBUG_EVENT_TYPE_PROCESS_ENTRY
        event = world.event()
        assert event.type is Event.ZET_DEBUG_EVENT_TYPE_MODULE_LOAD
        assert event.flags is zet.zet_debug_event_flags_t.ZET_DEBUG_EVENT_FLAG_NEED_ACK
        module = event.info.module
        assert module is not None
        image = zet.zetDebugReadMemory(
            world.session, ALL, memory(module.moduleBegin), module.moduleEnd - module.moduleBegin
        )
        kernel = zebin.read(image).kernels["k"]
        assert kernel.section.address == module.load
        assert zet.zetDebugReadMemory(world.session, ALL, memory(module.load), len(kernel.code)) == bytes(kernel.code)
        lines, _ = zebin.line_tables(zebin.read(image))
        assert str(lines["k"].at(address_of(1))) == "held.mlir:2:1"

    def test_a_load_waits_for_its_acknowledgement(self, world: DebuggedWorld) -> None:
        first = world.loaded()
        done = threading.Event()
        loading = threading.Thread(target=lambda: (world.load(), done.set()), daemon=True)
        loading.start()
        event = world.event()
        assert event.info.module is not None and event.info.module.load != first.load
        assert not done.is_set()
        zet.zetDebugAcknowledgeEvent(world.session, event)
        assert done.wait(PATIENCE / 1000)
        refused("ERROR_INVALID_ARGUMENT", lambda: zet.zetDebugAcknowledgeEvent(world.session, event))

    def test_unload_and_exit(self, world: DebuggedWorld) -> None:
        load = world.loaded().load
        ze.zeKernelDestroy(world.kernel)
        ze.zeModuleDestroy(world.module)
        event = world.event()
        assert event.type is Event.ZET_DEBUG_EVENT_TYPE_MODULE_UNLOAD
        assert event.info.module is not None and event.info.module.load == load
        ze.zeCommandListDestroy(world.list)
        assert world.event().type is Event.ZET_DEBUG_EVENT_TYPE_PROCESS_EXIT


class TestRunning:
    def test_breakpoints_stop_every_time(self, world: DebuggedWorld) -> None:
        thread = stopped_at(world, 1, groups=3)
        for group in range(3):
            assert (thread.slice, thread.subslice, thread.eu, thread.thread) == (0, group, 0, 0)
            modes, status, instruction, _ = world.control(thread)
            assert (modes, status, instruction) == (0x4C0, ExceptionStatus.BREAKPOINT, address_of(1))
            world.go(thread)
            thread = world.stopped() if group < 2 else thread
        assert world.result() == 7

    def test_without_suppression_a_breakpoint_stops_again(self, world: DebuggedWorld) -> None:
        thread = stopped_at(world, 1)
        zet.zetDebugResume(world.session, thread)
        assert world.stopped() == thread
        assert world.control(thread)[2] == address_of(1)

    def test_steps_go_through_a_barrier_and_end_with_the_thread(self, world: DebuggedWorld) -> None:
        thread = stopped_at(world, 0, size=32)
        for index in range(1, 6):
            if index == 3:  # the other thread runs first, to its breakpoint and then to the barrier
                world.go(thread, step=True)
                other = world.stopped()
                assert other == SECOND
                world.go(other)
            else:
                world.go(thread, step=True)
            assert world.stopped() == thread
            assert world.control(thread)[2] == address_of(index)
        world.go(thread, step=True)
        event = world.event()
        assert event.type is Event.ZET_DEBUG_EVENT_TYPE_THREAD_UNAVAILABLE
        assert event.info.thread is not None and event.info.thread.thread == thread
        assert place_of(event.thread) == place_of(thread)  # the number that 0.91 has
        assert world.result() == 7

    def test_a_running_loop_is_interrupted(self, make: Make) -> None:
        world = make("loop:\njmpi (1|M0) loop\neot")
        world.loaded()
        world.launch()
        interrupt_running(world)
        assert world.control(FIRST)[1] == ExceptionStatus.EXTERNAL_HALT
        refused("ERROR_NOT_AVAILABLE", lambda: zet.zetDebugInterrupt(world.session, ALL))
        zet.zetDebugResume(world.session, ALL)
        refused("ERROR_NOT_AVAILABLE", lambda: zet.zetDebugReadRegisters(world.session, FIRST, 1, 0, 1))
        stop_launches()
        world.result()
        assert world.error is not None

    def test_waiting_threads_are_interrupted_where_they_wait(self, world: DebuggedWorld) -> None:
        load = world.loaded().load
        world.break_at(load + address_of(0))
        world.launch(size=32)
        first = world.stopped()
        world.go(first)
        second = world.stopped()
        assert (first, second) == (FIRST, SECOND)
        refused("ERROR_NOT_AVAILABLE", lambda: world.control(first))
        zet.zetDebugInterrupt(world.session, first)
        assert world.stopped() == first
        assert world.control(first)[2] == address_of(2)
        write_lane(world, first, 10, 40)
        world.go(second)
        zet.zetDebugResume(world.session, first)
        assert world.result() in (7, 41)

    def test_threads_that_are_not_there(self, world: DebuggedWorld) -> None:
        world.loaded()
        zet.zetDebugInterrupt(world.session, FIRST)
        assert world.event().type is Event.ZET_DEBUG_EVENT_TYPE_THREAD_UNAVAILABLE
        refused("ERROR_NOT_AVAILABLE", lambda: zet.zetDebugResume(world.session, ALL))

    def test_a_fault_stops_and_then_fails(self, make: Make) -> None:
        world = make("mov (1|M0) r2:uq 0x40:uq\nload.ugm.d32.a64 (1|M0) r4 flat[r2]\neot")
        world.loaded()
        world.launch()
        event = world.event()
        assert event.type is Event.ZET_DEBUG_EVENT_TYPE_PAGE_FAULT
        page = event.info.page_fault
        assert page is not None and page.address == 0x40
        assert page.reason is zet.zet_debug_page_fault_reason_t.ZET_DEBUG_PAGE_FAULT_REASON_MAPPING_ERROR
        thread = world.stopped()
        assert world.control(thread)[1] == ExceptionStatus.PAGE_FAULT
        zet.zetDebugResume(world.session, thread)
        world.result()
        assert isinstance(world.error, ze.ZeError) and "out-of-bounds" in str(world.error)

    @pytest.mark.parametrize(
        ("text", "status"),
        [("illegal\neot", ExceptionStatus.ILLEGAL_INSTRUCTION), ("nbarrier.wait 5:ud\neot", ExceptionStatus.SOFTWARE)],
    )
    def test_other_faults(self, make: Make, text: str, status: ExceptionStatus) -> None:
        world = make(text)
        world.loaded()
        world.launch()
        assert world.control(world.stopped())[1] == status

    def test_detaching_lets_everything_go_on(self, world: DebuggedWorld) -> None:
        stopped_at(world, 1, size=32, groups=3)
        zet.zetDebugDetach(world.session)
        assert world.result() == 7
        world.attach()
        image = world.loaded()
        assert zet.zetDebugReadMemory(world.session, ALL, memory(image.load + 32), 1) != b"\xff"

    def test_a_program_without_debugger_runs(self, make: Make) -> None:
        world = make(attaches=False)
        world.launch(groups=2, size=32)
        assert world.result() == 7


def interrupt_running(world: DebuggedWorld) -> None:
    """Stops all threads of a launch that has perhaps not begun."""
    while True:
        zet.zetDebugInterrupt(world.session, ALL)
        if world.event().type is Event.ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED:
            return


def write_lane(world: DebuggedWorld, thread: zet.ze_device_thread_t, register: int, value: int) -> None:
    data = bytearray(zet.zetDebugReadRegisters(world.session, thread, RegisterSet.GRF, register, 1))
    data[:4] = value.to_bytes(4, "little")
    zet.zetDebugWriteRegisters(world.session, thread, RegisterSet.GRF, register, 1, bytes(data))


class TestState:
    def test_a_changed_register_changes_the_result(self, world: DebuggedWorld) -> None:
        thread = stopped_at(world, 3)
        write_lane(world, thread, 10, 40)
        world.go(thread)
        assert world.result() == 41

    def test_register_sets(self, world: DebuggedWorld) -> None:
        thread = stopped_at(world, 3, size=32)
        sets = zet.zetDebugGetThreadRegisterSetProperties(world.session, thread)
        assert sets == zet.zetDebugGetRegisterSetProperties(world.device)
        for found in sets:
            data = zet.zetDebugReadRegisters(world.session, thread, found.type, 0, found.count)
            assert len(data) == found.count * found.byteSize == found.count * found.bitSize // 8
            write = lambda: zet.zetDebugWriteRegisters(world.session, thread, found.type, 0, found.count, data)  # noqa: B023, E731
            if found.generalFlags & zet.zet_debug_regset_flags_t.ZET_DEBUG_REGSET_FLAG_WRITEABLE:
                write()
                assert zet.zetDebugReadRegisters(world.session, thread, found.type, 0, found.count) == data
            else:
                refused("ERROR_NOT_AVAILABLE", write)

    @pytest.mark.parametrize("kind", [RegisterSet.ADDRESS, RegisterSet.FLAG, RegisterSet.GRF])
    def test_registers_keep_what_is_written(self, world: DebuggedWorld, kind: RegisterSet) -> None:
        thread = stopped_at(world, 3)
        (found,) = [found for found in zet.zetDebugGetRegisterSetProperties(world.device) if found.type == kind]
        data = bytes(range(1, found.byteSize + 1))
        last = found.count - 1
        zet.zetDebugWriteRegisters(world.session, thread, kind, last, 1, data)
        assert zet.zetDebugReadRegisters(world.session, thread, kind, last, 1) == data

    def test_special_registers(self, world: DebuggedWorld) -> None:
        thread = stopped_at(world, 3, size=32, groups=2)

        def read(kind: RegisterSet, layout: str) -> tuple[int, ...]:
            count = next(
                found.count for found in zet.zetDebugGetRegisterSetProperties(world.device) if found.type == kind
            )
            return struct.unpack(layout, zet.zetDebugReadRegisters(world.session, thread, kind, 0, count))

        assert read(RegisterSet.CHANNEL_ENABLE, "<I") == (0xFFFF,)
        assert read(RegisterSet.STATE, "<4I")[2] == 0xFFFF
        assert read(RegisterSet.THREAD, "<8I") == (0, 0, 0, thread.eu, 2, 0, 0, 0)
        bases = read(RegisterSet.BASES, "<8Q")
        assert bases[INSTRUCTION_BASE] >> 47 == 0x1FFFF
        scratch = memory(bases[SCRATCH_BASE] + 8)
        zet.zetDebugWriteMemory(world.session, thread, scratch, b"kept")
        assert zet.zetDebugReadMemory(world.session, thread, scratch, 4) == b"kept"

    def test_shared_local_memory(self, world: DebuggedWorld) -> None:
        thread = stopped_at(world, 3)
        zet.zetDebugWriteMemory(world.session, thread, memory(1020, 1), b"last")
        assert zet.zetDebugReadMemory(world.session, thread, memory(1016, 1), 8) == b"\0\0\0\0last"
        refused("ERROR_INVALID_ARGUMENT", lambda: zet.zetDebugReadMemory(world.session, thread, memory(1021, 1), 4))
        refused("ERROR_NOT_AVAILABLE", lambda: zet.zetDebugReadMemory(world.session, ALL, memory(0, 1), 4))

    def test_memory(self, world: DebuggedWorld) -> None:
        world.loaded()
        zet.zetDebugWriteMemory(world.session, ALL, memory(world.memory + 60), b"done")
        assert zet.zetDebugReadMemory(world.session, ALL, memory(world.memory), 64) == bytes(60) + b"done"
        for address in (0, world.memory + 61, 1 << 63, (1 << 64) - 1):
            refused(
                "ERROR_INVALID_ARGUMENT",
                lambda address=address: zet.zetDebugReadMemory(world.session, ALL, memory(address), 4),
            )

    def test_code_gets_breakpoints_only(self, world: DebuggedWorld) -> None:
        load = world.loaded().load
        before = zet.zetDebugReadMemory(world.session, ALL, memory(load), 64)
        for address, data in ((load, b"\xff"), (load + 17, b"\xff"), (load + 16, b"\xfe"), (load + 16, bytes(16))):
            refused(
                "ERROR_NOT_AVAILABLE",
                lambda a=address, d=data: zet.zetDebugWriteMemory(world.session, ALL, memory(a), d),
            )
        world.break_at(load + 16)
        zet.zetDebugWriteMemory(world.session, ALL, memory(load), before)
        world.launch()
        assert world.result() == 7

    def test_what_cannot_be_changed(self, world: DebuggedWorld) -> None:
        thread = stopped_at(world, 3)
        modes, status, instruction, _ = world.control(thread)
        for changed in ((modes, status, instruction + 16, 0), (modes ^ 0x10, status, instruction, 0)):
            data = struct.pack("<4I", *changed)
            refused(
                "ERROR_NOT_AVAILABLE",
                lambda data=data: zet.zetDebugWriteRegisters(world.session, thread, RegisterSet.CONTROL, 0, 1, data),
            )
        for first, count in ((128, 1), (127, 2), (0, 1 << 31)):
            refused(
                "ERROR_INVALID_ARGUMENT",
                lambda first=first, count=count: zet.zetDebugReadRegisters(world.session, thread, 1, first, count),
            )


class TestSeed:
    def test_the_register_state_has_sections(self, world: DebuggedWorld) -> None:
        stopped_at(world, 3)
        size, head, section, count = struct.unpack("<IBBH", zet.zetDebugReadState(world.session, 0, 0, 8))
        data = zet.zetDebugReadState(world.session, 0, 0, size)
        sections = {}
        for number in range(count):
            kind, version, length, start = struct.unpack_from("<HHIQ", data, head + number * section)
            sections[kind] = data[start : start + length]
            assert version == 0
        gen = zet.zet_debug_state_intel_graphics_t
        assert {kind: len(found) for kind, found in sections.items()} == {
            gen.ZET_DEBUG_STATE_GEN_GRF: 128 * 64,
            gen.ZET_DEBUG_STATE_GEN_ADDR: 32,
            gen.ZET_DEBUG_STATE_GEN_FLAG: 16,
        }
        assert sections[gen.ZET_DEBUG_STATE_GEN_GRF][640:644] == (6).to_bytes(4, "little")

    def test_the_register_state_is_written(self, world: DebuggedWorld) -> None:
        stopped_at(world, 3)
        size, head, section, count = struct.unpack("<IBBH", zet.zetDebugReadState(world.session, 0, 0, 8))
        start = head + section * count + 640
        zet.zetDebugWriteState(world.session, 0, start, (50).to_bytes(4, "little"))
        refused("ERROR_INVALID_ARGUMENT", lambda: zet.zetDebugWriteState(world.session, 0, 4, b"x"))
        refused("ERROR_INVALID_ARGUMENT", lambda: zet.zetDebugWriteState(world.session, 0, size, b"x"))
        refused("ERROR_INVALID_ARGUMENT", lambda: zet.zetDebugReadState(world.session, 0, 0, size + 1))
        world.go(FIRST)
        assert world.result() == 51

    def test_threads_have_numbers(self, world: DebuggedWorld) -> None:
        assert zet.zetDebugGetNumThreads(world.session) == 2 * 512 * 8
        load = world.loaded().load
        world.break_at(load + address_of(0))
        world.launch(size=32)
        world.go(world.stopped())
        assert world.stopped() == SECOND
        assert len(zet.zetDebugReadState(world.session, 1 << 16, 0, 8)) == 8
        zet.zetDebugResume(world.session, zet.ZET_DEBUG_THREAD_ALL)

    def test_events_and_memory_have_other_parameters(self, world: DebuggedWorld) -> None:
        refused("ERROR_OUT_OF_HOST_MEMORY", lambda: zet.zetDebugReadEvent(world.session, PATIENCE, 47))
        entry = zet.zetDebugReadEvent(world.session, timeout=PATIENCE, size=48)
        assert entry.type is Event.ZET_DEBUG_EVENT_PROCESS_ENTRY
        stopped_at(world, 3)
        slm = zet.ZET_DEBUG_MEMORY_SPACE_GEN_SLM
        zet.zetDebugWriteMemory(world.session, 0, slm, 4, b"abcd")
        assert zet.zetDebugReadMemory(world.session, 0, slm, 2, 6) == b"\0\0abcd"
        found = zet.zetDebugReadMemory(world.session, threadid=0, memSpace=slm, address=5, size=2)
        assert found == b"bc"
        refused("ERROR_INVALID_ENUMERATION", lambda: zet.zetDebugReadMemory(world.session, 0, 7, 4, 4))
        refused("ERROR_INVALID_NULL_POINTER", lambda: zet.zetDebugWriteMemory(world.session, 0, slm, 4, None))
        refused("ERROR_INVALID_NULL_HANDLE", lambda: zet.zetDebugReadEvent(None, 0, 48))
        refused("ERROR_INVALID_ARGUMENT", lambda: zet.zetDebugReadEvent(world.session, 0, -1))
