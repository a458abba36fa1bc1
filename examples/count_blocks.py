"""Counts how often each basic block of a program's kernels is executed, by instructions that it inserts into them.

The tool traces `zeModuleCreate`: it adds the flag that asks for free registers, rewrites the ZEBIN of the module, and
gives the program a module of the rewritten one instead. The program itself does not change.

Usage: `count_blocks.py` runs a kernel with a loop, and compares the counts with those of the simulator.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Self

import numpy as np

import zebin
from runtime import Device, ze, zet
from xegpu.isa import WORD_BYTES, Instruction, Program, assemble, decode_program, encode_program, has_header

COUNTER_BYTES = 8
TEXT_ALIGNMENT, TEXT_TAIL = 64, 128
"""The code of a kernel is padded, as prefetching goes beyond its end."""

COUNT = """.grf {grf}
(W) mov (1|M0) r{register}.0<1>:uq {address:#x}:uq
(W) atomic_iinc.ugm.d64.a64 (1|M0) null flat[r{register}]:1
"""
"""The inserted instructions: they need one free register, and neither flags nor channels that are switched on."""

KERNEL = """
gpu.module @kernels {
  gpu.func @triangle(%out: memref<1024xi32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %id = gpu.global_id x
    %sum = scf.for %i = %c0 to %id step %c1 iter_args(%old = %zero) -> (i32) {
      %new = arith.addi %old, %one : i32
      scf.yield %new : i32
    }
    memref.store %sum, %out[%id] : memref<1024xi32>
    gpu.return
  }
}
"""
"""Every work-item goes around as often as its number says."""


class CannotCountError(Exception):
    """Raised for a kernel that has no place for counters; the message says why."""


@dataclass(frozen=True)
class Block:
    """A basic block of a kernel: its first instruction's offset, before and after rewriting, and its counter."""

    kernel: str
    offset: int
    new_offset: int
    counter: int


@dataclass(frozen=True)
class CountingCode:
    """Code with counters. `starts` says where control has to go instead of an old offset, `places` where the
    instruction that was there is.
    """

    code: bytes
    starts: Mapping[int, int]
    places: Mapping[int, int]

    def moved(self, offset: int) -> int:
        """Returns where a byte of an instruction is."""
        old = max(each for each in self.places if each <= offset)
        return self.places[old] + offset - old


def leaders(program: Program, entries: Iterable[int]) -> list[int]:
    """Returns the indices of the first instructions of the basic blocks.

    A join belongs to no block: gotos have to name the join itself, so nothing can be put in front of it.

    Args:
        program: The code of a kernel.
        entries: Offsets at which functions and the kernel begin.
    """
    found = {0} | {index for offset in entries if (index := program.index_of(offset)) is not None}
    for index, instruction in enumerate(program.instructions):
        targets = (program.index_of(program.offsets[index] + distance) for distance in instruction.distances)
        found |= {target for target in targets if target is not None}
        if instruction.spec.flow.leaves:
            found.add(index + 1)
    end = len(program.instructions)
    return sorted(index for index in found if index < end and not program.instructions[index].spec.flow.is_join)


def with_counters(program: Program, first: Sequence[int], register: int, address: int) -> CountingCode:
    """Returns code that counts the blocks which begin at some instructions, in counters from an address on."""
    snippets = {
        index: decode_program(
            assemble(COUNT.format(grf=program.grf_bytes, register=register, address=address + COUNTER_BYTES * number))
        ).instructions
        for number, index in enumerate(first)
    }
    starts, places = {0: 0}, {0: 0}
    position = program.offsets[0]
    for index, (offset, instruction) in enumerate(zip(program.offsets, program.instructions, strict=True)):
        starts[offset] = position
        places[offset] = position = position + WORD_BYTES * sum(each.words for each in snippets.get(index, ()))
        position += WORD_BYTES * instruction.words
    starts[program.offsets[-1] + WORD_BYTES * program.instructions[-1].words] = position
    changed: list[Instruction] = []
    for index, (offset, instruction) in enumerate(zip(program.offsets, program.instructions, strict=True)):
        changed += snippets.get(index, ())
        fields = instruction.spec.flow.distances
        new = {field: starts[offset + getattr(instruction, field)] - places[offset] for field in fields}
        changed.append(replace(instruction, **new))
    return CountingCode(encode_program(changed, program.grf_bytes), starts, places)


def rewrite(binary: bytes, registers: Mapping[str, int], address: int) -> tuple[bytes, list[Block]]:
    """Returns a ZEBIN whose kernels count their blocks, and the blocks. It has no debug information any more.

    Args:
        binary: The ZEBIN.
        registers: A free register of each kernel that is to count.
        address: The memory for the counters.
    """
    file = zebin.read(binary)
    file.elf.symbols = list(file.symbols)  # those of a file are made when they are read
    file.elf.relocations = {index: list(entries) for index, entries in file.relocations.items()}
    blocks: list[Block] = []
    for name, register in registers.items():
        kernel = file.kernels[name]
        section, code = kernel.section, bytes(kernel.code)
        symbols = [symbol for symbol in file.symbols if symbol.section_index == section.index]
        program = decode_program(code)
        first = leaders(program, {symbol.value for symbol in symbols})
        new = with_counters(program, first, register, address + COUNTER_BYTES * len(blocks))
        for index in first:
            offset = program.offsets[index]
            blocks.append(Block(name, offset, new.starts[offset], address + COUNTER_BYTES * len(blocks)))
        for symbol in symbols:
            end = new.starts[symbol.value + symbol.size]
            symbol.value = new.starts[symbol.value]
            symbol.size = end - symbol.value if symbol.size else 0
        for index, entries in file.relocations.items():
            if file.sections[index].info == section.index:
                for entry in entries:
                    entry.offset = new.moved(entry.offset)
        section.data = new.code + bytes(-len(new.code) % TEXT_ALIGNMENT + TEXT_TAIL)
        section.size = len(section.data)
    for section in file.sections:
        if section.name.startswith(".debug_"):
            section.data, section.size = b"", 0
        elif section.index in file.relocations and file.sections[section.info].name.startswith(".debug_"):
            file.relocations[section.index] = ()
    return zebin.write(file), blocks


class BlockCounter:
    """Counts the blocks of the modules that a program creates while the counter is entered.

    `skipped` has the kernels that are not counted, and why.
    """

    def __init__(self) -> None:
        zet.zelEnableTracingLayer()
        self.blocks: list[Block] = []
        self.skipped: dict[str, str] = {}
        self._memory: list[tuple[ze.ze_context_handle_t, ze.ze_device_handle_t, int, int]] = []
        self._tracer = zet.zelTracerCreate(zet.zel_tracer_desc_t(self))
        zet.zelTracerModuleCreateRegisterCallback(self._tracer, zet.ZEL_REGISTER_PROLOGUE, self._before)
        zet.zelTracerModuleCreateRegisterCallback(self._tracer, zet.ZEL_REGISTER_EPILOGUE, self._after)

    def __enter__(self) -> Self:
        zet.zelTracerSetEnabled(self._tracer, True)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        zet.zelTracerSetEnabled(self._tracer, False)

    def _before(self, parameters: Any, result: ze.ze_result_t, user: object, instance: object) -> None:
        """Asks for the registers that kernels leave free."""
        if parameters.desc is None:
            return  # the driver refuses the call
        flags = f"{parameters.desc.pBuildFlags or ''} -zet-profile-flags {zet.ZET_PROFILE_FLAG_FREE_REGISTER_INFO:#x}"
        parameters.desc = replace(parameters.desc, pBuildFlags=flags.strip())

    def _after(self, parameters: Any, result: ze.ze_result_t, user: object, instance: object) -> None:
        """Gives the program a module that counts instead of its own."""
        if result != ze.ZE_RESULT_SUCCESS:
            return
        context, device, (module, log) = parameters.hContext, parameters.hDevice, parameters.returned
        registers = self._registers(module)
        if not registers:
            return
        binary = ze.zeModuleGetNativeBinary(module)
        size = COUNTER_BYTES * (len(binary) // WORD_BYTES)  # more than there are blocks
        address = ze.zeMemAllocDevice(context, ze.ze_device_mem_alloc_desc_t(), size, COUNTER_BYTES, device)
        counting, blocks = rewrite(binary, registers, address)
        desc = ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, counting)
        parameters.returned = ze.zeModuleCreate(context, device, desc)[0], log
        ze.zeModuleDestroy(module)
        self.blocks += blocks
        self._memory.append((context, device, address, size))

    def _registers(self, module: ze.ze_module_handle_t) -> dict[str, int]:
        """Returns a free register of each kernel that can count."""
        found: dict[str, int] = {}
        if ze.zeModuleGetProperties(module).flags:
            self.skipped |= dict.fromkeys(ze.zeModuleGetKernelNames(module), "the module is not linked yet")
            return found
        for name in ze.zeModuleGetKernelNames(module):
            kernel = ze.zeKernelCreate(module, ze.ze_kernel_desc_t(name))
            code, profile = ze.zeKernelGetBinaryExp(kernel), zet.zetKernelGetProfileInfo(kernel)
            free = [sequence.start for token in profile.tokens for sequence in token.sequences]
            if not has_header(code):
                self.skipped[name] = "native code"
            elif not free:
                self.skipped[name] = "no register is free"
            else:
                found[name] = free[-1]
            ze.zeKernelDestroy(kernel)
        return found

    def counts(self) -> dict[Block, int]:
        """Returns how often each block was executed so far, summed over all threads."""
        values: dict[int, int] = {}
        for context, device, address, size in self._memory:
            counters = np.zeros(size // COUNTER_BYTES, np.uint64)
            queue = ze.ze_command_queue_desc_t(mode=ze.ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS)
            copies = ze.zeCommandListCreateImmediate(context, device, queue)
            ze.zeCommandListAppendMemoryCopy(copies, counters, address, size)
            ze.zeCommandListDestroy(copies)
            values |= {address + COUNTER_BYTES * number: int(count) for number, count in enumerate(counters)}
        return {block: values[block.counter] for block in self.blocks}


def main() -> int:
    """Compares the counts of a kernel with the simulator's, and returns an exit code."""
    device = Device("pvc", profile=True)
    with BlockCounter() as counter:
        result = np.zeros(1024, np.int32)
        launch = device.compile(KERNEL)["triangle"][16, (64,)](result)
        counts = counter.counts()
    executed = {entry.offset: entry.executed for entry in launch.profile.instructions}
    print("block  counted  simulator")
    for block, count in counts.items():
        print(f"{block.offset:#05x}  {count:7}  {executed[block.new_offset]:9}")
    is_same = all(count == executed[block.new_offset] for block, count in counts.items())
    return int(not is_same or (result != np.arange(1024)).any())


if __name__ == "__main__":
    sys.exit(main())
