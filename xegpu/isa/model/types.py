"""Data types of operands."""

from __future__ import annotations

from enum import Enum

from xegpu.targets import Feature


class TypeKind(Enum):
    """The interpretation of the bits of a type."""

    UNSIGNED = "unsigned"
    SIGNED = "signed"
    FLOAT = "float"


class DataType(Enum):
    """An operand type: name in assembly, code in the encoding (vISA's where vISA has one), size in bits, kind.

    The last column names what GPUs need to have the type.
    """

    UD = ("ud", 0, 32, TypeKind.UNSIGNED)
    D = ("d", 1, 32, TypeKind.SIGNED)
    UW = ("uw", 2, 16, TypeKind.UNSIGNED)
    W = ("w", 3, 16, TypeKind.SIGNED)
    UB = ("ub", 4, 8, TypeKind.UNSIGNED)
    B = ("b", 5, 8, TypeKind.SIGNED)
    DF = ("df", 6, 64, TypeKind.FLOAT, Feature.FP64)
    F = ("f", 7, 32, TypeKind.FLOAT)
    V = ("v", 8, 32, TypeKind.SIGNED)
    """Immediate vector of eight signed 4-bit integers; channel i reads element i mod 8 as a word."""
    VF = ("vf", 9, 32, TypeKind.FLOAT)
    """Immediate vector of four floats of 8 bits; channel i reads element i mod 4 as an f."""
    UQ = ("uq", 11, 64, TypeKind.UNSIGNED)
    UV = ("uv", 12, 32, TypeKind.UNSIGNED)
    """Immediate vector of eight unsigned 4-bit integers; channel i reads element i mod 8 as a word."""
    Q = ("q", 13, 64, TypeKind.SIGNED)
    HF = ("hf", 14, 16, TypeKind.FLOAT)
    BF = ("bf", 15, 16, TypeKind.FLOAT)
    TF32 = ("tf32", 16, 32, TypeKind.FLOAT, Feature.TF32)
    U4 = ("u4", 17, 4, TypeKind.UNSIGNED)
    S4 = ("s4", 18, 4, TypeKind.SIGNED)
    U2 = ("u2", 19, 2, TypeKind.UNSIGNED)
    S2 = ("s2", 20, 2, TypeKind.SIGNED)

    def __init__(self, text: str, code: int, bits: int, kind: TypeKind, feature: Feature | None = None):
        self.text = text
        self.code = code
        self.bits = bits
        self.kind = kind
        self.feature = feature
        self.size = bits // 8
        """The bytes of one element in a register."""
        self.is_float = kind is TypeKind.FLOAT
        self.is_signed = kind is TypeKind.SIGNED

    __hash__ = object.__hash__
    """Enum's own hashes the name, in Python: sets and tables of types are looked at all the time."""

    def __repr__(self) -> str:
        return f"DataType.{self.name}"


BY_TEXT = {t.text: t for t in DataType}
BY_CODE = {t.code: t for t in DataType}

INTEGERS = frozenset(
    {
        DataType.UB,
        DataType.B,
        DataType.UW,
        DataType.W,
        DataType.UD,
        DataType.D,
        DataType.UQ,
        DataType.Q,
    }
)
_INTEGERS = {(t.bits, t.is_signed): t for t in INTEGERS}
FLOATS = frozenset({DataType.HF, DataType.BF, DataType.F, DataType.DF})
CANONICAL_NANS = {
    DataType.HF: 0x7E00,
    DataType.BF: 0x7FC0,
    DataType.F: 0x7FC00000,
    DataType.TF32: 0x7FC00000,
    DataType.DF: 0x7FF8000000000000,
}
"""The bits of the quiet NaN that operations return: positive, with no payload."""

PACKED_AS = {DataType.V: DataType.W, DataType.UV: DataType.UW, DataType.VF: DataType.F}
"""Immediate vectors to the type of the elements that channels read."""

PACKED_IMMEDIATES = frozenset(PACKED_AS)
SUB_BYTE = frozenset({DataType.U4, DataType.S4, DataType.U2, DataType.S2})


def integer(bits: int, signed: bool) -> DataType:
    """Returns the integer type of 8, 16, 32 or 64 bits."""
    return _INTEGERS[bits, signed]
