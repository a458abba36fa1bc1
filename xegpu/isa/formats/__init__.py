"""Instruction formats: everything about a format in one module (`spec.FormatSpec`), and functions for all formats.

A module that is put into this folder is imported here and enters its formats into the table, so that a new format is
known everywhere.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from xegpu.isa.formats.codec import decode, encode
from xegpu.isa.formats.dpas import (
    check_dpas_types,
    dpas_footprint,
    dpas_operand_bytes,
    dpas_registers,
    operations_per_channel,
)
from xegpu.isa.formats.footprint import footprint
from xegpu.isa.formats.image import HANDLE_BYTES, image_spans
from xegpu.isa.formats.message import GATHER_VECTORS, address_bytes, check_message, data_spans, payload_spans
from xegpu.isa.formats.parts.atomics import atomic_type
from xegpu.isa.formats.parts.spans import FIRST_ARCHITECTURE, Footprint, Span, byte_of, is_apart
from xegpu.isa.formats.parts.word import WORD_BYTES, DecodeError, EncodeError
from xegpu.isa.formats.spec import channel_count
from xegpu.isa.formats.validation import check_form, validate, validate_checked

for _module in iter_modules(__path__, f"{__name__}."):
    import_module(_module.name)

__all__ = [
    "FIRST_ARCHITECTURE",
    "GATHER_VECTORS",
    "HANDLE_BYTES",
    "WORD_BYTES",
    "DecodeError",
    "EncodeError",
    "Footprint",
    "Span",
    "address_bytes",
    "atomic_type",
    "byte_of",
    "channel_count",
    "check_dpas_types",
    "check_form",
    "check_message",
    "data_spans",
    "decode",
    "dpas_footprint",
    "dpas_operand_bytes",
    "dpas_registers",
    "encode",
    "footprint",
    "image_spans",
    "is_apart",
    "operations_per_channel",
    "payload_spans",
    "validate",
    "validate_checked",
]
