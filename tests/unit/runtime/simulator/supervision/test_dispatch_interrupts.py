"""Ctrl-C in processes of their own: a launch stops at once, and the process goes on or ends as it wants."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="sends signals to processes")

PATIENCE = 60
"""Seconds after which a process counts as hanging: no time that anything is measured against."""

LAUNCH = """
import sys, threading
from xegpu.isa.model import KernelFacts
from runtime.simulator import Dispatch, KernelDescription, Memory, Simulator
from xegpu.isa import assemble
from xegpu.targets import PVC

def load(text):
    facts = KernelFacts(1, grf_count=128, slm_size=4, barrier_count=1)
    return simulator.load(KernelDescription("k", assemble(text), PVC, facts))

simulator = Simulator(PVC, Memory(), {engine!r}, 2)
short, endless = load("(W) eot (1|M0)"), load({text!r})
grid = Dispatch((5, 1, 1), (2, 1, 1))
simulator.run(short, grid)
threading.Timer(0.3, print, ("running",), dict(flush=True)).start()
try:
    simulator.run(endless, grid)
except KeyboardInterrupt:
    print("interrupted", flush=True)
print(simulator.run(short, grid).groups, flush=True)
"""

LOOPS = {
    "a jump": "L:\n(W) jmpi (1|M0) L\n(W) eot (1|M0)",
    "goto": "L:\ngoto.b (32|M0) J L\nJ:\njoin (32|M0) E\nE:\n(W) eot (1|M0)",
    "recursion": "L:\n(W) call (1|M0) r20.0 L\n(W) eot (1|M0)",
    "a subroutine": "(W) call (1|M0) r20.0 F\nF:\n(W) ret (1|M0) r20.0",
    "spinning": "L:\n(W) load.slm.d32.a32 (1|M0) r20 flat[r21]\n"
    "(W) cmp (1|M0) (eq)f0.0 null<1>:ud r20.0<0;1,0>:ud 0:ud\n(W&f0.0) jmpi (1|M0) L\n(W) eot (1|M0)",
    "barriers": "L:\nbarrier\n(W) jmpi (1|M0) L\n(W) eot (1|M0)",
}


def interrupt(program: str) -> tuple[str, str, int]:
    """Runs a program, sends it Ctrl-C when it says that it is running; output, errors, exit code."""
    environment = {**os.environ, "XEGPU_INSTRUCTION_LIMIT": str(1 << 60)}
    process = subprocess.Popen(
        [sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line == "running\n", process.communicate(timeout=PATIENCE)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    return output, errors, process.returncode


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize(
    ("engine", "loop"),
    [
        *(("jit", loop) for loop in LOOPS),
        ("interpreter", "a jump"),
        ("interpreter", "spinning"),
        ("interpreter", "recursion"),
    ],
)
def test_ctrl_c_ends_the_launch_and_not_the_process(engine: str, loop: str) -> None:
    assert interrupt(LAUNCH.format(engine=engine, text=LOOPS[loop])) == ("interrupted\n5\n", "", 0)


ELSEWHERE = """
import threading, time
from xegpu.isa.model import KernelFacts
from runtime.simulator import Dispatch, KernelDescription, LaunchStopped, Memory, Simulator, stop_launches
from xegpu.isa import assemble
from xegpu.targets import PVC

simulator = Simulator(PVC, Memory(), {engine!r}, 2)
code = assemble("L:\\n(W) jmpi (1|M0) L\\n(W) eot (1|M0)")
endless = simulator.load(KernelDescription("k", code, PVC, KernelFacts(1, grf_count=128)))
grid = Dispatch((5, 1, 1), (1, 1, 1))

def work():
    try:
        simulator.run(endless, grid)
    except LaunchStopped as stopped:
        print(stopped, flush=True)

thread = threading.Thread(target=work, daemon=True)
thread.start()
threading.Timer(0.5, print, ("running",), dict(flush=True)).start()
try:
    time.sleep(1000)
except KeyboardInterrupt:
    {reaction}
"""


@pytest.mark.parametrize("engine", ["jit", "interpreter"])
def test_launches_of_other_threads_can_be_stopped(engine: str) -> None:
    program = ELSEWHERE.format(engine=engine, reaction="stop_launches(); thread.join()")
    assert interrupt(program) == ("kernel 'k' was stopped\n", "", 0)


@pytest.mark.parametrize("engine", ["jit", "interpreter"])
def test_launches_of_daemons_do_not_keep_the_process(engine: str) -> None:
    assert interrupt(ELSEWHERE.format(engine=engine, reaction="pass"))[1:] == ("", 0)


QUEUE = """
import threading
from dataclasses import replace
from runtime import ze
from runtime.ze import simulated_driver
from tests.unit.runtime.ze.kernels import binary, compiled
from xegpu.isa import assemble
from xegpu.targets import PVC

endless = replace(compiled("endless"), code=assemble("L: jmpi (1|M0) L\\neot"))
driver = simulated_driver((PVC,), {engine!r}, 2)
(device,) = ze.zeDeviceGet(driver)
context = ze.zeContextCreate(driver, ze.ze_context_desc_t())
module, _ = ze.zeModuleCreate(context, device, ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, binary(endless)))
kernel = ze.zeKernelCreate(module, ze.ze_kernel_desc_t("endless"))
ze.zeKernelSetGroupSize(kernel, 1, 1, 1)
queue = ze.zeCommandQueueCreate(context, device, ze.ze_command_queue_desc_t(mode=ze.ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS))
commands = ze.zeCommandListCreate(context, device, ze.ze_command_list_desc_t())
ze.zeCommandListAppendLaunchKernel(commands, kernel, ze.ze_group_count_t(4, 1, 1))
ze.zeCommandListClose(commands)
ze.zeCommandQueueExecuteCommandLists(queue, [commands])
threading.Timer(0.5, print, ("running",), dict(flush=True)).start()
ze.zeCommandQueueSynchronize(queue)
"""


@pytest.mark.parametrize("engine", ["jit", "interpreter"])
def test_ctrl_c_ends_a_process_that_waits_for_a_queue(engine: str) -> None:
    output, errors, code = interrupt(QUEUE.format(engine=engine))
    assert output == ""
    assert errors.rstrip().endswith("KeyboardInterrupt")
    assert code in (1, 130, -signal.SIGINT)


COMPILING = """
import threading
from xegpu.isa.model import KernelFacts
from runtime.simulator import Dispatch, KernelDescription, Memory, Simulator
from runtime.simulator.jit import engine
from xegpu.isa import assemble
from xegpu.targets import PVC

def compile_for_ever(*arguments):
    print("running", flush=True)
    threading.Event().wait()

engine.compiled = compile_for_ever
simulator = Simulator(PVC, Memory())
try:
    kernel = simulator.load(KernelDescription("k", assemble("eot"), PVC, KernelFacts(1, grf_count=128)))
    simulator.run(kernel, Dispatch((1, 1, 1), (1, 1, 1)))
except KeyboardInterrupt:
    print("interrupted")
"""


def test_ctrl_c_does_not_wait_for_the_compiler() -> None:
    assert interrupt(COMPILING) == ("interrupted\n", "", 0)
