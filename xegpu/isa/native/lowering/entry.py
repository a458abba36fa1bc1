"""The begin of kernels whose code does not say where the registers are filled."""

from __future__ import annotations

from xegpu.isa.formats import DecodeError
from xegpu.isa.model.operands import CONTROL
from xegpu.isa.native.encoding import codes
from xegpu.isa.native.encoding.instruction import decode_native
from xegpu.isa.native.layouts.forms import NativeForm
from xegpu.targets import Platform


def filled_at(platform: Platform, code: bytes) -> int:
    """Returns the offset behind the loads of the payload, 0 if there are none.

    The vector compute compiler loads it in front of all else, and sets the modes of arithmetic next.
    """
    if platform.native is None:
        return 0
    offset, behind = 0, 0
    while offset < len(code):
        try:
            native = decode_native(platform, code, offset)
        except DecodeError:
            return 0
        sets_modes = not native["dst.file"] and native["dst.reg"] == CONTROL.number
        form = native.opcode.form
        if native.opcode.is_branch or (form is not NativeForm.SEND and sets_modes):
            break
        offset += native.size
        if form is NativeForm.SEND and codes.UNITS[native["unit"]] == platform.native.payload.unit:
            behind = offset
    return behind
