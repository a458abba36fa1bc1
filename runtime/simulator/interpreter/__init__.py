"""The reference engine: an interpreter that executes one instruction after the other, with numpy."""

from runtime.simulator.interpreter.engine import Interpreter as Interpreter
from runtime.simulator.interpreter.observer import Execution as Execution, Observer as Observer
from runtime.simulator.interpreter.threads.thread import Thread as Thread
