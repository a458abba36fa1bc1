"""Queues, immediate lists and fences, and the execution of regular lists."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import rule

from runtime import ze
from tests.unit.runtime.ze.fuzz.application import ASYNCHRONOUS, PATIENCE, SECOND, SYNCHRONOUS, Waiting
from tests.unit.runtime.ze.fuzz.command_rules import CommandRules, Numbers
from tests.unit.runtime.ze.fuzz.drawing import COMMANDS, FEW, PICK, needs
from tests.unit.runtime.ze.fuzz.event_rules import FOREVER, MOST_WAITING
from tests.unit.runtime.ze.fuzz.model import Command, CommandList, Event, Fence, Queue, Thing

MOST_QUEUES = 4

_Priority = ze.ze_command_queue_priority_t
PRIORITIES = (
    _Priority.ZE_COMMAND_QUEUE_PRIORITY_NORMAL,
    _Priority.ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW,
    _Priority.ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH,
)


class QueueRules(CommandRules):
    @rule(
        context=FEW,
        ordinal=st.sampled_from([0, 0, 0, 7]),
        index=st.sampled_from([0, 0, 0, 50]),
        synchronous=st.booleans(),
        priority=st.sampled_from(PRIORITIES),
    )
    def create_queue(self, context: int, ordinal: int, index: int, synchronous: bool, priority: int) -> None:
        if sum(not queue.is_immediate for queue in self.all(Queue)) == MOST_QUEUES:
            return
        parent = self.contexts[context % 2]

        def call() -> None:
            mode = SYNCHRONOUS if synchronous else ASYNCHRONOUS
            desc = ze.ze_command_queue_desc_t(ordinal, index, mode=mode, priority=priority)
            handle = ze.zeCommandQueueCreate(parent.handle, self.device, desc)
            self.add(Queue(handle, parent, synchronous=synchronous))

        self.expect("SUCCESS" if ordinal == index == 0 else "INVALID_ARGUMENT", call)

    @rule(context=FEW, synchronous=st.booleans(), in_order=st.booleans(), priority=st.sampled_from(PRIORITIES))
    def create_immediate(self, context: int, synchronous: bool, in_order: bool, priority: int) -> None:
        if sum(queue.is_immediate for queue in self.all(Queue)) < MOST_QUEUES:
            self.new_immediate(self.contexts[context % 2], synchronous, in_order, priority)

    def new_immediate(
        self, parent: Thing, synchronous: bool = False, in_order: bool = False, priority: int = PRIORITIES[0]
    ) -> Queue:
        flags = ze.ze_command_queue_flags_t.ZE_COMMAND_QUEUE_FLAG_IN_ORDER if in_order else 0
        mode = SYNCHRONOUS if synchronous else ASYNCHRONOUS
        desc = ze.ze_command_queue_desc_t(0, 0, flags=flags, mode=mode, priority=priority)
        handle = ze.zeCommandListCreateImmediate(parent.handle, self.device, desc)
        return self.add(Queue(handle, parent, is_immediate=True, synchronous=synchronous, in_order=in_order))

    # Regular lists ---------------------------------------------------------------------------------------------------

    @needs(CommandList)
    @rule(pick=PICK)
    def close(self, pick: int) -> None:
        command_list = self.some(CommandList, pick)
        if command_list is not None:
            self.expect("SUCCESS", lambda: ze.zeCommandListClose(command_list.handle))
            command_list.closed = True

    @needs(CommandList)
    @rule(pick=PICK)
    def reset_list(self, pick: int) -> None:
        command_list = self.some(CommandList, pick)
        if command_list is None:
            return
        busy = command_list.is_busy
        call = lambda: ze.zeCommandListReset(command_list.handle)  # noqa: E731
        self.expect("HANDLE_OBJECT_IN_USE" if busy else "SUCCESS", call)
        if not busy:
            command_list.closed = False
            command_list.commands = []

    @needs(Queue)
    @rule(pick=PICK, lists=st.lists(PICK, max_size=3), fence=PICK)
    def execute(self, pick: int, lists: list[int], fence: int) -> None:
        queue = self.some(Queue, pick)
        if queue is None:
            return
        chosen = [found for number in lists if (found := self.some(CommandList, number)) is not None]
        used = self.some(Fence, fence) if fence % 2 and not queue.is_immediate else None
        self.execute_lists(queue, chosen, used, [])

    def execute_lists(self, queue: Queue, lists: list[CommandList], fence: Fence | None, waits: list[Event]) -> None:
        """On a queue, or on an immediate list when events are signaled."""
        if len(set(lists)) < len(lists) or any(self.is_destroyed(found) for found in lists):
            return
        if queue.is_immediate and queue.synchronous and queue.pending:
            return
        handles = [found.handle for found in lists]
        commands = [command for found in lists for command in found.commands]
        if queue.is_immediate:
            call = lambda: ze.zeCommandListImmediateAppendCommandListsExp(  # noqa: E731
                queue.handle, handles, None, [event.handle for event in waits]
            )
            commands = [Command(waits), *commands, Command()]
        else:
            call = lambda: ze.zeCommandQueueExecuteCommandLists(  # noqa: E731
                queue.handle, handles, None if fence is None else fence.handle
            )
        wrong = self.wrong_execution(queue, lists, fence)
        if wrong:
            found = self.call(call)
            assert found in wrong, f"{found} in place of {wrong}"
            return
        submission = queue.submit(commands, lists)
        if fence is not None:
            fence.submission = submission
        self.submit(queue, submission, call)

    @needs(CommandList)
    @rule(pick=PICK, fence=PICK, commands=st.lists(COMMANDS, max_size=4))
    def record_and_execute(self, pick: int, fence: int, commands: list[tuple[int, list[int], int, Numbers]]) -> None:
        """The usual way, which random calls seldom take."""
        command_list = self.some(CommandList, pick)
        if command_list is None:
            return
        if commands and not command_list.is_busy:
            self.reset_list(pick)
            for command in commands:
                self.append(command_list, *command)
        self.close(pick)
        queues = [queue for queue in self.all(Queue) if queue.context is command_list.context]
        if not queues:
            return
        queue = queues[pick % len(queues)]
        fences = [each for each in self.all(Fence) if each.parent is queue]
        used = fences[fence % len(fences)] if fence % 2 and fences else None
        waits = [event for event in self.all(Event) if event.context is queue.context]
        self.execute_lists(queue, [command_list], used, waits[:1] if queue.is_immediate and fence % 3 else [])

    def is_destroyed(self, command_list: CommandList) -> bool:
        """Returns whether a list needs an object that is gone, so that the effect of executing it is unknown."""
        return not all(thing.alive for thing in (*command_list.events, *command_list.memory))

    def wrong_execution(self, queue: Queue, lists: list[CommandList], fence: Fence | None) -> set[str]:
        found = set()
        if not lists:
            found.add("INVALID_SIZE")
        if any(not one.closed or one.context is not queue.context for one in lists):
            found.add("INVALID_ARGUMENT")
        if any(one.is_busy for one in lists):
            found.add("HANDLE_OBJECT_IN_USE")
        if fence is not None and (fence.parent is not queue or fence.signaled or fence.submitted):
            found.add("INVALID_SYNCHRONIZATION_OBJECT")
        return found

    # Waiting ---------------------------------------------------------------------------------------------------------

    @needs(Queue)
    @rule(pick=PICK)
    def synchronize(self, pick: int) -> None:
        queue = self.some(Queue, pick)
        if queue is not None:
            timeout = 1000 if queue.pending else PATIENCE * SECOND
            self.expect(self.queue_status(queue), lambda: self.synchronize_queue(queue, timeout))

    @needs(Queue)
    @rule(pick=PICK)
    def wait_for_queue(self, pick: int) -> None:
        """In a thread, until it is idle."""
        queue = self.some(Queue, pick)
        if queue is None or not queue.pending or queue.synchronous or len(self.waiting) >= MOST_WAITING:
            return

        def outcome() -> str | None:
            if queue.pending:
                return None
            told = self.queue_status(queue)
            return "DEVICE_LOST" if self.device.processor.lost else told

        call = lambda: self.synchronize_queue(queue, FOREVER)  # noqa: E731
        self.waiting.append(Waiting(f"the wait for {queue.handle}", call, outcome))

    # Fences ----------------------------------------------------------------------------------------------------------

    @needs(Queue)
    @rule(pick=PICK, signaled=st.booleans())
    def create_fence(self, pick: int, signaled: bool) -> None:
        queue = self.some(Queue, pick)
        if queue is not None and not queue.is_immediate:
            handle = ze.zeFenceCreate(queue.handle, ze.ze_fence_desc_t(int(signaled)))
            self.add(Fence(handle, queue, is_set=signaled))

    @needs(Fence)
    @rule(pick=PICK)
    def query_fence(self, pick: int) -> None:
        fence = self.some(Fence, pick)
        if fence is not None:
            timeout = PATIENCE * SECOND if fence.signaled else 1000
            self.expect(self.fence_status(fence), lambda: ze.zeFenceHostSynchronize(fence.handle, timeout))

    @needs(Fence)
    @rule(pick=PICK)
    def wait_for_fence(self, pick: int) -> None:
        """In a thread, until it is signaled."""
        fence = self.some(Fence, pick)
        if fence is None or fence.submission is None or not fence.submitted or len(self.waiting) >= MOST_WAITING:
            return
        submission = fence.submission

        def outcome() -> str | None:
            return None if submission.is_pending else self.fence_status(fence)

        call = lambda: ze.zeFenceHostSynchronize(fence.handle, FOREVER)  # noqa: E731
        self.waiting.append(Waiting(f"the wait for {fence.handle}", call, outcome))

    @needs(Fence)
    @rule(pick=PICK)
    def reset_fence(self, pick: int) -> None:
        fence = self.some(Fence, pick)
        if fence is None:
            return
        self.expect("HANDLE_OBJECT_IN_USE" if fence.is_busy else "SUCCESS", lambda: ze.zeFenceReset(fence.handle))
        if not fence.is_busy:
            fence.is_set, fence.submission = False, None
