"""The time of this machine."""

from __future__ import annotations

from datetime import UTC, datetime


class SystemClock:
    """Now, in the zone of this machine."""

    def now(self) -> datetime:
        return datetime.now(UTC).astimezone()
