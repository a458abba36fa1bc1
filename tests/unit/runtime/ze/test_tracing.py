"""The tracing layer: what tracers see, change, and are spared."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator

import pytest

from runtime import ze, zet
from runtime.ze import dispatch, layers
from runtime.ze.driver.system.driver import Driver
from runtime.ze.layers import Layers, layers_in
from runtime.ze.layers.tracing import InstanceData, Parameters, Tracer
from runtime.ze.spec.results import ze_result_t
from tests.unit.runtime.ze.expect import fails
from tests.unit.runtime.ze.kernels import ScriptedSimulator
from xegpu.targets import PVC

SUCCESS = ze_result_t.ZE_RESULT_SUCCESS
CONTEXT = ze.ze_context_desc_t()


@pytest.fixture(autouse=True)
def tracing() -> Iterator[None]:
    before = layers.active()
    layers.install(Layers(tracing=True))
    yield
    layers.install(before)


@pytest.fixture
def new_tracer() -> Iterator[Callable[..., Tracer]]:
    """Makes enabled tracers with callbacks for one function."""
    made: list[Tracer] = []

    def new(table: str, member: str, prologue: object = None, epilogue: object = None, data: object = "data") -> Tracer:
        tracer = zet.zelTracerCreate(zet.zel_tracer_desc_t(data))
        made.append(tracer)
        for callback, install in ((prologue, zet.zelTracerSetPrologues), (epilogue, zet.zelTracerSetEpilogues)):
            callbacks = zet.zel_core_callbacks_t()
            setattr(getattr(callbacks, table), f"pfn{member}Cb", callback)
            install(tracer, callbacks)
        zet.zelTracerSetEnabled(tracer, True)
        return tracer

    yield new
    for tracer in made:
        if tracer.alive:
            zet.zelTracerSetEnabled(tracer, False)
            zet.zelTracerDestroy(tracer)


class TestCallbacks:
    def test_before_and_after(self, driver, new_tracer) -> None:
        seen: list[tuple[object, ...]] = []

        def enter(params: Parameters, result: ze_result_t, data: object, instance: InstanceData) -> None:
            seen.append(("enter", params.hDriver, params.desc, params.returned, result, data))
            instance.data = "mine"

        def leave(params: Parameters, result: ze_result_t, data: object, instance: InstanceData) -> None:
            seen.append(("leave", params.hDriver, params.desc, params.returned, result, instance.data))

        new_tracer("Context", "Create", enter, leave)
        context = ze.zeContextCreate(driver, desc=CONTEXT)
        assert seen == [
            ("enter", driver, CONTEXT, None, SUCCESS, "data"),
            ("leave", driver, CONTEXT, context, SUCCESS, "mine"),
        ]

    def test_results(self, context, new_event, new_tracer) -> None:
        """Of calls that fail, and of those that answer with a result."""
        results: list[ze_result_t] = []
        new_tracer("Event", "QueryStatus", epilogue=lambda params, result, *_: results.append(result))
        event = new_event()
        assert ze.zeEventQueryStatus(event) == ze_result_t.ZE_RESULT_NOT_READY
        ze.zeEventHostSignal(event)
        ze.zeEventQueryStatus(event)
        with fails("INVALID_NULL_HANDLE"):
            ze.zeEventQueryStatus(None)
        assert [result.name for result in results] == [
            "ZE_RESULT_NOT_READY",
            "ZE_RESULT_SUCCESS",
            "ZE_RESULT_ERROR_INVALID_NULL_HANDLE",
        ]

    def test_parameters_that_do_not_exist(self, driver, new_tracer, monkeypatch: pytest.MonkeyPatch) -> None:
        """A prologue cannot add or remove one; the application's call is as it was."""
        reported: list[BaseException] = []
        monkeypatch.setattr(sys, "excepthook", lambda kind, error, trace: reported.append(error))
        new_tracer("Context", "Create", lambda params, *_: setattr(params, "descriptor", 1))
        new_tracer("Context", "Create", lambda params, *_: delattr(params, "desc"))
        assert ze.zeContextCreate(driver, CONTEXT).alive
        assert [str(error) for error in reported] == [
            "there is no parameter 'descriptor', but: hDriver, desc, returned",
            "the function needs its parameter 'desc'",
        ]

    def test_defaults_are_seen(self, new_event, new_tracer) -> None:
        timeouts = []
        new_tracer("Event", "HostSynchronize", lambda params, *_: timeouts.append(params.timeout))
        event = new_event()
        ze.zeEventHostSignal(event)
        ze.zeEventHostSynchronize(event)
        assert timeouts == [ze.FOREVER]

    def test_prologues_change_arguments_and_epilogues_results(self, context, device, new_tracer) -> None:
        def larger(params: Parameters, *_: object) -> None:
            params.size = 4096

        def double(params: Parameters, *_: object) -> None:
            base, size = params.returned
            params.returned = (base, 2 * size)

        new_tracer("Mem", "AllocDevice", larger)
        new_tracer("Mem", "GetAddressRange", epilogue=double)
        memory = ze.zeMemAllocDevice(context, ze.ze_device_mem_alloc_desc_t(), 1, 0, device)
        assert ze.zeMemGetAddressRange(context, memory) == (memory, 8192)

    def test_order_and_instances(self, driver, new_tracer) -> None:
        """Each tracer has its own place in each call; the order is that of creation, on both sides."""
        seen: list[object] = []

        def enter(params: Parameters, result: ze_result_t, data: object, instance: InstanceData) -> None:
            assert instance.data is None
            instance.data = (data, len(seen))
            seen.append(data)

        def leave(params: Parameters, result: ze_result_t, data: object, instance: InstanceData) -> None:
            seen.append(instance.data)

        first = new_tracer("Context", "Create", enter, leave, "first")
        new_tracer("Context", "Create", enter, leave, "second")
        zet.zelTracerSetEnabled(first, False)
        zet.zelTracerSetEnabled(first, True)
        ze.zeContextCreate(driver, CONTEXT)
        assert seen == ["first", "second", ("first", 0), ("second", 1)]

    def test_calls_of_callbacks_are_not_traced(self, driver, new_tracer) -> None:
        calls = []

        def enter(*_: object) -> None:
            calls.append("context")
            ze.zeContextDestroy(ze.zeContextCreate(driver, CONTEXT))

        new_tracer("Context", "Create", enter)
        ze.zeContextCreate(driver, CONTEXT)
        assert calls == ["context"]

    def test_calls_of_the_driver_are_not_traced(self, driver, device, new_tracer) -> None:
        """Names of the seed are calls of their own, and what they are made of is not seen."""
        calls = []
        new_tracer("Mem", "AllocDevice", lambda *_: calls.append("1.x"))
        new_tracer("Driver", "AllocDeviceMem", lambda *_: calls.append("0.91"))
        ze.zeDriverAllocDeviceMem(driver, ze.ze_device_mem_alloc_desc_t(), 1, 0, device)
        assert calls == ["0.91"]

    def test_initialization_is_traced(self, new_tracer) -> None:
        calls = []
        for table, member in (("Global", "Init"), ("Driver", "Get"), ("Device", "Get")):
            new_tracer(table, member, lambda params, *_, name=member: calls.append(name))
        ze.zeInit()
        ze.zeDeviceGet(ze.zeDriverGet()[0])
        assert calls == ["Init", "Get", "Get"]

    def test_failing_callbacks(self, driver, new_tracer, capsys: pytest.CaptureFixture[str]) -> None:
        """The application does not notice, and epilogues are called all the same."""
        calls = []

        def fail(*_: object) -> None:
            raise RuntimeError("broken tool")

        new_tracer("Context", "Create", fail, lambda *_: calls.append(1))
        new_tracer("Context", "Create", lambda *_: calls.append(2), fail)
        assert ze.zeContextCreate(driver, CONTEXT).alive
        assert calls == [2, 1]
        assert capsys.readouterr().err.count("RuntimeError: broken tool") == 2

    def test_failing_epilogue_of_a_failing_call(self, new_tracer, capsys: pytest.CaptureFixture[str]) -> None:
        def fail(*_: object) -> None:
            raise RuntimeError("broken tool")

        new_tracer("Context", "Create", epilogue=fail)
        with fails("INVALID_NULL_HANDLE"):
            ze.zeContextCreate(None, CONTEXT)
        report = capsys.readouterr().err
        assert "broken tool" in report and "NULL_HANDLE" not in report

    def test_wrong_calls_fail_as_ever(self, new_tracer) -> None:
        new_tracer("Context", "Create", lambda *_: None)
        with pytest.raises(TypeError, match=r"unexpected|missing|too many"):
            ze.zeContextCreate(1, 2, 3, 4)

    def test_no_such_callback(self) -> None:
        callbacks = zet.zet_core_callbacks_t()
        with pytest.raises(AttributeError, match=r"no callback 'pfnFeeCb', but: .*pfnFreeCb"):
            callbacks.Mem.pfnFeeCb = print
        with pytest.raises(AttributeError, match=r"no table of callbacks 'Memory', but: Global, .*Mem"):
            callbacks.Memory.pfnFreeCb = print

    def test_every_function_has_a_callback(self) -> None:
        callbacks = zet.zet_core_callbacks_t()
        members = sum(len(vars(table)) for table in vars(callbacks).values())
        assert members == len(dispatch.names())


class TestRegistration:
    def test_single_callbacks(self, driver) -> None:
        tracer = zet.zelTracerCreate(zet.zel_tracer_desc_t(0))
        seen: list[str] = []
        for kind, name in ((zet.ZEL_REGISTER_PROLOGUE, "prologue"), (zet.ZEL_REGISTER_EPILOGUE, "epilogue")):
            zet.zelTracerContextCreateRegisterCallback(tracer, kind, lambda *_, name=name: seen.append(name))
        zet.zelTracerSetEnabled(tracer, True)
        ze.zeContextCreate(driver, CONTEXT)
        zet.zelTracerSetEnabled(tracer, False)
        zet.zelTracerContextCreateRegisterCallback(tracer, zet.ZEL_REGISTER_PROLOGUE, None)
        zet.zelTracerSetEnabled(tracer, True)
        ze.zeContextCreate(driver, CONTEXT)
        zet.zelTracerSetEnabled(tracer, False)
        zet.zelTracerResetAllCallbacks(tracer)
        zet.zelTracerSetEnabled(tracer, True)
        ze.zeContextCreate(driver, CONTEXT)
        zet.zelTracerSetEnabled(tracer, False)
        zet.zelTracerDestroy(tracer)
        assert seen == ["prologue", "epilogue", "epilogue"]

    def test_wrong_kind(self) -> None:
        tracer = zet.zelTracerCreate(zet.zel_tracer_desc_t(0))
        with fails("INVALID_ENUMERATION"):
            zet.zelTracerInitRegisterCallback(tracer, 2, print)
        zet.zelTracerDestroy(tracer)

    @pytest.mark.parametrize("name", ["zelTracerNothingRegisterCallback", "zelTracer", "zeInit", "ZEL_REGISTER"])
    def test_no_such_function(self, name: str) -> None:
        with pytest.raises(AttributeError, match=f"no attribute '{name}'"):
            getattr(zet, name)

    def test_public_names(self) -> None:
        assert all(hasattr(zet, name) for name in zet.__all__)


class TestStates:
    def test_disabled_at_first(self, driver, new_tracer) -> None:
        calls = []
        tracer = new_tracer("Context", "Create", lambda *_: calls.append(1))
        zet.zelTracerSetEnabled(tracer, False)
        ze.zeContextCreate(driver, CONTEXT)
        assert not calls
        fresh = zet.zetTracerCreate(driver, zet.zet_tracer_desc_t(1))
        assert not fresh.enabled
        zet.zetTracerDestroy(fresh)

    def test_changes_need_a_disabled_tracer(self, new_tracer) -> None:
        tracer = new_tracer("Mem", "Free", print)
        callbacks = zet.zet_core_callbacks_t()
        for change in (
            lambda: zet.zetTracerSetPrologues(tracer, callbacks),
            lambda: zet.zetTracerSetEpilogues(tracer, callbacks),
            lambda: zet.zelTracerResetAllCallbacks(tracer),
            lambda: zet.zelTracerMemFreeRegisterCallback(tracer, 0, print),
        ):
            with fails("INVALID_ARGUMENT", "must be disabled first"):
                change()
        with fails("HANDLE_OBJECT_IN_USE", "is enabled"):
            zet.zetTracerDestroy(tracer)

    def test_tables_are_copied(self, driver) -> None:
        calls: list[int] = []
        callbacks = zet.zet_core_callbacks_t()
        callbacks.Context.pfnCreateCb = lambda *_: calls.append(1)
        tracer = zet.zelTracerCreate(zet.zel_tracer_desc_t(0))
        zet.zelTracerSetPrologues(tracer, callbacks)
        callbacks.Context.pfnCreateCb = None
        zet.zelTracerSetEnabled(tracer, True)
        ze.zeContextCreate(driver, CONTEXT)
        zet.zelTracerSetEnabled(tracer, False)
        zet.zelTracerDestroy(tracer)
        assert calls == [1]

    def test_null(self, driver, context) -> None:
        with fails("INVALID_NULL_HANDLE"):
            zet.zetTracerCreate(None, zet.zet_tracer_desc_t(1))
        with fails("INVALID_NULL_HANDLE"):
            zet.zetTracerExpCreate(None, zet.zet_tracer_desc_t(1))
        with fails("INVALID_NULL_POINTER", "desc is null"):
            zet.zetTracerCreate(driver, None)
        with fails("INVALID_NULL_POINTER", "desc.pUserData is null"):
            zet.zetTracerCreate(driver, zet.zet_tracer_desc_t(None))
        tracer = zet.zetTracerExpCreate(context, zet.zet_tracer_desc_t(1))
        with fails("INVALID_NULL_POINTER", "pCoreCbs is null"):
            zet.zetTracerExpSetPrologues(tracer, None)
        with fails("INVALID_NULL_POINTER", "pCoreCbs is null"):
            zet.zetTracerExpSetEpilogues(tracer, None)
        zet.zetTracerExpDestroy(tracer)
        for function in (zet.zetTracerDestroy, zet.zelTracerResetAllCallbacks):
            with fails("INVALID_NULL_HANDLE"):
                function(None)
            with fails("INVALID_ARGUMENT", "already destroyed"):
                function(tracer)

    def test_of_one_driver(self, driver) -> None:
        """A tracer of a driver follows calls to that driver, and calls to none."""
        calls: list[str] = []
        tracer = zet.zetTracerCreate(driver, zet.zet_tracer_desc_t(1))
        callbacks = zet.zet_core_callbacks_t()
        callbacks.Context.pfnCreateCb = lambda params, *_: calls.append(repr(params.hDriver))
        callbacks.Context.pfnGetStatusCb = lambda *_: calls.append("status")
        callbacks.Driver.pfnGetCb = lambda *_: calls.append("get")
        zet.zetTracerSetPrologues(tracer, callbacks)
        zet.zetTracerSetEnabled(tracer, True)
        ze.zeInit()
        ze.zeDriverGet()
        ze.zeContextGetStatus(ze.zeContextCreate(driver, CONTEXT))
        ze.zeContextGetStatus(ze.zeContextCreate(Driver((PVC,), ScriptedSimulator), CONTEXT))
        zet.zetTracerSetEnabled(tracer, False)
        zet.zetTracerDestroy(tracer)
        assert calls == ["get", repr(driver), "status"]


class TestThreads:
    """Calls that are under way while a tracer changes: one waits for an event, in another thread."""

    @pytest.fixture
    def waiting(self, new_event) -> Iterator[Callable[[], Callable[[], None]]]:
        events: list[ze.ze_event_handle_t] = []
        threads: list[threading.Thread] = []

        def start() -> Callable[[], None]:
            event = new_event()
            thread = threading.Thread(target=ze.zeEventHostSynchronize, args=(event,))
            thread.start()
            events.append(event)
            threads.append(thread)

            def end() -> None:
                ze.zeEventHostSignal(event)
                thread.join()

            return end

        yield start
        for event, thread in zip(events, threads, strict=True):
            ze.zeEventHostSignal(event)
            thread.join()

    def test_a_prologue_has_its_epilogue(self, waiting, new_tracer) -> None:
        entered, seen = threading.Event(), []
        tracer = new_tracer(
            "Event", "HostSynchronize", lambda *_: entered.set(), lambda params, result, *_: seen.append(result)
        )
        end = waiting()
        assert entered.wait(10)
        zet.zelTracerSetEnabled(tracer, False)
        end()
        assert seen == [SUCCESS]

    def test_no_epilogue_without_a_prologue(self, waiting, new_tracer) -> None:
        other_entered, seen = threading.Event(), []
        new_tracer("Event", "HostSynchronize", lambda *_: other_entered.set())
        tracer = new_tracer("Event", "HostSynchronize", epilogue=lambda *_: seen.append(1))
        zet.zelTracerSetEnabled(tracer, False)
        end = waiting()
        assert other_entered.wait(10)
        zet.zelTracerSetEnabled(tracer, True)
        end()
        assert not seen

    def test_destruction_waits_for_calls(self, waiting, new_tracer) -> None:
        entered, left, order = threading.Event(), threading.Event(), []
        tracer = new_tracer(
            "Event", "HostSynchronize", lambda *_: entered.set(), lambda *_: order.append("epilogue") or left.set()
        )
        end = waiting()
        assert entered.wait(10)
        zet.zelTracerSetEnabled(tracer, False)

        def destroy() -> None:
            zet.zelTracerDestroy(tracer)
            order.append("destroyed")

        thread = threading.Thread(target=destroy)
        thread.start()
        thread.join(0.05)
        assert thread.is_alive()
        end()
        thread.join(10)
        assert order == ["epilogue", "destroyed"]

    def test_no_callback_destroys_its_own_tracer(self, driver, new_tracer) -> None:
        """It would wait for itself."""
        errors = []

        def destroy(*_: object) -> None:
            zet.zelTracerSetEnabled(tracer, False)
            with fails("HANDLE_OBJECT_IN_USE", "executing the callback that destroys it"):
                zet.zelTracerDestroy(tracer)
            errors.append(True)

        tracer = new_tracer("Context", "Create", destroy)
        ze.zeContextCreate(driver, CONTEXT)
        assert errors == [True]


class TestLayer:
    @pytest.mark.parametrize("group", layers.TRACING_VARIABLES)
    def test_variables(self, group: tuple[str, ...]) -> None:
        assert layers_in(dict.fromkeys(group, "1")).tracing
        assert not layers_in(dict.fromkeys(group, "0")).tracing
        assert len(group) == 1 or not layers_in({group[0]: "1"}).tracing

    def test_nothing_works_without_it(self, driver) -> None:
        layers.install(Layers())
        desc = zet.zel_tracer_desc_t(0)
        for make in (lambda: zet.zelTracerCreate(desc), lambda: zet.zetTracerCreate(driver, desc)):
            with fails("UNINITIALIZED", "ZE_ENABLE_TRACING_LAYER=1"):
                make()
        with fails("UNINITIALIZED"):
            zet.zelTracerDestroy(None)

    def test_at_run_time(self, driver) -> None:
        """Counted; and functions that the application has in hand are traced all the same."""
        layers.install(Layers())
        create = ze.zeContextCreate
        assert not zet.zelGetTracingLayerState()
        zet.zelEnableTracingLayer()
        zet.zelEnableTracingLayer()
        calls: list[int] = []
        tracer = zet.zelTracerCreate(zet.zel_tracer_desc_t(0))
        zet.zelTracerContextCreateRegisterCallback(tracer, 0, lambda *_: calls.append(1))
        zet.zelTracerSetEnabled(tracer, True)
        zet.zelDisableTracingLayer()
        create(driver, CONTEXT)
        zet.zelTracerSetEnabled(tracer, False)
        zet.zelTracerDestroy(tracer)
        assert calls == [1]
        zet.zelDisableTracingLayer()
        assert not zet.zelGetTracingLayerState()
        zet.zelDisableTracingLayer()
        zet.zelEnableTracingLayer()
        assert zet.zelGetTracingLayerState()
        zet.zelDisableTracingLayer()

    def test_what_the_environment_asks_for_stays(self) -> None:
        zet.zelEnableTracingLayer()
        zet.zelDisableTracingLayer()
        assert zet.zelGetTracingLayerState()

    def test_a_process_with_the_variable(self) -> None:
        program = """
from runtime import ze, zet
tracer = zet.zelTracerCreate(zet.zel_tracer_desc_t("user"))
zet.zelTracerInitRegisterCallback(tracer, zet.ZEL_REGISTER_PROLOGUE, lambda params, *_: print("flags", params.flags))
zet.zelTracerSetEnabled(tracer, True)
ze.zeInit(1)
"""
        command = [sys.executable, "-c", f"import os; os.environ['ZE_ENABLE_TRACING_LAYER'] = '1'\n{program}"]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
        assert done.stdout == "flags 1\n"
