"""The command `vade`."""

from vademecum.faces.cli.program import main

__all__ = ["main"]
