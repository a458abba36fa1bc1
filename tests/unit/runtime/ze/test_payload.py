"""The layout of cross-thread data, from payload arguments as real compilers write them too."""

import pytest

from runtime.ze.driver.modules.payload import PayloadError, check_payload, write_argument, write_properties
from tests.unit.zebin.support import CODE
from xegpu.isa.model import ArgumentKind, KernelFacts, PayloadSlot
from xegpu.targets import PVC
from zebin import FactsError, ZebinKernel, read_facts
from zebin.elf.constants import SectionType
from zebin.elf.model import Section
from zebin.ze_info import PayloadArgument
from zebin.ze_info.schema import ArgInfo, ExecutionEnv, KernelInfo


def facts_of(entries: list[PayloadArgument], declared: tuple[ArgInfo, ...] = ()) -> KernelFacts:
    """The facts of a kernel with these payload arguments, which can be supplied."""
    info = KernelInfo(name="k", execution_env=ExecutionEnv(grf_count=128, simd_size=16), payload_arguments=entries)
    section = Section(".text.k", SectionType.PROGBITS, data=CODE)  # that of native code binds images
    facts = read_facts(ZebinKernel(info, section, declared, None, None), PVC)
    check_payload(facts)
    return facts


def stateless(index: int, offset: int, **attributes: object) -> PayloadArgument:
    return PayloadArgument(
        arg_type="arg_bypointer",
        offset=offset,
        size=8,
        arg_index=index,
        addrmode="stateless",
        addrspace="global",
        **attributes,
    )


def by_value(index: int, offset: int, size: int, source: int = -1) -> PayloadArgument:
    return PayloadArgument(arg_type="arg_byvalue", offset=offset, size=size, arg_index=index, source_offset=source)


class TestLayout:
    def test_size_is_whole_units(self) -> None:
        """The end of the last argument, rounded up to 32 bytes; nothing at all without arguments."""
        assert facts_of([]).cross_thread_size == 0
        assert facts_of([stateless(0, 0)]).cross_thread_size == 32
        assert facts_of([by_value(0, 60, 8)]).cross_thread_size == 96

    def test_names(self) -> None:
        declared = ArgInfo(
            index=0,
            name="a",
            type_name="memref<4xf32>;8",
            address_qualifier="__global",
            access_qualifier="NONE",
            type_qualifiers="NONE",
        )
        (argument,) = facts_of([stateless(0, 0)], (declared,)).arguments
        assert (argument.name, argument.type_name) == ("a", "memref<4xf32>;8")
        assert facts_of([stateless(0, 0)], (declared,)).label(0) == "0 ('a')"

    def test_structure_in_pieces(self) -> None:
        """The parts of a value passed by value may lie apart."""
        facts = facts_of([by_value(0, 0, 4, 0), by_value(0, 16, 8, 8)])
        (argument,) = facts.arguments
        assert argument.size == 16
        data = bytearray(facts.cross_thread_size)
        write_argument(data, argument, bytes(range(16)))
        assert bytes(data[0:4]) == bytes(range(4))
        assert bytes(data[16:24]) == bytes(range(8, 16))
        assert data.count(0) == 32 - 12 + 1

    def test_stateful_entry_beside_the_stateless_one(self) -> None:
        """Compilers describe a buffer twice; the entry without bytes takes no place."""
        stateful = PayloadArgument(
            arg_type="arg_bypointer", offset=0, size=0, arg_index=0, addrmode="stateful", addrspace="global"
        )
        (argument,) = facts_of([stateful, stateless(0, 32, access_type="readonly")]).arguments
        assert argument.kind is ArgumentKind.POINTER
        assert argument.slots == (PayloadSlot(32, 8),)

    def test_unused_argument_takes_no_place(self) -> None:
        facts = facts_of([by_value(0, 0, 0)])
        write_argument(bytearray(), facts.arguments[0], b"")
        assert facts.cross_thread_size == 0


class TestRefused:
    @pytest.mark.parametrize(("offset", "size"), [(-1, 4), (0, -4), (1 << 16, 1), (0, (1 << 31) - 1)])
    def test_out_of_range(self, offset: int, size: int) -> None:
        with pytest.raises((FactsError, PayloadError), match="out of range"):
            facts_of([by_value(0, offset, size)])

    @pytest.mark.parametrize("indices", [(1,), (0, 2), (-1, 0), (0, 1 << 30)])
    def test_holes(self, indices: tuple[int, ...]) -> None:
        with pytest.raises((FactsError, PayloadError), match="without holes"):
            facts_of([by_value(index, 0, 4) for index in indices])

    def test_unsupplied_kind(self) -> None:
        with pytest.raises((FactsError, PayloadError), match="'rt_global_buffer'"):
            facts_of([PayloadArgument(arg_type="rt_global_buffer", offset=0, size=8)])

    def test_contradiction(self) -> None:
        with pytest.raises((FactsError, PayloadError), match="argument 0"):
            facts_of([by_value(0, 0, 8), stateless(0, 8)])

    @pytest.mark.parametrize(
        ("addrmode", "addrspace"), [("bindless", "local"), ("stateful", "image"), ("slm", "global")]
    )
    def test_unsupported_memory(self, addrmode: str, addrspace: str) -> None:
        entry = PayloadArgument(
            arg_type="arg_bypointer", offset=0, size=8, arg_index=0, addrmode=addrmode, addrspace=addrspace
        )
        with pytest.raises((FactsError, PayloadError), match=addrmode):
            facts_of([entry])

    def test_narrow_pointer(self) -> None:
        entry = PayloadArgument(
            arg_type="arg_bypointer", offset=0, size=4, arg_index=0, addrmode="stateless", addrspace="global"
        )
        with pytest.raises((FactsError, PayloadError), match="pointer of 4 bytes"):
            facts_of([entry])

    @pytest.mark.parametrize(("kind", "size"), [("local_size", 16), ("group_count", 2), ("work_dimensions", 8)])
    def test_implicit_size(self, kind: str, size: int) -> None:
        with pytest.raises((FactsError, PayloadError), match=kind):
            facts_of([PayloadArgument(arg_type=kind, offset=0, size=size)])


def bindless(index: int, offset: int, space: str, size: int = 8, mode: str = "bindless") -> PayloadArgument:
    return PayloadArgument(
        arg_type="arg_bypointer", offset=offset, size=size, arg_index=index, addrmode=mode, addrspace=space
    )


def describing(kind: str, index: int, offset: int, size: int = 4) -> PayloadArgument:
    return PayloadArgument(arg_type=kind, offset=offset, size=size, arg_index=index)


def own_sampler(number: int, offset: int, size: int = 8, mode: str = "bindless") -> PayloadArgument:
    return PayloadArgument(
        arg_type="inline_sampler", offset=offset, size=size, addrmode=mode, addrspace="sampler", sampler_index=number
    )


class TestObjects:
    def test_images_and_samplers_are_states_with_an_address(self) -> None:
        image, sampler = facts_of([bindless(0, 0, "image"), bindless(1, 8, "sampler")]).arguments
        assert (image.kind, image.size, image.slots) == (ArgumentKind.IMAGE, 8, (PayloadSlot(0, 8),))
        assert (sampler.kind, sampler.size, sampler.slots) == (ArgumentKind.SAMPLER, 8, (PayloadSlot(8, 8),))

    def test_numbers_that_describe_them(self) -> None:
        entries = [bindless(0, 0, "image"), describing("image_width", 0, 8), describing("image_height", 0, 16)]
        facts = facts_of([*entries, bindless(1, 24, "image"), describing("image_width", 1, 12)])
        data = bytearray(facts.cross_thread_size)
        write_properties(data, facts, 0, {"image_width": 7, "image_height": 0xFFFFFFFF})
        assert data == bytes(8) + bytes([7, 0, 0, 0]) + bytes(4) + b"\xff" * 4 + bytes(12)

    @pytest.mark.parametrize(
        ("entries", "text"),
        [
            ([bindless(0, 0, "image", mode="stateful")], "stateful image memory is not supported"),
            ([bindless(0, 0, "image", size=4)], "a pointer of 4 bytes, expected 8"),
            ([bindless(0, 0, "local")], "bindless local memory is not supported"),
            ([bindless(0, 0, "image"), bindless(0, 8, "sampler")], "argument 0 is described in contradicting ways"),
            ([bindless(0, 0, "image"), describing("image_width", 0, 8, 8)], "image_width: 8 bytes, expected 4"),
            ([bindless(0, 0, "image"), describing("image_width", 1, 8)], "argument 1 is not of kind image"),
            ([bindless(0, 0, "image"), describing("image_width", -1, 8)], "argument -1 is not of kind image"),
            ([bindless(0, 0, "image"), describing("sampler_address", 0, 8)], "argument 0 is not of kind sampler"),
            (
                [bindless(0, 0, "image"), describing("image_srgb_channel_order", 0, 8)],
                "does not supply 'image_srgb_channel_order'",
            ),
            ([own_sampler(0, 0)], "inline sampler 0 is not described"),
            (
                [own_sampler(0, 0, size=4)],
                "inline sampler 0: 4 bytes in mode bindless, expected 8 bytes",
            ),
            ([own_sampler(1, 0, mode="stateful")], "inline sampler 1: 8 bytes in mode stateful, expected 8 bytes"),
        ],
    )
    def test_refused(self, entries: list[PayloadArgument], text: str) -> None:
        with pytest.raises((FactsError, PayloadError), match=text):
            facts_of(entries)
