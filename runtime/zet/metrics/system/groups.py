"""Metric groups and metrics of devices, and which of them are active."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from runtime.ze.driver import Activity, Device, Handle
from runtime.ze.spec import ZeError, ze_result_t
from runtime.zet.metrics.spec import zet_metric_group_sampling_type_flags_t
from runtime.zet.metrics.system.table import GROUPS, GroupRow, MetricRow
from xegpu.targets import Target

ENABLE = ("ZET_ENABLE_METRICS", "ZE_ENABLE_METRICS")
"""The environment variables that enable metrics, today's and that of specification 0.91."""

EVENT_BASED = zet_metric_group_sampling_type_flags_t.ZET_METRIC_GROUP_SAMPLING_TYPE_FLAG_EVENT_BASED
TIME_BASED = zet_metric_group_sampling_type_flags_t.ZET_METRIC_GROUP_SAMPLING_TYPE_FLAG_TIME_BASED


@dataclass(frozen=True)
class GroupForm:
    """A metric group of a GPU, sampled by events or by time: all that its data depend on."""

    row: GroupRow
    sampling: zet_metric_group_sampling_type_flags_t
    target: Target

    @cached_property
    def metrics(self) -> tuple[MetricRow, ...]:
        """The metrics, in the order of their values."""
        return self.row.rows(is_streamed=self.sampling is TIME_BASED)

    @cached_property
    def tag(self) -> int:
        """The number that marks the reports of the group."""
        return zlib.crc32(f"{self.row.name} {int(self.sampling)} {' '.join(self.row.counters)}".encode())

    @cached_property
    def report(self) -> np.dtype[np.void]:
        """The layout of a report.

        It has the group's tag, the number of the tile, the latest marker, the device time in nanoseconds at which the
        report begins, and what was added to each counter of the group.
        """
        return np.dtype(
            [
                ("tag", "<u4"),
                ("tile", "<u4"),
                ("marker", "<u8"),
                ("begin_ns", "<u8"),
                ("counters", "<u8", (len(self.row.counters),)),
            ]
        )


class Metric(Handle):
    """A metric of a group."""

    noun: ClassVar[str] = "metric"

    def __init__(self, group: MetricGroup, row: MetricRow) -> None:
        super().__init__()
        self.group = group
        self.row = row


class MetricGroup(Handle):
    """A metric group of a device, sampled by events or by time. It lives as long as the device."""

    noun: ClassVar[str] = "metric group"

    def __init__(self, unit: MetricUnit, form: GroupForm) -> None:
        super().__init__()
        self.unit = unit
        self.form = form
        self.metrics = tuple(Metric(self, metric) for metric in form.metrics)

    def __repr__(self) -> str:
        kind = "time" if self.form.sampling is TIME_BASED else "events"
        return f"<{self.noun} {self.form.row.name} by {kind}, #{self.id}>"

    @property
    def is_active(self) -> bool:
        return self in self.unit.active


class MetricUnit:
    """The part of a device that measures.

    Attributes:
        device: The card or tile.
        tiles: The tiles that it consists of, each of which has a report of its own.
        groups: The metric groups.
        active: Those of them that are active.
        enabled: True if metrics are enabled for the device, whatever the environment says.
        users: What collects data now.
    """

    def __init__(self, device: Device) -> None:
        self.device = device
        self.tiles = device.tiles or (device,)
        self.groups = tuple(
            MetricGroup(self, GroupForm(row, sampling, device.target))
            for sampling in (EVENT_BASED, TIME_BASED)
            for row in GROUPS.values()
            if sampling is TIME_BASED or not row.is_by_instruction
        )
        self.active: tuple[MetricGroup, ...] = ()
        self.enabled = False
        self.users: dict[object, MetricGroup] = {}

    @classmethod
    def of(cls, device: Device) -> MetricUnit:
        """Returns the part of a device that measures."""
        found = device.attachments.get(cls)
        if found is None:
            found = device.attachments.setdefault(cls, cls(device))
        assert isinstance(found, MetricUnit)
        return found

    @property
    def is_enabled(self) -> bool:
        """True if metrics are enabled: by the environment, or for the device."""
        return self.enabled or any(os.environ.get(name) == "1" for name in ENABLE)

    def tile_of(self, activity: Activity) -> int | None:
        """Returns the index of the tile that a command ran on; None if it is not of this unit.

        The work of a card as a whole is that of its first tile.
        """
        if activity.device in self.tiles:
            return self.tiles.index(activity.device)
        card = self.device.card
        return 0 if activity.device is card and self.tiles[0] is (card.tiles or (card,))[0] else None

    def sharing(self) -> Iterator[MetricUnit]:
        """Yields this unit, and those of the devices that have a tile in common with it."""
        card = self.device.card
        for device in (card, *card.tiles):
            unit = MetricUnit.of(device)
            if unit is self or set(unit.tiles) & set(self.tiles):
                yield unit

    def activate(self, groups: Sequence[MetricGroup]) -> None:
        """Makes groups the active ones, instead of those that are.

        Raises:
            ZeError: `INVALID_ARGUMENT` for a group of another device, and for two of one domain; `NOT_AVAILABLE` for a
                domain that another device uses which has a tile in common, and while data of a group are collected
                that would not be active any more.
        """
        for group in groups:
            if group.unit is not self:
                raise _invalid(f"{group!r} is of {group.unit.device!r}, not of {self.device!r}")
        domains = [group.form.row.domain for group in groups]
        if len(set(domains)) < len(domains):
            names = ", ".join(repr(group) for group in groups)
            raise _invalid(f"groups of one domain cannot be active together: {names}")
        for user, group in tuple(self.users.items()):
            if group not in groups:
                raise _unavailable(f"{user!r} collects data of {group!r}")
        for unit in self.sharing():
            for group in unit.active if unit is not self else ():
                if group.form.row.domain in domains:
                    raise _unavailable(f"{group!r} of {unit.device!r} is active, which has a tile in common")
        self.active = tuple(groups)


def require_active(group: MetricGroup, device: Device) -> None:
    """Raises `INVALID_ARGUMENT` unless a group is of a device and active."""
    if group.unit.device is not device:
        raise _invalid(f"{group!r} is of {group.unit.device!r}, not of {device!r}")
    if not group.is_active:
        raise _invalid(f"{group!r} is not active")


def _invalid(text: str) -> ZeError:
    return ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, text)


def _unavailable(text: str) -> ZeError:
    return ZeError(ze_result_t.ZE_RESULT_ERROR_NOT_AVAILABLE, text)
