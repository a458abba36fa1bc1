"""Reads native instructions from text in the syntax of Intel's assembler."""

from __future__ import annotations

import re

from xegpu.isa.native.encoding.codes import (
    DEPTHS,
    TYPES,
    UNITS,
    conditions,
    functions,
)
from xegpu.isa.native.encoding.scoreboard import scoreboard_codes
from xegpu.isa.native.layouts.forms import MACROS, NativeForm
from xegpu.isa.native.layouts.opcodes import BY_MNEMONIC, Part
from xegpu.isa.native.text.boolean_functions import TRUTH_TABLES
from xegpu.isa.native.text.formatter import FLAG_OPTIONS, TOKEN_SYNCS
from xegpu.isa.native.text.operands import OperandReader
from xegpu.isa.native.text.statements import NativeStatement, PartReader
from xegpu.isa.notation.scanner import Scanner
from xegpu.targets import Platform

_NAME = re.compile(r"[A-Za-z_]\w*")
_FLAG = re.compile(r"f([0-3])\.([01])\b")
_CONDITION = re.compile(r"\((\w\w)\)(?=f[0-3]\.[01])")
_COMBINATION = re.compile(r"\.(\w+)")
_EXECUTION = re.compile(r"\((1|2|4|8|16|32)\|M(\d{1,2})\)")
_SUFFIX = re.compile(r"\.(\w+)")
_FUNCTION = re.compile(r"\.\(([s012&|^~()]+|zeros|ones)\)")
_MATRIX = re.compile(r"\.(\d)x(\d{1,2})\b")
_TYPE = re.compile(r":(\w+)")
_HEXADECIMAL = re.compile(r"0x([0-9A-Fa-f]{1,8})\b")
_LENGTH = re.compile(r":(\d{1,2})\b")
_TOKENS = re.compile(r"\(((?:\$\d{1,2})(?:,\$\d{1,2})*)?\)")
_LABEL = re.compile(r"[A-Za-z_]\w*|[-+]?\d+")
_OPTION = re.compile(r"[^,}\s]+")
_DWORD = 32


def read_statement(platform: Platform, scanner: Scanner) -> NativeStatement:
    """Reads one instruction. Raises `AssemblyError`."""
    return _Reader(NativeStatement(platform, BY_MNEMONIC["illegal"], scanner.line), scanner).read()


class _Reader(PartReader):
    """Reads the parts of one instruction in their order."""

    def __init__(self, statement: NativeStatement, scanner: Scanner) -> None:
        super().__init__(statement, scanner)
        self.operands = OperandReader(statement, scanner)
        self.predicate_column = 0

    def read(self) -> NativeStatement:
        self._predicate()
        self._mnemonic()
        if (
            self.form not in (NativeForm.ILLEGAL, NativeForm.NOP, NativeForm.SYNC)
            and self.statement.opcode.mnemonic != "jmpi"
        ):
            self._execution()
        self._condition()
        self._operands()
        if self.scanner.accept("{"):
            self._options()
        self.scanner.expect_end()
        return self.statement

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
        names = self.encoding.predicates
        self.fields["predicate"] = self.code(names, combination[1] if combination else "", "predicate", column)
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
        if opcode is None or not self.encoding.has(opcode):
            self.scanner.fail(f"{self.encoding.name} has no instruction '{name}'", column)
        self.statement.opcode = opcode
        if "predicate" in self.fields and Part.PREDICATE not in opcode.parts:
            self.scanner.fail(f"'{name}' takes no predicate", self.predicate_column)
        column = self.scanner.column
        match self.form:
            case NativeForm.SYNC | NativeForm.MATH:
                function = self.scanner.expect_match(_SUFFIX, "a function")[1]
                self.fields["function"] = self.code(functions(self.encoding, self.form), function, "function", column)
            case NativeForm.SEND:
                unit = self.scanner.expect_match(_SUFFIX, "a unit")[1]
                self.fields["unit"] = self.code(UNITS, unit, "unit", column)
            case NativeForm.BFN:
                function = self.scanner.expect_match(_FUNCTION, "a boolean function")[1]
                if function not in TRUTH_TABLES:
                    self.scanner.fail(f"({function}) is not the name of a boolean function", column)
                self.fields["table"] = TRUTH_TABLES[function]
            case NativeForm.DPAS:
                shape = self.scanner.expect_match(_MATRIX, "a depth and a repeat count")
                self.fields["depth"] = self.code(DEPTHS, int(shape[1]), "depth", column)
                self.fields["repeat"] = int(shape[2]) - 1
            case NativeForm.BRANCH if self.scanner.accept(".b"):
                self.fields["back"] = 1
            case _:
                pass

    def _execution(self) -> None:
        column = self.scanner.column
        execution = self.scanner.expect_match(_EXECUTION, "an execution size as in (16|M0)")
        self.fields["exec_size"] = int(execution[1]).bit_length() - 1
        offset, rest = divmod(int(execution[2]), self.encoding.channels_per_offset)
        if rest or offset * self.encoding.channels_per_offset >= _DWORD:
            self.scanner.fail(f"no channel offset M{execution[2]} on {self.encoding.name}", column)
        self.fields["channel_offset"] = offset

    def _condition(self) -> None:
        column = self.scanner.column
        condition = self.scanner.match(_CONDITION)
        if condition is None:
            return
        if condition[1] != "eo":
            if Part.CONDITION not in self.statement.opcode.parts:
                self.scanner.fail(f"'{self.statement.opcode.mnemonic}' takes no condition", column)
            self.fields["condition"] = self.code(conditions(self.form), condition[1], "condition", column)
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
        code = scoreboard_codes(self.encoding, self.form).get(text)
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
                self.operands.register("dst", _DWORD)
                self._targets()
            case NativeForm.SEND:
                self._send_operands()
            case _:
                self.operands.destination()
                count = self.statement.opcode.sources
                if self.form is NativeForm.MATH and self.fields["function"] == MACROS[0]:
                    count = 2
                for index in range(count):
                    self.operands.source(f"src{index}")

    def _sync_operand(self) -> None:
        self.fields["dst.stride"] = 1
        column = self.scanner.column
        if functions(self.encoding, self.form)[self.fields["function"]] in TOKEN_SYNCS:
            tokens = self.scanner.match(_TOKENS)
            if tokens is not None:
                numbers = [int(token[1:]) for token in (tokens[1] or "").split(",") if token]
                if any(number >= self.encoding.tokens for number in numbers):
                    self.scanner.fail(f"{self.encoding.name} has {self.encoding.tokens} tokens", column)
                value = sum(1 << number for number in set(numbers))
                self.fields.update({"src0.immediate": 1, "src0.type": 2, "src0.imm": value})
                return
        elif (number := self.scanner.match(_HEXADECIMAL)) is not None:
            self.fields.update({"src0.immediate": 1, "src0.type": 2, "src0.imm": int(number[1], 16)})
            return
        self.operands.register("src0", _DWORD)
        if (type := self.scanner.match(_TYPE)) is not None:
            self.fields["src0.type"] = self.code(TYPES, type[1], "type", column)

    def _targets(self) -> None:
        names = ("jip", "uip") if self.form is NativeForm.BRANCH else ("jip",)
        if self.scanner.match(re.compile(r"(?=r\d+\.)")) is not None:
            self.operands.register("src0", _DWORD)
            return
        for name, source in zip(names, ("src0", "src1"), strict=False):
            self.fields[f"{source}.immediate"] = 1
            column = self.scanner.column
            self.statement.labels[name] = (self.scanner.expect_match(_LABEL, "a label")[0], column)

    def _send_operands(self) -> None:
        self.operands.register("dst", None)
        self.operands.register("src0", None)
        self.operands.register("src1", None)
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
