"""The tracing layer: callbacks before and after each call (specification: Tools programming guide, API tracing)."""

from runtime.ze.tracing.callbacks import Callback, InstanceData, Parameters, zet_core_callbacks_t
from runtime.ze.tracing.tracer import Tracer, tracing_layer

__all__ = ["Callback", "InstanceData", "Parameters", "Tracer", "tracing_layer", "zet_core_callbacks_t"]
