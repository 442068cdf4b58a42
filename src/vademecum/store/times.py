"""Instants as integers and back, without losing their zone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


def microseconds(moment: datetime) -> int:
    """Microseconds since the epoch, exact. A moment without a zone is taken as UTC."""
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (aware - _EPOCH) // _MICROSECOND


def zone_minutes(moment: datetime) -> int:
    """Minutes east of UTC."""
    offset = moment.utcoffset()
    return 0 if offset is None else int(offset.total_seconds() // 60)


def moment(since_epoch_us: int, zone: int) -> datetime:
    """The aware moment that `microseconds` and `zone_minutes` came from, to the minute of zone."""
    local = timezone(timedelta(minutes=zone)) if zone else UTC
    return (_EPOCH + timedelta(microseconds=since_epoch_us)).astimezone(local)
