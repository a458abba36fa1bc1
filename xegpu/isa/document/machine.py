"""Targets, types, conditions and primitives."""

from __future__ import annotations

from xegpu.isa.document.markdown import table
from xegpu.isa.model.operands import Immediate
from xegpu.isa.model.table import PRIMITIVES, Condition
from xegpu.isa.model.types import FLOATS, DataType
from xegpu.targets import TARGETS, Feature


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def targets() -> str:
    rows: list[list[object]] = [
        ["GPU", *(t.title.partition(" (simulated")[0] for t in TARGETS.values())],
        ["bytes of a register", *(t.platform.grf_bytes for t in TARGETS.values())],
        ["flag registers", *(t.platform.flag_registers for t in TARGETS.values())],
        ["double precision", *(_yes(t.platform.has(Feature.FP64)) for t in TARGETS.values())],
        ["columns of a dpas", *(t.platform.dpas.execution_size if t.platform.dpas else 0 for t in TARGETS.values())],
        ["dpas on tf32", *(_yes(t.platform.has(Feature.TF32)) for t in TARGETS.values())],
        ["images and samplers", *(_yes(t.platform.has(Feature.IMAGES)) for t in TARGETS.values())],
        ["2-D block messages", *(_yes(t.platform.block2d is not None) for t in TARGETS.values())],
        ["lanes that gathers are padded to", *(t.platform.physical_simd_width for t in TARGETS.values())],
    ]
    return table(["", *(f"`{name}`" for name in TARGETS)], rows)


def conditions() -> str:
    signs = {"eq": "=", "ne": "!=", "gt": ">", "ge": ">=", "lt": "<", "le": "<="}
    meanings = {text: f"first {sign} second" for text, sign in signs.items()}
    meanings["un"] = "one of them is a NaN (floats only)"
    rows = [[f"`{c.text}`", meanings[c.text], c.code] for c in Condition]
    return table(["Condition", "Holds if", "Code"], rows)


def data_types() -> str:
    kinds = {t: t.kind.value for t in DataType}
    kinds |= {
        DataType.HF: "IEEE binary16",
        DataType.BF: "bfloat16: 8 exponent bits, 7 fraction bits",
        DataType.F: "IEEE binary32",
        DataType.DF: "IEEE binary64",
        DataType.TF32: "8 exponent bits, 10 fraction bits, in the upper 19 bits of a dword",
        DataType.V: "signed immediate vector",
        DataType.UV: "unsigned immediate vector",
        DataType.VF: "immediate vector of floats",
    }
    rows = [[f"`{t.text}`", t.bits, kinds[t], t.code] for t in sorted(DataType, key=lambda t: t.code)]
    return table(["Type", "Bits", "Meaning", "Code"], rows)


def nans() -> str:
    types = sorted(FLOATS, key=lambda t: (t.bits, t.code))
    return ", ".join(f"`{t.text}` {Immediate.of(float('nan'), t).bits:#x}" for t in types)


def primitives() -> str:
    arguments = {1: "a", 2: "a, b", 3: "a, b, c"}
    return table(
        ["Primitive", "Result"], [[f"`{name}({arguments[n]})`", text] for name, (n, text) in PRIMITIVES.items()]
    )
