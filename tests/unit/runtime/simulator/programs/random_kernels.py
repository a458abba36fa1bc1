"""Random kernels with everything at once: work-groups, divergence, barriers, atomics, both memories, subroutines.

    kernels = KernelSource(seed)
    outcomes = [run(kernels.next(), engine) for engine in ("interpreter", "jit")]

The skeleton is a structured program of `divergent_programs`; between its instructions there are any others, on
registers of their own, and messages to places that their results choose. Threads take turns in the same order in both
engines, so that kernels may race.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from runtime.simulator import DeviceFault
from tests.unit.runtime.simulator.jit.launches import Bench
from tests.unit.runtime.simulator.programs.divergent import FIRST_REGISTER, VARIABLES, assembly, shared_program
from tests.unit.runtime.simulator.programs.random_programs import ProgramSource
from xegpu.isa import format_instruction
from xegpu.targets import PVC

LANES = 32
FIRST, LAST = 64, 112
"""Registers that inserted instructions work on."""

DATA_BYTES = 4096
SLM_BYTES = 1024
OUTPUT_BYTES = 512 * (1 + (LAST - FIRST) // 8)
"""The size of the output of each thread: the variables of the skeleton, and all registers above them."""

INSTRUCTION_LIMIT = 3000

_ATOMICS = ("iadd", "isub", "smin", "smax", "umin", "umax", "and", "or", "xor", "store", "fmin", "fmax")
_GLOBAL_ATOMICS = (*_ATOMICS, "fadd", "fsub")
_BARRIERS = (("barrier",), ("sbarrier.signal", "sbarrier.wait"))

_START = f"""
    (W) mov (8|M0) r60.0<1>:uw 0x76543210:uv
    (W) add (8|M0) r60.8<1>:uw r60.0<1;1,0>:uw 8:uw
    (W) add (16|M0) r60.16<1>:uw r60.0<1;1,0>:uw 16:uw
    (W) and (1|M0) r61.0<1>:ud r0.2<0;1,0>:ud 255:ud
    (W) mov (1|M0) r119.0<1>:uq r1.0<0;1,0>:uq
    (W) mul (1|M0) r61.1<1>:ud r0.1<0;1,0>:ud 3:ud
    (W) add (1|M0) r61.1<1>:ud r61.1<0;1,0>:ud r61.0<0;1,0>:ud
    (W) mul (1|M0) r61.1<1>:ud r61.1<0;1,0>:ud {OUTPUT_BYTES}:ud
    (W) add (1|M0) r120.0<1>:uq r1.1<0;1,0>:uq r61.1<0;1,0>:ud
"""


@dataclass(frozen=True)
class Kernel:
    """The text of a kernel, the contents of its data, and the work-items of its two groups of up to three threads."""

    text: str
    data: bytes
    items: int


class KernelSource:
    """An endless series of kernels, the same for the same seed."""

    def __init__(self, seed: int):
        self._rng = random.Random(seed)
        self._programs = ProgramSource(PVC, seed, first=FIRST)

    def next(self) -> Kernel:
        """The next kernel."""
        rng = self._rng
        lines = [_START]
        for variable in range(VARIABLES):
            register = FIRST_REGISTER + 2 * variable
            lines.append(f"(W) mul (32|M0) r{register}:ud r60<1;1,0>:uw {rng.randrange(100)}:uw")
            lines.append(f"(W) add (32|M0) r{register}:ud r{register}:ud r61.0<0;1,0>:ud")
        blocks = range(FIRST, LAST, 8)
        lines += [f"(W) load.ugm.d64x64t.a64 (1|M0) r{n} flat[r119+{8 * (n - FIRST)}]" for n in blocks]
        for line in assembly(shared_program(rng, 4), LANES).split("\n"):
            if line.strip() == "barrier":
                for part in rng.choice(_BARRIERS):
                    lines += [part, *self._inserted()]
            elif line.endswith(":") or rng.random() < 0.75:
                lines.append(line)
            else:
                lines += [line, *self._inserted()]
        lines += [
            f"(W) store.ugm.d64x64t.a64 (1|M0) flat[r120+{512 * place}] r{n}"
            for place, n in enumerate((FIRST_REGISTER, *blocks))
        ]
        lines += ["(W) eot (1|M0)", "Lsub:", self._instruction(), "ret (1|M0) r118.0"]
        return Kernel("\n".join(lines), rng.randbytes(DATA_BYTES), rng.choice((96, 80, 65)))

    def _inserted(self) -> list[str]:
        kind = self._rng.random()
        if kind < 0.45:
            return [self._instruction()]
        return self._message() if kind < 0.9 else ["call (1|M0) r118.0 Lsub"]

    def _instruction(self) -> str:
        return format_instruction(self._programs.instruction(), grf_bytes=PVC.platform.grf_bytes)

    def _message(self) -> list[str]:
        """An access of all lanes that are on, at places that the bits of some register choose."""
        rng = self._rng
        chosen, data = (rng.randrange(FIRST, LAST - 8, 2) for _ in range(2))
        size, slm = rng.choice((32, 64)), rng.random() < 0.5
        room = (SLM_BYTES if slm else DATA_BYTES) // 2 - 1
        lines = [f"and ({LANES}|M0) r112:ud r{chosen}:ud {room & -size // 8}:ud"]
        if slm:
            place = "flat[r112]"
        else:
            lines.append(f"add ({LANES}|M0) r114:uq r119.0<0;1,0>:uq r112:ud")
            place = "flat[r114]"
        suffix = f"{'slm' if slm else 'ugm'}.d{size}{{}}.{'a32' if slm else 'a64'} ({LANES}|M0)"
        match rng.randrange(2 if size == 64 else 3):  # not all atomics have 64 bits
            case 0:
                lines.append(f"load.{suffix.format(rng.choice(('', 'x2')))} r{data} {place}")
            case 1:
                lines.append(f"store.{suffix.format(rng.choice(('', 'x2')))} {place} r{data}")
            case _:
                operation = f"atomic_{rng.choice(_ATOMICS if slm else _GLOBAL_ATOMICS)}"
                lines.append(f"{operation}.{suffix.format('')} r{data} {place} r{rng.randrange(FIRST, LAST - 8, 2)}")
        return lines


def run(kernel: Kernel, engine: str) -> tuple[object, ...]:
    """Returns the result of a kernel: executed instructions and memory, or the report of a fault."""
    bench = Bench(
        kernel.text,
        [DATA_BYTES, 6 * OUTPUT_BYTES],
        simd_size=LANES,
        slm_size=SLM_BYTES,
        barrier_count=1,
        instruction_limit=INSTRUCTION_LIMIT,
    )
    bench.contents[0] = kernel.data
    try:
        statistics = bench.run(engine, (2, 1, 1), (kernel.items, 1, 1), threads=1)
    except DeviceFault as fault:
        return fault.kind, fault.group, fault.subgroup, fault.lane, fault.offset, fault.size, fault.detail
    return statistics.instructions, *(bytes(buffer.view()) for buffer in bench.buffers)
