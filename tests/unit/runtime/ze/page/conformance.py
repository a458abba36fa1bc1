"""The behaviour that the public conformance tests examine, by area, and the tests here that examine the same."""

from __future__ import annotations

from collections.abc import Mapping

_FOLDER = "tests/unit/runtime/"

_AREAS: Mapping[str, Mapping[str, str]] = {
    "Driver": {
        "initialization, repeated, with every flag, by type of driver": "ze/test_driver.py::TestInit",
        "integers and buffers of any kind, chains of structures, garbage": "ze/test_conversion.py",
        "creations that fail": "ze/test_failed_creations.py",
        "versions, UUID, extensions, texts of errors": "ze/test_driver.py::TestQueries",
    },
    "Device": {
        "properties of all kinds, which differ from device to device": "ze/test_device.py::TestProperties",
        "extension structures, both forms of the timer resolution, PCI": "ze/test_device.py::TestExtensions",
        "sub-devices": "ze/test_device.py::TestSubDevices",
        "affinity masks and hierarchies": "ze/test_hierarchy.py::TestAffinity "
        "ze/test_hierarchy.py::TestDevices ze/test_hierarchy.py::TestEnvironment",
        "peers": "ze/test_device.py::TestPeers",
        "timestamps of host and device": "ze/test_device.py::TestTime",
        "status": "ze/test_device.py::TestStatus",
    },
    "Context": {
        "for all devices or some": "ze/test_context.py::test_a_context_is_for_all_devices_or_for_those_given",
        "status": "ze/test_context.py::test_status_follows_the_devices",
    },
    "Command queue": {
        "modes; commands before a wait that blocks": "ze/test_command_queue.py::TestModes",
        "execution of one list and of several, in order": "ze/test_command_queue.py::TestExecute",
        "several queues": "ze/test_command_queue.py::TestAcrossQueues",
        "priorities": "ze/test_timestamps.py::TestPriorities",
        "time-outs": "ze/test_event.py::TestWaiting::test_time_out",
        "queries of the descriptor of a queue": "ze/test_queries.py::test_queues",
    },
    "Command list": {
        "create, close, reset, destroy; execute again": "ze/test_command_list.py::TestStates",
        "close and reset of an immediate list": "ze/test_command_list.py::TestImmediate::"
        "test_close_and_reset_leave_it_usable",
        "immediate lists, synchronous and not": "ze/test_command_list.py::TestImmediate",
        "closed lists appended to immediate ones": "ze/test_queries.py::TestListsOnImmediateLists",
        "clones": "ze/test_queries.py::TestClones",
        "in-order lists, counter-based events": "ze/test_timestamps.py::TestCountingEvents",
        "device time written by a list": "ze/test_timestamps.py::TestTimes::test_device_time_in_memory",
        "regular and immediate lists together": "ze/test_command_queue.py::TestAcrossQueues::"
        "test_regular_and_immediate_list_take_turns",
    },
    "Fence": {
        "create, signal, query, reset": "ze/test_fence.py",
    },
    "Event": {
        "pools and scopes": "ze/test_event.py::TestPool ze/test_event.py::TestCreate",
        "signal and reset by the host": "ze/test_event.py::TestState",
        "signal, wait and reset by lists": "ze/test_command_list.py::TestEvents",
        "waiting threads, polling, long time-outs": "ze/test_event.py::TestWaiting",
        "timestamps of kernels, by host and device, mapped to the host's clock": "ze/test_event.py::TestTimestamps "
        "ze/test_timestamps.py::TestTimes",
        "state outlives queue and list": "ze/test_command_queue.py::TestDestroy::test_event_state_survives",
    },
    "Barrier": {
        "all combinations of waits and signals, in empty lists": "ze/test_command_list.py::TestBarriers",
        "system barrier": "ze/test_context.py::TestResidency::test_system_barrier",
    },
    "Memory": {
        "allocation by kind, size, alignment and flags": "ze/test_memory.py::TestAllocation",
        "properties and ranges": "ze/test_memory.py::TestQueries",
        "free, with every policy": "ze/test_memory.py::TestFree ze/test_memory.py::TestFreePolicies",
        "reservations of addresses": "ze/test_virtual_memory.py::TestReservations",
        "mapping of physical memory": "ze/test_virtual_memory.py::TestMapping",
        "access attributes": "ze/test_virtual_memory.py::TestAccess",
    },
    "Copy": {
        "fills by pattern and queue group": "ze/test_copies.py::TestFill",
        "copies between all kinds of memory": "ze/test_copies.py::TestCopy",
        "regions, pitches, slices": "ze/test_region_copies.py::TestRegions",
        "copies from another context": "ze/test_region_copies.py::TestContexts",
        "prefetch, every advice": "ze/test_region_copies.py::TestHints",
        "empty copies that signal": "ze/test_copies.py::TestCopy::test_empty_copy_signals "
        "ze/test_copies.py::TestFill::test_empty_fill_signals",
        "images: regions, pitches, layers": "api/test_images.py::test_regions api/test_images.py::test_pitches "
        "api/test_images.py::test_layers_are_the_axis_behind_those_of_the_image",
    },
    "Image, sampler": {
        "formats, through a kernel": "api/test_images.py::test_a_kernel_converts_between_formats",
        "samplers in a kernel": "api/test_images.py::test_a_kernel_halves_an_image_with_a_linear_filter",
        "views of images; planes of media formats": "ze/test_image_views.py::TestViews "
        "ze/test_image_views.py::TestMedia",
        "properties, memory of an image": "api/test_images.py::test_properties "
        "ze/test_image_views.py::test_memory_of_an_image",
    },
    "Module": {
        "names of kernels, in the order of the binary": "ze/test_module.py::TestCreate::test_kernels_in_order",
        "build log": "ze/test_module.py::TestCreate::test_log_of_a_good_module_is_empty",
        "native binary that can be loaded again": "ze/test_module.py::TestCreate::test_native_binary_loads_again",
        "globals, shared by the kernels of a module and its host": "api/test_variables.py",
        "dynamic linking, inspection": "ze/test_module_linking.py::TestDynamicLink "
        "ze/test_module_linking.py::TestInspect",
        "function pointers": "ze/test_module_linking.py::TestFunctions",
    },
    "Kernel": {
        "group sizes, legal and not": "ze/test_kernel.py::TestGroupSize",
        "suggested group sizes": "ze/test_kernel.py::TestSuggestion",
        "arguments of all kinds": "ze/test_kernel.py::TestArguments ze/test_kernel.py::TestLocalMemory",
        "properties, UUID": "ze/test_kernel.py::TestProperties",
        "indirect access, cache configuration": "ze/test_kernel.py::TestHints",
        "global offset": "ze/test_kernel.py::TestGeometry::test_global_offset "
        "api/test_end_to_end.py::test_kernels_of_every_level_have_the_offset_of_global_ids",
        "source attributes, hints": "ze/test_kernel_launches.py::TestAbout",
        "launches": "ze/test_command_list.py::TestLaunch",
        "cooperative launches": "ze/test_kernel_launches.py::TestCooperative",
        "indirect launches, of one kernel and of several": "ze/test_kernel_launches.py::TestIndirect",
        "allocations that a kernel uses": "ze/test_kernel_launches.py::TestAllocations",
        "printf": "api/test_printf.py",
    },
    "Residency": {
        "memory": "ze/test_context.py::TestResidency::test_known_memory_only",
        "images": "api/test_images.py::test_residency_changes_nothing",
    },
    "Inter-process communication": {
        "memory, in one process and between two": "ze/test_ipc.py::TestMemory ze/fuzz/test_processes.py",
        "event pools, in one process and between two": "ze/test_ipc.py::TestEventPools ze/fuzz/test_processes.py",
    },
    "Several threads, devices and processes": {
        "threads that create, execute and destroy at once": "ze/fuzz/test_stress.py "
        "ze/test_command_queue.py::test_stress",
        "events between devices": "ze/test_command_queue.py::TestAcrossQueues::test_event_between_devices",
        "access of devices to each other": "ze/test_device.py::TestPeers",
    },
}

AREAS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    area: {behaviour: tuple(_FOLDER + path for path in paths.split()) for behaviour, paths in rows.items()}
    for area, rows in _AREAS.items()
}
"""By area: the behaviours, and the files, classes and tests that examine them."""
