"""Every operation of the dialects that kernels are written in compiles, or is refused by name."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import AnyFloat, FunctionType, IndexType, IntegerType, MemRefType
from xdsl.dialects.ub import PoisonOp
from xdsl.ir import Attribute
from xdsl.traits import HasParent, IsTerminator, SymbolOpInterface
from xdsl.utils.hints import isa

from docs.dialects.generator.page import DialectPage
from passes.convert_xegpu_to_xe import ConvertXegpuToXePass
from passes.gpu.expand_ops import GpuExpandOpsPass
from tests.unit.passes.kernels.harness import kernel_text, refusal
from tests.unit.xegpu.dialects.support import context
from xegpu.diagnostics import CompileError, SourceBuffer, fill_locations
from xegpu.dialects.documentation import describe_op
from xegpu.dialects.upstream.gpu.kernel import FuncOp
from xegpu.mlir import LocatingParser, parse_module, verify

DIALECTS = ["arith", "math", "vector", "memref", "scf", "gpu", "index"]
MODES = ["", "VectorComputeFunctionINTEL"]
MANY = "is not supported in a kernel"

REFUSED = {
    "arith.scaling_extf": "kernel argument 'arg0' of type f8E4M3FN cannot be passed",
    "arith.scaling_truncf": "kernel argument 'arg1' of type f8E8M0FNU cannot be passed",
    "memref.memory_space_cast": "is not supported: no address reaches both memories",
    "memref.rank": "'ub.poison' op of type memref<*xf32> is not supported in a kernel",
    "vector.scalable.extract": "'ub.poison' op of type vector<[4]xf32> is not supported in a kernel",
    "vector.scalable.insert": "'ub.poison' op of type vector<[4]xf32> is not supported in a kernel",
    **{
        name: f"'{name}' op {MANY}"
        for name in (
            *("memref.dma_start", "memref.dma_wait", "memref.realloc", "vector.type_cast", "vector.vscale"),
            *("gpu.cluster_block_id", "gpu.cluster_dim", "gpu.cluster_dim_blocks", "gpu.cluster_id"),
            *("gpu.launch", "gpu.set_default_device"),
        )
    },
    **{
        f"gpu.{name}": f"op of type {type} {MANY}"
        for name, type in (
            *((name, "!gpu.async.token") for name in ("alloc", "dealloc", "memcpy", "memset", "wait")),
            *((name, "memref<*xf32>") for name in ("host_register", "host_unregister")),
        )
    },
}
"""The operations that kernels cannot use, and the error for an example; some because of a type that only they have."""

PARTS = {"gpu.binary", "gpu.launch_func", "scf.reduce"}
"""The operations that stand in host code or within other operations only, beside those that declare it themselves."""


def examples() -> list[tuple[str, str]]:
    found = []
    for page in map(DialectPage, DIALECTS):
        for form, ops in page.forms.items():
            is_part = any(ops[0].has_trait(trait) for trait in (IsTerminator, HasParent, SymbolOpInterface))
            if not is_part and not PARTS & {op.name for op in ops}:
                texts = describe_op(form, [op.name for op in ops]).examples
                found += [(ops[0].name, text) for text in texts]
    return found


def is_passed(type: Attribute) -> bool:
    return isinstance(type, MemRefType | IntegerType | IndexType) or isa(type, AnyFloat)


def outcome(example: str, mode: str) -> str | None:
    """Returns the error for an example in a kernel, None if it compiles. Its operands are arguments, or anything."""
    parser = LocatingParser(context(), SourceBuffer("example.mlir", example))
    op = parser.parse_op()
    module = parse_module(context(), SourceBuffer("kernel.mlir", kernel_text("", "", mode)))
    kernel = next(o for o in module.walk() if isinstance(o, FuncOp))
    block = kernel.body.block
    end = block.last_op
    assert end is not None
    for reference in [value for values in parser.forward_ssa_references.values() for value in values.values()]:
        if is_passed(reference.type):
            reference.replace_all_uses_with(block.insert_arg(reference.type, len(block.args)))
        else:
            poison = PoisonOp(reference.type)
            block.insert_op_before(poison, end)
            reference.replace_all_uses_with(poison.result)
    kernel.properties["function_type"] = FunctionType.from_lists([a.type for a in block.args], [])
    block.insert_op_before(op, end)
    fill_locations(module)
    try:
        for step in (GpuExpandOpsPass(), ConvertXegpuToXePass("pvc")):
            step.apply(context(), module)
        verify(module)
    except CompileError as error:
        return str(error)
    return None


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize(("name", "example"), examples())
def test_examples_compile_or_are_refused(name: str, example: str) -> None:
    """In one of the modes at least."""
    found = [outcome(example, mode) for mode in MODES]
    if name in REFUSED and not example.startswith("%r = gpu.all_reduce add"):
        assert all(error is not None and REFUSED[name] in error for error in found), found
    else:
        assert None in found, found


def test_refusals_are_current() -> None:
    assert {name for name, _ in examples()} >= REFUSED.keys()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('%a = gpu.subgroup_mma_constant_matrix %x : !gpu.mma_matrix<16x16xf32, "COp">', "gpu.subgroup_mma_constant"),
        ("gpu.warp_execute_on_lane_0(%i)[32] {\n}", "gpu.warp_execute_on_lane_0"),
        ("memref.load_everything %m", "memref.load_everything"),
        ("linalg.fill ins(%x : f32) outs(%m : memref<8xf32>)", "linalg.fill"),
    ],
)
def test_operations_of_others_are_refused_by_name(text: str, name: str) -> None:
    message = refusal(kernel_text("%m: memref<8xf32>, %x: f32, %i: index", text))
    assert message.startswith("kernel.mlir:3:")
    assert name in message
