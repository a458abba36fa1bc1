"""Instruction formats: everything about a format in one module (`spec.FormatSpec`), and functions for all formats.

A module that is put into this folder is imported here and enters its formats into the table, so that a new format is
known everywhere.
"""

import sys

from xegpu.discovery import import_modules
from xegpu.isa.formats.codec import decode as decode, encode as encode
from xegpu.isa.formats.dpas import (
    check_dpas_types as check_dpas_types,
    dpas_footprint as dpas_footprint,
    dpas_operand_bytes as dpas_operand_bytes,
    dpas_registers as dpas_registers,
    operations_per_channel as operations_per_channel,
)
from xegpu.isa.formats.footprint import footprint as footprint
from xegpu.isa.formats.image import HANDLE_BYTES as HANDLE_BYTES, image_spans as image_spans
from xegpu.isa.formats.message import (
    GATHER_VECTORS as GATHER_VECTORS,
    address_bytes as address_bytes,
    check_message as check_message,
    data_spans as data_spans,
    payload_spans as payload_spans,
)
from xegpu.isa.formats.parts.atomics import atomic_type as atomic_type
from xegpu.isa.formats.parts.spans import (
    FIRST_ARCHITECTURE as FIRST_ARCHITECTURE,
    Footprint as Footprint,
    Span as Span,
    byte_of as byte_of,
    is_apart as is_apart,
)
from xegpu.isa.formats.parts.word import (
    WORD_BYTES as WORD_BYTES,
    DecodeError as DecodeError,
    EncodeError as EncodeError,
)
from xegpu.isa.formats.spec import channel_count as channel_count
from xegpu.isa.formats.validation import (
    check_form as check_form,
    validate as validate,
    validate_checked as validate_checked,
)

import_modules(sys.modules[__name__])
