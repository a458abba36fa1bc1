"""Work spread over processes and machines: sweeps of independent jobs, and the work-groups of one launch."""

from runtime.cluster.spreading import SpreadError, spread
from runtime.cluster.workers import ClusterError, Workers

__all__ = ["ClusterError", "SpreadError", "Workers", "spread"]
