"""The page about operations of xDSL that ours replace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from xegpu.dialects.documentation import table

_INTRODUCTION = """\
<!-- Made by `python docs/dialects/generate.py`. -->
# Operations that replace those of xDSL

An operation of a dialect that xDSL has is defined again where xDSL's lacks something that MLIR has and kernels or their
host programs use. This is what xDSL's lacks, in each of the releases that `pyproject.toml` allows unless a release is
named. When a release has it, a test says so, and ours can go.
"""

_DERIVED = """
The operations of `func` and `scf`, `affine.if`, `memref.expand_shape` and some of `llvm` derive from xDSL's, because
passes of xDSL know those classes, or only the custom assembly differs. The others are definitions of their own: a
derived class cannot add to the definition of its base.
"""


class Lack(Enum):
    """Names what a test can see that an operation of xDSL lacks."""

    ASSEMBLY = "custom assembly"
    ASSEMBLY_BEFORE_75 = "custom assembly in 0.74"
    EFFECTS = "effects"
    FOLDING = "folding"
    SHAPES = "vectors and tensors"


@dataclass(frozen=True)
class Replaced:
    """Says what an operation of xDSL lacks.

    Attributes:
        lacks: What a test can see.
        properties: The names of properties that it lacks.
        more: What else it lacks.
    """

    lacks: tuple[Lack, ...] = ()
    properties: tuple[str, ...] = ()
    more: str = ""

    def __str__(self) -> str:
        properties = [f"`{name}`" for name in self.properties]
        return ", ".join([*(lack.value for lack in self.lacks), *properties, *([self.more] if self.more else [])])


def _each(names: str, *lacks: Lack, properties: tuple[str, ...] = (), more: str = "") -> dict[str, Replaced]:
    return dict.fromkeys(names.split(), Replaced(lacks, properties, more))


REPLACED: Mapping[str, Replaced] = {
    **_each("affine.if", Lack.ASSEMBLY),
    **_each("affine.parallel", Lack.ASSEMBLY, Lack.EFFECTS, more="kinds of reductions as numbers"),
    **_each("arith.cmpi", Lack.FOLDING, more="a result for each element of vectors and tensors"),
    **_each("arith.cmpf", more="a result for each element of vectors and tensors"),
    **_each("arith.select", Lack.FOLDING, more="a condition for each element of vectors and tensors"),
    **_each("arith.divsi arith.divui arith.shrsi arith.shrui", properties=("isExact",)),
    **_each("arith.extf", properties=("fastmath",)),
    **_each("arith.extsi", Lack.SHAPES, Lack.EFFECTS),
    **_each("arith.extui arith.fptosi arith.fptoui arith.index_cast arith.sitofp arith.uitofp", Lack.SHAPES),
    **_each("arith.truncf", properties=("fastmath", "roundingmode")),
    **_each("arith.trunci", Lack.SHAPES, properties=("overflowFlags",)),
    **_each("func.call", properties=("arg_attrs", "res_attrs", "no_inline")),
    **_each("func.func", properties=("no_inline",), more="MLIR's rules about symbols"),
    **_each(
        "gpu.alloc gpu.dealloc gpu.memcpy gpu.return gpu.terminator gpu.yield",
        Lack.ASSEMBLY,
        Lack.EFFECTS,
    ),
    **_each(
        "gpu.all_reduce gpu.host_register gpu.host_unregister gpu.launch_func gpu.set_default_device gpu.wait",
        Lack.ASSEMBLY,
    ),
    **_each("gpu.barrier", Lack.ASSEMBLY, properties=("address_spaces",)),
    **_each(
        "gpu.block_dim gpu.block_id gpu.global_id gpu.grid_dim gpu.lane_id gpu.num_subgroups gpu.subgroup_id"
        " gpu.subgroup_size gpu.thread_id",
        Lack.ASSEMBLY,
        Lack.EFFECTS,
        properties=("upper_bound",),
    ),
    **_each("gpu.func gpu.launch", Lack.ASSEMBLY, properties=("workgroup_attributions",)),
    **_each("gpu.module", Lack.ASSEMBLY, properties=("targets", "offloadingHandler")),
    **_each("linalg.broadcast", more="loops"),
    **_each(
        "linalg.conv_2d_nchw_fchw linalg.conv_2d_ngchw_fgchw linalg.conv_2d_ngchw_gfchw linalg.conv_2d_nhwc_fhwc"
        " linalg.conv_2d_nhwc_hwcf linalg.conv_2d_nhwgc_gfhwc",
        more="results of another type than the operands'",
    ),
    **_each("linalg.matmul", properties=("cast",), more="results of another type than the operands'"),
    **_each("linalg.pooling_nchw_max", more="the result as an operand of its body, which has the window instead"),
    **_each("linalg.reduce", more="the short form, loops"),
    **_each("llvm.call", more="calling conventions and attributes of arguments in MLIR's custom assembly"),
    **_each("llvm.cond_br", more="weights of branches in MLIR's custom assembly"),
    **_each("llvm.fcmp", more="vectors, flags as MLIR prints them"),
    **_each("llvm.func", more="calling conventions of kernels, kernels without a body of their own"),
    **_each("llvm.getelementptr", more="flags of addresses as MLIR prints them"),
    **_each("llvm.load llvm.store", more="volatile and atomic accesses in MLIR's custom assembly"),
    **_each("llvm.mlir.zero", more="zeros of all types"),
    **_each("llvm.select", more="vectors"),
    **_each("memref.alloca_scope", Lack.ASSEMBLY_BEFORE_75),
    **_each("memref.alloca_scope.return", Lack.ASSEMBLY_BEFORE_75, Lack.EFFECTS),
    **_each("memref.atomic_rmw memref.copy memref.dma_start memref.global", Lack.ASSEMBLY),
    **_each(
        "memref.cast memref.extract_aligned_pointer_as_index memref.memory_space_cast memref.rank",
        Lack.ASSEMBLY,
        more="permission to be executed early",
    ),
    **_each("memref.dma_wait", Lack.ASSEMBLY_BEFORE_75),
    **_each("memref.expand_shape", more="the form without `output_shape` of older releases"),
    **_each("memref.load memref.store", properties=("alignment",)),
    **_each("memref.reinterpret_cast", more="permission to be executed early"),
    **_each("scf.execute_region scf.if scf.index_switch scf.reduce", more="a part of MLIR's custom assembly"),
    **_each("scf.for", properties=("unsignedCmp",)),
    **_each("scf.parallel", Lack.ASSEMBLY),
    **_each("scf.while", more="the custom assembly without operands, rules about terminators"),
    **_each("vector.bitcast", Lack.EFFECTS, Lack.FOLDING),
    **_each("vector.broadcast", Lack.FOLDING),
    **_each("vector.create_mask vector.reduction", Lack.EFFECTS),
    **_each("vector.extract vector.insert", more="rules about the shape of the part and constant positions"),
    **_each("vector.load vector.maskedload vector.maskedstore vector.store", Lack.EFFECTS, properties=("alignment",)),
    **_each("vector.print", Lack.ASSEMBLY, Lack.EFFECTS, properties=("punctuation", "stringLiteral")),
}
"""Maps operations of ours that replace one of xDSL's of the same name to what xDSL's lacks."""


def replaced_page() -> Iterator[str]:
    """Yields the lines of the page."""
    yield _INTRODUCTION.rstrip()
    yield from table(
        ("Operation", "What xDSL's lacks"), [(f"`{name}`", str(REPLACED[name])) for name in sorted(REPLACED)]
    )
    yield _DERIVED.rstrip()
