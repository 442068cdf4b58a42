"""Doors to the workspace: each translates its caller's words in, and the answers out."""
