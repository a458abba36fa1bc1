"""Matrix products in tile registers: which are chosen, their code, their order, and on CPUs with AMX their bits.

`scripts/emulated-amx` provides such a CPU.
"""

from __future__ import annotations

import re
from dataclasses import replace

import llvmlite.binding as llvm
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from runtime.llvm import this_cpu
from runtime.llvm.compilation import compiler_identity
from runtime.llvm.cpu import Cpu, usable_features
from runtime.simulator import Memory, ThreadState
from runtime.simulator.engines import create
from runtime.simulator.jit import JitEngine
from runtime.simulator.jit.alu.tile_product import configuration
from runtime.simulator.jit.kernel.translation import Variant, kernel_code
from tests.amounts import examples
from tests.unit.runtime.simulator.jit.test_dpas import EOT, product, register_file
from tests.unit.runtime.simulator.jit.tile_machine import TileMachine
from tests.unit.runtime.simulator.programs.differential import kernel
from xegpu.isa import DataType, Instruction, SourceRegister
from xegpu.targets import ARC, PVC, Target

TILES = frozenset({"amx-tile", "amx-bf16", "amx-int8", "amx-fp16"})

pytestmark = pytest.mark.skipif(not this_cpu().is_x86, reason="tile registers are part of x86")


def cpu(*missing: str) -> Cpu:
    """A CPU with tiles; this one may lack them, so that code for it is compiled only."""
    this = this_cpu()
    return Cpu(this.triple, "sapphirerapids", (this.features | TILES) - set(missing))


def ir(instructions: list[Instruction], target: Target = PVC, on: Cpu | None = None) -> str:
    """The IR of a kernel."""
    return kernel_code(kernel([*instructions, EOT], target), Variant(), on or cpu()).ir


def assembly(text: str, on: Cpu) -> list[str]:
    """The mnemonics of the machine code of a module."""
    machine = llvm.Target.from_triple(on.triple).create_target_machine(cpu=on.name, features=on.feature_text)
    return re.findall(r"^\t(\w+)", machine.emit_assembly(llvm.parse_assembly(text)), re.MULTILINE)


def typed(instruction: Instruction, *types: DataType) -> Instruction:
    """A product with other types of D, C, B and A."""
    assert instruction.destination is not None
    operands = [source for source in instruction.sources if isinstance(source, SourceRegister)]
    sources = tuple(replace(source, type=type) for source, type in zip(operands, types[1:], strict=True))
    return replace(instruction, destination=replace(instruction.destination, type=types[0]), sources=sources)


F, D, B, UB = DataType.F, DataType.D, DataType.B, DataType.UB
BF, HF, TF32 = DataType.BF, DataType.HF, DataType.TF32
PRODUCT = product(0, 0, 20, 30)


@pytest.mark.parametrize(
    ("types", "mnemonic", "feature"),
    [
        ((F, F, BF, BF), "tdpbf16ps", "amx-bf16"),
        ((F, F, HF, HF), "tdpfp16ps", "amx-fp16"),
        ((D, D, B, B), "tdpbssd", "amx-int8"),
        ((D, D, UB, B), "tdpbsud", "amx-int8"),
        ((D, D, B, UB), "tdpbusd", "amx-int8"),
        ((D, D, UB, UB), "tdpbuud", "amx-int8"),
    ],
    ids=lambda x: x if isinstance(x, str) else None,
)
def test_instructions(types: tuple[DataType, ...], mnemonic: str, feature: str) -> None:
    found = assembly(ir([typed(PRODUCT, *types)]), cpu())
    assert [name for name in found if name.startswith("tdp")] == [mnemonic]
    assert {"ldtilecfg", "tileloadd", "tilestored", "tilerelease"} <= set(found)
    for lesser in (cpu(feature), cpu("amx-tile")):
        text = ir([typed(PRODUCT, *types)], on=lesser)
        assert "llvm.x86.tdp" not in text
        assert "tileload" not in text


@pytest.mark.parametrize(
    ("types", "target"),
    [
        pytest.param((F, F, TF32, TF32), PVC, id="tf32"),
        pytest.param((BF, F, BF, BF), PVC, id="D of type bf"),
        pytest.param((F, HF, HF, HF), PVC, id="C of type hf"),
        pytest.param((D, D, DataType.U4, B), PVC, id="elements of four bits"),
        pytest.param((F, F, BF, BF), ARC, id="eight columns"),
    ],
)
def test_products_that_tiles_do_not_compute(types: tuple[DataType, ...], target: Target) -> None:
    instruction = replace(typed(PRODUCT, *types), exec_size=target.platform.dpas.execution_size)
    assert "llvm.x86.tileload" not in ir([instruction], target)


def test_configuration() -> None:
    """Four results, two A and two B, as `LDTILECFG` takes them: bytes of rows from byte 16 on, rows from byte 48 on."""
    data = configuration(5)
    assert (len(data), data[0], data[1]) == (64, 1, 0)
    assert np.frombuffer(data[16:32], np.uint16).tolist() == [64] * 4 + [32] * 2 + [64] * 2
    assert list(data[48:56]) == [5] * 6 + [8] * 2
    assert not any(data[2:16] + data[32:48] + data[56:])


def test_results_stay_in_tiles() -> None:
    """Two steps of K on 32x32 results: pairs of sixteen rows, each of which is loaded and stored once."""
    steps = [
        product(32 * n + 8 * m, 32 * n + 8 * m, 64 + 16 * k + 8 * n, 96 + 16 * k + 4 * m)
        for k in range(2)
        for n in range(2)
        for m in range(4)
    ]
    text = ir(steps)
    counts = {name: text.count(f"call void @llvm.x86.{name}(") for name in ("tdpbf16ps", "tileloadd64", "tilestored64")}
    # The operands of each step are two A and two B.
    assert counts == {"tdpbf16ps": 8, "tileloadd64": 4 + 2 * 4, "tilestored64": 4}


def test_rows_that_are_apart_are_not_joined() -> None:
    text = ir([product(0, 0, 40, 48), product(16, 16, 40, 52)])
    assert "store i32 8" in text
    assert "store i32 16" not in text


@st.composite
def overlapping(draw: st.DrawFn) -> list[Instruction]:
    """Products of bytes on registers that overlap in any way; some continue those before them by eight rows."""
    signs = [draw(st.sampled_from([B, UB])) for _ in range(2)]
    rows = draw(st.sampled_from([8, 8, 8, 1, 3]))
    run: list[Instruction] = []
    for _ in range(draw(st.integers(1, 8))):
        b, d = draw(st.integers(0, 40)), draw(st.integers(0, 40))
        if run and draw(st.booleans()):
            b = draw(st.sampled_from(run)).sources[1].register.number
        a, c = draw(st.integers(0, 44)), draw(st.sampled_from([d, d, None, draw(st.integers(0, 40))]))
        for step in range(2 if rows == 8 and draw(st.integers(0, 3)) else 1):
            one = product(d + 8 * step, None if c is None else c + 8 * step, b, a + 4 * step, rows)
            run.append(typed(one, D, D, *signs))
    return run


@settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))
@given(run=overlapping(), seed=st.integers(0, 1 << 32))
def test_order_and_reuse_keep_results(run: list[Instruction], seed: int) -> None:
    """The tiles are those of a model in Python, which every host has, the results those of the interpreter."""
    file = register_file("anything", seed, PVC)
    expected = create("interpreter").prepare(kernel([*run, EOT], PVC))
    after = expected.run_thread(ThreadState(file, (0,) * PVC.platform.flag_registers), Memory())
    machine = TileMachine(ir(run), file)
    machine.run("dpas.run.1")
    assert machine.file.tobytes().hex() == after.registers.hex()


CHAIN = [
    product(8 * n, None if (n > 1 and k == 0) else 8 * n, 64 + 8 * k, 96 + 4 * (n + k))
    for k in range(3)
    for n in range(4)
]
"""Three steps of K on four results, of which two start from zero. All of them, but not one less, can be paired."""


@pytest.mark.exhaustive
@pytest.mark.skipif(not this_cpu().has_tiles, reason="this CPU has no tile registers that the process may use")
@pytest.mark.parametrize("kind", ["anything", "singles", "tiny", "halves", "special"])
@pytest.mark.parametrize(("count", "repeat", "rows"), [(12, 8, 16), (11, 8, 8), (12, 5, 5)])
@pytest.mark.parametrize(
    "types",
    [(F, F, BF, BF), (F, F, HF, HF), (D, D, B, B), (D, D, B, UB), (D, D, UB, B), (D, D, UB, UB)],
    ids=lambda types: f"{types[3].text}.{types[2].text}",
)
def test_bits(types: tuple[DataType, ...], count: int, repeat: int, rows: int, kind: str) -> None:
    """Many register files, against vector instructions; some of them against the interpreter, too."""
    this = this_cpu()
    program = [replace(typed(one, *types), repeat=repeat) for one in CHAIN[:count]]
    executable = kernel([*program, EOT], PVC)
    text = kernel_code(executable, Variant(), this).ir
    assert "llvm.x86.tdp" in text
    assert f'@"tiles.{rows}"' in text
    tiles, vectors = (
        JitEngine(cpu).prepare(executable) for cpu in (this, replace(this, features=this.features - TILES))
    )
    reference = create("interpreter").prepare(executable)
    for seed in range(60):
        state = ThreadState(register_file(kind, seed, PVC), (0,) * PVC.platform.flag_registers)
        found = tiles.run_thread(state, Memory()).registers
        assert found.hex() == vectors.run_thread(state, Memory()).registers.hex(), seed
        if seed < 10:
            assert found.hex() == reference.run_thread(state, Memory()).registers.hex(), seed


def test_features_that_may_be_used() -> None:
    features = TILES | {"avx512f"}
    asked: list[None] = []

    def permitted() -> bool:
        asked.append(None)
        return True

    assert usable_features(features, {}, permitted) == features
    assert usable_features(features, {"XEGPU_AMX": "1"}, permitted) == features
    assert len(asked) == 2
    assert usable_features(features, {"XEGPU_AMX": "0"}, permitted) == {"avx512f"}
    assert usable_features(frozenset({"avx512f"}), {}, permitted) == {"avx512f"}
    assert len(asked) == 2, "signals' frames grow with the permission; it is not asked for in vain"
    assert usable_features(features, {}, lambda: False) == {"avx512f"}


def test_kept_machine_code_is_for_the_same_tiles() -> None:
    without = cpu(*TILES)
    assert len({compiler_identity(one) for one in (cpu(), cpu("amx-fp16"), without)}) == 3
    assert len({repr(one) for one in (cpu(), cpu("amx-fp16"), without)}) == 3
