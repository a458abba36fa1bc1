"""Firmware (specification: Sysman firmware). Flashing keeps the checksum of an image, which is its version."""

from __future__ import annotations

import zlib

from runtime.ze.declaration import api
from runtime.ze.driver import Device, live, required
from runtime.ze.spec import ZeError, ze_result_t
from runtime.zes.chapters import GETS, SETS, SysmanChapter
from runtime.zes.spec import zes_firmware_properties_t
from runtime.zes.system.access import card_of, invalid, require_rights, unsupported
from runtime.zes.system.components import FirmwarePart, components

_SIGNATURE = b"$FPT"
"""The first bytes of an image: those of a table of partitions."""

_FACTORY = "simulated-1.0"

_MOST_BYTES = 64 << 20


_READ = "look at firmware"


@api(SysmanChapter.FIRMWARE, f"{GETS} INSUFFICIENT_PERMISSIONS", seed="zetSysmanFirmwareGet")
def zesDeviceEnumFirmwares(hDevice: Device) -> list[FirmwarePart]:
    """Returns the firmware of a card: that of the GPU, and the option ROM."""
    card = card_of(hDevice)
    require_rights(_READ)
    return components(card, FirmwarePart)


@api(SysmanChapter.FIRMWARE, "INSUFFICIENT_PERMISSIONS", seed="zetSysmanFirmwareGetProperties")
def zesFirmwareGetProperties(hFirmware: FirmwarePart) -> zes_firmware_properties_t:
    """Returns name and version: that of the factory, or the checksum of the image that was flashed."""
    firmware = live(hFirmware, FirmwarePart)
    checksum = checksum_of(firmware)
    version = f"simulated-{checksum:08x}" if checksum else _FACTORY
    return zes_firmware_properties_t(firmware.onSubdevice, firmware.subdeviceId, True, firmware.name, version)


def checksum_of(firmware: FirmwarePart) -> int:
    """Returns the checksum of the image that was flashed; 0 for the firmware of the factory.

    Raises:
        ZeError: `INSUFFICIENT_PERMISSIONS`.
    """
    require_rights(_READ)
    return int(firmware.number("checksum", 0))


@api(SysmanChapter.FIRMWARE, f"{SETS} INVALID_SIZE", pointers="pImage", seed="zetSysmanFirmwareFlash")
def zesFirmwareFlash(hFirmware: FirmwarePart, pImage: bytes, size: int) -> None:
    """Flashes an image, of which the card keeps the checksum.

    Raises:
        ZeError: `INVALID_SIZE` for a size that is not that of the image or too large, `INVALID_ARGUMENT` if it does not
            begin with `$FPT`.
    """
    firmware = live(hFirmware, FirmwarePart)
    required(pImage, "pImage")
    require_rights("flash firmware")
    if not 0 < size <= min(len(pImage), _MOST_BYTES):
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE, f"an image of {size} bytes, {len(pImage)} are there")
    if not pImage.startswith(_SIGNATURE):
        raise invalid(f"the image begins with {pImage[:4]!r}, expected {_SIGNATURE!r}")
    checksum = zlib.crc32(pImage[:size])
    log = f"{firmware.board.settings.text(firmware.key('log'), '')}flashed {size} bytes, checksum {checksum:08x}\n"
    firmware.set(checksum=checksum, log=log[-_MOST_LOG:], progress=100)


_MOST_LOG = 1024
"""The characters of a log that are kept."""


@api(SysmanChapter.FIRMWARE, since=(1, 8))
def zesFirmwareGetFlashProgress(hFirmware: FirmwarePart) -> int:
    """Returns the percentage of the latest flashing that is done: 100, and 0 if nothing was ever flashed."""
    return int(live(hFirmware, FirmwarePart).number("progress", 0))


@api(SysmanChapter.FIRMWARE, since=(1, 9))
def zesFirmwareGetConsoleLogs(hFirmware: FirmwarePart) -> str:
    """Returns a line for each image that was flashed, the latest ones last."""
    firmware = live(hFirmware, FirmwarePart)
    return firmware.board.settings.text(firmware.key("log"), "")


@api(SysmanChapter.FIRMWARE, "UNSUPPORTED_FEATURE", since=(1, 9), note="Images for simulated cards are not signed.")
def zesFirmwareGetSecurityVersionExp(hFirmware: FirmwarePart) -> str:
    """Raises `UNSUPPORTED_FEATURE`: images are not signed."""
    raise unsupported(f"{live(hFirmware, FirmwarePart)!r} has no security version")


@api(SysmanChapter.FIRMWARE, "UNSUPPORTED_FEATURE", since=(1, 9), note="Images for simulated cards are not signed.")
def zesFirmwareSetSecurityVersionExp(hFirmware: FirmwarePart) -> None:
    """Raises `UNSUPPORTED_FEATURE`: images are not signed."""
    raise unsupported(f"{live(hFirmware, FirmwarePart)!r} has no security version")
