"""A card that measures, kernels whose counts are known, and valid arguments for every function of metrics."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
import pytest

from runtime import ze, zet
from runtime.simulator import Simulator
from runtime.ze.driver.system.driver import Driver
from runtime.zet.metrics.system.groups import MetricUnit
from tests.unit.runtime.ze import kernels, world
from tests.unit.runtime.ze.conftest import SYNCHRONOUS
from xegpu.isa import CompiledKernel, assemble
from xegpu.targets import ARC, PVC, Target

Arguments = dict[str, object]

EVENTS, TIME = (
    zet.ZET_METRIC_GROUP_SAMPLING_TYPE_FLAG_EVENT_BASED,
    zet.ZET_METRIC_GROUP_SAMPLING_TYPE_FLAG_TIME_BASED,
)
VALUES_OF, MOST_OF = (
    zet.ZET_METRIC_GROUP_CALCULATION_TYPE_METRIC_VALUES,
    zet.ZET_METRIC_GROUP_CALCULATION_TYPE_MAX_METRIC_VALUES,
)


def kernel_of(text: str, *, simd: int = 16, barriers: int = 0, slm: int = 0, name: str = "k") -> CompiledKernel:
    """A kernel whose `r1`, behind the local ids in three registers, starts with the address of its only argument."""
    made = kernels.compiled(name, [kernels.pointer("p", "memref<?xf32>", 0)], simd_size=simd, slm_size=slm)
    facts = replace(made.facts, barrier_count=barriers, local_id_dimensions=0)
    return replace(made, code=assemble(text, grf_bytes=PVC.platform.grf_bytes), facts=facts)


def engine(target: Target, memory: object) -> Simulator:
    return Simulator(target, memory, "jit", threads=1)


class World(world.World):
    """A driver whose devices execute kernels, with metrics enabled."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        super().__init__(patch)
        patch.setenv("ZET_ENABLE_METRICS", "1")

    @classmethod
    def executing(cls, patch: pytest.MonkeyPatch) -> World:
        """A world that executes kernels, instead of one with a script."""
        found = cls(patch)
        found.driver = Driver((PVC, ARC), engine)
        found.device, found.arc = ze.zeDeviceGet(found.driver)
        found.context = ze.zeContextCreate(found.driver, ze.ze_context_desc_t())
        found.machine = found.driver.machine
        return found

    def group(self, name: str = "ComputeBasic", sampling: int = EVENTS, device: object = None):
        """The group of a name."""
        return next(
            group
            for group in zet.zetMetricGroupGet(device or self.device)
            if group.form.row.name == name and group.form.sampling == sampling
        )

    def activated(self, *names: str, sampling: int = EVENTS, device: object = None):
        """Groups that are made the active ones; the first of them."""
        groups = [self.group(name, sampling, device) for name in names or ("ComputeBasic",)]
        zet.zetContextActivateMetricGroups(self.context, device or self.device, groups)
        return groups[0]

    def new_query(self, group: object = None, type: int = zet.ZET_METRIC_QUERY_POOL_TYPE_PERFORMANCE):
        """A query of a new pool."""
        group = group or self.activated()
        desc = zet.zet_metric_query_pool_desc_t(type, 4)
        pool = zet.zetMetricQueryPoolCreate(self.context, group.unit.device, group, desc)
        return zet.zetMetricQueryCreate(pool, 0)

    def new_streamer(self, period: int = 1000, every: int = 1, event: object = None, name: str = "ComputeBasic"):
        """A stream of a group, which is the only active one."""
        group = self.activated(name, sampling=TIME)
        desc = zet.zet_metric_streamer_desc_t(every, period)
        return zet.zetMetricStreamerOpen(self.context, self.device, group, desc, event)[1]

    def list_on(self, device: object):
        return ze.zeCommandListCreateImmediate(self.context, device, SYNCHRONOUS)

    def launch(
        self, commands: object, made: CompiledKernel, groups: int = 1, items: int = 16, event: object = None
    ) -> None:
        """Launches a kernel with a buffer of 64 KiB."""
        desc = ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, kernels.binary(made))
        module = ze.zeModuleCreate(self.context, self.device, desc)[0]
        kernel = ze.zeKernelCreate(module, ze.ze_kernel_desc_t(made.name))
        ze.zeKernelSetArgumentValue(kernel, 0, 8, self.buffer)
        ze.zeKernelSetGroupSize(kernel, items, 1, 1)
        ze.zeCommandListAppendLaunchKernel(commands, kernel, ze.ze_group_count_t(groups), event)

    @cached_property
    def buffer(self) -> int:
        return self.new_memory(1 << 16)

    def measured(self, name: str, made: CompiledKernel, groups: int = 1, items: int = 16) -> dict[str, float]:
        """The values of a group for one launch."""
        query = self.new_query(self.activated(name))
        zet.zetCommandListAppendMetricQueryBegin(self.immediate, query)
        self.launch(self.immediate, made, groups, items)
        zet.zetCommandListAppendMetricQueryEnd(self.immediate, query)
        return values(query.pool.group, zet.zetMetricQueryGetData(query))[0]

    def new_stall_streamer(self):
        """A stream of samples by instruction, the only one that is open."""
        self.close_streamers()
        return self.new_streamer(name="EuStallSampling")

    def close_streamers(self) -> None:
        for device in (self.device, *self.device.tiles, self.arc):
            for user in tuple(MetricUnit.of(device).users):
                if isinstance(user, zet.zet_metric_streamer_handle_t):
                    user.retire()

    def end(self) -> None:
        self.close_streamers()
        super().end()

    def arguments(self, name: str) -> Arguments:
        """Arguments with which a function succeeds."""
        special = SPECIAL.get(name, {})
        wanted = [
            parameter.name
            for parameter in inspect.signature(getattr(zet, name)).parameters.values()
            if parameter.default is parameter.empty or parameter.name in special
        ]
        return {parameter: (special.get(parameter) or VALUES[parameter])(self) for parameter in wanted}


def values(group: zet.zet_metric_group_handle_t, raw: bytes, type: int = VALUES_OF) -> list[dict[str, float]]:
    """The values of a group by the names of its metrics: for each tile and report."""
    _, flat = zet.zetMetricGroupCalculateMultipleMetricValuesExp(group, type, raw)
    names = [zet.zetMetricGetProperties(metric).name for metric in zet.zetMetricGet(group)]
    rows = [flat[at : at + len(names)] for at in range(0, len(flat), len(names))]
    return [dict(zip(names, (value.value for value in row), strict=True)) for row in rows]


Value = Callable[[World], object]


def one_report(group: zet.zet_metric_group_handle_t, tiles: Sequence[int] = (0,)) -> bytes:
    """Raw data with a report of a group for each of some tiles, all of whose counters are 0."""
    reports = np.zeros(len(tiles), group.form.report)
    reports["tag"], reports["tile"] = group.form.tag, tiles
    return reports.tobytes()


def _begun(w: World, *, ended: bool = True):
    query = w.new_query()
    zet.zetCommandListAppendMetricQueryBegin(w.immediate, query)
    if ended:
        zet.zetCommandListAppendMetricQueryEnd(w.immediate, query)
    return query


VALUES: Mapping[str, Value] = {
    **world.VALUES,
    "hMetricGroup": lambda w: w.group(),
    "hMetric": lambda w: zet.zetMetricGet(w.group())[0],
    "hMetricQueryPool": lambda w: w.new_query().pool,
    "hMetricQuery": lambda w: w.new_query(),
    "type": lambda w: VALUES_OF,
    "pRawData": lambda w: one_report(w.group()),
    "index": lambda w: 3,
    "hMetricStreamer": World.new_streamer,
    "maxReportCount": lambda w: 0xFFFFFFFF,
    "value": lambda w: 5,
    "hMetricProgrammable": lambda w: zet.zet_metric_programmable_exp_handle_t(),
    "hMetricTracer": lambda w: zet.zet_metric_tracer_exp_handle_t(),
    "hMetricDecoder": lambda w: zet.zet_metric_decoder_exp_handle_t(),
    "phMetricDecoder": lambda w: zet.zet_metric_decoder_exp_handle_t(),
    "parameterOrdinal": lambda w: 0,
    "pParameterValues": lambda w: [zet.zet_metric_programmable_param_value_exp_t(1)],
    "pName": lambda w: "mine",
    "pDescription": lambda w: "metrics of my own",
    "pMetricGroupNamePrefix": lambda w: "mine",
    "samplingType": lambda w: EVENTS,
    "phMetrics": lambda w: zet.zetMetricGet(w.group()),
    "phMetricGroups": lambda w: [w.group()],
    "synchronous": lambda w: True,
    "synchronizedWithHost": lambda w: True,
    "pExportData": lambda w: zet.zetMetricGroupGetExportDataExp(w.group(), one_report(w.group())),
    "pCalculateDescriptor": lambda w: zet.zet_metric_calculate_exp_desc_t(),
}
"""The values that most functions take, by the name of the parameter."""


def _empty_pool(w: World):
    query = w.new_query()
    zet.zetMetricQueryDestroy(query)
    return query.pool


SPECIAL: Mapping[str, Mapping[str, Value]] = {
    "zetContextActivateMetricGroups": {"phMetricGroups": lambda w: [w.group(), w.group("MemoryProfile")]},
    "zetDeviceActivateMetricGroups": {"phMetricGroups": lambda w: [w.group(sampling=TIME)]},
    "zetMetricQueryPoolCreate": {
        "hMetricGroup": lambda w: w.activated(),
        "desc": lambda w: zet.zet_metric_query_pool_desc_t(0, 2),
    },
    "zetMetricStreamerOpen": {
        "hMetricGroup": lambda w: w.activated(sampling=TIME),
        "desc": lambda w: zet.zet_metric_streamer_desc_t(1, 1000),
        "hNotificationEvent": lambda w: w.new_event(),
    },
    "zetMetricTracerOpen": {
        "hMetricGroup": lambda w: w.activated(sampling=TIME),
        "desc": lambda w: zet.zet_metric_streamer_desc_t(1, 1000),
    },
    "zetMetricTracerCreateExp": {"desc": lambda w: zet.zet_metric_tracer_exp_desc_t(1)},
    "zetCommandListAppendMarkerExp": {"hMetricGroup": lambda w: w.group(sampling=TIME)},
    "zetMetricQueryPoolDestroy": {"hMetricQueryPool": _empty_pool},
    "zetMetricQueryGetData": {"hMetricQuery": _begun},
    "zetCommandListAppendMetricQueryEnd": {"phWaitEvents": lambda w: [w.new_event()]},
}
"""The values that a function takes in place of those in `VALUES`."""
