"""Constants in registers: what code has written to them on all paths, as far as moves and sums of dwords tell."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xegpu.isa.model.instruction import Combination
from xegpu.isa.model.operands import CONTIGUOUS
from xegpu.isa.native.encoding import codes
from xegpu.isa.native.encoding.instruction import NativeInstruction
from xegpu.isa.native.layouts.forms import NativeForm
from xegpu.isa.native.lowering import operands
from xegpu.isa.native.scoreboard.flow import FlowNode, flow_graph
from xegpu.isa.native.scoreboard.footprint import FLAGS, footprint, is_predicated, place
from xegpu.isa.native.text.formatter import HALF_BITS, signed, source_count

_DWORD_BYTES, _FLAG_BYTES = 4, 2
_DWORD, _HALF = 0xFFFFFFFF, 0xFFFF
_GENERAL_REGISTERS = 256

Words = Mapping[int, int]
"""The dwords that are known, and words of flags, by the number that `place` gives their first byte."""

_OPERATIONS: Mapping[str, Callable[..., int]] = {
    "mov": lambda value: value,
    "add": lambda first, second: first + second,
    "add3": lambda first, second, third: first + second + third,
    "mad": lambda first, second, third: first + second * third,
    "mul": lambda first, second: first * second,
    "and": lambda first, second: first & second,
    "or": lambda first, second: first | second,
    "xor": lambda first, second: first ^ second,
    "shl": lambda value, bits: value << (bits & 31),
    "shr": lambda value, bits: (value & _DWORD) >> (bits & 31),
}
"""The instructions whose results are computed, for integers of at most 32 bits."""

_DIVERGENT = frozenset({"if", "else", "endif", "while", "break", "cont", "halt", "goto", "join", "brc", "brd"})
"""The branches that channels take one by one."""

_FLOATS = frozenset({"hf", "bf", "f", "df", "tf32", "bf8", "vf"})
_SIGNED = frozenset({"b", "w", "d", "q"})


def constant_words(
    instructions: Sequence[NativeInstruction],
    offsets: Sequence[int],
    is_wanted: Callable[[NativeInstruction], bool],
    *,
    all_channels: bool = False,
) -> dict[int, Words]:
    """Returns the dwords that are constants in front of the instructions that are wanted, by index.

    Threads start with all channels on, or only what ignores the mask is known to be executed. They stay on as long as
    no branch is for some of them.
    A register has a constant if the same number has been written to it on each path. Of functions that are called by
    their address nothing is known, neither in front of them nor behind.
    """
    wanted = {index for index, instruction in enumerate(instructions) if is_wanted(instruction)}
    if not wanted:
        return {}
    unmasked = all_channels and not any(each.opcode.mnemonic in _DIVERGENT for each in instructions)
    nodes = flow_graph(instructions, offsets)
    reached = {successor for node in nodes for successor in _successors(node)}
    before: dict[int, Words] = {number: {} for number in range(len(instructions)) if number not in reached}
    before[0] = {}
    waiting = list(before)
    while waiting:
        number = waiting.pop()
        node = nodes[number]
        after = _behind(instructions[node.index], before[number], unmasked)
        for successor in _successors(node):
            merged = _same(before[successor], after) if successor in before else after
            if successor not in before or len(merged) < len(before[successor]):
                before[successor] = merged
                waiting.append(successor)
    found: dict[int, Words] = {}
    for number, words in before.items():
        index = nodes[number].index
        if index in wanted:
            found[index] = _same(words, found.get(index, words))
    return found


def _successors(node: FlowNode) -> tuple[int, ...]:
    return node.jumps if node.next is None else (node.next, *node.jumps)


def _same(first: Words, second: Words) -> Words:
    """Returns what two paths agree on."""
    return {number: value for number, value in first.items() if second.get(number) == value}


def _behind(instruction: NativeInstruction, words: Words, unmasked: bool) -> Words:
    """Returns the dwords that are known behind an instruction."""
    if instruction.opcode.mnemonic == "calla":
        return {}
    if instruction["dst.indirect"]:
        return _outside(instruction, words, 0)
    if instruction.opcode.form is NativeForm.SEND and instruction["desc.indirect"] and instruction["dst.file"]:
        return _outside(instruction, words, instruction["dst.reg"])
    writes = footprint(instruction).writes
    if not writes:
        return words
    left = {number: value for number, value in words.items() if not writes >> number & (1 << _DWORD_BYTES) - 1}
    return {**left, **_written(instruction, words, unmasked)}


def _outside(instruction: NativeInstruction, words: Words, register: int) -> Words:
    """Returns the dwords that are known if general registers from one on have been written."""
    first = place(instruction.platform, True, register)
    behind = place(instruction.platform, True, _GENERAL_REGISTERS)
    return {number: value for number, value in words.items() if not first <= number < behind}


def _written(instruction: NativeInstruction, words: Words, unmasked: bool) -> Words:
    """Returns the dwords that an instruction writes and that are known."""
    mnemonic = instruction.opcode.mnemonic
    if not (instruction["no_mask"] or unmasked) or instruction["saturate"]:
        return {}
    types = [_type(instruction, name) for name in ("dst", *_sources(instruction))]
    is_copy = mnemonic in ("mov", "sel") and len({(codes.TYPE_BITS[type], type in _FLOATS) for type in types}) == 1
    if is_predicated(instruction):
        return _chosen(instruction, words) if is_copy else {}
    if mnemonic not in _OPERATIONS:
        return {}
    if is_copy:
        return _copied(instruction, words)
    first = _place(instruction, "dst")
    is_dword = codes.TYPE_BITS[types[0]] == 8 * _DWORD_BYTES and first % _DWORD_BYTES == 0
    if operands.exec_size(instruction) > 1 or not is_dword or _FLOATS & set(types):
        return {}
    values = [_value(instruction, name, words) for name in _sources(instruction)]
    known = [value for value in values if value is not None]
    return {first: _OPERATIONS[mnemonic](*known) & _DWORD} if len(known) == len(values) else {}


def _chosen(instruction: NativeInstruction, words: Words) -> Words:
    """Returns the dwords that a move or choice writes for the channels of a flag, if that is a constant."""
    lanes, sources = operands.exec_size(instruction), _sources(instruction)
    half = place(instruction.platform, False, FLAGS + instruction["flag"], _FLAG_BYTES * instruction["flag_half"])
    flag, found = words.get(half), operands.predicate(instruction)
    is_simple = found is not None and found.combination is Combination.NONE and not instruction["channel_offset"]
    is_dword = codes.TYPE_BITS[_type(instruction, "dst")] == 8 * _DWORD_BYTES
    if flag is None or not is_simple or not is_dword or lanes > 8 * _FLAG_BYTES:
        return {}
    if not all(_is_sequence(instruction, name) for name in sources):
        return {}
    target, (origin, *others) = _place(instruction, "dst"), (_place(instruction, name) for name in sources)
    # What a move does not write stays as it is.
    otherwise, chosen = others[0] if others else target, flag ^ -instruction["inverted"]
    steps = ((_DWORD_BYTES * lane, origin if chosen >> lane & 1 else otherwise) for lane in range(lanes))
    return {target + step: words[start + step] for step, start in steps if start + step in words}


def _is_sequence(instruction: NativeInstruction, name: str) -> bool:
    """Returns whether a source is registers one behind the other, as they are."""
    changed = instruction[f"{name}.immediate"] or instruction[f"{name}.modifier"] or instruction[f"{name}.indirect"]
    return not changed and not _is_flag(instruction, name) and operands.region(instruction, name) == CONTIGUOUS


def _is_flag(instruction: NativeInstruction, name: str) -> bool:
    return not instruction[f"{name}.file"] and instruction[f"{name}.reg"] >> 4 == FLAGS >> 4


def _copied(instruction: NativeInstruction, words: Words) -> Words:
    """Returns the dwords that a move between types of one size writes: from registers, or of a constant."""
    type, target = _type(instruction, "dst"), _place(instruction, "dst")
    lanes, size = operands.exec_size(instruction), codes.TYPE_BITS[type] // 8
    if lanes > 1 and codes.STRIDES[instruction["dst.stride"]] > 1:
        return {}
    if instruction["src0.immediate"]:
        parts = range(0, size, _DWORD_BYTES) if lanes == 1 else ()
        whole = {target + byte: instruction["src0.imm"] >> 8 * byte & _DWORD for byte in parts}
        if size == _FLAG_BYTES and _is_flag(instruction, "dst"):
            return {number: word & _HALF for number, word in whole.items()}
        return whole if size >= _DWORD_BYTES else {}
    is_sequence = lanes == 1 or operands.region(instruction, "src0") == CONTIGUOUS
    if instruction["src0.modifier"] or instruction["src0.indirect"] or not is_sequence or _is_flag(instruction, "src0"):
        return {}
    source = _place(instruction, "src0")
    if target % _DWORD_BYTES or source % _DWORD_BYTES or lanes * size % _DWORD_BYTES:
        return {}
    bytes = range(0, lanes * size, _DWORD_BYTES)
    return {target + byte: words[source + byte] for byte in bytes if source + byte in words}


def _sources(instruction: NativeInstruction) -> tuple[str, ...]:
    return tuple(f"src{index}" for index in range(source_count(instruction)))


def _type(instruction: NativeInstruction, name: str) -> str:
    return codes.operand_type(instruction.fields, instruction.opcode.form, name) or "ud"


def _place(instruction: NativeInstruction, name: str) -> int:
    """Returns the number of the first byte of an operand."""
    is_general = bool(instruction[f"{name}.file"])
    return place(instruction.platform, is_general, instruction[f"{name}.reg"], instruction[f"{name}.subreg"])


def _value(instruction: NativeInstruction, name: str, words: Words) -> int | None:
    """Returns the integer that a source stands for, if it is known."""
    type = _type(instruction, name)
    bits = codes.TYPE_BITS[type]
    if instruction[f"{name}.immediate"]:
        value = instruction[f"{name}.imm"]
        bits = min(bits, HALF_BITS) if "float" in instruction.fields else bits
    else:
        first = _place(instruction, name)
        word = words.get(first - first % _DWORD_BYTES)
        if word is None or bits > 8 * _DWORD_BYTES or instruction[f"{name}.modifier"]:
            return None
        if instruction[f"{name}.indirect"] or _is_flag(instruction, name):
            return None
        value = word >> 8 * (first % _DWORD_BYTES)
    value &= (1 << bits) - 1
    return signed(value, bits) if type in _SIGNED else value
