"""Bytes on the disk."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from vademecum.vault import files


def names(folder: Path) -> list[str]:
    return [place.name for place in folder.iterdir()]


def test_a_file_is_put_in_place_as_a_whole_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    place = tmp_path / "a" / "b" / "x.md"
    assert files.write_whole(place, b"one")
    assert files.write_whole(place, b"two\r\n")
    assert place.read_bytes() == b"two\r\n"
    assert names(place.parent) == ["x.md"]


def test_a_write_that_fails_leaves_the_old_file_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "x.md"
    place.write_bytes(b"old")

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        files.write_whole(place, b"new")
    assert place.read_bytes() == b"old"
    assert names(tmp_path) == ["x.md"]


def test_the_permissions_of_a_file_survive_its_replacement(tmp_path: Path) -> None:
    place = tmp_path / "x.md"
    place.write_bytes(b"old")
    place.chmod(0o640)
    files.write_whole(place, b"new")
    assert place.stat().st_mode & 0o777 == 0o640


def test_the_last_look_decides_and_sees_the_old_file(tmp_path: Path) -> None:
    place = tmp_path / "x.md"
    place.write_bytes(b"old")
    seen: list[bytes] = []

    def look() -> bool:
        seen.append(place.read_bytes())
        return False

    assert not files.write_whole(place, b"new", if_still=look)
    assert seen == [b"old"]
    assert place.read_bytes() == b"old"
    assert names(tmp_path) == ["x.md"]


def test_an_append_is_complete_even_if_the_system_writes_in_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "x.jsonl"
    place.write_bytes(b"1\n")
    write = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: write(fd, bytes(data[:1])))
    files.append(place, b"234\n")
    assert place.read_bytes() == b"1\n234\n"


def test_an_append_that_fails_half_way_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "x.jsonl"
    place.write_bytes(b"1\n")
    write = os.write
    calls: list[int] = []

    def write_once(fd: int, data: bytes) -> int:
        calls.append(fd)
        if len(calls) > 1:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(fd, bytes(data[:2]))

    monkeypatch.setattr(os, "write", write_once)
    with pytest.raises(OSError, match="No space left"):
        files.append(place, b"234\n")
    assert place.read_bytes() == b"1\n"


def test_a_digest_has_32_hexadecimal_characters() -> None:
    assert files.digest_of(b"") == "cae66941d9efbd404e4d88758ea67670"
