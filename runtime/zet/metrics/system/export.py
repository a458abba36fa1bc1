"""Exported data: raw data of a group, with the names of the group and of its GPU."""

from __future__ import annotations

import json

from runtime.ze.spec import ZeError, ze_result_t
from runtime.zet.metrics.spec import zet_metric_group_sampling_type_flags_t
from runtime.zet.metrics.system.groups import GroupForm
from runtime.zet.metrics.system.table import GROUPS
from xegpu import targets

_MAGIC = b"xegpu metrics 1\n"


def exported(form: GroupForm, raw: bytes) -> bytes:
    """Returns raw data of a group, which `imported` takes apart."""
    about = {"group": form.row.name, "sampling": int(form.sampling), "target": form.target.name, "tag": form.tag}
    return _MAGIC + json.dumps(about).encode() + b"\n" + raw


def imported(data: bytes) -> tuple[GroupForm, bytes]:
    """Returns the group and the raw data of exported data.

    Raises:
        ZeError: `INVALID_ARGUMENT` for other data, `UNKNOWN` for a group that is another one here.
    """
    try:
        if not data.startswith(_MAGIC):
            raise ValueError("they do not begin as exported data do")
        line, _, raw = data[len(_MAGIC) :].partition(b"\n")
        about = json.loads(line)
        sampling = zet_metric_group_sampling_type_flags_t(about["sampling"])
        form, tag = GroupForm(GROUPS[about["group"]], sampling, targets.get(about["target"])), about["tag"]
    except (ValueError, KeyError, TypeError) as error:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"these are not exported data of metrics: {error}"
        ) from None
    if tag != form.tag:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_UNKNOWN, f"the group {form.row.name} was another one when it was exported"
        )
    return form, raw
