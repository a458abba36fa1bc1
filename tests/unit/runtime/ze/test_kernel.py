"""Kernels: names, arguments, group sizes, properties."""

import hashlib
import itertools
import struct
from dataclasses import replace

import numpy as np
import pytest

from runtime import ze
from tests.unit.runtime.ze import kernels
from tests.unit.runtime.ze.expect import fails


@pytest.fixture
def launch(immediate, simulator):
    """Launches a kernel on one group and gives the dispatch that the simulator saw."""

    def run(kernel: ze.ze_kernel_handle_t, groups: ze.ze_group_count_t | None = None):
        ze.zeCommandListAppendLaunchKernel(immediate, kernel, groups or ze.ze_group_count_t(1))
        return simulator.dispatches[-1]

    return run


class TestCreate:
    def test_by_exact_name(self, kernel) -> None:
        assert ze.zeKernelGetName(kernel("copy")) == "copy"
        with fails("INVALID_KERNEL_NAME", "no kernel 'Copy'", "'copy', 'empty'"):
            kernel("Copy")

    def test_each_call_makes_another(self, kernel) -> None:
        first, second = kernel("empty"), kernel("empty")
        ze.zeKernelSetGroupSize(first, 8, 1, 1)
        assert (first.group_size, second.group_size) == ((8, 1, 1), (1, 1, 1))

    @pytest.mark.usefixtures("validated")
    def test_parameters(self, module) -> None:
        with fails("INVALID_NULL_POINTER", "desc"):
            ze.zeKernelCreate(module, None)
        with fails("INVALID_NULL_POINTER", "pKernelName"):
            ze.zeKernelCreate(module, ze.ze_kernel_desc_t(None))
        with fails("INVALID_ENUMERATION"):
            ze.zeKernelCreate(module, ze.ze_kernel_desc_t("copy", flags=4))


class TestArguments:
    def test_bytes_are_where_the_binary_wants_them(self, kernel, launch) -> None:
        copy = kernel("copy")
        ze.zeKernelSetArgumentValue(copy, 0, 8, 0x1122334455667788)
        ze.zeKernelSetArgumentValue(copy, 1, 8, struct.pack("<Q", 0xABCD))
        ze.zeKernelSetArgumentValue(copy, 2, 4, -2)
        data = launch(copy).cross_thread
        assert struct.unpack_from("<QQi", data) == (0x1122334455667788, 0xABCD, -2)

    @pytest.mark.parametrize("data", [b"\1\0\0\0", bytearray(b"\1\0\0\0"), memoryview(b"\1\0\0\0"), np.int32(1), 1])
    def test_forms_of_a_value(self, kernel, launch, data) -> None:
        copy = kernel("copy")
        ze.zeKernelSetArgumentValue(copy, 0, 8, None)
        ze.zeKernelSetArgumentValue(copy, 1, 8, None)
        ze.zeKernelSetArgumentValue(copy, 2, 4, data)
        assert struct.unpack_from("<QQi", launch(copy).cross_thread) == (0, 0, 1)

    def test_they_persist_and_are_copied_at_append(self, kernel, new_list, queue, simulator) -> None:
        """A launch keeps the arguments of its append; the next one sees what was set in between."""
        copy, command_list = kernel("copy"), new_list()
        for index, size in enumerate((8, 8, 4)):
            ze.zeKernelSetArgumentValue(copy, index, size, index + 1)
        ze.zeCommandListAppendLaunchKernel(command_list, copy, ze.ze_group_count_t(1))
        ze.zeKernelSetArgumentValue(copy, 2, 4, 99)
        ze.zeCommandListAppendLaunchKernel(command_list, copy, ze.ze_group_count_t(1))
        ze.zeKernelDestroy(copy)
        ze.zeCommandListClose(command_list)
        ze.zeCommandQueueExecuteCommandLists(queue, [command_list])
        ze.zeCommandQueueSynchronize(queue)
        values = [struct.unpack_from("<QQi", dispatch.cross_thread) for dispatch in simulator.dispatches]
        assert values == [(1, 2, 3), (1, 2, 99)]

    @pytest.mark.parametrize("index", [3, -1, 1 << 31])
    def test_index(self, kernel, index: int) -> None:
        with fails("INVALID_KERNEL_ARGUMENT_INDEX", "'copy'", "3 argument(s)", str(index)):
            ze.zeKernelSetArgumentValue(kernel("copy"), index, 8, 0)

    def test_other_sizes(self, kernel, launch) -> None:
        """Sets what a value and an argument have in common, as Intel's driver does; addresses are taken whole."""
        copy = kernel("copy")
        ze.zeKernelSetArgumentValue(copy, 0, 4, 0x1122334455667788)
        ze.zeKernelSetArgumentValue(copy, 1, 16, struct.pack("<QQ", 0xABCD, 1))
        ze.zeKernelSetArgumentValue(copy, 2, 8, -2)
        assert struct.unpack_from("<QQi", launch(copy).cross_thread) == (0x1122334455667788, 0xABCD, -2)
        ze.zeKernelSetArgumentValue(copy, 2, 2, b"\5\6\7\1")
        assert struct.unpack_from("<I", launch(copy).cross_thread, 16) == (0xFFFF0605,)
        ze.zeKernelSetArgumentValue(copy, 2, 1 << 40, None)
        assert struct.unpack_from("<I", launch(copy).cross_thread, 16) == (0,)

    @pytest.mark.usefixtures("validated")
    @pytest.mark.parametrize(("index", "size"), [(0, 4), (0, 16), (2, 8), (2, 0)])
    def test_other_sizes_are_reported(self, kernel, index: int, size: int) -> None:
        with fails("INVALID_KERNEL_ARGUMENT_SIZE", "'copy'", f"argument {index}", f"{size} bytes given"):
            ze.zeKernelSetArgumentValue(kernel("copy"), index, size, bytes(size))

    def test_value_shorter_than_said(self, kernel) -> None:
        for size, value in ((4, b"\0\0"), (0, b""), (-1, None)):
            with fails("INVALID_KERNEL_ARGUMENT_SIZE", "'count'"):
                ze.zeKernelSetArgumentValue(kernel("copy"), 2, size, value)

    @pytest.mark.parametrize("number", [1 << 32, -(1 << 31) - 1])
    def test_number_too_large(self, kernel, number: int) -> None:
        with fails("INVALID_ARGUMENT", "'count'", str(number)):
            ze.zeKernelSetArgumentValue(kernel("copy"), 2, 4, number)

    def test_missing_at_launch(self, kernel, launch) -> None:
        """The error names kernel, argument and type, and nothing runs."""
        copy = kernel("copy")
        ze.zeKernelSetArgumentValue(copy, 0, 8, 0)
        with fails("INVALID_ARGUMENT", "kernel 'copy'", "argument 1 ('target')", "memref<16xf32>"):
            launch(copy)


class TestLocalMemory:
    def test_is_laid_out_behind_the_kernels_own(self, kernel, launch) -> None:
        """Each argument gets its offset, aligned to 16; the launch takes the sum in whole KiB."""
        local = kernel("local")
        ze.zeKernelSetArgumentValue(local, 2, 1000, None)
        ze.zeKernelSetArgumentValue(local, 0, 100, None)
        ze.zeKernelSetArgumentValue(local, 1, 4, np.float32(2))
        dispatch = launch(local)
        assert struct.unpack_from("<Qf4xQ", dispatch.cross_thread) == (0, 2.0, 112)
        assert dispatch.slm_size == 2048

    def test_value_is_ignored(self, kernel, launch) -> None:
        local = kernel("local")
        for index, size in enumerate((100, 4, 0)):
            ze.zeKernelSetArgumentValue(local, index, size, b"\0" * 4)
        assert launch(local).slm_size == 1024

    @pytest.mark.usefixtures("validated")
    def test_takes_no_value_and_some_size(self, kernel) -> None:
        with fails("INVALID_ARGUMENT", "'first'"):
            ze.zeKernelSetArgumentValue(kernel("local"), 0, 8, b"x" * 8)
        with fails("INVALID_KERNEL_ARGUMENT_SIZE", "'first'"):
            ze.zeKernelSetArgumentValue(kernel("local"), 0, 0, None)

    def test_more_than_the_device_has(self, kernel, launch, device) -> None:
        local = kernel("local")
        ze.zeKernelSetArgumentValue(local, 1, 4, None)
        ze.zeKernelSetArgumentValue(local, 2, 16, None)
        ze.zeKernelSetArgumentValue(local, 0, device.target.platform.max_slm_bytes - 2048, None)
        with fails("OUT_OF_DEVICE_MEMORY", "'local'"):
            launch(local)


class TestGeometry:
    def test_implicit_arguments(self, kernel, launch) -> None:
        copy = kernel("copy")
        for index, size in enumerate((8, 8, 4)):
            ze.zeKernelSetArgumentValue(copy, index, size, None)
        ze.zeKernelSetGroupSize(copy, 4, 2, 1)
        dispatch = launch(copy, ze.ze_group_count_t(3, 5, 1))
        assert dispatch.local_size == (4, 2, 1)
        assert dispatch.group_count == (3, 5, 1)
        words = struct.unpack_from("<16I", dispatch.cross_thread, 32)
        assert words[0:3] == (4, 2, 1)
        assert words[3:6] == (3, 5, 1)
        assert words[6:9] == (12, 10, 1)
        assert words[9] == 2
        assert words[10:13] == (0, 0, 0)
        assert words[13:] == (4, 2, 0)

    def test_global_offset(self, kernel, launch) -> None:
        copy = kernel("copy")
        for index, size in enumerate((8, 8, 4)):
            ze.zeKernelSetArgumentValue(copy, index, size, None)
        ze.zeKernelSetGlobalOffsetExp(copy, 7, 8, 9)
        assert struct.unpack_from("<3I", launch(copy).cross_thread, 72) == (7, 8, 9)
        with fails("INVALID_ARGUMENT", "offsetY"):
            ze.zeKernelSetGlobalOffsetExp(copy, 0, -1, 0)

    @pytest.mark.parametrize(("size", "dimensions"), [((1, 1, 1), 1), ((4, 1, 1), 1), ((1, 4, 1), 2), ((1, 1, 4), 3)])
    def test_work_dimensions(self, kernel, launch, size: tuple[int, int, int], dimensions: int) -> None:
        copy = kernel("copy")
        for index, width in enumerate((8, 8, 4)):
            ze.zeKernelSetArgumentValue(copy, index, width, None)
        ze.zeKernelSetGroupSize(copy, *size)
        assert struct.unpack_from("<I", launch(copy).cross_thread, 68) == (dimensions,)


class TestGroupSize:
    @pytest.mark.parametrize("size", [(1, 1, 1), (2, 3, 5), (64, 1, 1), (1, 1, 64)])
    def test_legal(self, kernel, launch, size: tuple[int, int, int]) -> None:
        empty = kernel("empty")
        ze.zeKernelSetGroupSize(empty, *size)
        assert launch(empty).local_size == size

    @pytest.mark.parametrize("size", [(0, 1, 1), (1, 0, 1), (1, 1, -1), (65, 1, 1), (8, 8, 2), (1, 1025, 1)])
    def test_illegal(self, kernel, size: tuple[int, int, int]) -> None:
        """A group of subgroups is limited by the threads that a core holds, each dimension by the device."""
        with fails("INVALID_GROUP_SIZE_DIMENSION", "'empty'", str(size)):
            ze.zeKernelSetGroupSize(kernel("empty"), *size)

    def test_limit_with_256_registers(self, kernel) -> None:
        """Twice the registers, half the threads: 32 threads of 16 work-items."""
        ze.zeKernelSetGroupSize(kernel("wide"), 512, 1, 1)
        with fails("INVALID_GROUP_SIZE_DIMENSION", "512"):
            ze.zeKernelSetGroupSize(kernel("wide"), 513, 1, 1)

    def test_required(self, kernel, launch) -> None:
        """The required size is there from the start, and no other is accepted."""
        sized = kernel("sized")
        assert launch(sized).local_size == (16, 2, 1)
        ze.zeKernelSetGroupSize(sized, 16, 2, 1)
        with fails("INVALID_GROUP_SIZE_DIMENSION", "requires (16, 2, 1)"):
            ze.zeKernelSetGroupSize(sized, 32, 1, 1)


class TestSuggestion:
    @pytest.mark.parametrize(
        "size", [*itertools.product([1, 7, 48, 1000, 65537, 0xFFFFFFFF], [1, 6, 0xFFFFFFFF], [1, 0xFFFFFFFF])]
    )
    @pytest.mark.parametrize("name", ["empty", "wide"])
    def test_is_legal(self, kernel, name: str, size: tuple[int, int, int]) -> None:
        handle = kernel(name)
        suggestion = ze.zeKernelSuggestGroupSize(handle, *size)
        ze.zeKernelSetGroupSize(handle, *suggestion)
        assert all(part <= whole for part, whole in zip(suggestion, size, strict=True))

    def test_divides_and_fills_subgroups(self, kernel) -> None:
        assert ze.zeKernelSuggestGroupSize(kernel("wide"), 1024, 1, 1) == (256, 1, 1)
        assert ze.zeKernelSuggestGroupSize(kernel("wide"), 48, 10, 1) == (48, 5, 1)
        assert ze.zeKernelSuggestGroupSize(kernel("wide"), 50, 1, 1) == (50, 1, 1)

    def test_large_prime_gets_all_the_room(self, kernel) -> None:
        assert ze.zeKernelSuggestGroupSize(kernel("wide"), 65537, 1, 1) == (256, 1, 1)

    def test_required_size_wins(self, kernel) -> None:
        assert ze.zeKernelSuggestGroupSize(kernel("sized"), 7, 7, 7) == (16, 2, 1)

    def test_zero(self, kernel) -> None:
        with fails("INVALID_GLOBAL_WIDTH_DIMENSION"):
            ze.zeKernelSuggestGroupSize(kernel("empty"), 4, 0, 1)


class TestProperties:
    def test_of_a_subgroup_kernel(self, kernel) -> None:
        properties = ze.zeKernelGetProperties(kernel("copy"))
        assert properties.numKernelArgs == 3
        assert (properties.maxSubgroupSize, properties.maxNumSubgroups) == (1, 64)
        required = (properties.requiredGroupSizeX, properties.requiredGroupSizeY, properties.requiredGroupSizeZ)
        assert required == (0, 0, 0)
        assert properties.localMemSize == 0

    def test_of_a_work_item_kernel(self, kernel) -> None:
        properties = ze.zeKernelGetProperties(kernel("sized"))
        assert (properties.maxSubgroupSize, properties.maxNumSubgroups) == (16, 64)
        required = (properties.requiredGroupSizeX, properties.requiredGroupSizeY, properties.requiredGroupSizeZ)
        assert required == (16, 2, 1)
        assert properties.localMemSize == 1024

    def test_uuid(self, module, kernel) -> None:
        """The same for the same kernel in the same binary, and only then."""
        uuid = ze.zeKernelGetProperties(kernel("copy")).uuid
        assert uuid == ze.zeKernelGetProperties(kernel("copy")).uuid
        assert uuid.mid == hashlib.sha256(module.binary()).digest()[:16]
        assert ze.zeKernelGetProperties(kernel("empty")).uuid.kid != uuid.kid

    def test_private_and_spill_memory(self, context, device) -> None:
        spilling = kernels.compiled("spilling")
        spilling = replace(spilling, facts=replace(spilling.facts, spill_size=256, private_size=64))
        desc = ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, kernels.binary(spilling))
        module, _ = ze.zeModuleCreate(context, device, desc)
        properties = ze.zeKernelGetProperties(ze.zeKernelCreate(module, ze.ze_kernel_desc_t("spilling")))
        assert (properties.spillMemSize, properties.privateMemSize) == (256, 64)
        assert device.simulator.descriptions[-1].facts.scratch_size == 320


class TestHints:
    @pytest.mark.usefixtures("validated")
    def test_indirect_access_only_adds(self, kernel) -> None:
        copy = kernel("copy")
        assert ze.zeKernelGetIndirectAccess(copy) == 0
        ze.zeKernelSetIndirectAccess(copy, ze.ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST)
        ze.zeKernelSetIndirectAccess(copy, ze.ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED)
        assert ze.zeKernelGetIndirectAccess(copy) == 5
        with fails("INVALID_ENUMERATION"):
            ze.zeKernelSetIndirectAccess(copy, 8)

    @pytest.mark.usefixtures("validated")
    def test_cache_config(self, kernel) -> None:
        for flags in range(4):
            ze.zeKernelSetCacheConfig(kernel("copy"), flags)
        with fails("INVALID_ENUMERATION"):
            ze.zeKernelSetCacheConfig(kernel("copy"), 4)
