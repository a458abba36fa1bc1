"""Extensions of descriptors that have objects live elsewhere, or be another kind: no simulated device has them.

A driver ignores extensions that it does not know, and hints. To ignore one of these would give the application an
object that is not what it asks for, such as fresh memory in place of that of another API.
"""

from __future__ import annotations

from collections.abc import Mapping

from runtime.ze.conversion import chained
from runtime.ze.spec.extensions import (
    ze_external_memmap_sysmem_ext_desc_t,
    ze_external_memory_import_fd_t,
    ze_external_memory_import_win32_handle_t,
    ze_image_bindless_exp_desc_t,
    ze_image_pitched_exp_desc_t,
    ze_srgb_ext_desc_t,
)
from runtime.ze.spec.results import ZeError, ze_result_t

REFUSED: Mapping[type, str] = {
    ze_external_memory_import_fd_t: "memory of another API",
    ze_external_memory_import_win32_handle_t: "memory of another API",
    ze_external_memmap_sysmem_ext_desc_t: "pages that the application has already",
    ze_image_bindless_exp_desc_t: "images that are numbers",
    ze_image_pitched_exp_desc_t: "images in memory of the application",
    ze_srgb_ext_desc_t: "texels in sRGB",
}
"""The structures that a descriptor must not lead to, and what they ask for."""


def refuse_elsewhere(pNext: object) -> None:
    """Raises `UNSUPPORTED_FEATURE` if a chain asks for an object that simulated devices do not have."""
    for kind, wanted in REFUSED.items():
        found = chained(pNext, kind)
        if found is not None and not (isinstance(found, ze_srgb_ext_desc_t) and not found.sRGB):
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
                f"{kind.__name__}: simulated devices do not have {wanted}",
            )
