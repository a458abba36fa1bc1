"""Reads operands of native instructions."""

from __future__ import annotations

import re
from collections.abc import Mapping

from xegpu.isa.native.encoding.codes import (
    ARCHITECTURE,
    FLOAT_TYPES,
    MACRO_REGISTERS,
    PACKED_TYPES,
    PRECISIONS,
    STRIDES,
    TYPE_BITS,
    TYPES,
    UNNUMBERED,
    UNTYPED,
    VERTICAL_STRIDES,
    VERTICAL_STRIDES_3,
    WIDTHS,
    modifiers,
)
from xegpu.isa.native.layouts.forms import MACROS, NativeForm
from xegpu.isa.native.layouts.opcodes import Part
from xegpu.isa.native.text.formatter import HALF_BITS
from xegpu.isa.native.text.immediates import parse_immediate
from xegpu.isa.native.text.statements import PartReader

_REGISTER = re.compile(r"r(\d{1,3})\b")
_INDIRECT = re.compile(r"r\[a0\.(\d{1,2})(?:,(-?\d{1,4}))?\]")
_ARCHITECTURE = re.compile(r"([a-z]+?)(\d{1,2})?(?![A-Za-z0-9_])")
_PART = re.compile(r"\.(\d{1,4})\b")
_MACRO = re.compile(r"\.(mme[0-7]|nomme)\b")
_MACRO_REGION = re.compile(r"<1;1,0>")
_TYPE = re.compile(r":(\w+)")
_STRIDE = re.compile(r"<(\d{1,2})>")
_REGION = re.compile(r"<(?:(\d{1,2});)?(\d{1,2}),(\d)>")
_REGION_3 = re.compile(r"<(\d);(\d)>")
_MODIFIER = re.compile(r"[-~]?(\(abs\))?(?=[a-z])")
_NUMBER = re.compile(r"-?(?:[qs]nan\(0x[0-9A-Fa-f]+\)|inf|0x[0-9A-Fa-f]+|\d[\d.]*(?:e[+-]?\d+)?)(?=:)")

_MACRO_REGIONS: Mapping[tuple[NativeForm, str], Mapping[str, int]] = {
    (NativeForm.MATH, "dst"): {"stride": 1},
    (NativeForm.MATH, "src0"): {"vstride": 1},
    (NativeForm.MATH, "src1"): {"vstride": 1},
    (NativeForm.MADM, "dst"): {},
    (NativeForm.MADM, "src0"): {"vstride": 2, "hstride": 1},
    (NativeForm.MADM, "src1"): {"vstride": 2, "hstride": 1},
    (NativeForm.MADM, "src2"): {"hstride": 1},
}
"""The regions of macro registers, which only sources of `math` may show, as today's assembler does: contiguous."""


class OperandReader(PartReader):
    """Reads destinations and sources."""

    def destination(self) -> None:
        column = self.scanner.column
        if self.scanner.accept("(sat)"):
            if Part.SATURATE not in self.statement.opcode.parts:
                self.scanner.fail(f"'{self.statement.opcode.mnemonic}' does not saturate", column)
            self.fields["saturate"] = 1
        self._typed_register("dst")

    def source(self, name: str) -> None:
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
            self.fields[f"{name}.modifier"] = self.code(names, modifier[0], "modifier", column)
        self._typed_register(name)

    def _immediate(self, name: str, text: str, column: int) -> None:
        type = self.scanner.expect_match(_TYPE, "a type")[1]
        is_ternary = self._is_ternary
        code = next((code for code, packed in PACKED_TYPES.items() if packed == type and not is_ternary), None)
        if code is None:
            code = self.code(TYPES, type, "type", column)
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
        number = self.register(name, None)
        if self.form is NativeForm.MADM or (self.form is NativeForm.MATH and self.fields["function"] in MACROS):
            macro = self.scanner.expect_match(_MACRO, "a macro register")[1]
            self.fields[f"{name}.mme"] = self.code(MACRO_REGISTERS, macro, "register", column)
            self.fields.update({f"{name}.{part}": code for part, code in _MACRO_REGIONS[self.form, name].items()})
            if self.form is NativeForm.MATH and name != "dst":
                self.scanner.match(_MACRO_REGION)
        elif self.form is not NativeForm.DPAS:
            self._stride() if name == "dst" else self._region(name)
        type = self.scanner.expect_match(_TYPE, "a type")[1]
        if self.form is NativeForm.DPAS and name in ("src1", "src2"):
            is_float = bool(self.fields.get("float"))
            self.fields[f"{name}.precision"] = self.code(PRECISIONS[is_float], type, "type", column)
        else:
            self._set_type(name, self.code(TYPES, type, "type", column), column)
        self._set_part(name, number, TYPE_BITS[type], column)

    def _stride(self) -> None:
        column = self.scanner.column
        stride = int(self.scanner.expect_match(_STRIDE, "a stride")[1])
        if self._is_ternary:
            self.fields["dst.stride"] = self.code({0: 1, 1: 2}, stride, "stride", column)
        else:
            self.fields["dst.stride"] = self.code(STRIDES, stride, "stride", column)

    def _region(self, name: str) -> None:
        column = self.scanner.column
        horizontal = f"{name}.hstride"
        if self._is_ternary and name == "src2":
            stride = self.scanner.expect_match(_STRIDE, "a stride")[1]
            self.fields[horizontal] = self.code(STRIDES, int(stride), "stride", column)
            return
        if self._is_ternary:
            region = self.scanner.expect_match(_REGION_3, "a region as in <1;0>")
            self.fields[f"{name}.vstride"] = self.code(VERTICAL_STRIDES_3, int(region[1]), "stride", column)
            self.fields[horizontal] = self.code(STRIDES, int(region[2]), "stride", column)
            return
        region = self.scanner.expect_match(_REGION, "a region as in <8;8,1>")
        vertical = self.encoding.indirect_rows
        if region[1] is not None:
            vertical = self.code(VERTICAL_STRIDES, int(region[1]), "stride", column)
        self.fields[f"{name}.vstride"] = vertical
        self.fields[f"{name}.width"] = self.code(WIDTHS, int(region[2]), "width", column)
        self.fields[horizontal] = self.code(STRIDES, int(region[3]), "stride", column)

    def register(self, name: str, bits: int | None) -> int:
        """Reads a register and returns the number of its part, which is set if the unit is known: `bits` of it."""
        column = self.scanner.column
        indirect = self.scanner.match(_INDIRECT)
        if indirect is not None:
            limit = 1 << self.encoding.address_bits
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
        if text == "mme" and self.encoding.first_macro_register is not None and number < 8:
            return self.encoding.first_macro_register | number
        if text not in ARCHITECTURE.values() or (match[2] is None) != (text in UNNUMBERED) or number > 15:
            self.scanner.fail(f"{match[0]} is no register", column)
        return self.code(ARCHITECTURE, text, "register", column) << 4 | number

    def _set_part(self, name: str, part: int, bits: int, column: int) -> None:
        """Sets the byte of a register's part, which is counted in units of `bits`."""
        if not part:
            return
        if not self.fields.get(f"{name}.file") and ARCHITECTURE[self.fields[f"{name}.reg"] >> 4] in UNTYPED:
            bits = 8 * self.encoding.untyped_unit
        byte, rest = divmod(part * bits, 8)
        if rest or byte >= self.statement.platform.grf_bytes:
            self.scanner.fail(f"a register has no part {part} of {bits} bits", column)
        self.fields[f"{name}.subreg"] = byte
