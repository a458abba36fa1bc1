"""CPUs to compile for: this one, and lesser ones whose code runs here as well."""

from __future__ import annotations

from runtime.llvm.cpu import Cpu, this_cpu

_THIS = this_cpu()


class _Portable(Cpu):
    """This CPU as if it were of a kind that nothing is known about: everything that can be computed otherwise is."""

    flushes_after_rounding = False
    converts_half = False
    dot_products = False
    has_tiles = False


def _without(*prefixes: str) -> frozenset[str]:
    return frozenset(name for name in _THIS.features if not name.startswith(prefixes))


HOSTS = {"this": _THIS, "portable": _Portable(_THIS.triple, _THIS.name, _THIS.features)}
if _THIS.is_x86:
    HOSTS["avx2"] = Cpu(_THIS.triple, "x86-64-v3", _without("avx512", "avxvnni", "amx"))
    HOSTS["sse2"] = Cpu(
        _THIS.triple, "x86-64", frozenset({"sse", "sse2", "64bit", "cmov", "cx8", "fxsr", "mmx", "x87"})
    )
