"""Definitions of DMA: the work-items of a work-group copy together, and waiting for events is a barrier."""

from __future__ import annotations

from collections.abc import Sequence

from passes.frontends.mux.table import MuxBuiltin

_SIZES = ("width", "to_line", "from_line", "height", "to_plane", "from_plane", "depth")
_GIVEN = {
    1: ("width",),
    2: ("width", "to_line", "from_line", "height"),
    3: _SIZES,
}
"""The sizes that copies take, by their dimensions; the others are those of one line, or of one plane."""
_LINE = {"to_line": "0", "from_line": "0", "height": "1", "to_plane": "0", "from_plane": "0", "depth": "1"}
_WORD = 4
"""The bytes that are moved at once where both places and all distances are multiples of them."""


def definitions(row: MuxBuiltin, parameters: Sequence[str], event: str) -> dict[str, str]:
    """Returns functions by their names: a builtin of DMA, and what it calls.

    Args:
        row: The builtin.
        parameters: The types of its parameters in the module, which chooses that of events.
        event: The type of events.

    """
    if row.base == "dma_wait":
        return {row.name: _waiting(row, parameters)}
    to, source = parameters[:2]
    sizes = _GIVEN[int(row.base[-2])]
    helper = f"mux_copy_{_space(to)}_{_space(source)}"
    head = ", ".join([f"{to} %to", f"{source} %from", *(f"i64 %{size}" for size in sizes), f"{event} %event"])
    given = ", ".join(f"i64 {f'%{size}' if size in sizes else _LINE[size]}" for size in _SIZES)
    builtin = f"""\
define internal spir_func {event} @{row.name}({head}) alwaysinline convergent nounwind {{
  call spir_func void @{helper}({to} %to, {source} %from, {given})
  ret {event} %event
}}"""
    return {row.name: builtin, helper: _copying(helper, to, source)}


def declarations() -> dict[str, str]:
    """Returns the declarations of the functions that definitions call, by their names."""
    barrier = "_Z22__spirv_ControlBarrieriii"
    return {
        barrier: f"declare spir_func void @{barrier}(i32, i32, i32) convergent nounwind",
        "_Z19get_local_linear_idv": "declare spir_func i64 @_Z19get_local_linear_idv()",
        "_Z14get_local_sizej": "declare spir_func i64 @_Z14get_local_sizej(i32)",
    }


def _space(pointer: str) -> str:
    return pointer.rpartition("(")[2].rstrip(")")


def _waiting(row: MuxBuiltin, parameters: Sequence[str]) -> str:
    """Returns a barrier, which orders local and global memory."""
    count, events = parameters
    return f"""\
define internal spir_func void @{row.name}({count} %count, {events} %events) alwaysinline convergent nounwind {{
  call spir_func void @_Z22__spirv_ControlBarrieriii(i32 2, i32 2, i32 784)
  ret void
}}"""


def _copying(name: str, to: str, source: str) -> str:
    """Returns the function that copies planes of lines: by words where that is possible, by bytes elsewhere."""
    distances = "\n".join(
        f"  %seen{place} = or i64 %seen{place - 1}, %{size}"
        for place, size in enumerate((s for s in _SIZES if s not in ("height", "depth")), 2)
    )
    return f"""\
define internal spir_func void @{name}({to} %to, {source} %from, {", ".join(f"i64 %{size}" for size in _SIZES)}) \
alwaysinline convergent nounwind {{
  %first = call spir_func i64 @_Z19get_local_linear_idv()
  %x = call spir_func i64 @_Z14get_local_sizej(i32 0)
  %y = call spir_func i64 @_Z14get_local_sizej(i32 1)
  %z = call spir_func i64 @_Z14get_local_sizej(i32 2)
  %xy = mul i64 %x, %y
  %items = mul i64 %xy, %z
  %seen0 = ptrtoint {to} %to to i64
  %other = ptrtoint {source} %from to i64
  %seen1 = or i64 %seen0, %other
{distances}
  %odd = and i64 %seen6, {_WORD - 1}
  %words = icmp eq i64 %odd, 0
  br i1 %words, label %w, label %b
{_nest("w", _WORD, to, source)}
{_nest("b", 1, to, source)}
end:
  ret void
}}"""


def _nest(p: str, unit: int, to: str, source: str) -> str:
    """Returns loops over planes, lines and the units of a line, of which each work-item takes its own."""
    type = f"i{8 * unit}"
    return f"""\
{p}:
  %{p}.start = mul i64 %first, {unit}
  %{p}.step = mul i64 %items, {unit}
  br label %{p}.plane
{p}.plane:
  %{p}.k = phi i64 [ 0, %{p} ], [ %{p}.k.next, %{p}.lines ]
  %{p}.to.plane = mul i64 %{p}.k, %to_plane
  %{p}.from.plane = mul i64 %{p}.k, %from_plane
  %{p}.k.in = icmp ult i64 %{p}.k, %depth
  br i1 %{p}.k.in, label %{p}.line, label %end
{p}.line:
  %{p}.j = phi i64 [ 0, %{p}.plane ], [ %{p}.j.next, %{p}.units ]
  %{p}.to.row = mul i64 %{p}.j, %to_line
  %{p}.from.row = mul i64 %{p}.j, %from_line
  %{p}.to.line = add i64 %{p}.to.plane, %{p}.to.row
  %{p}.from.line = add i64 %{p}.from.plane, %{p}.from.row
  %{p}.j.in = icmp ult i64 %{p}.j, %height
  br i1 %{p}.j.in, label %{p}.unit, label %{p}.lines
{p}.unit:
  %{p}.i = phi i64 [ %{p}.start, %{p}.line ], [ %{p}.i.next, %{p}.move ]
  %{p}.i.in = icmp ult i64 %{p}.i, %width
  br i1 %{p}.i.in, label %{p}.move, label %{p}.units
{p}.move:
  %{p}.to.at = add i64 %{p}.to.line, %{p}.i
  %{p}.from.at = add i64 %{p}.from.line, %{p}.i
  %{p}.to = getelementptr i8, {to} %to, i64 %{p}.to.at
  %{p}.from = getelementptr i8, {source} %from, i64 %{p}.from.at
  %{p}.value = load {type}, {source} %{p}.from, align {unit}
  store {type} %{p}.value, {to} %{p}.to, align {unit}
  %{p}.i.next = add i64 %{p}.i, %{p}.step
  br label %{p}.unit
{p}.units:
  %{p}.j.next = add i64 %{p}.j, 1
  br label %{p}.line
{p}.lines:
  %{p}.k.next = add i64 %{p}.k, 1
  br label %{p}.plane"""
