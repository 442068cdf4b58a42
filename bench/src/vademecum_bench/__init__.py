"""Measures retrieval through the public API of Vademecum, beside baselines it runs itself."""

from importlib.metadata import PackageNotFoundError, version

PROTOCOL = 1
"""Raised whenever the same rows would no longer come out of the same system and data."""

try:
    __version__ = version("vademecum-bench")
except PackageNotFoundError:
    __version__ = "0+source"
