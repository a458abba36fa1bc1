"""Loaded binaries: kernels by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from runtime.kernel import Kernel
from runtime.session import Session
from runtime.ze.enums import ze_module_format_t
from runtime.ze.kernel import zeKernelCreate
from runtime.ze.module import zeModuleCreate, zeModuleGetKernelNames
from runtime.ze.structs import ze_kernel_desc_t, ze_module_desc_t


class Module(Mapping[str, Kernel]):
    """The kernels of a ZEBIN, in its order. `binary` are its bytes, `build_log` the warnings that loading gave."""

    def __init__(self, session: Session, binary: bytes) -> None:
        desc = ze_module_desc_t(ze_module_format_t.ZE_MODULE_FORMAT_NATIVE, binary)
        handle, log = zeModuleCreate(session.context, session.device, desc)
        self.binary = binary
        self.build_log = log.text
        self._kernels = {
            name: Kernel(session, zeKernelCreate(handle, ze_kernel_desc_t(name)))
            for name in zeModuleGetKernelNames(handle)
        }

    def __repr__(self) -> str:
        return f"<Module: {', '.join(map(repr, self._kernels.values())) or 'no kernels'}>"

    def __getitem__(self, name: str) -> Kernel:
        """The kernel called `name`; raises `KeyError` listing the kernels."""
        try:
            return self._kernels[name]
        except KeyError:
            raise KeyError(f"no kernel '{name}', the module has: {', '.join(self._kernels) or 'none'}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._kernels)

    def __len__(self) -> int:
        return len(self._kernels)
