"""Loaded binaries: kernels by name."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Mapping

from runtime import ze
from runtime.api.kernel import Kernel
from runtime.api.sessions.session import Session
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):  # programs without notebooks do not wait for it
    import runtime.api.displays as displays


def _unload(session: Session, module: ze.ze_module_handle_t, kernels: list[ze.ze_kernel_handle_t]) -> None:
    if session.is_open:
        for kernel in kernels:
            ze.zeKernelDestroy(kernel)
        ze.zeModuleDestroy(module)


class Module(Mapping[str, Kernel]):
    """The kernels of a ZEBIN, in its order. `binary` has its bytes, `build_log` the warnings of loading.

    A kernel is created when it is looked up. The module stays loaded as long as it or one of its kernels is in use.
    """

    def __init__(self, session: Session, binary: bytes) -> None:
        desc = ze.ze_module_desc_t(ze.ze_module_format_t.ZE_MODULE_FORMAT_NATIVE, binary)
        handle, log = ze.zeModuleCreate(session.context, session.device, desc)
        self.binary = binary
        self.build_log = ze.zeModuleBuildLogGetString(log)
        ze.zeModuleBuildLogDestroy(log)
        self._session = session
        self._handle = handle
        self._names = dict.fromkeys(ze.zeModuleGetKernelNames(handle))
        self._kernels: dict[str, Kernel] = {}
        self._created: list[ze.ze_kernel_handle_t] = []
        weakref.finalize(self, _unload, session, handle, self._created).atexit = False

    def __repr__(self) -> str:
        return f"<Module: {', '.join(map(repr, self._names)) or 'no kernels'}>"

    def _repr_html_(self) -> str:
        """Returns the display of the module in notebooks: its kernels with their parameters."""
        return displays.module_html(map(self._signature, self._names), len(self.binary), self.build_log)

    def _signature(self, name: str) -> str:
        try:
            return self[name].signature
        except ze.ZeError as error:
            return f"{name}: {error}"

    def __getitem__(self, name: str) -> Kernel:
        """Returns the kernel called `name`.

        Raises:
            KeyError: There is none; the text lists the kernels.
            ZeError: The kernel is not executed; the text says why.
        """
        if name not in self._names:
            raise KeyError(f"no kernel '{name}', the module has: {', '.join(self._names) or 'none'}")
        kernel = self._kernels.get(name)
        if kernel is None:
            created = ze.zeKernelCreate(self._handle, ze.ze_kernel_desc_t(name))
            self._created.append(created)
            # Another thread may have been faster; the handle that is too much ends with the module.
            kernel = self._kernels.setdefault(name, Kernel(self._session, created, self))
        return kernel

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
