"""The sequences of the guide of specification 0.91 for samplers, constants, sub-devices, processes and whole cards."""

from __future__ import annotations

from ctypes import c_uint32
from pathlib import Path

import numpy as np
import pytest

from passes.frontends.opencl import find_compiler
from passes.frontends.spirv import assemble
from runtime import mux, ze, zet
from tests.unit.runtime.ze.seed.test_launch_samples import KERNELS, ONE, executed, host_number, kernel_of
from tests.unit.runtime.ze.seed.test_samples import KERNEL, LIST, QUEUE, UINT32_MAX
from xegpu.targets import ARC, PVC

CONSTANT = """
OpCapability Kernel
OpCapability Addresses
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
OpDecorate %factor SpecId 7
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%pointer = OpTypePointer CrossWorkgroup %uint
%type = OpTypeFunction %void %pointer
%factor = OpSpecConstant %uint 2
%k = OpFunction %void None %type
%p = OpFunctionParameter %pointer
%entry = OpLabel
OpStore %p %factor Aligned 4
OpReturn
OpFunctionEnd
"""

SAMPLING = """
kernel void k(sampler_t smoothly, read_only image2d_t source, global float *x) {
  int i = get_global_id(0);
  x[i] = read_imagef(source, smoothly, (float2)(i * 0.5f, 0.5f)).x;
}
"""


@pytest.fixture
def driver() -> ze.ze_driver_handle_t:
    return ze.simulated_driver((PVC, ARC))


def module_of(device: ze.ze_device_handle_t, format: int, data: bytes, **more: object) -> ze.ze_module_handle_t:
    desc = ze.ze_module_desc_t(version=ze.ZE_MODULE_DESC_VERSION_CURRENT, format=format, pInputModule=data, **more)
    return ze.zeModuleCreate(device, desc)[0]


@pytest.mark.skipif(find_compiler() is None, reason="needs clang, which translates OpenCL C")
def test_a_sampler_for_linear_filtering(driver) -> None:
    """Texels are averaged half-way between their centres, and repeated beyond the edge."""
    card = ze.zeDeviceGet(driver)[1]
    code = module_of(card, ze.ZE_MODULE_FORMAT_NATIVE, mux.compile_source(SAMPLING, "arc", "k.cl"))
    desc = ze.ze_sampler_desc_t(
        version=ze.ZE_SAMPLER_DESC_VERSION_CURRENT,
        addressMode=ze.ZE_SAMPLER_ADDRESS_MODE_CLAMP,
        filterMode=ze.ZE_SAMPLER_FILTER_MODE_LINEAR,
        isNormalized=False,
    )
    sampler = ze.zeSamplerCreate(card, desc)
    form = ze.ze_image_format_desc_t(ze.ZE_IMAGE_FORMAT_LAYOUT_32, ze.ZE_IMAGE_FORMAT_TYPE_FLOAT)
    texels = np.array([1, 3, 7, 15], np.float32)
    image_desc = ze.ze_image_desc_t(
        version=ze.ZE_IMAGE_DESC_VERSION_CURRENT, type=ze.ZE_IMAGE_TYPE_2D, format=form, width=4, height=1
    )
    image = ze.zeImageCreate(card, image_desc)
    commands = ze.zeCommandListCreate(card, LIST)
    ze.zeCommandListAppendImageCopyFromMemory(commands, image, texels, None, None, None)
    ze.zeCommandListAppendBarrier(commands, None, None)
    address = ze.zeDriverAllocHostMem(driver, ze.ze_host_mem_alloc_desc_t(), 64, 8)
    kernel = ze.zeKernelCreate(code, ze.ze_kernel_desc_t(version=KERNEL.version, pKernelName="k"))
    ze.zeKernelSetGroupSize(kernel, 9, 1, 1)
    for index, value in enumerate((sampler, image, address)):
        ze.zeKernelSetArgumentValue(kernel, index, 8, value)
    ze.zeCommandListAppendLaunchKernel(commands, kernel, ONE, None, None)
    executed(card, commands)
    found = np.ctypeslib.as_array((c_uint32 * 9).from_address(address)).view(np.float32)
    assert found.tolist() == [1, 1, 2, 3, 5, 7, 11, 15, 15]


@pytest.mark.parametrize("value", [None, 5])
def test_specialization_constants(driver, device, value: int | None) -> None:
    constants = None if value is None else ze.ze_module_constants_t([7], [value.to_bytes(4, "little")])
    code = module_of(device, ze.ZE_MODULE_FORMAT_IL_SPIRV, assemble(CONSTANT), pConstants=constants)
    address, number = host_number(driver, 0)
    commands = ze.zeCommandListCreate(device, LIST)
    ze.zeCommandListAppendLaunchKernel(commands, kernel_of(code, "k", address), ONE, None, None)
    executed(device, commands)
    assert number.value == (2 if value is None else value)


def test_work_for_a_sub_device(driver, device) -> None:
    *_, part = ze.zeDeviceGetSubDevices(device)
    properties = ze.zeDeviceGetProperties(part)
    assert (properties.isSubdevice, properties.subdeviceId) == (True, 1)
    address = ze.zeDriverAllocDeviceMem(driver, ze.ze_device_mem_alloc_desc_t(), 4, 4, part)
    code = module_of(part, ze.ZE_MODULE_FORMAT_MLIR_EXP, KERNELS)
    commands, result = ze.zeCommandListCreate(part, LIST), np.zeros(1, np.uint32)
    ze.zeCommandListAppendMemoryFill(commands, address, b"\2\0\0\0", 4, 4, None)
    ze.zeCommandListAppendBarrier(commands, None, None)
    ze.zeCommandListAppendLaunchKernel(commands, kernel_of(code, "triple", address), ONE, None, None)
    ze.zeCommandListAppendBarrier(commands, None, None)
    ze.zeCommandListAppendMemoryCopy(commands, result, address, 4, None)
    executed(part, commands)
    assert result[0] == 6


def test_groups_that_cooperate(driver, device) -> None:
    code = module_of(device, ze.ZE_MODULE_FORMAT_MLIR_EXP, KERNELS)
    address, number = host_number(driver, 5)
    kernel = kernel_of(code, "triple", address)
    assert ze.zeKernelSuggestMaxCooperativeGroupCount(kernel) > 1
    commands = ze.zeCommandListCreate(device, LIST)
    ze.zeCommandListAppendLaunchCooperativeKernel(commands, kernel, ONE, None, None)
    executed(device, commands)
    assert number.value == 15


def test_memory_of_another_process(driver, device) -> None:
    """Here the process receives its own memory, at another address."""
    address = ze.zeDriverAllocDeviceMem(driver, ze.ze_device_mem_alloc_desc_t(), 4096, 64, device)
    handle = ze.zeDriverGetMemIpcHandle(driver, address)
    received = ze.zeDriverOpenMemIpcHandle(driver, device, handle, ze.ZE_IPC_MEMORY_FLAG_NONE)
    commands, result = ze.zeCommandListCreate(device, LIST), np.zeros(1, np.uint8)
    ze.zeCommandListAppendMemoryFill(commands, received, b"\7", 1, 4096, None)
    ze.zeCommandListAppendBarrier(commands, None, None)
    ze.zeCommandListAppendMemoryCopy(commands, result, address + 4095, 1, None)
    executed(device, commands)
    assert result[0] == 7
    ze.zeDriverCloseMemIpcHandle(driver, received)
    ze.zeDriverFreeMem(driver, address)


def test_events_of_another_process(driver, device) -> None:
    desc = ze.ze_event_pool_desc_t(
        version=ze.ZE_EVENT_POOL_DESC_VERSION_CURRENT,
        flags=ze.ZE_EVENT_POOL_FLAG_IPC | ze.ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
        count=10,
    )
    pool = ze.zeEventPoolCreate(driver, desc, [device])
    received = ze.zeEventPoolOpenIpcHandle(driver, ze.zeEventPoolGetIpcHandle(pool))
    fifth = ze.ze_event_desc_t(
        version=ze.ZE_EVENT_DESC_VERSION_CURRENT,
        index=5,
        signal=ze.ZE_EVENT_SCOPE_FLAG_NONE,
        wait=ze.ZE_EVENT_SCOPE_FLAG_HOST,
    )
    there, here = ze.zeEventCreate(received, fifth), ze.zeEventCreate(pool, fifth)
    code = module_of(device, ze.ZE_MODULE_FORMAT_MLIR_EXP, KERNELS)
    address, number = host_number(driver, 4)
    commands = ze.zeCommandListCreate(device, LIST)
    ze.zeCommandListAppendLaunchKernel(commands, kernel_of(code, "triple", address), ONE, there, None)
    ze.zeCommandListClose(commands)
    ze.zeCommandQueueExecuteCommandLists(ze.zeCommandQueueCreate(device, QUEUE), [commands], None)
    assert ze.zeEventHostSynchronize(here, UINT32_MAX) == ze.ZE_RESULT_SUCCESS
    assert number.value == 12
    ze.zeEventDestroy(there)
    ze.zeEventPoolCloseIpcHandle(received)
    ze.zeEventDestroy(here)
    ze.zeEventPoolDestroy(pool)


@pytest.fixture
def cards(driver, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[ze.ze_device_handle_t]:
    """The handles for system management of the cards, for an administrator."""
    monkeypatch.setenv("XEGPU_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("XEGPU_SYSMAN_RIGHTS", "write")
    return [zet.zetSysmanGet(card, zet.ZET_SYSMAN_VERSION_CURRENT) for card in ze.zeDeviceGet(driver)]


def test_setting_all_fans(cards) -> None:
    """Sets a fixed speed where the fan can be controlled, as the guide does."""
    for card in cards:
        for fan in zet.zetSysmanFanGet(card):
            config = zet.zet_fan_config_t()
            config.mode = zet.ZET_FAN_SPEED_MODE_FIXED
            config.speed = 1200
            config.speedUnits = zet.ZET_FAN_SPEED_UNITS_RPM
            assert zet.zetSysmanFanGetProperties(fan).canControl
            zet.zetSysmanFanSetConfig(fan, config)
    speeds = [
        [zet.zetSysmanFanGetState(fan, zet.ZET_FAN_SPEED_UNITS_RPM) for fan in zet.zetSysmanFanGet(c)] for c in cards
    ]
    assert speeds == [[], [1200]]


def test_showing_fabric_ports(cards) -> None:
    lines = []
    for port in zet.zetSysmanFabricPortGet(cards[0]):
        found, state = zet.zetSysmanFabricPortGetProperties(port), zet.zetSysmanFabricPortGetState(port)
        link, config = zet.zetSysmanFabricPortGetLinkType(port, False), zet.zetSysmanFabricPortGetConfig(port)
        up = "UP" if config.enabled else "DOWN"
        lines.append(
            f"{found.model} {found.subdeviceId} {link.desc} {up} {state.status.name} {state.rxSpeed.maxBandwidth}"
        )
    assert lines == [f"Xe Link {tile} none UP ZET_FABRIC_PORT_STATUS_RED 0" for tile in (0, 1) for _ in range(8)]


def test_limits_of_power(cards) -> None:
    """Shows the limits of domains that can be controlled, and lowers the sustained one, as the guide does."""
    for card in cards:
        domains = zet.zetSysmanPowerGet(card)
        controlled = [domain for domain in domains if zet.zetSysmanPowerGetProperties(domain).canControl]
        assert controlled
        for domain in controlled:
            sustained, burst, peak = zet.zetSysmanPowerGetLimits(domain)
            assert sustained.power <= burst.power <= peak.powerAC
            sustained.power -= 10_000
            zet.zetSysmanPowerSetLimits(domain, sustained, None, None)
            assert zet.zetSysmanPowerGetLimits(domain)[0].power == sustained.power
