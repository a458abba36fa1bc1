"""Groups and queries: activation, states, tiles, skipped work."""

from __future__ import annotations

from runtime import ze, zet
from tests.unit.runtime.ze.expect import fails
from tests.unit.runtime.zet.metrics.world import EVENTS, TIME, VALUES_OF, World, kernel_of, values

ADD = kernel_of("add (16|M0) r24:f r24:f r24:f\neot")
BEGIN, END = zet.zetCommandListAppendMetricQueryBegin, zet.zetCommandListAppendMetricQueryEnd


class TestGroups:
    def test_only_if_enabled(self, world: World) -> None:
        assert zet.zetMetricGroupGet(world.device)
        world.patch.delenv("ZET_ENABLE_METRICS")
        assert zet.zetMetricGroupGet(world.device) == []
        world.patch.setenv("ZE_ENABLE_METRICS", "1")
        assert zet.zetMetricGroupGet(world.device)

    def test_every_group_by_events_and_by_time(self, world: World) -> None:
        for device in (world.device, *world.device.tiles, world.arc):
            found = [zet.zetMetricGroupGetProperties(group) for group in zet.zetMetricGroupGet(device)]
            names = {each.samplingType: [] for each in found}
            for each in found:
                names[each.samplingType].append(each.name)
            assert [*names[EVENTS], "EuStallSampling"] == names[TIME]
            assert zet.zetMetricGroupGet(device) == zet.zetMetricGroupGet(device)

    def test_metrics(self, world: World) -> None:
        for group in zet.zetMetricGroupGet(world.device):
            metrics = zet.zetMetricGet(group)
            assert len(metrics) == zet.zetMetricGroupGetProperties(group).metricCount
            found = [zet.zetMetricGetProperties(metric) for metric in metrics]
            assert len({each.name for each in found}) == len(found)
            assert all(max(len(each.name), len(each.description), len(each.resultUnits)) < 256 for each in found)

    def test_extension_structures(self, world: World) -> None:
        kinds = (
            zet.zet_metric_group_type_exp_t,
            zet.zet_metric_global_timestamps_resolution_exp_t,
            zet.zet_typed_value_t,
        )
        kind, resolution = zet.zetMetricGroupGetProperties(world.group(), kinds).pNext
        assert kind.type == zet.ZET_METRIC_GROUP_TYPE_EXP_FLAG_OTHER
        assert resolution.timerResolution == 10**9

    def test_activation_replaces(self, world: World) -> None:
        first, second = world.group(), world.group("InstructionMix")
        zet.zetContextActivateMetricGroups(world.context, world.device, [first])
        zet.zetContextActivateMetricGroups(world.context, world.device, [second, world.group("MemoryProfile")])
        assert (first.is_active, second.is_active) == (False, True)
        zet.zetContextActivateMetricGroups(world.context, world.device)
        assert not second.is_active
        zet.zetDeviceActivateMetricGroups(world.device, [first])
        assert first.is_active

    def test_tiles_share_what_their_card_has(self, world: World) -> None:
        tiles = world.device.tiles
        for tile in tiles:
            world.activated(device=tile)
        with fails("NOT_AVAILABLE", "tile in common"):
            world.activated()
        for tile in tiles:
            zet.zetContextActivateMetricGroups(world.context, tile)
        world.activated()
        with fails("NOT_AVAILABLE"):
            world.activated(device=tiles[0])


class TestOlderNames:
    """Names of specification 0.91, which stand for those of 1.x."""

    def test_enumerators(self) -> None:
        assert zet.ZET_METRIC_GROUP_SAMPLING_TYPE_TIME_BASED == TIME
        assert zet.ZET_METRIC_QUERY_POOL_FLAG_SKIP_EXECUTION == zet.ZET_METRIC_QUERY_POOL_TYPE_EXECUTION
        assert zet.ZET_METRIC_TRACER_DESC_VERSION_CURRENT == 91

    def test_a_stream(self, world: World) -> None:
        group = world.group(sampling=zet.ZET_METRIC_GROUP_SAMPLING_TYPE_TIME_BASED)
        zet.zetDeviceActivateMetricGroups(world.device, [group])
        desc = zet.zet_metric_tracer_desc_t(notifyEveryNReports=1, samplingPeriod=8000)
        _, tracer = zet.zetMetricTracerOpen(world.device, group, desc)
        assert isinstance(tracer, zet.zet_metric_tracer_handle_t)
        zet.zetMetricTracerClose(tracer)


class TestQueries:
    def test_states(self, world: World) -> None:
        query = world.new_query()
        END(world.immediate, query)
        for append in (BEGIN, END):
            with fails("NOT_READY"):
                zet.zetMetricQueryGetData(query)
            append(world.immediate, query)
        assert zet.zetMetricQueryGetData(query) == zet.zetMetricQueryGetData(query)
        zet.zetMetricQueryReset(query)
        with fails("NOT_READY"):
            zet.zetMetricQueryGetData(query)
        BEGIN(world.immediate, query)
        zet.zetMetricQueryReset(query)
        assert world.device.processor.listeners == ()
        pool = query.pool
        zet.zetMetricQueryDestroy(query)
        zet.zetMetricQueryPoolDestroy(pool)

    def test_a_group_stays_active_while_a_query_collects(self, world: World) -> None:
        query = world.new_query()
        BEGIN(world.immediate, query)
        with fails("NOT_AVAILABLE", "collects"):
            zet.zetContextActivateMetricGroups(world.context, world.device)
        END(world.immediate, query)
        zet.zetContextActivateMetricGroups(world.context, world.device)

    def test_on_a_regular_list(self, machine: World) -> None:
        """A list that is executed twice measures anew."""
        query, commands, event = machine.new_query(), machine.new_list(), machine.new_event(signaled=False)
        BEGIN(commands, query)
        machine.launch(commands, ADD, 3)
        zet.zetCommandListAppendMetricMemoryBarrier(commands)
        END(commands, query, event)
        ze.zeCommandListClose(commands)
        with fails("NOT_READY"):
            zet.zetMetricQueryGetData(query)
        for _ in range(2):
            ze.zeCommandQueueExecuteCommandLists(machine.queue, [commands])
            ze.zeEventHostSynchronize(event, ze.FOREVER)
            ze.zeCommandQueueSynchronize(machine.queue, ze.FOREVER)
            (found,) = values(query.pool.group, zet.zetMetricQueryGetData(query))[:1]
            assert found["XVE_INST_EXECUTED_ALL"] == 6

    def test_two_queries_overlap(self, machine: World) -> None:
        group = machine.activated()
        outer, inner = machine.new_query(group), machine.new_query(group)
        for append, query in ((BEGIN, outer), (BEGIN, inner), (END, inner), (END, outer)):
            append(machine.immediate, query)
            machine.launch(machine.immediate, ADD)
        counts = [
            values(group, zet.zetMetricQueryGetData(query))[0]["XVE_INST_EXECUTED_ALL"] for query in (outer, inner)
        ]
        assert counts == [6, 2]

    def test_each_tile_has_a_report(self, machine: World) -> None:
        """Work of the card is that of its first tile."""
        card, second = machine.new_query(), machine.device.tiles[1]
        BEGIN(machine.immediate, card)
        machine.launch(machine.list_on(second), ADD, 5)
        machine.launch(machine.immediate, ADD, 2)
        END(machine.immediate, card)
        group = card.pool.group
        raw = zet.zetMetricQueryGetData(card)
        assert [found["XVE_INST_EXECUTED_ALL"] for found in values(group, raw)] == [4, 10]
        counts, flat = zet.zetMetricGroupCalculateMultipleMetricValuesExp(group, VALUES_OF, raw)
        assert zet.zetMetricGroupCalculateMetricValues(group, raw) == flat  # 0.91 has one device, whatever its tiles
        assert counts == [len(group.metrics)] * 2 and len(flat) == sum(counts)

    def test_a_tile_alone(self, machine: World) -> None:
        zet.zetContextActivateMetricGroups(machine.context, machine.device)
        second = machine.device.tiles[1]
        query = machine.new_query(machine.activated(device=second))
        commands = machine.list_on(second)
        BEGIN(commands, query)
        machine.launch(commands, ADD, 5)
        machine.launch(machine.immediate, ADD, 2)
        END(commands, query)
        raw = zet.zetMetricQueryGetData(query)
        found = zet.zetMetricGroupCalculateMetricValues(query.pool.group, VALUES_OF, raw)
        assert (
            found[[metric.row.name for metric in query.pool.group.metrics].index("XVE_INST_EXECUTED_ALL")].value == 10
        )

    def test_execution_queries_skip(self, machine: World) -> None:
        """Only waiting and signaling is left."""
        store = kernel_of("mov (16|M0) r20:ud 7:ud\nstore.ugm.d32x16t.a64 (1|M0) flat[r1]:1 r20:1\neot")
        query = machine.new_query(type=zet.ZET_METRIC_QUERY_POOL_TYPE_EXECUTION)
        event = machine.new_event(signaled=False)
        BEGIN(machine.immediate, query)
        machine.launch(machine.immediate, store)
        ze.zeCommandListAppendMemoryFill(machine.immediate, machine.buffer + 4, b"\5", 1, 4)
        ze.zeCommandListAppendSignalEvent(machine.immediate, event)
        END(machine.immediate, query)
        assert event.signaled
        read = bytearray(8)
        ze.zeCommandListAppendMemoryCopy(machine.immediate, read, machine.buffer, 8)
        assert read == bytes(8)
        machine.launch(machine.immediate, store)
        ze.zeCommandListAppendMemoryCopy(machine.immediate, read, machine.buffer, 8)
        assert read == b"\7\0\0\0" * 2

    def test_a_fault_in_between(self, machine: World) -> None:
        fault = kernel_of("mov (8|M0) r2:uq 64:uq\nload.ugm.d32x64t.a64 (1|M0) r10:4 flat[r2]:1\neot")
        query = machine.new_query()
        BEGIN(machine.immediate, query)
        with fails("DEVICE_LOST"):
            machine.launch(machine.immediate, fault)
        with fails("NOT_READY"):
            zet.zetMetricQueryGetData(query)
        zet.zetMetricQueryReset(query)
        assert machine.device.processor.listeners == ()


def test_nobody_counts_unless_a_query_is_open(machine: World) -> None:
    asked: list[bool] = []
    simulator, run = machine.device.simulator, machine.device.simulator.run

    def watched(executable, dispatch, *, counts=False):
        asked.append(counts)
        return run(executable, dispatch, counts=counts)

    simulator.run = watched
    query = machine.new_query()
    machine.launch(machine.immediate, ADD)
    BEGIN(machine.immediate, query)
    machine.launch(machine.immediate, ADD)
    END(machine.immediate, query)
    machine.launch(machine.immediate, ADD)
    assert asked == [False, True, False]
