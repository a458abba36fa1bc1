"""Call stacks from the registers of a thread, for a debugger that has not seen it run.

A thread is in a subroutine if the code that it goes on with leads to a return. The register of that return is followed
back, through copies, to the one that holds the return address now. What a subroutine keeps in memory is not found.
"""

from __future__ import annotations

from runtime.simulator import Executable
from runtime.simulator.interpreter import Thread
from xegpu.isa import Destination, Instruction, Program, RegisterFile, SourceRegister
from xegpu.isa.code import never_goes_on, return_sites
from xegpu.isa.formats import byte_of, footprint
from xegpu.targets import Target

_OFFSET_BYTES = 4
_LINK_BYTES = 8
"""The size of a return address: an offset, and an execution mask."""


def call_stack(executable: Executable, thread: Thread) -> list[int]:
    """Returns the next instruction of a thread, then the calls that it is in, the innermost first."""
    instructions = executable.program.instructions
    found, start = [thread.index], thread.index
    while len(found) <= sum(instruction.spec.flow.calls for instruction in instructions):
        call = _caller(executable, thread, start)
        if call is None:
            break
        found.append(call)
        start = call + 1
    return found


def _caller(executable: Executable, thread: Thread, start: int) -> int | None:
    """Returns the call of the subroutine that an instruction is in; None if there is none, or it cannot be told."""
    program = executable.program
    way = _way_to_return(program, start)
    place = _link_at_start(executable, way) if way else None
    if place is None:
        return None
    offset = int.from_bytes(thread.file[place : place + _OFFSET_BYTES].tobytes(), "little")
    site = return_sites(program).get(offset)
    return site - 1 if site is not None and _may_have_called(program, site - 1, start) else None


def _may_have_called(program: Program, call: int, start: int) -> bool:
    """Returns whether the subroutine that a call begins has an instruction; one by register may begin any."""
    if program.instructions[call].spec.flow.by_register:
        return True
    target = program.branch_target(call)
    return target is not None and start in _reached(program, target)


def _way_to_return(program: Program, start: int) -> list[int]:
    """Returns the shortest way from an instruction to the return of its subroutine; nothing if it is in none."""
    before = _reached(program, start)
    end = next((index for index in before if program.instructions[index].spec.flow.returns), None)
    if end is None:
        return []
    way = [end]
    while way[-1] != start:
        way.append(before[way[-1]])
    return way[::-1]


def _reached(program: Program, start: int) -> dict[int, int]:
    """Returns the instructions that control may come to in the same subroutine, the nearest first, each with the one
    before it.
    """
    before, waiting = {start: start}, [start]
    for index in waiting:
        for after in _following(program, index):
            if after not in before:
                before[after] = index
                waiting.append(after)
    return before


def _following(program: Program, index: int) -> list[int]:
    """Returns the instructions that come after one in the same subroutine."""
    instruction = program.instructions[index]
    is_call = instruction.spec.flow.calls
    distances = () if is_call else instruction.distances
    named = [program.index_of(program.offsets[index] + distance) for distance in distances]
    goes_on = index + 1 < len(program.instructions) and not never_goes_on(instruction)
    return [after for after in [*named, index + 1 if goes_on else None] if after is not None]


def _link_at_start(executable: Executable, way: list[int]) -> int | None:
    """Returns the first byte of the return address at the start of a way to a return; None if it is in no register."""
    instructions, description = executable.program.instructions, executable.description
    link = instructions[way[-1]].address
    assert link is not None
    place: int | None = byte_of(link, description.target)
    for index in reversed(way[:-1]):
        if place is None:
            break
        touched = footprint(instructions[index], description.target, description.facts.grf_count, None).writes
        if any(span.start < place + _LINK_BYTES and place < span.end for span in touched):
            place = _copied_from(instructions[index], place, description.target)
    return place


def _copied_from(instruction: Instruction, place: int, target: Target) -> int | None:
    """Returns where a return address was that an instruction has put in place; None if it does not just copy it."""
    destination, source = instruction.destination, next(iter(instruction.sources), None)
    if destination is None or not isinstance(source, SourceRegister) or not _copies(instruction, destination, source):
        return None
    skipped = place - byte_of(destination.register, target)
    is_whole = skipped >= 0 and skipped + _LINK_BYTES <= instruction.exec_size * destination.type.size
    return byte_of(source.register, target) + skipped if is_whole else None


def _copies(instruction: Instruction, destination: Destination, source: SourceRegister) -> bool:
    """Returns whether an instruction copies bytes from general registers to others, as they are and in their order."""
    elements = [source.region.element(channel) for channel in range(instruction.exec_size)]
    return (
        instruction.mnemonic == "mov"
        and instruction.predicate is None
        and not (instruction.saturate or source.negate or source.absolute)
        and destination.register.file is source.register.file is RegisterFile.GRF
        and source.type.size == destination.type.size
        and not (source.type.is_float or destination.type.is_float)
        and (destination.stride == 1 or instruction.exec_size == 1)
        and elements == list(range(instruction.exec_size))
    )
