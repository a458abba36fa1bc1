"""Call stacks from registers, compared with the calls that the debugger has seen."""

from __future__ import annotations

import pytest

from runtime.debugger import Debugger, StopReason, call_stack
from tests.unit.runtime.debugger.kernels import Kernel, run
from tests.unit.runtime.debugger.test_debugger import CALLING, COUNTING
from tests.unit.runtime.simulator.machine.test_subroutines import FACTORIAL

BY_DWORDS = """
    call (1|M0) r10.0 outer
    eot
outer:
    (W) mov (2|M0) r20.2<1>:ud r10.0<1;1,0>:ud
    mov (16|M0) r10.0<1>:ud 0:ud
    call (1|M0) r11.0 inner
    (W) mov (2|M0) r10.4<1>:ud r20.2<1;1,0>:ud
    (f0.0) jmpi (1|M0) early
    mov (1|M0) r2:d 3:d
early:
    ret (1|M0) r10.4
inner:
    ret (1|M0) r11.0
"""
"""A return address that is kept elsewhere."""

INDIRECT = """
    mov (1|M0) r20.0:ud @sub:ud
    calla (1|M0) r10.0 r20.0
    eot
sub:
    mov (1|M0) r2:d 2:d
    ret (1|M0) r10.0
"""

DIVERGENT = """
    call (1|M0) r10.0 sub
    eot
sub:
    (f0.0) goto (16|M0) L L
    mov (16|M0) r2:d 2:d
L:
    join (16|M0) M
M:
    ret (1|M0) r10.0
"""


@pytest.mark.parametrize("text", [CALLING, COUNTING, FACTORIAL + "eot", BY_DWORDS, INDIRECT, DIVERGENT])
def test_every_instruction_has_its_calls(text: str) -> None:
    with Debugger() as debugger:
        stop = debugger.run(lambda: run(Kernel(text), debugger))
        deepest = 0
        while stop.reason is not StopReason.END:
            found = call_stack(debugger.state.execution.executable, debugger.state.thread)
            assert found == debugger.state.backtrace()
            deepest = max(deepest, len(found))
            stop = debugger.step_instruction()
    assert deepest == (1 if text == COUNTING else 2 if text in (INDIRECT, DIVERGENT) else 3)


LOST = """
    call (1|M0) r10.0 sub
    jmpi (1|M0) end
sub:
    {change}
    mov (1|M0) r2:d 2:d
    {restore}
    ret (1|M0) r10.0
end:
    eot
"""


@pytest.mark.parametrize(
    ("change", "restore"),
    [
        ("mov (1|M0) r10.0<1>:ud 0:ud", "mov (1|M0) r10.0<1>:ud 0x20:ud"),
        ("xor (1|M0) r10.0<1>:ud r10.0<0;1,0>:ud 0x5:ud", "xor (1|M0) r10.0<1>:ud r10.0<0;1,0>:ud 0x5:ud"),
        ("mov (1|M0) r3.0<1>:uq r10.0<0;1,0>:uq", "mov (1|M0) r10.0<1>:q -r3.0<0;1,0>:q"),
    ],
)
def test_a_return_address_that_is_not_in_registers_is_not_guessed(change: str, restore: str) -> None:
    with Debugger() as debugger:
        debugger.run(lambda: run(Kernel(LOST.format(change=change, restore=restore)), debugger))
        for _ in range(2):
            debugger.step_instruction()
        assert call_stack(debugger.state.execution.executable, debugger.state.thread) == [3]
        debugger.detach()
