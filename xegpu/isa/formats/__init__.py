"""Instruction formats: fields, encoding, decoding, validation and footprint."""

from __future__ import annotations

from xegpu.isa.formats.footprint import (
    FIRST_ARCHITECTURE,
    Footprint,
    Span,
    byte_of,
    data_spans,
    dpas_footprint,
    dpas_registers,
    footprint,
    image_spans,
    is_apart,
    spans,
)
from xegpu.isa.formats.form import check_form
from xegpu.isa.formats.message_validation import GATHER_VECTORS, atomic_type, check_message
from xegpu.isa.formats.validation import check_dpas_types, dpas_operand_bytes, operations_per_channel, validate

__all__ = [
    "FIRST_ARCHITECTURE",
    "GATHER_VECTORS",
    "Footprint",
    "Span",
    "atomic_type",
    "byte_of",
    "check_dpas_types",
    "check_form",
    "check_message",
    "data_spans",
    "dpas_footprint",
    "dpas_operand_bytes",
    "dpas_registers",
    "footprint",
    "image_spans",
    "is_apart",
    "operations_per_channel",
    "spans",
    "validate",
]
