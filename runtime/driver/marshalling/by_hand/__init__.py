"""The callables that signatures do not describe. Each takes the function of Python and the arguments of C."""

from runtime.driver.marshalling.by_hand import (
    core as core,  # declares its callables
    sysman as sysman,
    tools as tools,
)
from runtime.driver.marshalling.by_hand.core import STUBS as STUBS
from runtime.driver.marshalling.by_hand.declared import answer_by_hand as answer_by_hand
