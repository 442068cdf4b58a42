"""A vault in an empty folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from vademecum.vault import FolderVault


@pytest.fixture
def vault(tmp_path: Path) -> FolderVault:
    return FolderVault.create(tmp_path / "v")
