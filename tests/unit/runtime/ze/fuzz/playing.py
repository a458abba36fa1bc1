"""Long runs of likely calls, which hypothesis, fond of the extreme and of repetition, would seldom draw."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.unit.runtime.ze.fuzz.command_rules import MAKERS, Numbers
from tests.unit.runtime.ze.fuzz.machine import STAGES, ApiMachine
from tests.unit.runtime.ze.fuzz.object_rules import KINDS
from tests.unit.runtime.ze.fuzz.queue_rules import PRIORITIES


def pick(random: Random) -> int:
    return random.randrange(1 << 16)


def flag(random: Random) -> bool:
    return random.random() < 0.5


def command(random: Random) -> tuple[int, list[int], int, Numbers]:
    """Draws the ingredients of a command, in the form of `drawing.COMMANDS`. Most have no events."""
    waits = [pick(random) for _ in range(random.choice([0, 0, 0, 1, 1, 2]))]
    signal = pick(random) if random.random() < 0.5 else 0
    numbers = [random.randrange(8 if random.random() < 0.02 else 9, 256)] + [random.randrange(256) for _ in range(3)]
    return signal, waits, random.randrange(len(MAKERS)), numbers


def commands(random: Random) -> list[tuple[int, list[int], int, Numbers]]:
    return [command(random) for _ in range(random.randrange(1, 6))]


ACTIONS: list[tuple[float, str, Callable[[Random], tuple[object, ...]]]] = [
    (12, "record_and_execute", lambda random: (pick(random), pick(random), commands(random))),
    (4, "record_and_execute", lambda random: (pick(random), pick(random) | 1, [])),
    (3, "execute", lambda random: (pick(random), [pick(random)], pick(random))),
    (12, "append_at_once", lambda random: (pick(random), command(random))),
    (4, "append_command", lambda random: (pick(random), command(random))),
    (2, "close", lambda random: (pick(random),)),
    (3, "reset_list", lambda random: (pick(random),)),
    (8, "signal", lambda random: (pick(random),)),
    (5, "reset", lambda random: (pick(random),)),
    (5, "open_gate", lambda random: (pick(random),)),
    (4, "reset_fence", lambda random: (pick(random),)),
    (2, "query_fence", lambda random: (pick(random),)),
    (1, "query_event", lambda random: (pick(random),)),
    (1, "synchronize", lambda random: (pick(random),)),
    (2, "wait_for_event", lambda random: (pick(random),)),
    (2, "wait_for_fence", lambda random: (pick(random),)),
    (1, "wait_for_queue", lambda random: (pick(random),)),
    (3, "destroy", lambda random: (pick(random), random.choice(KINDS))),
    (2, "destroy_what_is_busy", lambda random: (pick(random),)),
    (3, "allocate", lambda random: (pick(random), random.randrange(3), random.randrange(1, 4097), 64)),
    (2, "free", lambda random: (pick(random), pick(random), random.random() < 0.1)),
    (2, "free_when_unused", lambda random: (pick(random), flag(random))),
    (1, "make_array", lambda random: (pick(random), random.randrange(1, 301), random.randrange(256))),
    (1, "create_pool", lambda random: (pick(random), random.randrange(1, 5))),
    (3, "create_event", lambda random: (pick(random), random.randrange(4))),
    (1, "create_counter", lambda random: (pick(random),)),
    (2, "create_list", lambda random: (pick(random), 0, flag(random))),
    (2, "create_fence", lambda random: (pick(random), random.random() < 0.1)),
    (1, "create_queue", lambda random: (pick(random), 0, 0, flag(random), random.choice(PRIORITIES))),
    (1, "create_immediate", lambda random: (pick(random), flag(random), flag(random), random.choice(PRIORITIES))),
    (1, "create_kernel", lambda random: (pick(random), random.choice(["work", "empty", "broken"]))),
    (0.5, "lose_device", lambda random: (pick(random),)),
    (0.3, "change_thread", lambda random: (flag(random),)),
    (
        0.3,
        "pipe",
        lambda random: (
            pick(random),
            random.randrange(1, 256),
            random.randrange(1, 300),
            random.sample(range(STAGES), STAGES),
        ),
    ),
    (0.1, "trace", lambda random: (pick(random),)),
]
"""The actions of an application: their frequency, the name of the rule, and its arguments."""

_WEIGHTS = [weight for weight, _, _ in ACTIONS]


def play(seed: int, length: int) -> None:
    """Makes likely calls; raises for the first difference from the model, with all calls so far."""
    random, machine, calls = Random(seed), ApiMachine(), []
    try:
        machine.begin([random.randrange(1, 65) for _ in range(3)])
        for _, name, draw in random.choices(ACTIONS, _WEIGHTS, k=length):
            arguments = draw(random)
            calls.append(f"{name}{arguments}")
            getattr(machine, name)(*arguments)
            machine.compare()
        machine.teardown()
    except Exception as error:
        machine.give_up()
        error.add_note("\n".join(("The calls were:", *calls)))
        raise
