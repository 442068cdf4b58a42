"""Several processes on one vault, and processes that are killed in the middle."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import vademecum

WRITER = """
import sys, vademecum
path, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
with vademecum.open_vault(path) as vault:
    for number in range(count):
        saved = vault.add(f"note {name}x{number} of writer {name}")
        print(saved.id, flush=True)
        if number % 5 == 0:
            vault.search(f"{name}x{number}")
"""

READER = """
import sys, vademecum
path, count = sys.argv[1], int(sys.argv[2])
with vademecum.open_vault(path) as vault:
    for number in range(count):
        vault.search("note of writer")
print("read", flush=True)
"""

APPENDER = """
import sys, vademecum
path, session, name, count = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
with vademecum.open_vault(path) as vault:
    for number in range(count):
        content = f"{name}x{number} " + "word " * 50
        vault.append(session, [vademecum.Turn(content=content, id=f"{name}{number}")])
        print(f"{name}{number}", flush=True)
"""

REBUILDER = """
import sys, vademecum
with vademecum.open_vault(sys.argv[1]) as vault:
    while True:
        vault.rebuild()
        print("rebuilt", flush=True)
"""


def start(script: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_writers_and_readers_at_once_lose_nothing_and_see_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "vault"
    vademecum.create_vault(path).close()
    writers = [start(WRITER, path, name, 30) for name in ("wa", "wb", "wc")]
    readers = [start(READER, path, 30) for _ in range(2)]
    acknowledged = []
    for process in (*writers, *readers):
        output, errors = process.communicate(timeout=300)
        assert process.returncode == 0, errors
        assert errors == ""
        acknowledged += output.split()
    with vademecum.open_vault(path) as vault:
        assert vault.check().is_clean
        ids = {item.id for item in vault.list(limit=1000).items}
        assert len(ids) == 90
        assert ids == set(acknowledged) - {"read"}


def test_two_writers_of_one_session_keep_every_turn_whole(tmp_path: Path) -> None:
    path = tmp_path / "vault"
    with vademecum.create_vault(path) as vault:
        session = vault.start_session(title="shared")
    appenders = [start(APPENDER, path, session, name, 25) for name in ("pa", "pb")]
    for process in appenders:
        _, errors = process.communicate(timeout=300)
        assert process.returncode == 0, errors
    with vademecum.open_vault(path) as vault:
        shown = vault.show(session)
        assert isinstance(shown, vademecum.Session)
        assert sorted(turn.id for turn in shown.turns) == sorted(
            f"{name}{number}" for name in ("pa", "pb") for number in range(25)
        )
        assert vault.check().is_clean


@pytest.mark.parametrize("seed", range(6))
def test_kill_9_loses_nothing_that_was_acknowledged(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    path = tmp_path / "vault"
    with vademecum.create_vault(path) as vault:
        session = vault.start_session(title="long talk")
        for number in range(10):
            vault.add(f"standing note {number}")
    processes = {
        "notes": start(WRITER, path, "ka", 100_000),
        "turns": start(APPENDER, path, session, "kb", 100_000),
        "rebuild": start(REBUILDER, path),
    }
    acknowledged: dict[str, list[str]] = {}
    for name, process in processes.items():
        assert process.stdout is not None
        wanted = chance.randrange(1, 4 if name == "rebuild" else 30)
        lines = [process.stdout.readline().strip() for _ in range(wanted)]
        process.send_signal(signal.SIGKILL)
        rest, _ = process.communicate(timeout=60)
        acknowledged[name] = [line for line in [*lines, *rest.split("\n")[:-1]] if line]

    with vademecum.open_vault(path) as vault:
        checkup = vault.check()
        assert checkup.agrees, checkup
        assert checkup.is_clean, checkup
        ids = {item.id for item in vault.list(limit=100_000).items}
        assert set(acknowledged["notes"]) <= ids
        shown = vault.show(session)
        assert isinstance(shown, vademecum.Session)
        assert set(acknowledged["turns"]) <= {turn.id for turn in shown.turns}
        # The session goes on growing, whatever the end of its file looked like.
        vault.append(session, [vademecum.Turn(content="and on it goes zanzibarite")])
        assert vault.search("zanzibarite").hits[0].document.id == session


@pytest.mark.parametrize("damage", ["deleted", "garbage", "truncated", "older schema"])
def test_a_damaged_index_is_made_anew(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "vault"
    with vademecum.create_vault(path) as vault:
        vault.add("The kettle leaks.")
        expected = vault.search("kettle").hits
    index = path / ".vademecum" / "index.db"
    if damage == "deleted":
        index.unlink()
    elif damage == "garbage":
        index.write_bytes(b"no database at all " * 1000)
    elif damage == "truncated":
        index.write_bytes(index.read_bytes()[:5000])
    else:
        import sqlite3

        connection = sqlite3.connect(index)
        connection.execute("pragma user_version = 99")
        connection.commit()
        connection.close()
    with vademecum.open_vault(path) as vault:
        assert vault.search("kettle").hits == expected
        assert vault.check().is_clean
