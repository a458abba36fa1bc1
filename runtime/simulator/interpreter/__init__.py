"""The reference engine: an interpreter that executes one instruction after the other, with numpy."""

from __future__ import annotations

from runtime.simulator.interpreter.engine import Interpreter
from runtime.simulator.interpreter.observer import Execution, Observer
from runtime.simulator.interpreter.thread import Thread

__all__ = [
    "Execution",
    "Interpreter",
    "Observer",
    "Thread",
]
