"""Tests of the devices that an application sees in each hierarchy."""

import os
import subprocess
import sys

import pytest

from runtime import ze
from runtime.ze.driver.system.driver import Driver
from runtime.ze.driver.system.hierarchy import DeviceSelection, Hierarchy, kept_tiles, selection_from
from tests.unit.runtime.ze.kernels import ScriptedSimulator
from xegpu.targets import ARC, PVC

EIGHT = (4, 4)
MIXED = (1, 2)


def kept(tiles: tuple[int, ...], affinity: str | None, hierarchy: str = "COMPOSITE", seed: bool = False) -> list[str]:
    found = kept_tiles(DeviceSelection(Hierarchy[hierarchy], affinity, seed), tiles)
    return ["".join(map(str, tiles)) for tiles in found]


class TestAffinity:
    @pytest.mark.parametrize(
        ("tiles", "mask", "same", "expected"),
        [
            (EIGHT, "FF", None, ["0123", "0123"]),
            (EIGHT, "0F", "0", ["0123", ""]),
            (EIGHT, "F0", "1", ["", "0123"]),
            (EIGHT, "AA", "0.1,0.3,1.1,1.3", ["13", "13"]),
            (EIGHT, "10", "1.0", ["", "0"]),
            (MIXED, "07", None, ["0", "01"]),
            (MIXED, "01", "0", ["0", ""]),
            (MIXED, "06", "1", ["", "01"]),
            (MIXED, "05", "0,1.1", ["0", "1"]),
        ],
    )
    def test_both_forms(self, tiles: tuple[int, ...], mask: str, same: str | None, expected: list[str]) -> None:
        assert kept(tiles, mask, seed=True) == expected
        assert kept(tiles, same) == expected

    def test_hexadecimal_digits_tell_the_form(self) -> None:
        """Digits alone are a number of a device, unless the mask is said to be of the old form."""
        assert kept(EIGHT, "0x10") == ["", "0"]
        assert kept(EIGHT, "f") == ["0123", ""]
        assert kept(EIGHT, "1") == ["", "0123"]
        assert kept(EIGHT, "1", seed=True) == ["0", ""]

    @pytest.mark.parametrize("entry", ["x", "-1", "0.", ".1", "1.2.3", "9", "0.9", "99999999999", "0 1", ""])
    def test_bad_entries_are_ignored(self, entry: str) -> None:
        assert kept(MIXED, f"{entry},1.0") == ["", "0"]
        assert kept(MIXED, f"{entry},") == ["", ""]

    @pytest.mark.parametrize("hierarchy", ["FLAT", "COMBINED"])
    def test_flat_numbers_count_tiles(self, hierarchy: str) -> None:
        assert kept(MIXED, "2", hierarchy) == ["", "1"]
        assert kept(MIXED, "0,1.7", hierarchy) == ["0", "0"]

    def test_order_and_repetition_make_no_difference(self) -> None:
        assert kept(EIGHT, "1.2,0,1.2,1.0") == ["0123", "02"]


def devices(**options: object) -> list[ze.ze_device_handle_t]:
    return ze.zeDeviceGet(Driver((PVC, ARC), ScriptedSimulator, selection=DeviceSelection(**options)))


class TestDevices:
    def test_flat(self) -> None:
        """Every tile is a device that knows nothing of a card."""
        found = devices(hierarchy=Hierarchy.FLAT)
        assert [device.target.name for device in found] == ["pvc", "pvc", "arc"]
        for device in found:
            assert ze.zeDeviceGetSubDevices(device) == []
            assert ze.zeDeviceGetRootDevice(device) is None
            assert ze.zeDeviceGetProperties(device).flags == 0
        assert len({ze.zeDeviceGetProperties(device).uuid for device in found}) == 3

    def test_combined(self) -> None:
        """Every tile is a device and names its card."""
        first, second, arc = devices(hierarchy=Hierarchy.COMBINED)
        card = ze.zeDeviceGetRootDevice(first)
        assert card is not None and ze.zeDeviceGetRootDevice(second) is card
        assert ze.zeDeviceGetRootDevice(arc) is None
        assert ze.zeDeviceGetProperties(second).flags == ze.ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE

    def test_a_card_with_one_tile_left_has_no_sub_devices(self) -> None:
        (device,) = devices(affinity="0.1")
        assert ze.zeDeviceGetSubDevices(device) == []
        assert ze.zeDeviceGetMemoryProperties(device)[0].totalSize == PVC.memory_bytes
        assert ze.zeDeviceGetProperties(device).numSlices == PVC.slices

    def test_order_by_address(self) -> None:
        found = devices(by_address=True)
        assert [device.target.name for device in found] == ["arc", "pvc"]
        buses = [ze.zeDevicePciGetPropertiesExt(device).address.bus for device in found]
        assert buses == sorted(buses)

    def test_objects_work_on_every_kind_of_device(self) -> None:
        for hierarchy in Hierarchy:
            for device in devices(hierarchy=hierarchy):
                context = ze.zeContextCreate(device.driver, ze.ze_context_desc_t())
                pointer = ze.zeMemAllocDevice(context, ze.ze_device_mem_alloc_desc_t(), 64, 0, device)
                assert ze.zeMemGetAllocProperties(context, pointer)[1] is device


class TestEnvironment:
    def test_variables(self) -> None:
        found = selection_from(
            {
                "ZE_FLAT_DEVICE_HIERARCHY": "combined",
                "ZE_AFFINITY_MASK": " 0.1 ",
                "XEGPU_AFFINITY_FORM": "mask",
                "ZE_ENABLE_PCI_ID_DEVICE_ORDER": "1",
            }
        )
        assert found == DeviceSelection(Hierarchy.COMBINED, "0.1", True, True)
        assert selection_from({}) == DeviceSelection()
        assert selection_from({"ZE_AFFINITY_MASK": "default"}) == DeviceSelection()

    @pytest.mark.parametrize("variable", ["ZE_FLAT_DEVICE_HIERARCHY", "XEGPU_AFFINITY_FORM"])
    def test_nonsense_is_named(self, variable: str) -> None:
        with pytest.raises(ValueError, match=f"{variable} is 'sideways'"):
            selection_from({variable: "sideways"})

    @pytest.mark.parametrize(
        ("variables", "expected"),
        [
            ({}, "2 2"),
            ({"ZE_AFFINITY_MASK": "0.1"}, "1 0"),
            ({"ZE_FLAT_DEVICE_HIERARCHY": "FLAT"}, "3 0"),
            ({"ZE_AFFINITY_MASK": "7"}, "ZE_RESULT_ERROR_UNINITIALIZED: ZE_AFFINITY_MASK '7' leaves no device"),
        ],
    )
    def test_a_process_reads_them_at_init(self, variables: dict[str, str], expected: str) -> None:
        program = """
from runtime import ze
try:
    ze.zeInit()
    devices = ze.zeDeviceGet(ze.zeDriverGet()[0])
    print(len(devices), len(ze.zeDeviceGetSubDevices(devices[0])))
except ze.ZeError as error:
    print(error)
"""
        environment = {**os.environ, **variables}
        found = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60, env=environment
        )
        assert found.stdout.strip() == expected
