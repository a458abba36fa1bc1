"""Compilers, their devices, and the syntax of their options."""

from __future__ import annotations

import pytest

from runtime import ze
from runtime.mux import (
    BuiltinCapabilities,
    CompilationOption,
    Info,
    MuxError,
    Result,
    get_compilers,
    get_info,
    infos,
    parse_compilation_options,
)
from runtime.mux.options.syntax import format_compilation_options
from runtime.ze import simulated_driver
from xegpu.targets import TARGETS, Feature

each = pytest.mark.parametrize("name", TARGETS)


class TestEnumeration:
    def test_there_is_a_compiler_for_each_gpu(self) -> None:
        assert [info.device_info.target for info in infos()] == list(TARGETS)

    def test_compilers_are_the_same_objects_at_every_call(self) -> None:
        found: list[Info] = []
        get_compilers(found.append)
        assert all(a is b for a, b in zip(found, infos(), strict=True))
        assert get_info("arc") is found[1]

    def test_an_unknown_gpu_has_none(self) -> None:
        with pytest.raises(ValueError, match="unknown target 'gen9', expected one of: pvc, arc"):
            get_info("gen9")


@each
class TestInfo:
    def test_its_device_is_the_one_that_level_zero_describes(self, name: str) -> None:
        device = ze.zeDeviceGet(simulated_driver((TARGETS[name],), "jit", 1))[0]
        tile = (ze.zeDeviceGetSubDevices(device) or [device])[0]
        properties, compute = ze.zeDeviceGetProperties(tile), ze.zeDeviceGetComputeProperties(tile)
        info = get_info(name).device_info
        assert info.device_name.startswith(properties.name)
        assert info.khronos_vendor_id == properties.vendorId
        assert info.clock_frequency == properties.coreClockRate
        assert info.allocation_size == properties.maxMemAllocSize
        assert (
            info.compute_units == properties.numEUsPerSubslice * properties.numSubslicesPerSlice * properties.numSlices
        )
        assert info.memory_size == ze.zeDeviceGetMemoryProperties(tile)[0].totalSize
        assert info.cache_size == ze.zeDeviceGetCacheProperties(tile)[0].cacheSize
        assert info.shared_local_memory_size == compute.maxSharedLocalMemory
        assert info.max_concurrent_work_items == compute.maxTotalGroupSize
        assert info.sub_group_sizes == compute.subGroupSizes
        assert (info.max_work_group_size_x, info.max_work_group_size_y, info.max_work_group_size_z) == (
            compute.maxGroupSizeX,
            compute.maxGroupSizeY,
            compute.maxGroupSizeZ,
        )
        has_doubles = (
            ze.ze_device_module_flags_t.ZE_DEVICE_MODULE_FLAG_FP64 in ze.zeDeviceGetModuleProperties(tile).flags
        )
        assert bool(info.double_capabilities) == has_doubles

    def test_its_images_are_those_that_level_zero_describes(self, name: str) -> None:
        images = ze.zeDeviceGetImageProperties(ze.zeDeviceGet(simulated_driver((TARGETS[name],), "jit", 1))[0])
        info = get_info(name).device_info
        assert info.image_support == (images.maxImageDims1D > 0)
        assert info.max_image_dimension_1d == images.maxImageDims1D
        assert info.max_image_dimension_2d == images.maxImageDims2D
        assert info.max_image_dimension_3d == images.maxImageDims3D
        assert info.max_image_array_layers == images.maxImageArraySlices
        assert info.max_storage_images == images.maxWriteImageArgs
        assert info.max_sampled_images == images.maxReadImageArgs
        assert info.max_samplers == images.maxSamplers

    def test_its_device_is_plausible(self, name: str) -> None:
        info = get_info(name).device_info
        assert 0 < info.allocation_size <= info.memory_size
        assert info.compute_units > 0
        assert info.max_work_width in info.sub_group_sizes
        assert not info.custom_buffer_capabilities

    def test_it_compiles_kernels_one_by_one(self, name: str) -> None:
        info = get_info(name)
        assert info.supports_deferred_compilation
        assert info.vectorizable
        assert not info.dma_optimizable
        assert not info.scalable_vector_support

    def test_its_options_follow_the_syntax(self, name: str) -> None:
        options = parse_compilation_options(get_info(name).compilation_options)
        assert {option.name: option.takes_value for option in options} == {
            "--subgroup-size": True,
            "--grf-count": True,
            "--no-debug-info": False,
        }

    def test_its_builtins_are_those_of_its_arithmetic(self, name: str) -> None:
        found = get_info(name).get_builtin_capabilities()
        assert BuiltinCapabilities.FP16 in found
        assert (BuiltinCapabilities.FP64 in found) == TARGETS[name].platform.has(Feature.FP64)
        assert BuiltinCapabilities.BITS32 not in found


class TestSyntaxOfOptions:
    def test_options_have_names_values_and_help(self) -> None:
        text = "--dummy-device-option,1,takes an integer value;--dummy-device-flag,0,enables, somehow"
        options = parse_compilation_options(text)
        assert options == (
            CompilationOption("--dummy-device-option", True, "takes an integer value"),
            CompilationOption("--dummy-device-flag", False, "enables, somehow"),
        )
        assert format_compilation_options(options) == text

    def test_no_text_is_no_option(self) -> None:
        assert parse_compilation_options("") == ()

    @pytest.mark.parametrize(
        ("text", "rule"),
        [
            ("-a,1,help", "starts with '--'"),
            ("--,1,help", "starts with '--'"),
            ("a,1,help", "starts with '--'"),
            ("--a b,1,help", "without white space"),
            ("--a\t,1,help", "without white space"),
            (" --a,1,help", "starts with '--'"),
            ("--a,2,help", "by 1 or 0"),
            ("--a,,help", "by 1 or 0"),
            ("--a,yes,help", "by 1 or 0"),
            ("--a,1", "with commas between them"),
            ("--a", "with commas between them"),
            ("--a,1,he\tlp", "without other white space"),
            ("--a,1,help\n", "without other white space"),
            ("--a,1,help;", "with commas between them"),
            ("--a,1,help;;--b,0,help", "with commas between them"),
            ("--a,1,help,--b,0,help;c", "with commas between them"),
            ("--a,1,help;--a,0,help", "listed twice"),
        ],
    )
    def test_each_broken_rule_is_named(self, text: str, rule: str) -> None:
        with pytest.raises(MuxError, match=rule) as caught:
            parse_compilation_options(text)
        assert caught.value.result is Result.INVALID_VALUE

    def test_help_with_a_semicolon_cannot_be_written(self) -> None:
        with pytest.raises(MuxError):
            format_compilation_options([CompilationOption("--a", True, "one; --two,0,three")])
