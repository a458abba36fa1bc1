"""The reference engine: one instruction after the other, with numpy."""

from __future__ import annotations

from runtime.simulator.interpreter.engine import Interpreter

__all__ = ["Interpreter"]
