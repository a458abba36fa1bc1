"""Work spread over processes and machines: sweeps of independent jobs, and the work-groups of one launch."""

from runtime.cluster.errors import ClusterError as ClusterError, SpreadError as SpreadError
from runtime.cluster.spreading import spread as spread
from runtime.cluster.workers import Workers as Workers
