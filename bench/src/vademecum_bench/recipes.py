"""Recipes as plain values: into the manifest, and back out of it."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, Union, get_args, get_origin, get_type_hints

from vademecum_bench.errors import DataError


def plain(value: object) -> Any:
    """Any nest of frozen values as what JSON knows; sets in order, so that equal is equal."""
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(one) for key, one in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted((plain(one) for one in value), key=str)
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    raise TypeError(f"{value!r} has no plain form")


def restored(kind: Any, value: Any) -> Any:
    """The value of type `kind` that `plain` made this of. DataError if it is not of that form."""
    try:
        return _restored(kind, value)
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(f"not a {getattr(kind, '__name__', kind)}: {value!r} ({error})") from error


def _restored(kind: Any, value: Any) -> Any:
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        if value is None:
            return None
        return _restored(next(one for one in inner if one is not type(None)), value)
    if origin in (tuple, frozenset, list):
        return origin(_restored(inner[0], one) for one in value)
    if is_dataclass(kind) and isinstance(kind, type):
        hints = get_type_hints(kind)
        return kind(**{name: _restored(hints[name], one) for name, one in value.items()})
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(value)
    return value
