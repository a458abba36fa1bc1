"""Tells kernels in the form of LLVM 22 from those in the form of the RFC."""

from __future__ import annotations

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, Operation
from xdsl.utils.hints import isa

from xegpu.dialects.xegpu.lane_maps import LayoutAttr, SliceAttr
from xegpu.dialects.xegpu.memory import static_strides
from xegpu.dialects.xegpu.ops.block_ops import LoadNdOp, PrefetchNdOp, StoreNdOp
from xegpu.dialects.xegpu.ops.descriptor_ops import CreateNdDescOp
from xegpu.dialects.xegpu.ops.gather_ops import LoadOp, PrefetchOp, StoreOp
from xegpu.dialects.xegpu.ops.matrix_ops import CreateMemDescOp
from xegpu.dialects.xegpu.types import TensorDescType

_BEYOND_LANES = frozenset({"sg_layout", "sg_data", "inst_data"})


def is_of_llvm22(function: Operation) -> bool:
    """Returns whether a function uses anything that XeGPU has in LLVM 22 and the RFC has not."""
    return any(_is_newer(op) for op in function.walk())


def _is_newer(op: Operation) -> bool:
    match op:
        case LoadNdOp() | StoreNdOp() | PrefetchNdOp() if op.const_offsets is not None or op.desc.get_num_dims() > 2:
            return True
        case LoadOp() | StoreOp() | PrefetchOp() if not op.has_descriptor:
            return True
        case CreateNdDescOp() if op.const_offsets is None or op.keyword_lists is not None:
            return True
        case CreateNdDescOp() if op.const_shape is None and isa(source := op.source.type, MemRefType):
            return not source.has_static_shape() or static_strides(source) is None
        case CreateMemDescOp():
            return True
        case _:
            attributes = (*op.properties.values(), *op.attributes.values(), *(result.type for result in op.results))
            return any(map(_is_beyond_lanes, attributes))


def _is_beyond_lanes(attribute: Attribute) -> bool:
    if isinstance(attribute, TensorDescType):
        attribute = attribute.map
    if isinstance(attribute, LayoutAttr):
        return not _BEYOND_LANES.isdisjoint(attribute.given)
    return isinstance(attribute, SliceAttr)
