"""Work spread over processes and machines: sweeps of independent jobs, and the work-groups of one launch."""

from runtime.cluster.errors import ClusterError, SpreadError
from runtime.cluster.spreading import spread
from runtime.cluster.workers import Workers

__all__ = ["ClusterError", "SpreadError", "Workers", "spread"]
