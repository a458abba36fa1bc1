"""Calculation: the values of metrics from the reports of a group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from runtime.ze.spec import ZeError, ze_result_t
from runtime.zet.metrics.spec import zet_metric_group_calculation_type_t, zet_typed_value_t, zet_value_type_t
from runtime.zet.metrics.system.formula import Values, evaluate
from runtime.zet.metrics.system.groups import GroupForm
from runtime.zet.metrics.system.table import CONSTANTS, HEADER, MetricRow

Reports = NDArray[np.void]

_MOST = zet_metric_group_calculation_type_t.ZET_METRIC_GROUP_CALCULATION_TYPE_MAX_METRIC_VALUES
_UINT64 = zet_value_type_t.ZET_VALUE_TYPE_UINT64


def reports_in(form: GroupForm, raw: bytes) -> Reports:
    """Returns the reports of raw data.

    Raises:
        ZeError: `INVALID_ARGUMENT` if the data are not whole reports of the group, `UNKNOWN` if a report is not one of
            the group's.
    """
    size = form.report.itemsize
    if not raw or len(raw) % size:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
            f"{len(raw)} bytes of raw data, a report of {form.row.name} has {size}",
        )
    reports = np.frombuffer(raw, form.report)
    if (reports["tag"] != form.tag).any():
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNKNOWN, f"these are not data of {form.row.name}")
    return reports


def sets_in(reports: Reports) -> list[Reports]:
    """Returns the reports of each tile."""
    return [reports[reports["tile"] == tile] for tile in np.unique(reports["tile"])]


def metric_values(form: GroupForm, reports: Reports, type: zet_metric_group_calculation_type_t) -> list[Values]:
    """Returns the values of each metric of a group: one for each report."""
    names = {name: reports["counters"][:, index].astype(np.float64) for index, name in enumerate(form.row.counters)}
    names |= {name: reports[name].astype(np.float64) for name in HEADER}
    names |= {name: np.full(len(reports), value(form.target), np.float64) for name, (_, value) in CONSTANTS.items()}
    return [_values(row, names, type) for row in form.metrics]


def calculated(
    form: GroupForm, reports: Reports, type: zet_metric_group_calculation_type_t, *, skip: int = 0
) -> tuple[list[int], list[zet_typed_value_t]]:
    """Returns how many values each tile has, and the values as the API has them: tile by tile, report by report, in
    each the metrics in their order. The first `skip` reports of each tile are left out.

    Reports of a group by instruction become one for each instruction, in the order of their addresses.
    """
    parts = [each[skip:] for each in sets_in(reports)]
    if form.row.is_by_instruction:
        parts = [_by_instruction(form, each) for each in parts]
    found = [_typed(form, metric_values(form, each, type)) for each in parts]
    return [len(values) for values in found], [value for values in found for value in values]


def _by_instruction(form: GroupForm, reports: Reports) -> Reports:
    """Returns a report for each instruction, with the sums of its samples."""
    address = form.row.counters.index("ip")
    addresses, firsts, places = np.unique(reports["counters"][:, address], return_index=True, return_inverse=True)
    found = reports[firsts].copy()
    counters = np.zeros_like(found["counters"])
    np.add.at(counters, places, reports["counters"])
    counters[:, address] = addresses
    found["counters"] = counters
    return found


def _values(row: MetricRow, names: Mapping[str, Values], type: zet_metric_group_calculation_type_t) -> Values:
    formula = row.most if type is _MOST and row.most else row.formula
    return np.broadcast_to(evaluate(formula, names), names["begin_ns"].shape)


def _typed(form: GroupForm, columns: Sequence[Values]) -> list[zet_typed_value_t]:
    kinds = [row.result for row in form.metrics]
    rows = zip(*(_native(kind, column) for kind, column in zip(kinds, columns, strict=True)), strict=True)
    return [zet_typed_value_t(kind, value) for row in rows for kind, value in zip(kinds, row, strict=True)]


def _native(kind: zet_value_type_t, column: Values) -> list[int] | list[float]:
    if kind is _UINT64:
        return [round(value) for value in column.tolist()]
    return [float(value) for value in column.astype(np.float32)]
