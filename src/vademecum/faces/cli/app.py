"""What one run of `vade` works with: the global options, and the vault they lead to."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vademecum.workspace import Workspace


@dataclass(slots=True)
class App:
    """Filled while the command line is read: global options may stand before or after the verb."""

    vault: Path | None = None
    json: bool = False
    no_color: bool = False

    @property
    def root(self) -> Path:
        """The vault's folder: --vault, else VADEMECUM_VAULT, else the user's data folder."""
        return self.vault.expanduser() if self.vault is not None else usual_root()

    def open(self) -> Workspace:
        """The vault. The engine is loaded here, so that `vade --help` stays quick."""
        from vademecum import open_vault

        return open_vault(self.root)


def usual_root() -> Path:
    """Where the vault is if the command line does not say."""
    from vademecum.settings import default_vault_path

    return default_vault_path(os.environ)
