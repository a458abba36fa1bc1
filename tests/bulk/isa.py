"""Long runs over the instruction set, for whoever wants more than the test suite's share.

    python -m tests.bulk.isa encoding --count 1000000      random legal words: decode(encode(x)) == x, text and back
    python -m tests.bulk.isa decoding --count 10000000     random bytes and flipped bits: an instruction or an error
    python -m tests.bulk.isa types                         every instruction with all its types, in both engines
    python -m tests.bulk.isa math --count 1000000          math functions on random numbers, against 60 digits
    python -m tests.bulk.isa math --all-halves             the same on every number of hf

Random instructions are sampled from the fields of the layouts, so that they cover whatever can be encoded. `--seed`
repeats a run.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Sequence

import numpy as np

from runtime.simulator.interpreter.alu.primitives import FLOAT
from runtime.simulator.interpreter.threads.values import DTYPES, canonical_nans
from tests.unit.runtime.simulator.oracles.alu import FLOAT_OPERATIONS, decode, encode
from tests.unit.runtime.simulator.programs.enumeration import examples
from tests.unit.runtime.simulator.programs.every_type import COMPUTING, MESSAGES, check_all, check_message
from xegpu.isa import (
    TABLE,
    Condition,
    DataType,
    DecodeError,
    Instruction,
    InstructionFormat,
    OpSpec,
    assemble_program,
    decode as decode_word,
    encode as encode_word,
    format_instruction,
)
from xegpu.isa.formats import WORD_BYTES
from xegpu.isa.formats.image import coordinate_counts, image_unit
from xegpu.isa.formats.parts.operands import KIND_IMMEDIATE
from xegpu.isa.formats.spec import FORMATS
from xegpu.isa.model.instruction import EXECUTION_SIZES
from xegpu.isa.model.messages import AddressModel, AddressSize, DataSize, Unit
from xegpu.isa.model.operands import WIDTHS
from xegpu.isa.model.table import MemoryAccessKind
from xegpu.isa.model.types import BY_CODE
from xegpu.targets import TARGETS

TRIES = 40
"""The number of random words tried for an instruction; few are legal in all fields."""

_PRIMITIVES = {
    "math.log": "log2",
    "math.exp": "exp2",
    "math.rsqt": "rsqrt",
    "math.sin": "sin",
    "math.cos": "cos",
    "math.sqt": "sqrt",
    "pow": "pow",
}


_CODES: dict[str, Sequence[int]] = {
    "exec_size": range(len(EXECUTION_SIZES)),
    "condition": [condition.code for condition in Condition],
    "file": (0, 0, 0, 1, 2),
    "stride": (1, 2, 3),
    "width": range(len(WIDTHS)),
    "unit": [unit.code for unit in Unit],
    "data_size": [size.code for size in DataSize],
    "address_size": [size.code for size in AddressSize],
    "model": [model.code for model in AddressModel],
}
"""Legal codes of fields that have others too, by the last part of their names."""


def random_word(rng: random.Random, spec: OpSpec) -> bytes:
    """Random values in the fields of a random layout of an instruction, most of them legal for themselves."""
    found = (FORMATS[spec.format].layout(spec, immediate) for immediate in (False, True))
    layout = rng.choice([layout for layout in found if layout is not None])
    predicated, conditional = spec.predicate and rng.random() < 0.5, spec.condition and rng.random() < 0.3
    fixed = {"opcode": spec.opcode, "function": spec.function, "saturate": spec.saturate and rng.getrandbits(1)}
    if not predicated:
        fixed |= {"predicate": 0, "inverted": 0}
    if not conditional:
        fixed["condition"] = 0
    if not predicated and (not conditional or spec.selects):
        fixed |= {"flag": 0, "flag_half": 0}
    block = spec.block2d and spec.format is InstructionFormat.MESSAGE
    if not block:
        fixed |= {"block.present": 0, "block.width": 0, "block.height": 0, "block.count": 0}
    else:
        fixed |= {"block.present": 1, "block.count": rng.randrange(3), "vector": 0}
    returns = spec.access is MemoryAccessKind.LOAD or (spec.access is MemoryAccessKind.ATOMIC and rng.random() < 0.5)
    for name, present in (("dst", returns), ("data", spec.sources > 0)) if spec.access else ():
        fixed |= {f"{name}.null": 0} if present else {f"{name}.null": 1, f"{name}.register": 0}
    if spec.format is InstructionFormat.IMAGE:
        fixed |= {"unit": image_unit(spec).code, "coordinates": rng.choice(coordinate_counts(spec)) - 1}
        fixed |= {"sampler.null": int(not spec.sampler)}
        fixed |= {} if spec.sampler else {"sampler.register": 0, "sampler.byte": 0}
        fixed |= {"cache": 0} if image_unit(spec) is Unit.SAMPLER else {}
    word = 0
    for name, field in layout.items():
        value, last = rng.getrandbits(field.width), name.rpartition(".")[2]
        if name in fixed:
            value = int(fixed[name])
        elif last == "type" and spec.types:
            value = rng.choice(spec.types).code
        elif last == "type":
            value = rng.choice(list(BY_CODE))
        elif last == "kind":
            has_constant = name.replace("kind", "immediate") in layout
            value = KIND_IMMEDIATE if has_constant else rng.choice((0, 0, 0, 3))
        elif last == "immediate":
            value >>= rng.choice((0, 0, field.width // 2, 3 * field.width // 4))
        elif last in _CODES and not (last == "stride" and name.startswith("src")):
            value = rng.choice(_CODES[last])
        word |= value << field.lsb
    return word.to_bytes(WORD_BYTES, "little") + rng.randbytes(8) + bytes(8)


def random_instruction(rng: random.Random, spec: OpSpec) -> Instruction | None:
    """A random instruction that has an encoding; it need not keep the rules of any target."""
    for _ in range(TRIES):
        try:
            return decode_word(random_word(rng, spec))
        except DecodeError:
            pass
    return None


def check_encoding(rng: random.Random, count: int) -> int:
    """Random instructions to bits and back, and to text and back."""
    done = 0
    while done < count:
        instruction = random_instruction(rng, rng.choice(TABLE))
        if instruction is None:
            continue
        data = encode_word(instruction)
        assert decode_word(data) == instruction, data.hex()
        assert encode_word(decode_word(data)) == data, data.hex()
        if not instruction.distances and done % 8 == 0:  # a single instruction has nowhere to go
            text = format_instruction(instruction, grf_bytes=64)
            assert assemble_program(text).instructions[0] == instruction, text
        done += 1
    return done


def check_decoding(rng: random.Random, count: int) -> int:
    """Random bytes, half of them close to an instruction: nothing but an instruction or a `DecodeError` comes out."""
    for number in range(count):
        data = rng.randbytes(2 * WORD_BYTES)
        if number % 2:
            word = bytearray(random_word(rng, rng.choice(TABLE)))
            word[rng.randrange(WORD_BYTES)] ^= 1 << rng.randrange(8)
            data = bytes(word)
        try:
            instruction = decode_word(data)
        except DecodeError:
            continue
        assert encode_word(instruction) == data[: instruction.words * WORD_BYTES], data.hex()
    return count


def check_types() -> int:
    """Every instruction with every legal combination of types, in both engines, against the models."""
    done = 0
    for target in TARGETS.values():
        for spec in COMPUTING:
            done += check_all(spec, target, None, None)
        for spec in MESSAGES:
            for seed, instruction in enumerate(examples(spec, target)):
                check_message(instruction, target, ("interpreter", "jit"), seed)
                done += 1
    return done


def _patterns(rng: random.Random, type: DataType, count: int) -> np.ndarray[tuple[int], np.dtype[np.unsignedinteger]]:
    bits = np.frombuffer(rng.randbytes(count * type.size), f"u{type.size}").copy()
    one = int(encode(1.0, type))
    near = (bits % (1 << type.bits // 2)).astype(bits.dtype) + bits.dtype.type(one) - bits.dtype.type(1 << 6)
    return np.where(np.arange(count) % 2 == 0, bits, near)


def check_math(rng: random.Random, count: int, *, halves: bool) -> int:
    """The math functions of both types; reports how many results are not the nearest number."""
    total = 0
    for mnemonic, name in _PRIMITIVES.items():
        for type in (DataType.HF,) if halves else (DataType.HF, DataType.F):
            first = np.arange(1 << 16, dtype=np.uint16) if halves else _patterns(rng, type, count)
            arguments = [first, _patterns(rng, type, len(first))][: 2 if name == "pow" else 1]
            with np.errstate(all="ignore"):
                result = FLOAT[name](*(argument.view(DTYPES[type]) for argument in arguments))
            bits = canonical_nans(result, type).view(first.dtype)
            worst = wrong = 0
            for index in range(len(first)):
                values = [float(decode(int(argument[index]), type)) for argument in arguments]
                expected = encode(FLOAT_OPERATIONS[mnemonic](*values, type), type)
                difference = abs(int(bits[index]) - expected)
                wrong, worst = wrong + (difference > 0), max(worst, difference)
                assert difference <= 1, (mnemonic, type.text, values, hex(int(bits[index])), hex(expected))
            print(f"{mnemonic:10} {type.text:3} {len(first)} results, {wrong} not nearest, by {worst} at most")
            total += len(first)
    return total


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bulk.isa", description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=("encoding", "decoding", "types", "math"))
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--all-halves", action="store_true", help="every number of hf instead of random numbers")
    options = parser.parse_args(arguments)
    rng = random.Random(options.seed)
    runs: dict[str, Callable[[], int]] = {
        "encoding": lambda: check_encoding(rng, options.count),
        "decoding": lambda: check_decoding(rng, options.count),
        "types": check_types,
        "math": lambda: check_math(rng, options.count, halves=options.all_halves),
    }
    start = time.perf_counter()
    done = runs[options.what]()
    print(f"{options.what}: {done} checked in {time.perf_counter() - start:.1f} s")


if __name__ == "__main__":
    main(sys.argv[1:])
