"""Markdown notes with front matter: text to memories and documents, and back."""

from vademecum.markdown.front_matter import FrontMatter, split_front_matter, with_keys
from vademecum.markdown.memories import parse_memory, path_id, render_memory
from vademecum.markdown.sections import document_of

__all__ = [
    "FrontMatter",
    "document_of",
    "parse_memory",
    "path_id",
    "render_memory",
    "split_front_matter",
    "with_keys",
]
