"""The layers that calls pass between the application and the driver, if they are installed: validation, tracing."""

from runtime.ze.layers.installation import (
    CHECK_VARIABLES as CHECK_VARIABLES,
    TRACING_VARIABLES as TRACING_VARIABLES,
    Layers as Layers,
    active as active,
    follow_environment as follow_environment,
    initializing as initializing,
    install as install,
    layers_in as layers_in,
    use_tracing as use_tracing,
)
