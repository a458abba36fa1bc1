"""Rules of the simulated machine that both engines follow."""

from runtime.simulator.machine.block_2d import PAYLOAD_BYTES as PAYLOAD_BYTES, BlockSurface as BlockSurface
from runtime.simulator.machine.divergence import diverges as diverges
from runtime.simulator.machine.residency import residency as residency
from runtime.simulator.machine.thread_payload import FULL_MASK as FULL_MASK, cross_thread_offset as cross_thread_offset
