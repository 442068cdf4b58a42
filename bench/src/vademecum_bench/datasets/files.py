"""Finding, reading and identifying the files of a data set."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from vademecum_bench.errors import DataError


def folder_of(data: Path, name: str, needed: Sequence[str]) -> Path:
    """The folder that holds the needed files: `data/name`, or `data` itself."""
    candidates = (data / name, data)
    for folder in candidates:
        if all((folder / file).is_file() for file in needed):
            return folder
    raise DataError(
        f"no {name} data in {str(data)!r}: looked for {', '.join(needed)}",
        hint=f"--data takes the folder that holds {name}/, or {name}/ itself.",
    )


def checksums(folder: Path, names: Sequence[str]) -> dict[str, str]:
    """SHA-256 of each file, in hexadecimal."""
    sums: dict[str, str] = {}
    for name in names:
        with (folder / name).open("rb") as file:
            sums[name] = hashlib.file_digest(file, "sha256").hexdigest()
    return sums


def read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise DataError(f"{path.name} is not JSON: {error}") from error


def read_gzip_lines(path: Path) -> Iterator[Any]:
    """The JSON value of each line."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            try:
                yield json.loads(line)
            except ValueError as error:
                raise DataError(f"{path.name}, line {number} is not JSON: {error}") from error
