"""Passages that share words with the question: BM25 over packed postings."""

from vademecum.channels.lexical.channel import LexicalChannel

__all__ = ["LexicalChannel"]
