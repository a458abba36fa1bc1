"""The engine for speed: kernels compiled to machine code of the host, work-groups on all cores."""

from __future__ import annotations

from runtime.simulator.jit.engine import JitEngine

__all__ = ["JitEngine"]
