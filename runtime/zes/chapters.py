"""Chapters of the reference of system management, in its order, for the declarations of its functions."""

from __future__ import annotations

from runtime.ze.declaration import ApiChapters


class SysmanChapter(ApiChapters):
    """Chapters of the reference of system management."""

    SYSMAN_DRIVER = "Sysman: Driver"
    SYSMAN_DEVICE = "Sysman: Device"
    PCI = "Sysman: PCI"
    EVENTS = "Sysman: Events"
    ECC = "Sysman: ECC"
    SCHEDULER = "Sysman: Scheduler"
    PERFORMANCE_FACTOR = "Sysman: Performance Factor"
    STANDBY = "Sysman: Standby"
    ENGINE = "Sysman: Engine"
    POWER = "Sysman: Power"
    FREQUENCY = "Sysman: Frequency"
    OVERCLOCK = "Sysman: Overclock"
    TEMPERATURE = "Sysman: Temperature"
    FAN = "Sysman: Fan"
    PSU = "Sysman: Power Supply"
    SYSMAN_MEMORY = "Sysman: Memory"
    FABRIC = "Sysman: Fabric"
    RAS = "Sysman: RAS"
    FIRMWARE = "Sysman: Firmware"
    DIAGNOSTICS = "Sysman: Diagnostics"
    LED = "Sysman: LED"
    VIRTUAL_FUNCTIONS = "Sysman: Virtual Functions"


GETS = "UNINITIALIZED"
"""The result of functions of a device that was not made for system management."""

SETS = "INSUFFICIENT_PERMISSIONS NOT_AVAILABLE"
"""The results of functions that set something: by a user without rights, and while another process does not go on."""
