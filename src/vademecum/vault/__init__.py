"""The folder of files that is the truth: the only room that turns names into paths."""

from vademecum.vault.folder import FolderVault, new_id

__all__ = ["FolderVault", "new_id"]
