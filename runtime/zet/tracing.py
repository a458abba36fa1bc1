"""Tracers (specification: Tools programming guide, API tracing).

Tracers have the names of 0.91 (`zetTracer`), of early 1.x (`zetTracerExp`) and of the loader (`zelTracer`). Functions
on them raise `UNINITIALIZED` unless the tracing layer is installed: by the environment, or by `zelEnableTracingLayer`.
For each function of the core API there is one like `zelTracerMemFreeRegisterCallback`, which sets its callback alone;
for those of system management, one like `zelTracerZesDeviceResetRegisterCallback`.
"""

from __future__ import annotations

from dataclasses import field
from enum import IntEnum
from functools import partial

from runtime.ze import ZeError, dispatch, layers, ze_result_t
from runtime.ze.driver import Context, Driver, enumerator, live, require_version, required
from runtime.ze.layers.tracing import Callback, InstanceData, Parameters, Tracer, zet_core_callbacks_t
from runtime.ze.spec import SEED_VERSION
from xegpu.on_demand import dataclass


@dataclass
class zet_tracer_desc_t:
    """The user data of a tracer, which its callbacks receive: any object but None."""

    pUserData: object
    version: int = field(default=SEED_VERSION, kw_only=True)


zel_tracer_desc_t = zet_tracer_desc_t


class zet_tracer_desc_version_t(IntEnum):
    ZET_TRACER_DESC_VERSION_CURRENT = SEED_VERSION


class zel_tracer_reg_t(IntEnum):
    """The side of a call on which a callback is called."""

    ZEL_REGISTER_PROLOGUE = 0
    ZEL_REGISTER_EPILOGUE = 1


def _tracer(hTracer: Tracer) -> Tracer:
    _require_layer()
    return live(hTracer, Tracer)


def _require_layer() -> None:
    if not layers.active().tracing:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_UNINITIALIZED,
            "the tracing layer is not installed: set ZE_ENABLE_TRACING_LAYER=1, or call zelEnableTracingLayer",
        )


def _create(driver: Driver | None, desc: zet_tracer_desc_t) -> Tracer:
    required(desc, "desc")
    required(desc.pUserData, "desc.pUserData")
    require_version(desc)
    return Tracer(driver, desc.pUserData)


def zetTracerCreate(hDriver: Driver, desc: zet_tracer_desc_t) -> Tracer:
    """Creates a disabled tracer without callbacks, for calls to a driver and for those that concern no driver."""
    _require_layer()
    return _create(live(hDriver, Driver), desc)


def zetTracerExpCreate(hContext: Context, desc: zet_tracer_desc_t) -> Tracer:
    """Does what `zetTracerCreate` does, for the driver of a context."""
    _require_layer()
    return _create(live(hContext, Context).driver, desc)


def zelTracerCreate(desc: zet_tracer_desc_t) -> Tracer:
    """Creates a disabled tracer without callbacks, for calls to all drivers."""
    _require_layer()
    return _create(None, desc)


def zetTracerDestroy(hTracer: Tracer) -> None:
    """Destroys a tracer when no thread is in its callbacks; raises `HANDLE_OBJECT_IN_USE` while it is enabled."""
    _tracer(hTracer).retire()


def zetTracerSetPrologues(hTracer: Tracer, pCoreCbs: zet_core_callbacks_t) -> None:
    """Sets the callbacks that are called before the driver; raises `INVALID_ARGUMENT` while the tracer is enabled."""
    tracer = _tracer(hTracer)
    required(pCoreCbs, "pCoreCbs")
    tracer.require_disabled()
    tracer.prologues = dict(pCoreCbs.functions())


def zetTracerSetEpilogues(hTracer: Tracer, pCoreCbs: zet_core_callbacks_t) -> None:
    """Sets the callbacks that are called after the driver; raises `INVALID_ARGUMENT` while the tracer is enabled."""
    tracer = _tracer(hTracer)
    required(pCoreCbs, "pCoreCbs")
    tracer.require_disabled()
    tracer.epilogues = dict(pCoreCbs.functions())


def zetTracerSetEnabled(hTracer: Tracer, enable: bool) -> None:
    """Enables or disables a tracer for calls that begin from now on. A call that it has begun to trace is traced to its
    end.
    """
    _tracer(hTracer).enable(bool(enable))


def zelTracerResetAllCallbacks(hTracer: Tracer) -> None:
    """Removes all callbacks from a tracer; raises `INVALID_ARGUMENT` while it is enabled."""
    tracer = _tracer(hTracer)
    tracer.require_disabled()
    tracer.prologues, tracer.epilogues = {}, {}


zetTracerExpDestroy = zelTracerDestroy = zetTracerDestroy
zetTracerExpSetPrologues = zelTracerSetPrologues = zetTracerSetPrologues
zetTracerExpSetEpilogues = zelTracerSetEpilogues = zetTracerSetEpilogues
zetTracerExpSetEnabled = zelTracerSetEnabled = zetTracerSetEnabled


def zelEnableTracingLayer() -> None:
    """Installs the tracing layer, until `zelDisableTracingLayer` was called as often."""
    layers.use_tracing(1)


def zelDisableTracingLayer() -> None:
    """Takes back one `zelEnableTracingLayer`. A layer that the environment asks for stays."""
    layers.use_tracing(-1)


def zelGetTracingLayerState() -> bool:
    """Returns whether the tracing layer is installed."""
    return layers.active().tracing


def _register(function: str, hTracer: Tracer, callback_type: int, pfnCallback: Callback | None) -> None:
    """Sets the callback of one function; None removes it. Raises `INVALID_ARGUMENT` while the tracer is enabled."""
    tracer = _tracer(hTracer)
    kind = enumerator(callback_type, zel_tracer_reg_t)
    tracer.require_disabled()
    callbacks = tracer.prologues if kind == zel_tracer_reg_t.ZEL_REGISTER_PROLOGUE else tracer.epilogues
    callbacks.pop(function, None)
    if pfnCallback is not None:
        callbacks[function] = pfnCallback


def attribute(name: str) -> object:
    """Returns the enumerator of that name, or the function that sets the callback of one function of the core API.

    Raises:
        KeyError: there is neither.
    """
    traced = name.removeprefix("zelTracer").removesuffix("RegisterCallback")
    if name == f"zelTracer{traced}RegisterCallback":
        for function in (f"ze{traced}", f"z{traced[1:]}"):  # zelTracerZesDeviceReset... is that of zesDeviceReset
            if function in dispatch.names():
                return partial(_register, function)
    return zel_tracer_reg_t[name]


zel_core_callbacks_t = zet_core_callbacks_t
zet_tracer_handle_t = zet_tracer_exp_handle_t = zel_tracer_handle_t = Tracer
zet_tracer_exp_desc_t = zet_tracer_desc_t

__all__ = [
    "Callback",
    "InstanceData",
    "Parameters",
    "zelDisableTracingLayer",
    "zelEnableTracingLayer",
    "zelGetTracingLayerState",
    "zelTracerCreate",
    "zelTracerDestroy",
    "zelTracerResetAllCallbacks",
    "zelTracerSetEnabled",
    "zelTracerSetEpilogues",
    "zelTracerSetPrologues",
    "zel_core_callbacks_t",
    "zel_tracer_desc_t",
    "zel_tracer_handle_t",
    "zel_tracer_reg_t",
    "zetTracerCreate",
    "zetTracerDestroy",
    "zetTracerExpCreate",
    "zetTracerExpDestroy",
    "zetTracerExpSetEnabled",
    "zetTracerExpSetEpilogues",
    "zetTracerExpSetPrologues",
    "zetTracerSetEnabled",
    "zetTracerSetEpilogues",
    "zetTracerSetPrologues",
    "zet_core_callbacks_t",
    "zet_tracer_desc_t",
    "zet_tracer_desc_version_t",
    "zet_tracer_exp_desc_t",
    "zet_tracer_exp_handle_t",
    "zet_tracer_handle_t",
]
