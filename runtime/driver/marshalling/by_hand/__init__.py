"""The callables that signatures do not describe. Each takes the function of Python and the arguments of C."""

from __future__ import annotations

from runtime.driver.marshalling.by_hand import core as core  # declares its callables
from runtime.driver.marshalling.by_hand import sysman as sysman
from runtime.driver.marshalling.by_hand import tools as tools
from runtime.driver.marshalling.by_hand.core import STUBS
from runtime.driver.marshalling.by_hand.declared import answer_by_hand

__all__ = ["STUBS", "answer_by_hand"]
