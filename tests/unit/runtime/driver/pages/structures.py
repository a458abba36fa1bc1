"""The page docs/driver-structures.md: every structure of C, and what the driver does with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from runtime.driver.abi import CStructure, api_of, layouts, pointee, signatures
from runtime.driver.functions import offered
from runtime.driver.marshalling import class_of, types_of
from runtime.ze.api.memory.elsewhere import REFUSED

_HEAD = """\
# Structures of the driver for programs in C

This page is generated (`python -m tests.unit.runtime.driver.pages structures > docs/driver-structures.md`). It goes
with [the driver](driver.md): every structure of Level Zero's headers up to version 1.17, and what the driver does with
it. It reads the structures that a program gives, and fills those that a program asks for, without their first two
members (`stype` and `pNext`). In a chain that `pNext` begins it looks for the structures that the function knows, and
skips all others, those of versions to come among them, as Intel's driver does. Chains end after 64 structures.
"""

_APIS = {"ze": "Core", "zet": "Tools", "zes": "System management"}

_Reasons = Sequence[tuple[str, str]]

_IGNORED: _Reasons = (
    ("a hint, which changes no result", "ze_raytracing_mem_alloc_ext_desc_t ze_memory_compression_hints_ext_desc_t"),
    ("a hint, which changes no result", "ze_context_power_saving_hint_exp_desc_t"),
    (
        "memory is not exported, so there is no descriptor to give",
        "ze_external_memory_export_fd_t ze_external_memory_export_win32_handle_t zet_export_dma_buf_exp_properties_t",
    ),
    ("allocations have no parts of their own", "ze_memory_sub_allocations_exp_properties_t"),
    ("devices have these identifiers on Windows only", "ze_device_luid_ext_properties_t"),
    ("simulated devices have no ray tracing units", "ze_rtas_device_ext_properties_t"),
    (
        "an extension that is not advertised, so a program has no reason to chain it",
        "ze_device_compute_dotproduct_ext_properties_t ze_device_event_properties_t ze_event_sync_mode_desc_t "
        "ze_event_counter_based_external_sync_allocation_desc_t "
        "ze_event_counter_based_external_aggregate_storage_desc_t ze_relaxed_allocation_limits_ext_desc_t "
        "ze_device_usablemem_size_ext_properties_t ze_image_format_support_ext_properties_t "
        "ze_ipc_mem_handle_type_ext_desc_t ze_device_readonly_memory_ext_properties_t "
        "ze_pitched_alloc_2dimage_linear_pitch_exp_info_t ze_custom_pitch_exp_desc_t",
    ),
)
"""Structures that may stand in chains and are skipped, with the reasons."""

_UNUSED: _Reasons = (
    (
        "mutable command lists are not advertised: the functions that take it answer UNSUPPORTED_FEATURE",
        "ze_mutable_command_id_exp_desc_t ze_mutable_commands_exp_desc_t ze_mutable_command_list_exp_desc_t "
        "ze_mutable_kernel_argument_exp_desc_t ze_mutable_group_count_exp_desc_t ze_mutable_group_size_exp_desc_t "
        "ze_mutable_global_offset_exp_desc_t ze_mutable_graph_argument_exp_desc_t",
    ),
    (
        "graphs are not advertised: the functions that take it are null in the tables",
        "ze_record_replay_graph_ext_properties_t ze_record_replay_graph_ext_dump_desc_t "
        "ze_runtime_requirements_graph_desc_t ze_runtime_requirements_module_desc_t",
    ),
    (
        "no other API on the simulated device could share semaphores",
        "ze_external_semaphore_win32_ext_desc_t ze_external_semaphore_fd_ext_desc_t",
    ),
    (
        "there are no programmable metrics: the functions that take it answer UNSUPPORTED_FEATURE",
        "zet_metric_programmable_exp_properties_t zet_metric_programmable_param_info_exp_t "
        "zet_metric_programmable_param_value_info_exp_t zet_metric_entry_exp_t",
    ),
    (
        "kernels have no profiles: `zetKernelGetProfileInfo` answers with none",
        "zet_profile_free_register_token_t zet_profile_register_sequence_t",
    ),
)
"""Structures that only functions take which the driver does not have, or refuses."""

_PARTS: _Reasons = (
    (
        "part of others, as their bytes",
        "ze_uuid_t ze_driver_uuid_t ze_device_uuid_t ze_native_kernel_uuid_t ze_device_luid_ext_t "
        "ze_fabric_vertex_pci_exp_address_t ze_sub_allocation_t",
    ),
    ("a handle between processes: 64 bytes", "ze_ipc_mem_handle_t ze_ipc_event_pool_handle_t"),
    (
        "the beginning of all others: no structure of its own",
        "ze_base_properties_t ze_base_desc_t zet_base_properties_t zet_base_desc_t zes_base_properties_t "
        "zes_base_desc_t zes_base_state_t zes_base_config_t zes_base_capability_t",
    ),
    ("the former name of `ze_image_view_planar_ext_desc_t`: read", "ze_image_view_planar_exp_desc_t"),
)


def _by_name(reasons: _Reasons) -> Mapping[str, str]:
    return {name: reason for reason, names in reasons for name in names.split()}


REASONS: Mapping[str, Mapping[str, str]] = {
    "skipped": _by_name(_IGNORED),
    "not used": _by_name(_UNUSED),
    "": _by_name(_PARTS),
}
"""Structures that the driver neither reads nor writes, with the reasons, by what it does with them."""


@cache
def takers(name: str) -> tuple[str, ...]:
    """Returns the functions that have a structure for a parameter."""
    found = signatures().values()
    return tuple(each.name for each in found if any(pointee(it.type) == name for it in each.parameters))


def is_chained(name: str) -> bool:
    """Returns whether a structure of its type is found in chains."""
    return class_of(name) in types_of(api_of(name)).values()


def is_nested(name: str) -> bool:
    """Returns whether a structure is a member of others, or what a member points to."""
    return "_" in name and class_of(name) is not None and not layouts()[name].is_extensible


def account(name: str) -> str:
    """Returns what the driver does with a structure; empty if that is not known."""
    if name.startswith("ze_rtas_") and not is_chained(name):
        return "not used: simulated devices have no ray tracing units"
    for treatment, reasons in REASONS.items():
        if name in reasons:
            return ": ".join(filter(None, (treatment, reasons[name])))
    kind, functions = class_of(name), takers(name)
    known = [function for function in functions if function in offered()]
    if functions and not known:
        return f"not used: {_function(functions[0])} is null in the tables"
    if kind in REFUSED:
        return f"refused with UNSUPPORTED_FEATURE: simulated devices do not have {REFUSED[kind]}"
    if kind is None:
        return ""
    if known:
        return f"read or filled by {_functions(known)}"
    if is_chained(name):
        return "read or filled in chains"
    return "read or filled within others" if is_nested(name) else _DIRECT.get(name, "")


_DIRECT = dict.fromkeys(
    ("zes_pci_link_speed_downgrade_ext_state_t", "zes_pci_link_speed_downgrade_ext_properties_t"),
    "skipped, as the number of its type is not known here; programs in Python get it",
)


def _function(name: str) -> str:
    return f"`{name}`"


def _functions(names: Sequence[str]) -> str:
    shown = ", ".join(map(_function, names[:3]))
    return f"{shown} and {len(names) - 3} more" if len(names) > 3 else shown


def page() -> str:
    """Returns the text of the page."""
    return _HEAD + "".join(f"{line}\n" for line in _lines())


def _lines() -> Iterator[str]:
    for api, title in _APIS.items():
        yield f"\n## {title}\n"
        yield "| Structure | Bytes | Here |\n|---|---|---|"
        yield from (_row(layout) for layout in layouts().values() if api_of(layout.name) == api)


def _row(layout: CStructure) -> str:
    return f"| `{layout.name}` | {layout.size} | {account(layout.name)} |"
