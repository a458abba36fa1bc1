"""The payload of a thread in the registers that a kernel starts with."""

from __future__ import annotations

from xdsl.ir import Block

from passes.convert_xegpu_to_xe.lowering.emitter import XeEmitter
from passes.convert_xegpu_to_xe.lowering.index import UniformArithmetic
from passes.convert_xegpu_to_xe.lowering.values import Elements
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.xe import GRFType
from xegpu.isa.model import DataType, KernelFacts


class ThreadPayload:
    """The header, the local ids and the arguments of a kernel, which are those of its entry `block`.

    Attributes:
        emit: Emits what is computed of the payload.
        index: The arithmetic that it is computed with.
        own_shared_bytes: The size of the shared memory that the kernel itself allocates.
        block: The block that the kernel starts with.
        header: The register that every thread starts with.
        local_ids: The ids of the work-items, if the kernel reads them.
        arguments: The cross-thread payload, if the kernel has one.

    """

    def __init__(self, function: FuncOp, facts: KernelFacts, emit: XeEmitter, own_shared_bytes: int):
        self.emit = emit
        self.index = UniformArithmetic(emit)
        self.own_shared_bytes = own_shared_bytes
        register = emit.target.platform.grf_bytes
        local_ids = facts.local_id_bytes(emit.target)
        arguments = facts.cross_thread_size
        if register + local_ids + arguments > emit.file_bytes:
            raise CompileError(
                function, f"takes arguments of {arguments} bytes: {emit.target.name} has {emit.file_bytes}"
            )
        types = [GRFType(register, register, 0)]
        if local_ids:
            types.append(GRFType(local_ids, register, register))
        if arguments:
            types.append(GRFType(-(-arguments // register) * register, register, register + local_ids))
        self.block = Block(arg_types=types)
        self.header = self.block.args[0]
        self.local_ids = self.block.args[1] if local_ids else None
        self.arguments = self.block.args[-1] if arguments else None

    def elements(self, offset: int, type: DataType, count: int) -> Elements:
        """Returns elements of the cross-thread payload."""
        assert self.arguments is not None
        return Elements(self.arguments, type, count, offset)

    def scalar(self, offset: int, type: DataType) -> Elements:
        """Returns one element of the cross-thread payload."""
        return self.elements(offset, type, 1)
