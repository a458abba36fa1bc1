"""The tracing layer: callbacks before and after each call (specification: Tools programming guide, API tracing)."""

from runtime.ze.layers.tracing.callbacks import (
    Callback as Callback,
    InstanceData as InstanceData,
    Parameters as Parameters,
    zet_core_callbacks_t as zet_core_callbacks_t,
)
from runtime.ze.layers.tracing.tracer import Tracer as Tracer
