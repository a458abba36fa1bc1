"""The roofline picture as SVG: the rate of a launch against the device's arithmetic and memory limits."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from math import ceil, floor, isfinite, log10

from runtime.simulator.profile.profile import Profile, Roofline

_WIDTH, _HEIGHT = 640, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 80, 24, 48, 56
_PREFIXES = {0: "", 3: "k", 6: "M", 9: "G", 12: "T", 15: "P", 18: "E"}


class _Axes:
    """Logarithmic axes of whole decades that contain the given points."""

    def __init__(self, xs: list[float], ys: list[float]):
        self.x_decades = floor(log10(min(xs))), ceil(log10(max(xs)))
        self.y_decades = floor(log10(min(ys))), ceil(log10(max(ys)))

    def x(self, value: float) -> float:
        first, last = self.x_decades
        return _LEFT + (log10(value) - first) / max(last - first, 1) * (_WIDTH - _LEFT - _RIGHT)

    def y(self, value: float) -> float:
        first, last = self.y_decades
        return _HEIGHT - _BOTTOM - (log10(value) - first) / max(last - first, 1) * (_HEIGHT - _TOP - _BOTTOM)


def roofline_svg(profile: Profile) -> str:
    """Returns the picture; for a launch without arithmetic one that says so."""
    point = profile.roofline
    parts = _empty() if point is None else _picture(profile, point)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" '
        f'font-size="12">\n<rect width="100%" height="100%" fill="white"/>\n'
        + "\n".join((_text(_WIDTH / 2, 24, f"{profile.kernel} on {profile.target.title}", "middle"), *parts))
        + "\n</svg>\n"
    )


def _empty() -> Iterator[str]:
    yield _text(_WIDTH / 2, _HEIGHT / 2, "no arithmetic was executed", "middle")


def _picture(profile: Profile, point: Roofline) -> Iterator[str]:
    ridge = point.peak / point.bandwidth
    # Without memory traffic the intensity is infinite: the point is drawn at the right edge.
    at = point.intensity if isfinite(point.intensity) else 10 * ridge
    axes = _Axes([ridge / 10, 10 * ridge, at / 2, at * 2], [point.rate / 2, point.peak * 2, point.peak / 100])
    yield from _grid(axes)
    first, last = (10.0**decade for decade in axes.x_decades)
    lowest = max(first, 10.0 ** axes.y_decades[0] / point.bandwidth)
    roof = [(lowest, lowest * point.bandwidth), (ridge, point.peak), (last, point.peak)]
    line = " ".join(f"{axes.x(x):.1f},{axes.y(y):.1f}" for x, y in roof)
    yield f'<polyline points="{line}" fill="none" stroke="#0068b5" stroke-width="2"/>'
    yield _text(axes.x(last) - 4, axes.y(point.peak) - 6, f"{_number(point.peak)}op/s ({point.precision})", "end")
    yield _text(axes.x(lowest) + 8, axes.y(roof[0][1]) - 6, f"{_number(point.bandwidth)}B/s", "start")
    x, y, roof_rate = axes.x(at), axes.y(point.rate), min(point.peak, at * point.bandwidth)
    yield _line(x, y, x, axes.y(roof_rate), 'stroke="#999" stroke-dasharray="4 3"')
    yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="#c4320a"/>'
    reached = f"{_number(point.rate)}op/s, {point.rate / roof_rate:.1%} of the roof"
    side = "end" if x > _WIDTH / 2 else "start"
    yield _text(x + (-10 if side == "end" else 10), y + 4, reached, side)
    yield _text(_LEFT, _TOP - 6, f"bound by {profile.estimate.bound}, by estimate", "start")


def _grid(axes: _Axes) -> Iterator[str]:
    """Draws lines at decades, with their numbers, and the names of the axes."""
    bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
    for decade in range(axes.x_decades[0], axes.x_decades[1] + 1):
        x = axes.x(10.0**decade)
        yield _line(x, _TOP, x, bottom, 'stroke="#ddd"')
        yield _text(x, bottom + 18, f"{10.0**decade:g}", "middle")
    for decade in range(axes.y_decades[0], axes.y_decades[1] + 1):
        y = axes.y(10.0**decade)
        yield _line(_LEFT, y, right, y, 'stroke="#ddd"')
        yield _text(_LEFT - 8, y + 4, _number(10.0**decade), "end")
    yield _text((_LEFT + right) / 2, _HEIGHT - 16, "operations per byte from memory", "middle")
    upright = f"translate(20 {(_TOP + bottom) / 2:.0f}) rotate(-90)"
    yield f'<g transform="{upright}">{_text(0, 0, "operations per second", "middle")}</g>'


def _line(x1: float, y1: float, x2: float, y2: float, style: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" {style}/>'


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _number(value: float) -> str:
    """Formats three digits and a prefix: `1.64 T`."""
    exponent = min(max(floor(log10(value)) // 3 * 3, 0), max(_PREFIXES)) if value > 0 else 0
    return f"{value / 10**exponent:.3g} {_PREFIXES[exponent]}"
