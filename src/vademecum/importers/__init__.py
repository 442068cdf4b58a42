"""Taking in what other programs and vaults have written. A second run changes nothing."""

from vademecum.importers.files import Importer

__all__ = ["Importer"]
