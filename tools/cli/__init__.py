"""Modules that all command lines share: colors."""

from __future__ import annotations

from tools.cli.terminal import COLOR_CHOICES, is_colored

__all__ = ["COLOR_CHOICES", "is_colored"]
