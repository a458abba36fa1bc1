"""Uses of the GPU by the host. Everything is done in program order, so that tokens carry no value."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import IndexType, MemRefType, UnrealizedConversionCastOp
from xdsl.ir import Attribute, Operation, SSAValue

from runtime.host.data.callbacks import Foreign
from runtime.host.data.types import memory_type
from runtime.host.data.values import Value as PythonValue, read_values, write_values
from runtime.host.emission.emitter import FunctionEmitter, lowers
from runtime.host.emission.memref_descriptors import contiguous_strides, descriptor, memref_of, number_of, product
from runtime.host.library.local_memory import launch_values
from runtime.host.lowering.arith_casts import resized
from runtime.host.lowering.memref import buffer, check_same_shape, copy_elements
from runtime.llvm import Value, constant, integer
from xegpu.dialects.upstream.gpu import (
    AllocOp,
    DeallocOp,
    HostRegisterOp,
    HostUnregisterOp,
    LaunchFuncOp,
    MemcpyOp,
    MemsetOp,
    SetDefaultDeviceOp,
    WaitOp,
)

_INDEX = IndexType()
_SIZES = 7
"""The number of sizes of a launch: grid, block, dynamic shared memory."""


def _function(
    op: Operation, inputs: Sequence[Attribute], outputs: Sequence[Attribute], work: Callable[..., Sequence[PythonValue]]
) -> Foreign:
    def run(arguments: int, results: int) -> None:
        write_values(outputs, work(*read_values(inputs, arguments)), results)

    return Foreign(op.name, (inputs, outputs), run, op)


@lowers(WaitOp)
def wait(emitter: FunctionEmitter, op: Operation) -> None:
    for token in op.results:
        emitter.give(token)


def _give_token(emitter: FunctionEmitter, op: AllocOp | DeallocOp | MemcpyOp | MemsetOp | LaunchFuncOp) -> None:
    if op.async_token is not None:
        emitter.give(op.async_token)


@lowers(AllocOp)
def alloc(emitter: FunctionEmitter, op: AllocOp) -> None:
    form, size = buffer(emitter, op, memref_of(op.memref.type), op.dynamic_sizes)
    device, is_shared = emitter.environment.device, op.host_shared is not None
    function = _function(op, [_INDEX], [_INDEX], lambda count: [device.allocate(count, is_shared=is_shared)])
    (address,) = emitter.call_foreign(op, function, [size])
    memory = emitter.code.cast("inttoptr", address, "ptr")
    emitter.give(op.memref, memory, memory, *form.parts[2:])
    _give_token(emitter, op)


def _nothing(work: Callable[..., None]) -> Callable[..., Sequence[PythonValue]]:
    """Returns a function without results as one that returns an empty list of them."""

    def call(*arguments: PythonValue) -> Sequence[PythonValue]:
        work(*arguments)
        return ()

    return call


@lowers(DeallocOp)
def dealloc(emitter: FunctionEmitter, op: DeallocOp) -> None:
    environment = emitter.environment
    address = emitter.code.cast("ptrtoint", emitter.parts(op.memref)[0], "i64")

    def free(address: int) -> None:
        if not environment.device.free(address):
            environment.warn(op, "does nothing: gpu.alloc has not allocated this memory")

    function = _function(op, [_INDEX], [], _nothing(free))
    emitter.call_foreign(op, function, [address])
    _give_token(emitter, op)


def _start(emitter: FunctionEmitter, aligned: Value, offset: Value, element: str) -> Value:
    """Returns the address of the first element."""
    place = emitter.code.value("ptr", f"getelementptr {element}, {aligned}, {offset}")
    return emitter.code.cast("ptrtoint", place, "i64")


@lowers(MemcpyOp)
def memcpy(emitter: FunctionEmitter, op: MemcpyOp) -> None:
    code, element = emitter.code, memory_type(memref_of(op.src.type).element_type)
    target, source = descriptor(emitter, op, op.dst), descriptor(emitter, op, op.src)
    if any(contiguous_strides(code, memref.sizes) != memref.strides for memref in (target, source)):
        copy_elements(emitter, op, op.src, op.dst)
    else:
        check_same_shape(emitter, op, source, target)
        size = integer(element.size)
        for extent in source.sizes:
            size = product(code, size, extent)
        places = [_start(emitter, memref.aligned, memref.offset, element.llvm) for memref in (target, source)]
        function = _function(op, [_INDEX] * 3, [], _nothing(emitter.environment.device.copy))
        emitter.call_foreign(op, function, [*places, size])
    _give_token(emitter, op)


@lowers(MemsetOp)
def memset(emitter: FunctionEmitter, op: MemsetOp) -> None:
    code, type = emitter.code, memref_of(op.dst.type)
    target, element, device = (
        descriptor(emitter, op, op.dst),
        memory_type(type.element_type),
        emitter.environment.device,
    )
    if contiguous_strides(code, target.sizes) != target.strides:
        emitter.refuse(op, f"of {type}, which is not contiguous, is not supported")
    size = integer(element.size)
    for extent in target.sizes:
        size = product(code, size, extent)
    bits = code.cast("bitcast", emitter.one(op.value), f"i{8 * element.size}") if element.llvm != "i8" else None
    pattern = resized(code, bits if bits is not None else emitter.one(op.value), "i64", signed=False)

    def fill(address: int, value: int, count: int) -> None:
        data = (value & ((1 << 64) - 1)).to_bytes(8, "little")
        device.fill(address, data[: element.size], count)

    place = _start(emitter, target.aligned, target.offset, element.llvm)
    emitter.call_foreign(op, _function(op, [_INDEX] * 3, [], _nothing(fill)), [place, pattern, size])
    _give_token(emitter, op)


@lowers(HostRegisterOp, HostUnregisterOp)
def host_register(emitter: FunctionEmitter, op: HostRegisterOp | HostUnregisterOp) -> None:
    device = emitter.environment.device
    work = device.register if isinstance(op, HostRegisterOp) else device.unregister
    emitter.call_foreign(op, _function(op, [op.value.type], [], _nothing(work)), emitter.parts(op.value))


@lowers(SetDefaultDeviceOp)
def set_default_device(emitter: FunctionEmitter, op: SetDefaultDeviceOp) -> None:
    index = emitter.one(op.index)
    other = emitter.code.compare("icmp ne", index, constant("i32", 0))
    wide = resized(emitter.code, index, "i64", signed=True)
    emitter.fail_if(other, op, "asks for device {0}, there is one, device 0", wide)


@lowers(LaunchFuncOp)
def launch_func(emitter: FunctionEmitter, op: LaunchFuncOp) -> None:
    if op.cluster_size is not None:
        emitter.refuse(op, "with clusters is not supported: these GPUs have none")
    nested = op.kernel.nested_references.data
    module, name = op.kernel.root_reference.data, nested[-1].data if nested else ""
    kernel = emitter.environment.device.kernel(module, name)
    if kernel is None:
        emitter.refuse(op, f"launches {op.kernel}, which is no kernel that was compiled")
    code = emitter.code
    sizes = [resized(code, emitter.one(size), "i64", signed=True) for size in (*op.grid_size, *op.block_size)]
    for size in sizes:
        if number_of(size) is None:
            emitter.fail_if(code.compare("icmp slt", size, integer(0)), op, "has the size {0}", size)
    shared = op.dynamic_shared_memory_size
    sizes.append(integer(0) if shared is None else resized(code, emitter.one(shared), "i64", signed=False))

    def launch(*values: PythonValue) -> None:
        gx, gy, gz, bx, by, bz, shared_bytes = (int(value) for value in values[:_SIZES])
        kernel((gx, gy, gz), (bx, by, bz), shared_bytes, launch_values(given, values[_SIZES:]))

    operands = list(map(_buffer_behind, op.kernel_operands))
    given = [operand.type for operand in operands]
    types = [*[_INDEX] * _SIZES, *given]
    passed = [part for operand in operands for part in emitter.parts(operand)]
    emitter.call_foreign(op, _function(op, types, [], _nothing(launch)), [*sizes, *passed])
    _give_token(emitter, op)


def _buffer_behind(operand: SSAValue) -> SSAValue:
    """Returns the buffer whose address is passed, so that the launch knows its extent; else the operand."""
    owner = operand.owner
    if isinstance(owner, UnrealizedConversionCastOp) and isinstance(owner.operands[0].type, MemRefType):
        return owner.operands[0]
    return operand
