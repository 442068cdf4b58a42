"""How much memory this process has taken."""

from __future__ import annotations

import sys


def peak_rss_mb() -> float:
    """The most memory it ever had resident, in MiB, harness and data included; 0 if unknown."""
    if sys.platform == "win32":
        return 0.0
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Bytes on macOS, KiB on Linux.
    return peak / (2**20 if sys.platform == "darwin" else 2**10)
