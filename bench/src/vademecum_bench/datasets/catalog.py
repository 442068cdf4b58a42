"""The data sets by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from vademecum_bench.corpus import Dataset, Unit
from vademecum_bench.datasets import locomo, longmemeval, qmsum, xquad
from vademecum_bench.errors import DataError

LOADERS: Mapping[str, Callable[[Path], Dataset]] = {
    "locomo-turn": lambda data: locomo.load(data, Unit.TURN),
    "locomo-session": lambda data: locomo.load(data, Unit.SESSION),
    "longmemeval-session": longmemeval.load_sessions,
    "longmemeval-turn": longmemeval.load_turns,
    "longmemeval-pooled": longmemeval.load_pooled,
    "qmsum": qmsum.load,
    "xquad": xquad.load,
}


def load(name: str, data: Path, *, languages: str = "") -> Dataset:
    """Read a data set. `languages` are pairs for `xquad` and mean nothing elsewhere."""
    if languages:
        if name != "xquad":
            raise DataError(f"{name} has no languages to choose", hint="Leave --languages out.")
        return xquad.load(data, languages)
    try:
        loader = LOADERS[name]
    except KeyError:
        raise DataError(
            f"no data set is called {name!r}", hint=f"There are: {', '.join(LOADERS)}."
        ) from None
    return loader(data)
