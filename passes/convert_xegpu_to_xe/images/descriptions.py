"""Lowers queries of images, and samplers that kernels define themselves; the payload holds both."""

from __future__ import annotations

from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.kernel.signature import sampler_words
from xegpu.dialects.image import ConstantSamplerOp, QueryOp, StateOp
from xegpu.isa.model import DataType
from xegpu.targets import Feature


@lowers(QueryOp)
def query(lowering: KernelLowering, op: QueryOp) -> None:
    offset = lowering.signature.image_fact_offset(op.fact.data, op.image)
    if offset is None:
        lowering.refuse(op, "needs an image that is an argument of the kernel")
    lowering.values[op.result] = lowering.payload.scalar(offset, DataType.UD)


@lowers(StateOp)
def state(lowering: KernelLowering, op: StateOp) -> None:
    lowering.values[op.result] = lowering.uniform(op, op.image)


@lowers(ConstantSamplerOp)
def constant_sampler(lowering: KernelLowering, op: ConstantSamplerOp) -> None:
    if not lowering.target.platform.has(Feature.IMAGES):
        lowering.refuse(op, f"is not supported: {lowering.target.name} has no images")
    words = sampler_words(op)
    samplers = lowering.signature.facts.samplers
    offset = next(s.offset for s in samplers if (s.addressing, s.filter, s.normalized) == words)
    lowering.values[op.result] = lowering.payload.scalar(offset, DataType.UQ)
