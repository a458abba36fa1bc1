"""Loaded binaries: kernels by name."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Mapping

from runtime import ze
from runtime.api.kernel import Kernel
from runtime.api.session import Session


def _unload(session: Session, module: ze.ze_module_handle_t, kernels: list[ze.ze_kernel_handle_t]) -> None:
    if session.is_open:
        for kernel in kernels:
            ze.zeKernelDestroy(kernel)
        ze.zeModuleDestroy(module)


class Module(Mapping[str, Kernel]):
    """The kernels of a ZEBIN, in its order. `binary` has its bytes, `build_log` the warnings of loading.

    It stays loaded as long as it or one of its kernels is referred to.
    """

    def __init__(self, session: Session, binary: bytes) -> None:
        desc = ze.ze_module_desc_t(ze.ze_module_format_t.ZE_MODULE_FORMAT_NATIVE, binary)
        handle, log = ze.zeModuleCreate(session.context, session.device, desc)
        self.binary = binary
        self.build_log = ze.zeModuleBuildLogGetString(log)
        ze.zeModuleBuildLogDestroy(log)
        handles = [ze.zeKernelCreate(handle, ze.ze_kernel_desc_t(name)) for name in ze.zeModuleGetKernelNames(handle)]
        weakref.finalize(self, _unload, session, handle, handles).atexit = False
        self._kernels = {kernel.description.name: Kernel(session, kernel, self) for kernel in handles}

    def __repr__(self) -> str:
        return f"<Module: {', '.join(map(repr, self._kernels.values())) or 'no kernels'}>"

    def __getitem__(self, name: str) -> Kernel:
        """Returns the kernel called `name`; raises `KeyError` listing the kernels."""
        try:
            return self._kernels[name]
        except KeyError:
            raise KeyError(f"no kernel '{name}', the module has: {', '.join(self._kernels) or 'none'}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._kernels)

    def __len__(self) -> int:
        return len(self._kernels)
