"""Tests of every function with null, stale and wrong handles."""

import inspect
from collections.abc import Callable

import pytest

from runtime import ze
from runtime.ze.driver.handle import Handle
from tests.unit.runtime.ze.expect import fails

FUNCTIONS = sorted(name for name in ze.__all__ if name.startswith("ze") and inspect.isfunction(getattr(ze, name)))

TAKE_NO_HANDLE = {"zeInit", "zeInitDrivers", "zeDriverGet", "zeModuleDynamicLink", "zeModuleInspectLinkageExt"}
"""Or an array of handles only."""


def handle_parameters(name: str) -> list[tuple[str, type[Handle]]]:
    """The parameters of a function that take a handle which must be given."""
    signature = inspect.signature(getattr(ze, name), eval_str=True)
    return [
        (parameter.name, parameter.annotation)
        for parameter in signature.parameters.values()
        if inspect.isclass(parameter.annotation) and issubclass(parameter.annotation, Handle)
    ]


CASES = [(name, position) for name in FUNCTIONS for position in range(len(handle_parameters(name)))]


@pytest.fixture
def valid(driver, device, context, module, kernel, queue, new_list, new_event) -> dict[type[Handle], Handle]:
    event = new_event()
    fence = ze.zeFenceCreate(queue, ze.ze_fence_desc_t())
    log = ze.ModuleBuildError(ze.ze_result_t.ZE_RESULT_ERROR_UNKNOWN, "").build_log
    arc = ze.zeDeviceGet(driver)[1]
    format = ze.ze_image_format_t(ze.ZE_IMAGE_FORMAT_LAYOUT_8, ze.ZE_IMAGE_FORMAT_TYPE_UINT)
    image = ze.zeImageCreate(context, arc, ze.ze_image_desc_t(ze.ZE_IMAGE_TYPE_1D, format, 1))
    sampler = ze.zeSamplerCreate(context, arc, ze.ze_sampler_desc_t(0, 0))
    handles = (driver, device, context, module, kernel("copy"), queue, new_list(), event, event.pool, fence, log)
    physical = ze.zePhysicalMemCreate(context, device, ze.ze_physical_mem_desc_t(4096))
    handles = (*handles, image, sampler, physical)
    return {type(handle): handle for handle in handles}


def call(name: str, position: int, valid: dict[type[Handle], Handle], handle: object) -> None:
    """Call a function with valid handles except for one, and null for everything else."""
    arguments: dict[str, object] = dict.fromkeys(inspect.signature(getattr(ze, name)).parameters)
    parameters = handle_parameters(name)
    arguments |= {parameter: valid[kind] for parameter, kind in parameters}
    arguments[parameters[position][0]] = handle
    getattr(ze, name)(**arguments)


@pytest.mark.parametrize(("name", "position"), CASES)
class TestHandles:
    def test_null_handle(self, name: str, position: int, valid) -> None:
        """A null handle is refused before anything else is looked at."""
        with fails("INVALID_NULL_HANDLE"):
            call(name, position, valid, None)

    def test_wrong_kind(self, name: str, position: int, valid) -> None:
        """A handle of another kind is refused, and the message says what was expected."""
        kind = handle_parameters(name)[position][1]
        other = next(handle for handle in valid.values() if not isinstance(handle, kind))
        with fails("INVALID_ARGUMENT", kind.noun):
            call(name, position, valid, other)

    def test_stale_handle(self, name: str, position: int, valid) -> None:
        """A destroyed object is refused, and the message says that it is."""
        handle = valid[handle_parameters(name)[position][1]]
        handle.alive = False
        with fails("INVALID_ARGUMENT", "already destroyed"):
            call(name, position, valid, handle)


def test_every_function_is_covered() -> None:
    """Only what takes no handle at all is not."""
    assert set(FUNCTIONS) - {name for name, _ in CASES} == TAKE_NO_HANDLE


def test_ids_are_never_used_again(new_event: Callable[[], ze.ze_event_handle_t]) -> None:
    first = new_event()
    ze.zeEventDestroy(first)
    assert new_event().id != first.id


def test_constants_are_found_in_the_package() -> None:
    assert ze.ZE_MODULE_FORMAT_NATIVE is ze.ze_module_format_t.ZE_MODULE_FORMAT_NATIVE
    with pytest.raises(AttributeError, match="ZE_NO_SUCH_THING"):
        _ = ze.ZE_NO_SUCH_THING
