"""Gathers and scatters of XeGPU against numpy: element types, chunks, masks, offsets, memories, both kernel modes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from tests.unit.passes.kernels.harness import DTYPES, Array, compile_one, kernel_text, random_array, run
from xegpu.targets import ARC, PVC, Target

SIZE = 448


@dataclass(frozen=True)
class Form:
    """A descriptor and the values that go through it; `fragment`: each lane is a work-item with elements of its own."""

    element: str
    lanes: int
    chunk: int
    fragment: bool
    shared: bool = False

    @property
    def packed(self) -> int:
        """Elements that a lane has side by side."""
        return 1 if self.chunk == 1 else max(1, 4 // DTYPES[self.element].itemsize)

    def descriptor(self, shared: bool) -> str:
        shape = f"{self.lanes}" if self.chunk == 1 else f"{self.lanes}x{self.chunk}"
        fields = ["memory_space = slm"] * shared + [f"chunk_size = {self.chunk} : i64"] * (self.chunk > 1)
        layout = f"[1, {self.lanes}]" if self.chunk == 1 else f"[{self.lanes}, 1]"
        sg_map = f", #xegpu.sg_map<wi_layout = {layout}, wi_data = [1, {self.packed}]>" if self.fragment else ""
        return f"!xegpu.tensor_desc<{shape}x{self.element}, #xegpu.scatter_tdesc_attr<{', '.join(fields)}>{sg_map}>"

    @property
    def value(self) -> str:
        if self.fragment:
            shape = "1" if self.chunk == 1 else f"{self.chunk // self.packed}x{self.packed}"
        else:
            shape = f"{self.lanes}" if self.chunk == 1 else f"{self.chunk}x{self.lanes}"
        return f"vector<{shape}x{self.element}>"


def listed(values: Sequence[int] | Array) -> str:
    return f"dense<[{', '.join(str(int(v)) for v in values)}]>"


def mask_text(mask: Array) -> str:
    words = ", ".join("true" if on else "false" for on in mask)
    return f"%mask = arith.constant dense<[{words}]> : vector<{len(mask)}xi1>"


def copy_text(form: Form, offsets: Array, steps: Array, mask: Array) -> str:
    """Loads from `offsets` moved by `steps` and stores to `offsets`, where the mask is set."""
    plain = f"memref<{SIZE}x{form.element}>"
    source, memory, before = "%a", plain, ""
    if form.shared:
        source, memory = "%s", f"memref<{SIZE}x{form.element}, 3>"
        before = f"""
        %s = memref.alloc() : {memory}
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %end = arith.constant {SIZE} : index
        scf.for %i = %c0 to %end step %c1 {{
          %t = memref.load %a[%i] : {plain}
          memref.store %t, %s[%i] : {memory}
        }}"""
    origin, target = form.descriptor(form.shared), form.descriptor(False)
    lanes = f"vector<{form.lanes}xindex>"
    transpose = " <{transpose}>" if form.chunk > 1 else ""
    masks = f"vector<{form.lanes}xi1>"
    body = f"""{before}
    {mask_text(mask)}
    %offsets = arith.constant {listed(offsets)} : {lanes}
    %steps = arith.constant {listed(steps)} : {lanes}
    %d0 = xegpu.create_tdesc {source}, %offsets : {memory}, {lanes} -> {origin}
    xegpu.prefetch %d0 : {origin}
    %d1 = xegpu.update_offset %d0, %steps : {origin}, {lanes}
    %v = xegpu.load %d1, %mask{transpose} : {origin}, {masks} -> {form.value}
    %d2 = xegpu.create_tdesc %o, %offsets : {plain}, {lanes} -> {target}
    xegpu.store %v, %d2, %mask{transpose} : {form.value}, {target}, {masks}"""
    mode = "" if form.fragment else "VectorComputeFunctionINTEL"
    return kernel_text(f"%a: {plain}, %o: {plain}", body, mode)


WHOLE = [
    Form(element, lanes, chunk, False, shared)
    for element, lanes, chunk, shared in [
        *(("f32", 16, 1, False), ("f32", 16, 4, True), ("f32", 8, 3, False), ("f32", 32, 2, False)),
        *(("f16", 16, 2, False), ("f16", 16, 8, True), ("i8", 16, 1, True), ("i8", 8, 16, False)),
        *(("i64", 16, 2, False), ("i64", 4, 16, False), ("bf16", 1, 4, False), ("f64", 2, 1, True)),
    ]
]
PIECES = [
    ("f32", 1, True),
    ("f32", 4, False),
    ("f16", 4, True),
    ("i8", 8, False),
    ("i64", 2, False),
    ("bf16", 1, False),
]


FORMS = [*WHOLE, *(Form(e, 0, c, True, s) for e, c, s in PIECES)]
COPIES = [(form, target, False) for form in FORMS for target in (PVC, ARC)]
COPIES += [(form, PVC, True) for form in FORMS if form.chunk > 1 and DTYPES[form.element].itemsize < 4]


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize(("form", "target", "aligned"), COPIES, ids=lambda value: getattr(value, "name", str(value)))
def test_copy(form: Form, target: Target, aligned: bool) -> None:
    """Chunks of narrow elements go as words where these are known to be aligned, else one by one."""
    if form.fragment:
        form = Form(form.element, target.platform.subgroup_size, form.chunk, True, form.shared)
    rng = np.random.default_rng(6)
    unit = max(form.chunk, 4)
    offsets = rng.permutation(250 // unit)[: form.lanes] * unit + (0 if aligned else 1)
    steps = rng.integers(0, 50, form.lanes) * (4 if aligned else 1)
    a, o = random_array(rng, SIZE, form.element), random_array(rng, SIZE, form.element)
    mask = rng.integers(0, 2, form.lanes).astype(np.bool_)
    expected = o.copy()
    for lane in np.flatnonzero(mask):
        start = offsets[lane]
        expected[start : start + form.chunk] = a[start + steps[lane] :][: form.chunk]
    kernel = compile_one(copy_text(form, offsets, steps, mask), target)
    assert run(kernel, a, o, target=target)[1].tobytes() == expected.tobytes()


def test_work_items_with_offsets_of_their_own() -> None:
    """Offsets and masks of one entry; the last subgroup is not full."""
    desc = (
        "!xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>"
    )
    body = f"""
    %i = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %c30 = arith.constant 30 : index
    %j = arith.muli %i, %c3 : index
    %offset = vector.broadcast %j : index to vector<1xindex>
    %on = arith.cmpi ult, %i, %c30 : index
    %mask = vector.broadcast %on : i1 to vector<1xi1>
    %d = xegpu.create_tdesc %a, %offset : memref<128xf32>, vector<1xindex> -> {desc}
    %v = xegpu.load %d, %mask : {desc}, vector<1xi1> -> vector<1xf32>
    %place = vector.broadcast %i : index to vector<1xindex>
    %e = xegpu.create_tdesc %o, %place : memref<128xf32>, vector<1xindex> -> {desc}
    xegpu.store %v, %e, %mask : vector<1xf32>, {desc}, vector<1xi1>"""
    a = random_array(np.random.default_rng(7), 128, "f32")
    o = run(compile_one(kernel_text("%a: memref<128xf32>, %o: memref<128xf32>", body, "")), a, a, local=(25, 1, 1))[1]
    assert (o[:25] == a[:75:3]).all() and (o[25:] == a[25:]).all()


@pytest.mark.parametrize(
    ("kind", "chunk", "lanes"),
    [*((kind, chunk, 16) for kind in ("addf", "mulf", "assign") for chunk in (1, 2)), ("mulf", 1, 8), ("mulf", 1, 2)],
)
def test_atomics(kind: str, chunk: int, lanes: int) -> None:
    """Some lanes share elements; values are [lanes, chunk]. Few lanes use a message's registers in part only."""
    shape = f"{lanes}" if chunk == 1 else f"{lanes}x{chunk}"
    desc = f"!xegpu.tensor_desc<{shape}xf32, #xegpu.scatter_tdesc_attr<chunk_size = {chunk} : i64>>"
    vector, masks = f"vector<{shape}xf32>", f"vector<{lanes}xi1>"
    offsets = [4 * (lane % 5) for lane in range(lanes)]
    mask = np.random.default_rng(8).integers(0, 2, lanes).astype(np.bool_)
    body = f"""
    {mask_text(mask)}
    %offsets = arith.constant {listed(offsets)} : vector<{lanes}xindex>
    %two = arith.constant dense<2.0> : {vector}
    %d = xegpu.create_tdesc %o, %offsets : memref<64xf32>, vector<{lanes}xindex> -> {desc}
    %r = xegpu.atomic_rmw {kind} %d, %mask, %two : {desc}, {masks}, {vector} -> {vector}"""
    start = np.ones(64, np.float32)
    expected = start.copy()
    for lane in np.flatnonzero(mask):
        part = expected[offsets[lane] : offsets[lane] + chunk]
        part[:] = {"addf": part + 2, "mulf": part * 2, "assign": 2 + 0 * part}[kind]
    kernel = compile_one(kernel_text("%o: memref<64xf32>", body))
    assert run(kernel, start)[0].tolist() == expected.tolist()


def test_descriptor_in_a_loop() -> None:
    """The addresses move with each round."""
    desc = "!xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>"
    body = f"""
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %on = arith.constant dense<true> : vector<16xi1>
    %zero = arith.constant dense<0.0> : vector<16xf32>
    %offsets = arith.constant {listed(range(16))} : vector<16xindex>
    %step = arith.constant dense<16> : vector<16xindex>
    %d0 = xegpu.create_tdesc %a, %offsets : memref<64xf32>, vector<16xindex> -> {desc}
    %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%d = %d0, %s = %zero) -> ({desc}, vector<16xf32>) {{
      %v = xegpu.load %d, %on : {desc}, vector<16xi1> -> vector<16xf32>
      %t = arith.addf %s, %v : vector<16xf32>
      %e = xegpu.update_offset %d, %step : {desc}, vector<16xindex>
      scf.yield %e, %t : {desc}, vector<16xf32>
    }}
    %out = xegpu.create_tdesc %o, %offsets : memref<16xf32>, vector<16xindex> -> {desc}
    xegpu.store %r#1, %out, %on : vector<16xf32>, {desc}, vector<16xi1>"""
    kernel = compile_one(kernel_text("%a: memref<64xf32>, %o: memref<16xf32>", body))
    a = np.arange(64, dtype=np.float32)
    assert (run(kernel, a, np.zeros(16, np.float32))[1] == a.reshape(4, 16).sum(0)).all()


def test_atomics_on_bytes() -> None:
    """Four lanes share a word."""
    desc = "!xegpu.tensor_desc<16xi8, #xegpu.scatter_tdesc_attr<>>"
    body = f"""
    %o = arith.constant {listed(range(16))} : vector<16xindex>
    %on = arith.constant dense<true> : vector<16xi1>
    %v = arith.constant dense<1> : vector<16xi8>
    %d = xegpu.create_tdesc %a, %o : memref<64xi8>, vector<16xindex> -> {desc}
    %r = xegpu.atomic_rmw addi %d, %on, %v : {desc}, vector<16xi1>, vector<16xi8> -> vector<16xi8>"""
    (a,) = run(compile_one(kernel_text("%a: memref<64xi8>", body)), np.arange(64, dtype=np.int8))
    assert a.tolist() == [*range(1, 17), *range(16, 64)]
