"""Images, samplers, their copies, and kernels that use them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import zebin
from runtime import ze
from runtime.simulator import Memory, Simulator
from runtime.ze.driver.modules.arguments import KernelArguments
from runtime.ze.driver.modules.payload import Geometry
from runtime.ze.driver.system.driver import Driver
from tests.unit.runtime.ze.expect import fails
from xegpu.isa import ArgumentKind, CompiledKernel, ImplicitArgument, KernelArgument, KernelFacts, assemble
from xegpu.targets import ARC, PVC, Target

RGBA8 = ze.ze_image_format_t(ze.ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8, ze.ZE_IMAGE_FORMAT_TYPE_UNORM)
R32 = ze.ze_image_format_t(ze.ZE_IMAGE_FORMAT_LAYOUT_32, ze.ZE_IMAGE_FORMAT_TYPE_FLOAT)

COORDINATES = """
    .grf 32
    (W) mul (1|M0) r6.0<1>:ud r0.1<0;1,0>:ud 16:ud
    add (16|M0) r10<1>:ud r1<1;1,0>:uw r6.0<0;1,0>:ud
    add (16|M0) r12<1>:ud r2<1;1,0>:uw r0.6<0;1,0>:ud
"""
"""x in r10 and r11, y in r12 and r13; arguments are in r4."""

COPY = f"""{COORDINATES}
    load_quad.tgm.d32.xyzw.uv (16|M0) r20 bss[r4.0][r10]
    store_quad.tgm.d32.xyzw.uv (16|M0) bss[r4.1][r10] r20
    eot
"""
HALVE = f"""{COORDINATES}
    mov (16|M0) r14<1>:f r10<1;1,0>:ud
    mul (16|M0) r14<1>:f r14<1;1,0>:f 2.0:f
    add (16|M0) r14<1>:f r14<1;1,0>:f 1.0:f
    mov (16|M0) r16<1>:f r12<1;1,0>:ud
    mul (16|M0) r16<1>:f r16<1;1,0>:f 2.0:f
    add (16|M0) r16<1>:f r16<1;1,0>:f 1.0:f
    sample_lz.smpl.d32.x.uv (16|M0) r20 bss[r4.0][r14] sampler[r4.2]
    store_quad.tgm.d32.x.uv (16|M0) bss[r4.1][r10] r20
    eot
"""


def image_argument(name: str, offset: int, access: str) -> KernelArgument:
    return KernelArgument.at(offset, 8, name, "image2d_t", ArgumentKind.IMAGE, access)


IMAGES = (image_argument("source", 0, "readonly"), image_argument("target", 8, "writeonly"))
SAMPLER = KernelArgument.at(16, 8, "sampler", "sampler_t", ArgumentKind.SAMPLER)


def kernel(name: str, text: str, *arguments: KernelArgument) -> CompiledKernel:
    facts = KernelFacts(simd_size=16, grf_count=128, arguments=arguments, local_id_dimensions=3)
    return CompiledKernel(name, facts, assemble(text), 16)


class Bench:
    """An Arc with an engine, and a list that executes at once."""

    def __init__(self, engine: str) -> None:
        def make(target: Target, memory: Memory) -> Simulator:
            return Simulator(target, memory, engine)

        self.driver = Driver((PVC, ARC), make)
        self.pvc, self.arc = ze.zeDeviceGet(self.driver)
        self.context = ze.zeContextCreate(self.driver, ze.ze_context_desc_t())
        synchronous = ze.ze_command_queue_desc_t(mode=ze.ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS)
        self.list = ze.zeCommandListCreateImmediate(self.context, self.arc, synchronous)
        data = zebin.build(ARC, [kernel("copy", COPY, *IMAGES), kernel("halve", HALVE, *IMAGES, SAMPLER)])
        desc = ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, data)
        self.module = ze.zeModuleCreate(self.context, self.arc, desc)[0]

    def image(
        self, width: int, height: int = 1, format: ze.ze_image_format_t = RGBA8, type: int = ze.ZE_IMAGE_TYPE_2D
    ) -> ze.ze_image_handle_t:
        return ze.zeImageCreate(self.context, self.arc, ze.ze_image_desc_t(type, format, width, height))

    def upload(self, image: ze.ze_image_handle_t, texels: np.ndarray) -> None:
        ze.zeCommandListAppendImageCopyFromMemory(self.list, image, np.ascontiguousarray(texels))

    def download(self, image: ze.ze_image_handle_t, like: np.ndarray) -> np.ndarray:
        found = np.zeros_like(like)
        ze.zeCommandListAppendImageCopyToMemory(self.list, found, image)
        return found

    def run(
        self, name: str, arguments: list[ze.ze_image_handle_t | ze.ze_sampler_handle_t], groups: tuple[int, int]
    ) -> None:
        made = ze.zeKernelCreate(self.module, ze.ze_kernel_desc_t(name))
        ze.zeKernelSetGroupSize(made, 16, 1, 1)
        for index, argument in enumerate(arguments):
            ze.zeKernelSetArgumentValue(made, index, 8, argument)
        ze.zeCommandListAppendLaunchKernel(self.list, made, ze.ze_group_count_t(*groups))


@pytest.fixture(params=["interpreter", "jit"])
def bench(request: pytest.FixtureRequest) -> Bench:
    return Bench(request.param)


@pytest.fixture
def plain() -> Bench:
    return Bench("interpreter")


def test_a_kernel_copies_an_image(bench: Bench) -> None:
    texels = np.random.default_rng(0).integers(0, 256, (5, 20, 4), np.uint8)
    source, target = bench.image(20, 5), bench.image(20, 5)
    bench.upload(source, texels)
    bench.run("copy", [source, target], (2, 5))
    assert (bench.download(target, texels) == texels).all()


def test_a_kernel_converts_between_formats(bench: Bench) -> None:
    texels = np.random.default_rng(1).integers(0, 256, (3, 16, 4), np.uint8)
    bgra = ze.ze_image_format_t(
        ze.ZE_IMAGE_FORMAT_LAYOUT_16_16_16_16,
        ze.ZE_IMAGE_FORMAT_TYPE_FLOAT,
        ze.ZE_IMAGE_FORMAT_SWIZZLE_B,
        ze.ZE_IMAGE_FORMAT_SWIZZLE_G,
        ze.ZE_IMAGE_FORMAT_SWIZZLE_R,
    )
    source, target = bench.image(16, 3), bench.image(16, 3, bgra)
    bench.upload(source, texels)
    bench.run("copy", [source, target], (1, 3))
    halves = (texels.astype(np.float32) / np.float32(255)).astype(np.float16)
    expected = np.ascontiguousarray(halves[:, :, [2, 1, 0, 3]])
    assert (bench.download(target, expected) == expected).all()


def test_a_kernel_halves_an_image_with_a_linear_filter(bench: Bench) -> None:
    texels = np.random.default_rng(2).integers(-100, 100, (6, 40)).astype(np.float32)
    source, target = bench.image(40, 6, R32), bench.image(20, 3, R32)
    mode = ze.ze_sampler_desc_t(ze.ZE_SAMPLER_ADDRESS_MODE_CLAMP, ze.ZE_SAMPLER_FILTER_MODE_LINEAR)
    sampler = ze.zeSamplerCreate(bench.context, bench.arc, mode)
    bench.upload(source, texels)
    bench.run("halve", [source, target, sampler], (2, 3))
    expected = texels.reshape(3, 2, 20, 2).mean((1, 3), dtype=np.float32)
    assert (bench.download(target, expected) == expected).all()
    ze.zeSamplerDestroy(sampler)


@pytest.mark.parametrize("name", ["source", "target"])
def test_a_destroyed_image_is_found_out_when_a_kernel_uses_it(plain: Bench, name: str) -> None:
    images = {"source": plain.image(4, 4), "target": plain.image(4, 4)}
    made = ze.zeKernelCreate(plain.module, ze.ze_kernel_desc_t("copy"))
    for index, image in enumerate(images.values()):
        ze.zeKernelSetArgumentValue(made, index, 8, image)
    ze.zeImageDestroy(images[name])
    with fails("DEVICE_LOST", "bad surface state in kernel 'copy': no live memory holds a surface state"):
        ze.zeCommandListAppendLaunchKernel(plain.list, made, ze.ze_group_count_t(1))


def test_arguments_take_objects_of_their_kind(plain: Bench) -> None:
    made = ze.zeKernelCreate(plain.module, ze.ze_kernel_desc_t("halve"))
    image = plain.image(4)
    sampler = ze.zeSamplerCreate(plain.context, plain.arc, ze.ze_sampler_desc_t(0, 0))
    with fails("INVALID_ARGUMENT", "argument 0 ('source'): is of kind 'image', <sampler"):
        ze.zeKernelSetArgumentValue(made, 0, 8, sampler)
    with fails("INVALID_ARGUMENT", "argument 2 ('sampler'): is of kind 'sampler', 5 is not"):
        ze.zeKernelSetArgumentValue(made, 2, 8, 5)
    ze.zeKernelSetArgumentValue(made, 0, 4, image)  # as Intel's driver, which looks at the handle alone
    ze.zeImageDestroy(image)
    with fails("INVALID_ARGUMENT", "already destroyed"):
        ze.zeKernelSetArgumentValue(made, 0, 8, image)


# Creation ------------------------------------------------------------------------------------------------------------


def desc(type: int = 2, format: ze.ze_image_format_t = RGBA8, **others: int) -> ze.ze_image_desc_t:
    return ze.ze_image_desc_t(type, format, **{"width": 4, **others})


@pytest.mark.parametrize(
    ("wrong", "result", "text"),
    [
        (desc(type=6), "INVALID_ENUMERATION", "6 is not a value of ze_image_type_t"),
        (desc(format=ze.ze_image_format_t(77, 0)), "INVALID_ENUMERATION", "ze_image_format_layout_t"),
        (desc(format=ze.ze_image_format_t(0, 5)), "INVALID_ENUMERATION", "ze_image_format_type_t"),
        (desc(format=ze.ze_image_format_t(0, 0, 7)), "INVALID_ENUMERATION", "ze_image_format_swizzle_t"),
        (
            desc(format=ze.ze_image_format_t(ze.ZE_IMAGE_FORMAT_LAYOUT_IA44, 2)),
            "UNSUPPORTED_IMAGE_FORMAT",
            "LAYOUT_IA44",
        ),
        (desc(format=ze.ze_image_format_t(0, 4)), "UNSUPPORTED_IMAGE_FORMAT", "LAYOUT_8 with FLOAT channels"),
        (desc(width=16385), "UNSUPPORTED_SIZE", "at most (16384, 16384, 1)"),
        (desc(type=3, arraylevels=2049), "UNSUPPORTED_SIZE", "at most (16384, 16384, 2048)"),
        (desc(miplevels=2), "UNSUPPORTED_FEATURE", "2 mip levels"),
        (None, "INVALID_NULL_POINTER", "desc"),
    ],
)
def test_images_that_cannot_be(plain: Bench, wrong: ze.ze_image_desc_t, result: str, text: str) -> None:
    with fails(result, text):
        ze.zeImageCreate(plain.context, plain.arc, wrong)
    with fails(result, text):
        ze.zeImageGetProperties(plain.arc, wrong)


def test_a_device_without_images(plain: Bench) -> None:
    assert ze.zeDeviceGetImageProperties(plain.pvc) == ze.ze_device_image_properties_t()
    with fails("UNSUPPORTED_FEATURE", "pvc has no images"):
        ze.zeImageCreate(plain.context, plain.pvc, desc())
    with fails("UNSUPPORTED_FEATURE", "pvc has no images"):
        ze.zeImageGetProperties(plain.pvc, desc())
    with fails("UNSUPPORTED_FEATURE", "pvc has no samplers"):
        ze.zeSamplerCreate(plain.context, plain.pvc, ze.ze_sampler_desc_t(0, 0))


def test_properties(plain: Bench) -> None:
    limits = ze.zeDeviceGetImageProperties(plain.arc)
    assert (limits.maxImageDims1D, limits.maxImageDims2D, limits.maxImageDims3D) == (16384, 16384, 2048)
    assert (limits.maxImageBufferSize, limits.maxImageArraySlices, limits.maxSamplers) == (1 << 27, 2048, 16)
    linear = ze.ZE_IMAGE_SAMPLER_FILTER_FLAG_POINT | ze.ZE_IMAGE_SAMPLER_FILTER_FLAG_LINEAR
    assert ze.zeImageGetProperties(plain.arc, desc()).samplerFilterFlags == linear
    integers = ze.ze_image_format_t(ze.ZE_IMAGE_FORMAT_LAYOUT_32, ze.ZE_IMAGE_FORMAT_TYPE_SINT)
    found = ze.zeImageGetProperties(plain.arc, desc(format=integers)).samplerFilterFlags
    assert found == ze.ZE_IMAGE_SAMPLER_FILTER_FLAG_POINT


@pytest.mark.parametrize("wrong", [ze.ze_sampler_desc_t(5, 0), ze.ze_sampler_desc_t(0, 2)])
def test_samplers_that_cannot_be(plain: Bench, wrong: ze.ze_sampler_desc_t) -> None:
    with fails("INVALID_ENUMERATION"):
        ze.zeSamplerCreate(plain.context, plain.arc, wrong)


def test_an_image_takes_memory_of_its_device(plain: Bench) -> None:
    before = plain.arc.local_bytes
    image = plain.image(64, 8)
    assert plain.arc.local_bytes == before + 64 * 8 * 4
    ze.zeImageDestroy(image)
    assert plain.arc.local_bytes == before
    three = desc(type=ze.ZE_IMAGE_TYPE_3D, width=16384, height=16384, depth=2048)
    with fails("OUT_OF_DEVICE_MEMORY"):
        ze.zeImageCreate(plain.context, plain.arc, three)
    ze.zeCommandListDestroy(plain.list)
    ze.zeModuleDestroy(plain.module)
    ze.zeContextDestroy(plain.context)


# Copies --------------------------------------------------------------------------------------------------------------


def test_regions(plain: Bench) -> None:
    texels = np.arange(6 * 8, dtype=np.float32).reshape(6, 8)
    image, other = plain.image(8, 6, R32), plain.image(8, 6, R32)
    plain.upload(image, texels)
    plain.upload(other, np.zeros_like(texels))
    box, there = ze.ze_image_region_t(2, 1, 0, 3, 4, 1), ze.ze_image_region_t(5, 2, 0, 3, 4, 1)
    ze.zeCommandListAppendImageCopyRegion(plain.list, other, image, there, box)
    expected = np.zeros_like(texels)
    expected[2:6, 5:8] = texels[1:5, 2:5]
    assert (plain.download(other, texels) == expected).all()
    part = np.zeros((4, 3), np.float32)
    ze.zeCommandListAppendImageCopyToMemory(plain.list, part, image, box)
    assert (part == texels[1:5, 2:5]).all()
    ze.zeCommandListAppendImageCopyFromMemory(plain.list, image, -part, box)
    texels[1:5, 2:5] *= -1
    assert (plain.download(image, texels) == texels).all()
    ze.zeCommandListAppendImageCopy(plain.list, other, image)
    assert (plain.download(other, texels) == texels).all()


def test_pitches(plain: Bench) -> None:
    wide = np.arange(4 * 10, dtype=np.float32).reshape(4, 10)
    image = plain.image(6, 4, R32)
    ze.zeCommandListAppendImageCopyFromMemoryExt(plain.list, image, wide, None, 40, 0)
    found = np.zeros((4, 12), np.float32)
    ze.zeCommandListAppendImageCopyToMemoryExt(plain.list, found, image, None, 48, 192)
    assert (found[:, :6] == wide[:, :6]).all()
    assert not found[:, 6:].any()


def test_layers_are_the_axis_behind_those_of_the_image(plain: Bench) -> None:
    format = ze.ze_image_format_t(ze.ZE_IMAGE_FORMAT_LAYOUT_8, ze.ZE_IMAGE_FORMAT_TYPE_UINT)
    array = ze.zeImageCreate(
        plain.context, plain.arc, ze.ze_image_desc_t(ze.ZE_IMAGE_TYPE_1DARRAY, format, 4, arraylevels=3)
    )
    texels = np.arange(12, dtype=np.uint8).reshape(3, 4)
    plain.upload(array, texels)
    layer = np.zeros(4, np.uint8)
    ze.zeCommandListAppendImageCopyToMemory(plain.list, layer, array, ze.ze_image_region_t(0, 1, 0, 4, 1, 1))
    assert (layer == texels[1]).all()


def test_copies_that_cannot_be(plain: Bench) -> None:
    image, small, other = plain.image(8, 8), plain.image(4, 4), plain.image(8, 8, R32)
    with fails("INVALID_ARGUMENT", "pSrcRegion: (4, 1, 1) texels from (5, 0, 0) on leave"):
        ze.zeCommandListAppendImageCopyToMemory(plain.list, bytearray(64), image, ze.ze_image_region_t(5, 0, 0, 4))
    with fails("INVALID_ARGUMENT", "pSrcRegion"):
        ze.zeCommandListAppendImageCopyToMemory(
            plain.list, bytearray(64), image, ze.ze_image_region_t(0, 0, 1, 1, 1, 1)
        )
    with fails("INVALID_ARGUMENT", "do not fit"):
        ze.zeCommandListAppendImageCopy(plain.list, image, small)
    with fails("INVALID_ARGUMENT", "do not fit"):
        ze.zeCommandListAppendImageCopy(plain.list, image, other)
    with fails("OVERLAPPING_REGIONS"):
        ze.zeCommandListAppendImageCopy(plain.list, image, image)
    with fails("INVALID_ARGUMENT", "256 are to be copied"):
        ze.zeCommandListAppendImageCopyFromMemory(plain.list, image, bytes(255))
    with fails("INVALID_ARGUMENT", "pitches of 31 and 248 bytes"):
        ze.zeCommandListAppendImageCopyFromMemoryExt(plain.list, image, bytes(256), None, 31, 0)
    with fails("INVALID_NULL_POINTER", "dstptr"):
        ze.zeCommandListAppendImageCopyToMemory(plain.list, None, image)  # type: ignore[arg-type]  # what C can pass
    driver = Driver((ARC,), Simulator)
    elsewhere = ze.zeContextCreate(driver, ze.ze_context_desc_t())
    foreign = ze.zeImageCreate(elsewhere, ze.zeDeviceGet(driver)[0], desc(width=8, height=8))
    with fails("INVALID_ARGUMENT", "belongs to another driver"):
        ze.zeCommandListAppendImageCopy(plain.list, image, foreign)


def test_parts_of_one_image_that_lie_apart(plain: Bench) -> None:
    image = plain.image(8, 1, R32)
    plain.upload(image, np.arange(8, dtype=np.float32))
    left, right = ze.ze_image_region_t(0, 0, 0, 4), ze.ze_image_region_t(4, 0, 0, 4)
    ze.zeCommandListAppendImageCopyRegion(plain.list, image, image, right, left)
    assert plain.download(image, np.zeros(8, np.float32)).tolist() == [0, 1, 2, 3] * 2


def test_an_image_that_is_destroyed_before_its_copy_runs(plain: Bench) -> None:
    recorded = ze.zeCommandListCreate(plain.context, plain.arc, ze.ze_command_list_desc_t())
    image = plain.image(4)
    ze.zeCommandListAppendImageCopyToMemory(recorded, bytearray(16), image)
    ze.zeCommandListClose(recorded)
    ze.zeImageDestroy(image)
    synchronous = ze.ze_command_queue_desc_t(mode=ze.ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS)
    queue = ze.zeCommandQueueCreate(plain.context, plain.arc, synchronous)
    with fails("DEVICE_LOST", "was destroyed before it ran"):
        ze.zeCommandQueueExecuteCommandLists(queue, [recorded])


def test_residency_changes_nothing(plain: Bench) -> None:
    image = plain.image(4)
    ze.zeContextMakeImageResident(plain.context, plain.arc, image)
    ze.zeContextEvictImage(plain.context, plain.arc, image)
    with fails("INVALID_NULL_HANDLE"):
        ze.zeContextEvictImage(plain.context, plain.arc, None)  # type: ignore[arg-type]  # what C can pass


def test_kernels_are_told_what_images_and_samplers_are(plain: Bench) -> None:
    format = ze.ze_image_format_t(ze.ZE_IMAGE_FORMAT_LAYOUT_8, ze.ZE_IMAGE_FORMAT_TYPE_UINT)
    array = ze.ze_image_desc_t(ze.ZE_IMAGE_TYPE_2DARRAY, format, 6, 5, 9, 3)
    found = ze.zeImageCreate(plain.context, plain.arc, array).properties
    assert found == {
        "image_width": 6,
        "image_height": 5,
        "image_depth": 1,
        "image_array_size": 3,
        "image_num_mip_levels": 1,
        "image_num_samples": 1,
        "image_channel_data_type": 0x10DA,
        "image_channel_order": 0x10B0,
    }
    box = ze.ze_image_desc_t(ze.ZE_IMAGE_TYPE_3D, format, 6, 5, 9, 3)
    found = ze.zeImageCreate(plain.context, plain.arc, box).properties
    assert [found[f"image_{name}"] for name in ("width", "height", "depth", "array_size")] == [6, 5, 9, 1]
    modes = [
        (ze.ZE_SAMPLER_ADDRESS_MODE_NONE, 0),
        (ze.ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, 1),
        (ze.ZE_SAMPLER_ADDRESS_MODE_CLAMP, 2),
        (ze.ZE_SAMPLER_ADDRESS_MODE_REPEAT, 3),
        (ze.ZE_SAMPLER_ADDRESS_MODE_MIRROR, 4),
    ]
    for mode, number in modes:
        desc = ze.ze_sampler_desc_t(mode, ze.ZE_SAMPLER_FILTER_MODE_NEAREST, number % 2 == 1)
        sampler = ze.zeSamplerCreate(plain.context, plain.arc, desc)
        assert sampler.properties["sampler_address"] == number
        assert sampler.properties["sampler_normalized"] == (8 if number % 2 else 0)
        assert sampler.properties["sampler_snap_wa"] == (0xFFFFFFFF if number == 1 else 0)


def test_sizes_of_an_image_are_set_with_it(plain: Bench) -> None:
    description = plain.module.loaded.kernels["copy"].description
    facts = KernelFacts(16, (IMAGES[0],), (ImplicitArgument("image_width", 12, 4, 0),))
    arguments, image = KernelArguments(replace(description, facts=facts)), plain.image(19)
    arguments.set(0, 8, image)
    data, _ = arguments.snapshot(Geometry((1, 1, 1), (1, 1, 1), (0, 0, 0)))
    assert data == image.state.to_bytes(8, "little") + bytes([0, 0, 0, 0, 19]) + bytes(19)
