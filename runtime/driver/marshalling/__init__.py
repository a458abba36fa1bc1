"""The callables behind the functions of C: arguments become those of `runtime.ze`, and answers what C expects."""

from runtime.driver.marshalling import (
    described as described,  # declares its readers
    described_tools as described_tools,
)
from runtime.driver.marshalling.by_hand import STUBS as STUBS, answer_by_hand as answer_by_hand
from runtime.driver.marshalling.callables import Answer as Answer, answer as answer
from runtime.driver.marshalling.failures import note as note
from runtime.driver.marshalling.handles import HANDLES as HANDLES, HEAD_BYTES as HEAD_BYTES
from runtime.driver.marshalling.structures import (
    class_of as class_of,
    package_of as package_of,
    reader as reader,
    types_of as types_of,
    writer as writer,
)
