"""A vault of its own for each test, and the bundled sample once for all that only read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import vademecum
from vademecum import PERSONAL, parse_space

SAMPLE = Path(__file__).parents[2] / "sample"


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[vademecum.Workspace]:
    with vademecum.create_vault(tmp_path / "vault") as opened:
        yield opened


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[vademecum.Workspace]:
    with vademecum.create_vault(tmp_path_factory.mktemp("sample") / "vault") as opened:
        opened.import_path(SAMPLE / "personal", space=PERSONAL)
        opened.import_path(SAMPLE / "lantern", space=parse_space("project:lantern"))
        yield opened
