"""The engine for speed: kernels compiled to machine code of the host, work-groups on all cores."""

from runtime.simulator.jit.engine import JitEngine as JitEngine
