"""Reads native instructions from text in the syntax of Intel's assembler."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from typing import TypeVar

from xegpu.isa.native.encoding.codes import (
    ARCHITECTURE,
    DEPTHS,
    FIRST_MACRO_REGISTER,
    FLOAT_TYPES,
    MACRO_REGISTERS,
    PACKED_TYPES,
    PRECISIONS,
    PREDICATES,
    STRIDES,
    TYPE_BITS,
    TYPES,
    UNITS,
    UNNUMBERED,
    UNTYPED,
    VERTICAL_STRIDES,
    VERTICAL_STRIDES_3,
    VXH,
    WIDTHS,
    conditions,
    functions,
    modifiers,
)
from xegpu.isa.native.encoding.forms import MACROS, NativeForm
from xegpu.isa.native.encoding.instruction import NativeInstruction
from xegpu.isa.native.encoding.opcodes import BY_MNEMONIC, NativeOpcode, Part
from xegpu.isa.native.encoding.platforms import NativePlatform
from xegpu.isa.native.encoding.scoreboard import scoreboard_codes
from xegpu.isa.native.text.boolean_functions import TRUTH_TABLES
from xegpu.isa.native.text.formatter import FLAG_OPTIONS, HALF_BITS, TOKEN_SYNCS
from xegpu.isa.native.text.immediates import parse_immediate
from xegpu.isa.notation.scanner import Scanner
from xegpu.records import dataclass

V = TypeVar("V")
_NAME = re.compile(r"[A-Za-z_]\w*")
_FLAG = re.compile(r"f([0-3])\.([01])\b")
_CONDITION = re.compile(r"\((\w\w)\)(?=f[0-3]\.[01])")
_COMBINATION = re.compile(r"\.(\w+)")
_EXECUTION = re.compile(r"\((1|2|4|8|16|32)\|M(\d{1,2})\)")
_SUFFIX = re.compile(r"\.(\w+)")
_FUNCTION = re.compile(r"\.\(([s012&|^~()]+|zeros|ones)\)")
_MATRIX = re.compile(r"\.(\d)x(\d{1,2})\b")
_REGISTER = re.compile(r"r(\d{1,3})\b")
_INDIRECT = re.compile(r"r\[a0\.(\d{1,2})(?:,(-?\d{1,4}))?\]")
_ARCHITECTURE = re.compile(r"([a-z]+?)(\d{1,2})?(?![A-Za-z0-9_])")
_PART = re.compile(r"\.(\d{1,4})\b")
_MACRO = re.compile(r"\.(mme[0-7]|nomme)\b")
_TYPE = re.compile(r":(\w+)")
_STRIDE = re.compile(r"<(\d{1,2})>")
_REGION = re.compile(r"<(?:(\d{1,2});)?(\d{1,2}),(\d)>")
_REGION_3 = re.compile(r"<(\d);(\d)>")
_MODIFIER = re.compile(r"[-~]?(\(abs\))?(?=[a-z])")
_NUMBER = re.compile(r"-?(?:[qs]nan\(0x[0-9A-Fa-f]+\)|inf|0x[0-9A-Fa-f]+|\d[\d.]*(?:e[+-]?\d+)?)(?=:)")
_HEXADECIMAL = re.compile(r"0x([0-9A-Fa-f]{1,8})\b")
_LENGTH = re.compile(r":(\d{1,2})\b")
_TOKENS = re.compile(r"\(((?:\$\d{1,2})(?:,\$\d{1,2})*)?\)")
_LABEL = re.compile(r"[A-Za-z_]\w*|[-+]?\d+")
_OPTION = re.compile(r"[^,}\s]+")
_DWORD = 32
_SIGNED_DWORD = 6
"""The type `d`, which the distances of branches have."""

_MACRO_REGIONS: Mapping[tuple[NativeForm, str], Mapping[str, int]] = {
    (NativeForm.MATH, "dst"): {"stride": 1},
    (NativeForm.MATH, "src0"): {"vstride": 1},
    (NativeForm.MATH, "src1"): {"vstride": 1},
    (NativeForm.MADM, "dst"): {},
    (NativeForm.MADM, "src0"): {"vstride": 2, "hstride": 1},
    (NativeForm.MADM, "src1"): {"vstride": 2, "hstride": 1},
    (NativeForm.MADM, "src2"): {"hstride": 1},
}
"""The regions of macro registers, which the text does not show: contiguous."""


@dataclass
class NativeStatement:
    """An instruction of a text: its opcode, its fields, and the labels of its targets, with columns, by field."""

    platform: NativePlatform
    opcode: NativeOpcode
    line: int
    fields: dict[str, int] = field(default_factory=dict)
    labels: dict[str, tuple[str, int]] = field(default_factory=dict)
    is_compact: bool = False

    def instruction(self, distances: Mapping[str, int]) -> NativeInstruction:
        """Returns the instruction with the distances of its targets in bytes, by field."""
        fields = {**self.fields, **{name: distance & 0xFFFFFFFF for name, distance in distances.items()}}
        return NativeInstruction(self.platform, self.opcode, fields, self.is_compact)


def read_statement(platform: NativePlatform, scanner: Scanner) -> NativeStatement:
    """Reads one instruction. Raises `AssemblyError`."""
    return _Reader(platform, scanner).read()


class _Reader:
    """Reads the parts of one instruction in their order."""

    def __init__(self, platform: NativePlatform, scanner: Scanner) -> None:
        self.platform = platform
        self.scanner = scanner
        self.statement = NativeStatement(platform, BY_MNEMONIC["illegal"], scanner.line)
        self.fields = self.statement.fields
        self.predicate_column = 0

    @property
    def form(self) -> NativeForm:
        return self.statement.opcode.form

    def read(self) -> NativeStatement:
        self._predicate()
        self._mnemonic()
        if self.form not in (NativeForm.ILLEGAL, NativeForm.NOP, NativeForm.SYNC) and not self._is("jmpi"):
            self._execution()
        self._condition()
        self._operands()
        if self.scanner.accept("{"):
            self._options()
        self.scanner.expect_end()
        return self.statement

    def _is(self, mnemonic: str) -> bool:
        return self.statement.opcode.mnemonic == mnemonic

    def _code(self, names: Mapping[int, V], value: V, what: str, column: int) -> int:
        """Returns the number that stands for a value; fails if none does."""
        for code, name in names.items():
            if name == value:
                return code
        self.scanner.fail(f"{value} is no {what} of '{self.statement.opcode.mnemonic}'", column)

    # What stands around the operands

    def _predicate(self) -> None:
        self.predicate_column = self.scanner.column
        if not self.scanner.accept("("):
            return
        if self.scanner.accept("W"):
            self.fields["no_mask"] = 1
            if self.scanner.accept(")"):
                return
            self.scanner.expect("&")
        if self.scanner.accept("~"):
            self.fields["inverted"] = 1
        self._flag()
        column = self.scanner.column
        combination = self.scanner.match(_COMBINATION)
        names = PREDICATES[self.platform]
        self.fields["predicate"] = self._code(names, combination[1] if combination else "", "predicate", column)
        self.scanner.expect(")")

    def _flag(self) -> None:
        column = self.scanner.column
        flag = self.scanner.expect_match(_FLAG, "a flag")
        number = {"flag": int(flag[1]), "flag_half": int(flag[2])}
        if "flag" in self.fields and number != {name: self.fields[name] for name in number}:
            self.scanner.fail("the predicate and the condition name two flags", column)
        self.fields.update(number)

    def _mnemonic(self) -> None:
        column = self.scanner.column
        name = self.scanner.expect_match(_NAME, "an instruction")[0]
        opcode = BY_MNEMONIC.get(name)
        if opcode is None or self.platform not in opcode.platforms:
            self.scanner.fail(f"{self.platform.text} has no instruction '{name}'", column)
        self.statement.opcode = opcode
        if "predicate" in self.fields and Part.PREDICATE not in opcode.parts:
            self.scanner.fail(f"'{name}' takes no predicate", self.predicate_column)
        column = self.scanner.column
        match self.form:
            case NativeForm.SYNC | NativeForm.MATH:
                function = self.scanner.expect_match(_SUFFIX, "a function")[1]
                self.fields["function"] = self._code(functions(self.platform, self.form), function, "function", column)
            case NativeForm.SEND:
                unit = self.scanner.expect_match(_SUFFIX, "a unit")[1]
                self.fields["unit"] = self._code(UNITS, unit, "unit", column)
            case NativeForm.BFN:
                function = self.scanner.expect_match(_FUNCTION, "a boolean function")[1]
                if function not in TRUTH_TABLES:
                    self.scanner.fail(f"({function}) is not the name of a boolean function", column)
                self.fields["table"] = TRUTH_TABLES[function]
            case NativeForm.DPAS:
                shape = self.scanner.expect_match(_MATRIX, "a depth and a repeat count")
                self.fields["depth"] = self._code(DEPTHS, int(shape[1]), "depth", column)
                self.fields["repeat"] = int(shape[2]) - 1
            case NativeForm.BRANCH if self.scanner.accept(".b"):
                self.fields["back"] = 1
            case _:
                pass

    def _execution(self) -> None:
        column = self.scanner.column
        execution = self.scanner.expect_match(_EXECUTION, "an execution size as in (16|M0)")
        self.fields["exec_size"] = int(execution[1]).bit_length() - 1
        offset, rest = divmod(int(execution[2]), self.platform.channels_per_offset)
        if rest or offset * self.platform.channels_per_offset >= _DWORD:
            self.scanner.fail(f"no channel offset M{execution[2]} on {self.platform.text}", column)
        self.fields["channel_offset"] = offset

    def _condition(self) -> None:
        column = self.scanner.column
        condition = self.scanner.match(_CONDITION)
        if condition is None:
            return
        if condition[1] != "eo":
            if Part.CONDITION not in self.statement.opcode.parts:
                self.scanner.fail(f"'{self.statement.opcode.mnemonic}' takes no condition", column)
            self.fields["condition"] = self._code(conditions(self.form), condition[1], "condition", column)
        elif self.form is not NativeForm.MATH or self.fields["function"] not in MACROS:
            self.scanner.fail("(eo) belongs to math.invm and math.rsqtm", column)
        self._flag()

    def _options(self) -> None:
        waits = []
        if self.scanner.accept("}"):
            return
        by_word = {word: name for name, word in FLAG_OPTIONS.items()}
        column = self.scanner.column
        while True:
            option = self.scanner.expect_match(_OPTION, "an option")[0]
            if option == "Compacted":
                self.statement.is_compact = True
            elif option in by_word:
                self.fields[by_word[option]] = 1
            else:
                waits.append(option)
            if not self.scanner.accept(","):
                break
        text = ",".join(waits)
        code = scoreboard_codes(self.platform, self.form).get(text)
        if code is None:
            self.scanner.fail(f"'{text}' is no scoreboard annotation of '{self.statement.opcode.mnemonic}'", column)
        self.fields["scoreboard"] = code
        self.scanner.expect("}")

    # Operands

    def _operands(self) -> None:
        match self.form:
            case NativeForm.ILLEGAL | NativeForm.NOP:
                return
            case NativeForm.SYNC:
                self._sync_operand()
            case NativeForm.JUMP | NativeForm.BRANCH:
                self._targets()
            case NativeForm.CALL:
                self._register("dst", _DWORD)
                self._targets()
            case NativeForm.SEND:
                self._send_operands()
            case _:
                self._destination()
                count = self.statement.opcode.sources
                if self.form is NativeForm.MATH and self.fields["function"] == MACROS[0]:
                    count = 2
                for index in range(count):
                    self._source(f"src{index}")

    def _sync_operand(self) -> None:
        self.fields["dst.stride"] = 1
        column = self.scanner.column
        if functions(self.platform, self.form)[self.fields["function"]] in TOKEN_SYNCS:
            tokens = self.scanner.match(_TOKENS)
            if tokens is not None:
                numbers = [int(token[1:]) for token in (tokens[1] or "").split(",") if token]
                if any(number >= self.platform.tokens for number in numbers):
                    self.scanner.fail(f"{self.platform.text} has {self.platform.tokens} tokens", column)
                value = sum(1 << number for number in set(numbers))
                self.fields.update({"src0.immediate": 1, "src0.type": 2, "src0.imm": value})
                return
        elif (number := self.scanner.match(_HEXADECIMAL)) is not None:
            self.fields.update({"src0.immediate": 1, "src0.type": 2, "src0.imm": int(number[1], 16)})
            return
        self._register("src0", _DWORD)
        if (type := self.scanner.match(_TYPE)) is not None:
            self.fields["src0.type"] = self._code(TYPES, type[1], "type", column)

    def _targets(self) -> None:
        names = ("jip", "uip") if self.form is NativeForm.BRANCH else ("jip",)
        if self.scanner.match(re.compile(r"(?=r\d+\.)")) is not None:
            self._register("src0", _DWORD)
            return
        for name, source in zip(names, ("src0", "src1"), strict=False):
            self.fields[f"{source}.immediate"] = 1
            column = self.scanner.column
            self.statement.labels[name] = (self.scanner.expect_match(_LABEL, "a label")[0], column)

    def _send_operands(self) -> None:
        self._register("dst", None)
        self._register("src0", None)
        self._register("src1", None)
        if (length := self.scanner.match(_LENGTH)) is not None:
            self.fields["src1.length"] = int(length[1])
        if self.scanner.accept("a0."):
            self.fields["ex_desc.indirect"] = 1
            self.fields["ex_desc.subreg"] = int(self.scanner.expect_match(re.compile(r"\d\b"), "a part of a0")[0])
        else:
            descriptor = self.scanner.expect_match(_HEXADECIMAL, "an extended descriptor")
            self.fields["ex_desc"] = int(descriptor[1], 16)
        if self.scanner.accept("a0.0"):
            self.fields["desc.indirect"] = 1
        else:
            self.fields["desc"] = int(self.scanner.expect_match(_HEXADECIMAL, "a descriptor")[1], 16)

    def _destination(self) -> None:
        column = self.scanner.column
        if self.scanner.accept("(sat)"):
            if Part.SATURATE not in self.statement.opcode.parts:
                self.scanner.fail(f"'{self.statement.opcode.mnemonic}' does not saturate", column)
            self.fields["saturate"] = 1
        self._typed_register("dst")

    def _source(self, name: str) -> None:
        column = self.scanner.column
        number = self.scanner.match(_NUMBER)
        if number is not None:
            self._immediate(name, number[0], column)
            return
        modifier = self.scanner.match(_MODIFIER)
        if modifier is not None and modifier[0]:
            if Part.MODIFIERS not in self.statement.opcode.parts:
                self.scanner.fail(f"'{self.statement.opcode.mnemonic}' has no source modifiers", column)
            names = modifiers(self.statement.opcode)
            self.fields[f"{name}.modifier"] = self._code(names, modifier[0], "modifier", column)
        self._typed_register(name)

    def _immediate(self, name: str, text: str, column: int) -> None:
        type = self.scanner.expect_match(_TYPE, "a type")[1]
        is_ternary = self._is_ternary
        code = next((code for code, packed in PACKED_TYPES.items() if packed == type and not is_ternary), None)
        if code is None:
            code = self._code(TYPES, type, "type", column)
        bits = parse_immediate(text, type)
        if bits is None:
            self.scanner.fail(f"{text} is no constant of type '{type}'", column)
        self.fields[f"{name}.immediate"] = 1
        self._set_type(name, code, column)
        if is_ternary:
            self.fields[f"{name}.imm"] = bits & ((1 << HALF_BITS) - 1)
        else:
            self.fields[f"{name}.imm"] = bits * 0x10001 if TYPE_BITS[type] == HALF_BITS else bits

    @property
    def _is_ternary(self) -> bool:
        return self.form in (NativeForm.THREE, NativeForm.MADM, NativeForm.BFN, NativeForm.DPAS)

    def _set_type(self, name: str, code: int, column: int) -> None:
        if not self._is_ternary:
            self.fields[f"{name}.type"] = code
            return
        is_float = code >= FLOAT_TYPES
        if self.fields.setdefault("float", int(is_float)) != is_float:
            self.scanner.fail("the types are all integers or all floats", column)
        self.fields[f"{name}.type"] = code % FLOAT_TYPES

    def _typed_register(self, name: str) -> None:
        """Reads a register with what follows it: a macro register or a region, and the type."""
        column = self.scanner.column
        number = self._register(name, None)
        if self.form is NativeForm.MADM or (self.form is NativeForm.MATH and self.fields["function"] in MACROS):
            macro = self.scanner.expect_match(_MACRO, "a macro register")[1]
            self.fields[f"{name}.mme"] = self._code(MACRO_REGISTERS, macro, "register", column)
            self.fields.update({f"{name}.{part}": code for part, code in _MACRO_REGIONS[self.form, name].items()})
        elif self.form is not NativeForm.DPAS:
            self._stride() if name == "dst" else self._region(name)
        type = self.scanner.expect_match(_TYPE, "a type")[1]
        if self.form is NativeForm.DPAS and name in ("src1", "src2"):
            is_float = bool(self.fields.get("float"))
            self.fields[f"{name}.precision"] = self._code(PRECISIONS[is_float], type, "type", column)
        else:
            self._set_type(name, self._code(TYPES, type, "type", column), column)
        self._set_part(name, number, TYPE_BITS[type], column)

    def _stride(self) -> None:
        column = self.scanner.column
        stride = int(self.scanner.expect_match(_STRIDE, "a stride")[1])
        if self._is_ternary:
            self.fields["dst.stride"] = self._code({0: 1, 1: 2}, stride, "stride", column)
        else:
            self.fields["dst.stride"] = self._code(STRIDES, stride, "stride", column)

    def _region(self, name: str) -> None:
        column = self.scanner.column
        horizontal = f"{name}.hstride"
        if self._is_ternary and name == "src2":
            stride = self.scanner.expect_match(_STRIDE, "a stride")[1]
            self.fields[horizontal] = self._code(STRIDES, int(stride), "stride", column)
            return
        if self._is_ternary:
            region = self.scanner.expect_match(_REGION_3, "a region as in <1;0>")
            self.fields[f"{name}.vstride"] = self._code(VERTICAL_STRIDES_3, int(region[1]), "stride", column)
            self.fields[horizontal] = self._code(STRIDES, int(region[2]), "stride", column)
            return
        region = self.scanner.expect_match(_REGION, "a region as in <8;8,1>")
        vertical = VXH[self.platform]
        if region[1] is not None:
            vertical = self._code(VERTICAL_STRIDES, int(region[1]), "stride", column)
        self.fields[f"{name}.vstride"] = vertical
        self.fields[f"{name}.width"] = self._code(WIDTHS, int(region[2]), "width", column)
        self.fields[horizontal] = self._code(STRIDES, int(region[3]), "stride", column)

    def _register(self, name: str, bits: int | None) -> int:
        """Reads a register and returns the number of its part, which is set if the unit is known: `bits` of it."""
        column = self.scanner.column
        indirect = self.scanner.match(_INDIRECT)
        if indirect is not None:
            limit = 1 << self.platform.address_bits
            offset = int(indirect[2] or 0)
            if not -limit // 2 <= offset < limit // 2:
                self.scanner.fail(f"{offset} is no offset of an address register", column)
            self.fields.update({f"{name}.indirect": 1, f"{name}.addr_reg": int(indirect[1])})
            self.fields[f"{name}.addr_offset"] = offset & (limit - 1)
            return 0
        register = self.scanner.match(_REGISTER)
        if register is not None:
            self.fields.update({f"{name}.file": 1, f"{name}.reg": int(register[1])})
        else:
            self.fields[f"{name}.reg"] = self._architecture_register()
        if self.form is NativeForm.SEND:
            return 0
        part = self.scanner.match(_PART)
        number = int(part[1]) if part is not None else 0
        if bits is not None:
            self._set_part(name, number, bits, column)
        return number

    def _architecture_register(self) -> int:
        column = self.scanner.column
        match = self.scanner.expect_match(_ARCHITECTURE, "a register")
        text, number = match[1], int(match[2] or 0)
        if text == "mme" and self.platform is NativePlatform.XE_HPG and number < 8:
            return FIRST_MACRO_REGISTER | number
        if text not in ARCHITECTURE.values() or (match[2] is None) != (text in UNNUMBERED) or number > 15:
            self.scanner.fail(f"{match[0]} is no register", column)
        return self._code(ARCHITECTURE, text, "register", column) << 4 | number

    def _set_part(self, name: str, part: int, bits: int, column: int) -> None:
        """Sets the byte of a register's part, which is counted in units of `bits`."""
        if not part:
            return
        if not self.fields.get(f"{name}.file") and ARCHITECTURE[self.fields[f"{name}.reg"] >> 4] in UNTYPED:
            bits = 8 * self.platform.untyped_unit
        byte, rest = divmod(part * bits, 8)
        if rest or byte >= self.platform.grf_bytes:
            self.scanner.fail(f"a register has no part {part} of {bits} bits", column)
        self.fields[f"{name}.subreg"] = byte
