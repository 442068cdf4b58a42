"""What `vade` can do, a module a group of verbs."""
