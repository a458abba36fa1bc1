"""Messages to images: text, bits, the rules that they keep, and the states that they name."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from tests.unit.xegpu.isa.programs import images
from xegpu.isa import (
    BY_MNEMONIC,
    AssemblyError,
    DecodeError,
    IllegalInstruction,
    Instruction,
    InstructionFormat,
    assemble_program,
    decode,
    encode,
    format_instruction,
    validate,
)
from xegpu.isa.formats import image_spans
from xegpu.isa.formats.spec import all_layouts
from xegpu.isa.model.operands import NULL, grf
from xegpu.isa.model.surface_states import LAYOUTS, SHAPES, SamplerState, SurfaceState
from xegpu.isa.model.table import TABLE
from xegpu.targets import ARC, PVC

IMAGES = [spec.mnemonic for spec in TABLE if spec.format is InstructionFormat.IMAGE]
LOAD = "load_quad.tgm.d32.xyzw.uv (16|M0) r20 bss[r4.2][r10]"
SAMPLE = "sample_lz.smpl.d32.yw.uv (8|M0) r20 bss[r4.2][r10] sampler[r4.3]"


def one(line: str) -> Instruction:
    return assemble_program(line, grf_bytes=ARC.platform.grf_bytes).instructions[0]


@pytest.mark.parametrize("mnemonic", IMAGES)
@given(data=st.data())
def test_text_and_bits_say_the_same(mnemonic: str, data: st.DataObject) -> None:
    instruction = data.draw(images(ARC, BY_MNEMONIC[mnemonic]))
    validate(instruction, ARC, 128)
    assert decode(encode(instruction)) == instruction
    for grf_bytes in (None, ARC.platform.grf_bytes):
        assert one(format_instruction(instruction, grf_bytes=grf_bytes)) == instruction


@pytest.mark.parametrize(
    "text",
    [
        "load_quad.tgm.d32.xyzw.uv (16|M0) r20:8 bss[r4.2][r10:4]",
        "(~f0.1) store_quad.tgm.d32.xz.u.wt.wb (8|M8) bss[r4.0][r10:1] r20:2",
        "ld.smpl.d32.w.uvrl (32|M0) r20:4 bss[r4.3][r40:16]",
        "(W) sample_lz.smpl.d32.yw.uv (8|M0) r20:2 bss[r4.2][r10:2] sampler[r4.3]",
        "sample_l.smpl.d32.xyz.uvrl (1|M4) r20:3 bss[r4.2][r10:4] sampler[r5.0]",
    ],
)
def test_canonical_text(text: str) -> None:
    assert format_instruction(one(text), grf_bytes=ARC.platform.grf_bytes) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            LOAD.replace(".uv", ""),
            "1:1: expected unit, size, components and coordinates such as load_quad.tgm.d32.xyzw.uvrl",
        ),
        (SAMPLE.replace(".uv", ""), "such as sample_lz.smpl.d32.xyzw.uvr"),
        (LOAD.replace("xyzw", "yx"), "1:1: no message '.tgm.d32.yx.uv'"),
        (LOAD.replace("xyzw", "rgba"), "no message '.tgm.d32.rgba.uv'"),
        (LOAD.replace(".uv ", ".ur "), "no message '.tgm.d32.xyzw.ur'"),
        (LOAD.replace("d32", "d16"), "no message '.tgm.d16.xyzw.uv'"),
        (LOAD.replace("tgm", "ugm"), "is a message to tgm, not ugm"),
        (LOAD.replace(".uv ", ".uv.wb.wb "), "no cache control 'wb.wb' for load_quad"),
        (SAMPLE.replace(".uv ", ".uv.ca.ca "), "no such cache control for this message"),
        (SAMPLE.replace(".uv ", ".uvrl "), "4 coordinates, expected u or uv or uvr"),
        (SAMPLE.replace("sample_lz", "sample_l"), "2 coordinates, expected uvrl"),
        (LOAD.replace("bss", "bti"), "1:39: expected bss[...], found 'bti'"),
        (LOAD.replace("r4.2", "r4.4"), "subregister outside of a register of 32 bytes"),
        (LOAD.replace("[r10]", "[r10:3]"), "the message uses 4 registers here, not 3"),
        (SAMPLE.partition(" sampler")[0], "expected a state such as sampler[r4.2]"),
        (f"{LOAD} sampler[r4.3]", "unexpected"),
        (LOAD.replace("r20", "null"), "unknown register 'null'"),
    ],
)
def test_text_that_is_none(text: str, message: str) -> None:
    with pytest.raises(AssemblyError) as caught:
        one(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (LOAD.replace("r20", "r121"), "256 bytes from byte 0 of r121 leave the 128 registers of 32 bytes"),
        (LOAD.replace("[r10]", "[r126]"), "128 bytes from byte 0 of r126 leave the 128 registers"),
        (LOAD.replace("r4.2", "r4.4b"), "byte 4 of r4 is not aligned to 8"),
        (LOAD.replace("r4.2", "r128.0"), "8 bytes from byte 0 of r128 leave the 128 registers"),
    ],
)
def test_rules_of_a_target(text: str, message: str) -> None:
    with pytest.raises(IllegalInstruction, match=message):
        validate(one(text), ARC, 128)


def test_targets_without_images_have_no_such_messages() -> None:
    instruction = assemble_program(LOAD).instructions[0]
    with pytest.raises(IllegalInstruction, match="pvc has no images"):
        validate(instruction, PVC, 128)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"image": None}, "needs message fields, a surface and coordinates"),
        ({"surface": None}, "needs message fields, a surface and coordinates"),
        ({"address": None}, "needs message fields, a surface and coordinates"),
        ({"sampler": None}, "needs a sampler"),
        ({"returned": None}, "needs a register to return to"),
        ({"data": grf(1)}, "takes no data"),
        ({"address": grf(1, 4)}, "registers of a message are whole general registers"),
        ({"surface": NULL}, "a handle is a qword of a general register"),
        ({"target": 16}, "has no target"),
    ],
)
def test_the_form_of_an_instruction(changes: dict[str, object], message: str) -> None:
    with pytest.raises(IllegalInstruction, match=message):
        encode(replace(one(SAMPLE), **changes))  # type: ignore[arg-type]  # any field


def test_messages_to_memory_have_no_surface() -> None:
    instruction = one("load.ugm.d32.a64 (8|M0) r20 flat[r10]")
    with pytest.raises(IllegalInstruction, match="load: has no surface"):
        encode(replace(instruction, surface=grf(4)))


@pytest.mark.parametrize(
    ("field", "bits", "message"),
    [
        ("unit", 1, "unit has no value 12"),
        ("unit", 2, "is a message to tgm, not ugm"),
        ("channels", 15, "channel mask 0x0, expected at least one of xyzw"),
        ("dst.null", 1, "a null dst names a register"),
        ("data.null", 1, "takes no data"),
        ("data.register", 1, "a null data names a register"),
        ("sampler.null", 1, "takes no sampler"),
        ("sampler.byte", 8, "a null sampler names a register"),
    ],
)
def test_fields_that_do_not_go_together(field: str, bits: int, message: str) -> None:
    word = int.from_bytes(encode(one(LOAD)), "little") ^ bits << all_layouts()["image"][field].lsb
    with pytest.raises(DecodeError, match=message):
        decode(word.to_bytes(16, "little"))


def test_bits_that_no_field_has_are_zero() -> None:
    used = {field.lsb + bit for field in all_layouts()["image"].values() for bit in range(field.width)}
    word = int.from_bytes(encode(one(LOAD)), "little")
    for bit in set(range(128)) - used:
        with pytest.raises(DecodeError, match="reserved bits are set"):
            decode((word ^ 1 << bit).to_bytes(16, "little"))


def test_what_a_message_touches() -> None:
    coordinates, data, returned = image_spans(one(LOAD), ARC)
    assert [(s.start, s.size) for s in coordinates] == [(320, 64), (384, 64)]
    assert data == ()
    assert [(s.start, s.size) for s in returned] == [(640, 64), (704, 64), (768, 64), (832, 64)]
    _, _, few = image_spans(one(SAMPLE.replace("(8|M0)", "(1|M0)")), ARC)
    assert [(s.start, s.size) for s in few] == [(640, 4), (672, 4)]


def test_every_layout_fills_its_texel() -> None:
    for layout in LAYOUTS:
        assert sum(layout.bits) == 8 * layout.texel_bytes
        assert layout.texel_bytes in (1, 2, 4, 8, 16)
        assert layout.types


@given(st.binary(min_size=64, max_size=64))
def test_any_bytes_are_a_surface_state_that_packs_to_them(record: bytes) -> None:
    state = SurfaceState.unpack(record)
    assert state.pack() == record
    assert state.broken_rule() is not None


@given(st.binary(min_size=16, max_size=16))
def test_any_bytes_are_a_sampler_state_that_packs_to_them(record: bytes) -> None:
    state = SamplerState.unpack(record)
    assert state.pack() == record
    assert state.broken_rule() is not None


def test_the_largest_surfaces_keep_the_rules() -> None:
    for type, shape in SHAPES.items():
        width, height, depth = shape.limits
        state = SurfaceState(type, 8, 4, width, height, depth, 1 << 40, 16 * width, 16 * width * height)
        assert state.broken_rule() is None
        assert state.extent == 16 * width * height * depth
