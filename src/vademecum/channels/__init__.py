"""Ways of finding passages: each one's index side and search side together."""
